#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records of any making, which the page bears: hostile_test.py PAGE"""
import json
import sys

from pages import run_checks, sample, tile



def check_anything(pages):
    """Records with little, with the wrong things, or that are none."""
    pages.open({}, "an empty record")
    pages.check("[...document.querySelectorAll('h2')].map(h => h.textContent)", ["Summary"], "has a summary")
    pages.open(
        {
            "events": [7, None, {
                "name": 3,
                "parent": 3
            }],
            "batches": [[], {
                "event": {},
                "items": {
                    "start_ns": "x",
                    "lane": [1]
                }
            }],
            "batch_summaries": [None, {
                "completed": 1
            }],
            "run": [],
            "clock": None,
            "sweeps": [{}, 0],
            "device": {
                "launches": {}
            },
            "profile": {
                "phases": [None]
            },
            "timeline": {
                "event": [9, 9],
                "begin_ns": [1]
            },
            "cost": 3,
            "events_all": None
        }, "wrong types")
    pages.check("document.querySelectorAll('h2').length >= 6", True, "show what can be shown")
    for text in (b"[1]", b"not json", b'{"a":', b'{"a":"\xff\xfe"}'):
        pages.open(text, "the record {}".format(text))
    pages.check("document.querySelector('h1').textContent", "Record of a run", "broken UTF-8 is drawn")
    pages.open(b"null", "null")
    pages.check("document.querySelector('.note').textContent.startsWith('The record cannot be read')", True,
                "what is none is told so")
    pages.open(
        {
            "events": [{
                "name": "a",
                "parent": "b",
                "total_ns": 1
            }, {
                "name": "b",
                "parent": "a",
                "total_ns": 1
            }, {
                "name": "x" * 4096,
                "parent": None,
                "total_ns": 5
            }]
        },
        "a circle of parents, a label of 4 KiB",
        width=390)
    pages.check("document.querySelectorAll('#phases [role=row][aria-level] .name').length >= 3", True, "each phase has its row")


# What no page may show: parts that could not be drawn, and what scripts print of values that are none.
WRONG = """(() => {
  const none = /NaN|undefined|Infinity|\\[object/, nodes = [...document.querySelectorAll('body > header *, main *')];
  return [
    ...nodes.filter(node => node.matches('.note') && /cannot be drawn/.test(node.textContent)).map(node => node.textContent),
    ...nodes.filter(node => node.children.length === 0 && none.test(node.textContent)).map(node => node.textContent),
    ...nodes.flatMap(node => [...node.attributes].filter(({value}) => none.test(value)).map(({name, value}) => name + value)),
  ].slice(0, 5).map(text => text.slice(0, 200));
})()"""
# Of every row in the page a slow page would be made.
MOST_NODES = 6000


def bears(pages, record, name, **setting):
    """The page shows what it can of the record, all of it drawn, and stays small."""
    pages.open(record, name, **setting)
    pages.check(WRONG, [], name + ": drawn, without values that are none")
    nodes = pages.browser.run("document.querySelectorAll('*').length")
    pages.points.add(nodes <= MOST_NODES, name + ": few elements", str(nodes))


def replaced(value, kinds, other):
    """A copy of a record, all values of some kinds replaced."""
    if isinstance(value, dict):
        return {key: replaced(one, kinds, other) for key, one in value.items()}
    if isinstance(value, list):
        return [replaced(one, kinds, other) for one in value]
    return other if isinstance(value, kinds) and not isinstance(value, bool) else value


def samples():
    return [("recorder", sample("full.json")), ("kokkos", sample("kokkos.json"))]


def check_numbers(pages):
    """Every number another: far beyond what is measured, negative, tiny, a text, an object."""
    for of, record in samples():
        for other in (1e308, -1e308, 9e29, -5, 0.5, 2**53, 5e-324, "12", None, [], {}):
            bears(pages, replaced(record, (int, float), other), "{}, all numbers {}".format(of, other))


def check_texts(pages):
    """Every text another: long, with markup, control characters and such as turn the order of letters."""
    bidi = "a\u202eb\u2066\0\x1b[31m<b>" + "x" * 4096
    for of, record in samples():
        for name, other in (("of 4 KiB", bidi), ("__proto__", "__proto__"), ("empty", ""), ("numbers", 7), ("lists", [1])):
            kind = {"kind": record["kind"]} if "kind" in record else {}
            bears(pages, {**replaced(record, str, other), **kind}, "{}, all texts {}".format(of, name), width=390)
    bears(pages, {"run": {"program": "a\u202eb"}, "events": [{"name": "\u2067x", "total_ns": 1}]}, "turned letters")
    pages.check("[document.title, document.querySelector('#phases [aria-level] .name').textContent]",
                ["a\\u202eb, Tactus report", "\\u2067x"], "what turns the order of letters is written out")


def check_members(pages):
    """Each member missing, and each of another kind."""
    wrong = {"a": [], "events": [1], "phases": [1], "event": ["a"], "begin_ns": [1], "duration_ns": ["x"], "fences": [[]]}
    for of, record in samples():
        for key in record:
            if key != "kind":
                bears(pages, {one: value for one, value in record.items() if one != key}, "{} without {}".format(of, key))
                for other in ([None], wrong):
                    bears(pages, {**record, key: other}, "{}, {} is {}".format(of, key, json.dumps(other)[:12]))


ROWS = 100000


def repeated(record, key, change):
    """The record with ROWS rows of a member, each like one it has but for what `change` says of the n-th."""
    rows = record[key]
    return {**record, key: [{**rows[n % len(rows)], **change(n)} for n in range(ROWS)]}


def check_rows(pages):
    """Many rows of what has few; trees as deep as they have rows, and such as have no root."""
    full, kokkos = sample("full.json"), sample("kokkos.json")
    for name, parent in (("flat", lambda n: None), ("deep", lambda n: "e%d" % (n - 1) if n else None),
                         ("in a circle", lambda n: "e%d" % ((n + 1) % ROWS))):
        bears(pages, repeated(full, "events", lambda n, p=parent: {"name": "e%d" % n, "parent": p(n)}), "events, " + name)
    for name, parent in (("deep", lambda n: n - 1 if n else None), ("in a circle", lambda n: (n + 1) % ROWS)):
        bears(pages, repeated(kokkos, "regions", lambda n, p=parent: {"parent": p(n)}), "regions, " + name)
    bears(pages, repeated(full, "batch_summaries", lambda n: {"event": "e%d" % n}), "many events with batches")
    bears(pages, repeated(full, "batches", lambda n: {"event": "e%d" % n, "number": n}), "many batches of as many events")
    bears(pages, repeated(full, "sweeps", lambda n: {"energy": -1 - 1 / (n + 1)}), "many sweeps")
    bears(pages, repeated(kokkos, "kernels", lambda n: {"name": "k%d" % n}), "many kernels")
    bears(pages, repeated(kokkos, "kernels_by_region", lambda n: {"name": "k%d" % n, "parent": n % 7}), "many kernels of regions")
    bears(pages, repeated(kokkos, "copies", lambda n: {"from": "s%d" % n}), "copies from many spaces")
    numbered = {"k%d" % n: n for n in range(ROWS)}
    bears(pages, {**full, "run": numbered, "result": numbered, "mismatches": {**numbered}}, "many options and results")
    bears(pages, {**kokkos, "sections": [numbered]}, "many members of a row")
    counters = [{"name": "c%d" % n, "unit": "ns"} for n in range(ROWS)]
    bears(pages, {**full, "hooks": {**full["hooks"], "counters": counters}}, "many counters")
    lists, objects = b"[" * ROWS + b"]" * ROWS, b'{"a":' * ROWS + b"1" + b"}" * ROWS
    bears(pages, b'{"run":{"a":' + lists + b'},"result":{"b":' + objects + b"}}", "values nested deep")


def many(batches, items):
    """A record of many batches, the last of which has many items."""
    record = sample("full.json")
    one = record["batches"][1]
    record["batches"] = [dict(one, number=i, begin_ns=1000000 + 1000 * i, wall_ns=500 + i % 7) for i in range(batches)]
    record["batches"].append(
        dict(one,
             number=batches,
             lanes=4,
             wall_ns=items * 100,
             requested=items,
             started=items,
             completed=items,
             items={
                 "index": list(range(items)),
                 "lane": [i % 4 for i in range(items)],
                 "start_ns": [i // 4 * 400 for i in range(items)],
                 "duration_ns": [50 + i * 7919 % 300 for i in range(items)],
                 "cost": [50 + i * 7919 % 301 for i in range(items)]
             }))
    return record


def check_many(pages):
    pages.open(many(10000, 100000), "10001 batches, one of 100000 items")
    pages.check("document.querySelector('#batch-list').getAttribute('aria-rowcount')", "10002", "all are in the list")
    pages.check("document.querySelectorAll('.line').length < 50", True, "but few in the page")
    pages.check(tile("#batches", "items"), "100000", "the large one is chosen")
    pages.browser.run("document.querySelector('#batch-list').focus()")
    pages.browser.key("End")
    pages.check("document.querySelector('.line[aria-selected=true] > :nth-child(3)').textContent", "500 ns",
                "End goes to the shortest")
    pages.check("document.querySelectorAll('.line').length < 50", True, "and few are in the page still")


run_checks(sys.argv[1], check_anything, check_numbers, check_texts, check_members, check_rows, check_many)
