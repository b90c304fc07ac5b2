#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records of any making, which the page bears: hostile_test.py PAGE"""
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


run_checks(sys.argv[1], check_anything, check_many)
