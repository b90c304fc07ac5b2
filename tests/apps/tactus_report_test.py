#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tactus report on records made by hand and by the programs: tactus_report_test.py TACTUS DMRG FMM SANITIZERS"""
import csv
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

import records
import trace_reader
from program import run
from records import changed, del_
from seeded import seeded_dice
from tap import Points

# A record that is broken in one place: path of the member, its value, what the line has to say.
BROKEN = [
    (["schema"], del_, "schema: is missing: this is no record of Tactus"),
    (["schema"], 2, "schema: is 2, newer than the 1 that this program reads"),
    (["schema"], 0, "schema: is 0"),
    (["schema"], "1", "schema: is a text where a whole number is expected"),
    (["kind"], "comparison", "kind: 'comparison'"),
    (["level"], del_, "level: is missing: this is no record of Tactus"),
    (["level"], "loud", "level: 'loud' is no level"),
    (["clock"], del_, "clock: is missing"),
    (["clock", "resolution_ns"], -1, "clock.resolution_ns: is negative"),
    (["clock", "resolution_ns"], 2**63 - 1, "clock.resolution_ns: is 9223372036854775807, which is no duration"),
    (["clock", "origin_ns"], 2**62, "clock.origin_ns: is"),
    (["events"], {}, "events: is an object where an array is expected"),
    (["events", 1], 3, "events[1]: is a whole number where an object is expected"),
    (["events", 1, "name"], del_, "events[1].name: is missing"),
    (["events", 1, "name"], "other", "events[1].name: 'other' is none of events_all"),
    (["events", 1, "parent"], "work", "events[1].parent: 'work' is no event before its child"),
    (["events", 1, "total_ns"], -1, "events[1].total_ns: is negative"),
    (["events", 1, "total_ns"], 2.5, "events[1].total_ns: is a number where a whole number is expected"),
    (["events", 0, "count"], None, "events[0].count: is null where a whole number is expected"),
    (["events", 1, "min_ns"], 5000, "events[1].min_ns: is more than max_ns"),
    (["events", 1, "max_ns"], 5000, "events[1].max_ns: is more than total_ns"),
    (["events", 1, "count"], 0, "events[1].count: is 0"),
    (["events", 1, "total_ns"], 1999, "events[1].total_ns: is not the time of 2 calls of min_ns to max_ns"),
    (["events", 1, "total_ns"], 2001, "events[1].total_ns: is not the time of 2 calls of min_ns to max_ns"),
    (["events", 0, "total_ns"], 2**63 - 1, "events[0].total_ns: is 9223372036854775807, which is no duration"),
    (["events"], [records.event(name, None, 2**60) for name in ("run", "work", "never")], "events: take longer in all"),
    (["batches"], del_, "batches: is missing"),
    (["batches", 1, "event"], "none", "batches[1].event: 'none' is none of the events"),
    (["batches", 0, "status"], "FINE", "batches[0].status: 'FINE' is no status"),
    (["batches", 0, "inline"], 0, "batches[0].inline: is a whole number where true or false is expected"),
    (["batches", 0, "lanes"], 2**40, "batches[0].lanes: is too large"),
    (["batches", 0, "lanes"], 10**9, "batches[0].lanes: is too large"),
    (["batches", 0, "begin_ns"], 2**62, "batches[0].begin_ns: is"),
    (["batches", 0, "items", "index"], [0, 1, 3], "batches[0].items.index: its element 2 is 3, which cannot be"),
    (["batches", 0, "items", "lane"], [0, 1], "batches[0].items.lane: has 2 elements where 3 are expected"),
    (["batches", 0, "items", "duration_ns"], [1, "x", 2], "batches[0].items.duration_ns: its element 1 is no whole number"),
    (["batches", 0, "items", "start_ns"], del_, "batches[0].items.start_ns: is missing"),
    (["batches", 0, "items", "index"], [0, 1, 1], "batches[0].items.index: its element 2 is 1, as one before it"),
    (["batches", 0, "items", "index"], [0, 1], "batches[0].items.index: has 2 elements where 3 items are completed"),
    (["batches", 0, "items", "start_ns"], [-1, 20, 250], "batches[0].items.start_ns: its element 0 is -1, which cannot be"),
    (["batches", 0, "items", "duration_ns"], [600, 200, 751], "batches[0].items.duration_ns: its element 2 is 751, which cannot be"),
    (["batches", 0, "wall_ns"], 2**62, "batches[0].wall_ns: is 4611686018427387904, which is no duration"),
    (["batches", 0, "wall_ns"], 2001, "batches[1].begin_ns: is before the end of the batch before it"),
    (["batches", 0, "wall_ns"], 999, "batches[0].begin_ns: with event and wall_ns is none of the timeline"),
    (["batches", 0, "begin_ns"], 4999, "batches[0].begin_ns: with event and wall_ns is none of the timeline"),
    (["batches", 0, "begin_ns"], 999, "batches[0].begin_ns: is before the begin of the record"),
    (["batches", 0, "event"], "run", "batches[0].begin_ns: with event and wall_ns is none of the timeline"),
    (["batches", 1, "number"], 0, "batches[1].number: is not above that of the batch before it"),
    (["batches", 1, "number"], 2, "batches[1].number: is 2, and the summaries are of 2 in all"),
    (["batches", 0, "started"], 4, "batches[0].started: is more than requested"),
    (["batches", 0, "completed"], 4, "batches[0].completed: is more than started"),
    (["batches", 0, "slowest_index"], 3, "batches[0].slowest_index: is the number of no item"),
    (["batches", 0, "item_max_ns"], 1501, "batches[0].item_max_ns: is more than item_total_ns"),
    (["batches", 0, "requested"], 2**60, "batches[0].items.index: of so many items there are no slots"),
    (["batches", 0, "device_commands"], {"label": [0]}, "batches[0].device_commands.item: is missing"),
    (["batch_summaries", 0, "event"], "none", "batch_summaries[0].event: 'none' is none of the events"),
    (["batch_summaries", 0, "batches"], 0, "batch_summaries[0].batches: is 0"),
    (["batch_summaries", 0, "item_histogram_ns"], [[33, 1]], "batch_summaries[0].item_histogram_ns: its element 0 is no bucket"),
    (["timeline", "event"], [0, 1, 3], "timeline.event: its element 2 is 3"),
    (["timeline", "begin_ns"], [0, 6000, 4000], "timeline.begin_ns: its element 2 is less than the one before it"),
    (["timeline"], {"event": [0], "begin_ns": [0], "duration_ns": [10000]}, "batches[0].begin_ns: with event and wall_ns is none of the timeline"),
    (["batches", 1, "begin_ns"], 10**8, "batches[1].begin_ns: with event and wall_ns is none of the timeline"),
    (["timeline", "begin_ns"], [-1, 4000, 6000], "timeline.begin_ns: its element 0 is -1, which cannot be"),
    (["timeline", "begin_ns"], [0, 4000, 4500], "timeline.duration_ns: its element 2 ends after element 1, in which it begins"),
    (["timeline", "begin_ns"], [0, 4000, 9500], "timeline.duration_ns: its element 2 ends after element 0, in which it begins"),
    (["timeline", "duration_ns"], [10000, 1000, 1001], "timeline.duration_ns: its element 2 is not within min_ns and max_ns of its event"),
    (["timeline", "duration_ns"], [10**15, 1000, 1000], "timeline.duration_ns: its element 0 is not within min_ns and max_ns of its event"),
    (["timeline", "event"], [0, 0, 1], "timeline.event: its element 1 is one call more than the event's count"),
    (["timeline", "event"], [0, 2, 1], "timeline.event: its element 1 is one call more than the event's count"),
    (["timeline", "begin_ns"], [0], "timeline.begin_ns: has 1 elements where 3 are expected"),
    (["events_all"], del_, "timeline.event: numbers events_all, which is missing"),
    (["dropped"], "none", "dropped: is a text where a whole number is expected"),
    (["run"], [], "run: is an array where an object is expected"),
    (["run", "program"], 3, "run.program: is a whole number where a text is expected"),
    (["run", "blas", "threads"], "all", "run.blas.threads: is a text where a whole number is expected"),
    (["profile"], {"kernel": "k"}, "profile.near: is missing"),
    (["device"], {"launches": 1}, "device.launches: is a whole number where an array is expected"),
]

# The same of records with hooks and with costs.
BROKEN_HOOKS = [
    (["hooks"], [], "hooks: is an array where an object is expected"),
    (["hooks", "name"], del_, "hooks.name: is missing"),
    (["hooks", "counters"], [{}] * 13, "hooks.counters: has 13 elements, more than the 12 that hooks have"),
    (["hooks", "counters", 1, "unit"], del_, "hooks.counters[1].unit: is missing"),
    (["hooks", "events", 1, "name"], "run", "hooks.events[1].name: 'run' is none of the events behind the one before"),
    (["hooks", "events", 0, "values"], [1], "hooks.events[0].values: has 1 elements where 2 are expected"),
    (["hooks", "events", 0, "item_values"], [1, 0.5], "hooks.events[0].item_values: its element 1 is no whole number"),
    (["hooks", "events", 0, "values"], [2**62, 1], "hooks.events[0].values: its element 0 is no whole number, or too large"),
    (["hooks", "events", 1, "counted_share"], [1, 1.5], "hooks.events[1].counted_share: its element 1 is no share"),
    (["hooks", "failures"], -1, "hooks.failures: is negative"),
]
BROKEN_COSTS = [
    (["costs"], 1, "costs: is a whole number where an object is expected"),
    (["costs", "file"], del_, "costs.file: is missing"),
    (["costs", "events", 0, "ratio_p10"], del_, "costs.events[0].ratio_p10: is missing"),
    (["costs", "events", 1, "name"], 1, "costs.events[1].name: is a whole number where a text is expected"),
    (["costs", "events", 0, "lane_bound_ns"], 2**62, "costs.events[0].lane_bound_ns: is"),
]

# What is no record at all.
NO_RECORD = [
    (b"", "is empty"),
    (b" \n\t", "is empty"),
    (b"[1, 2]", "holds no JSON object: this is no record of Tactus"),
    (b"hello", "line 1, "),
    (b'{"schema": 1, "schema": 1}', "line 1, "),
    (b'{"schema": 1\n"level": 2}', "line 2, "),
    (b'{"schema": 99999999999999999999}', "line 1, "),
    (b"\xff\xfe{}", "line 1, "),
    (b"\0" * 5000, "is no text: byte 0 is zero"),
    (b"\x7fELF\2\1\1\0\0", "is no text: byte 7 is zero"),
    (b'{"schema": 1, "level": "a\\u0000b"}', "line 1, column 33: a text holds \\u0000"),
    (b'{"a\\u0000b": 1}', "line 1, column 11: a text holds \\u0000"),
    (b'{"schema": 1, "level": "\x1b[31m"}', "line 1, column 24: no JSON: control character 0x1b"),
    (b"\x1b]0;title\x07", "line 1, "),
    (b'{"schema": 1, "level": "\\u001b[31m\\u009b"}', "level: '\\x1b[31m\\x9b' is no level"),
    (b"{}", "schema: is missing: this is no record of Tactus"),
    (b'{"schema": 1, "version": "0.1.0", "executors": []}', "level: is missing: this is no record of Tactus"),
]


def refuses(points, tactus, name, words, status, needle, **options):
    """One line on standard error that names the trouble, without a control character, nothing on standard output."""
    done = run(tactus, *words, **options)
    one_line = not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.stderr) and done.stderr.startswith("tactus: ") and done.stderr.count("\n") == 1
    points.add(done.returncode == status and one_line and needle in done.stderr and not done.stdout, name, str(done))


def check_bad_files(points, tactus, folder):
    path = os.path.join(folder, "bad.json")
    for content, needle in NO_RECORD:
        with open(path, "wb") as stream:
            stream.write(content)
        refuses(points, tactus, "refuses {!r}".format(content), ["report", path], 2, "tactus: {}: {}".format(path, needle))
    for make, broken in (records.detailed, BROKEN), (records.hooked, BROKEN_HOOKS), (records.fitted, BROKEN_COSTS):
        for place, value, needle in broken:
            path = records.write(folder, "broken.json", changed(make(), place, value))
            refuses(points, tactus, "refuses " + needle, ["report", path], 2, "tactus: {}: {}".format(path, needle))
    refuses(points, tactus, "a file that is not there", ["report", "nothing.json"], 1, "nothing.json: cannot be read: No such file")
    refuses(points, tactus, "a device without an end", ["report", "/dev/zero"], 2, "/dev/zero: is no text: byte 0 is zero")
    with open("/dev/zero", "rb") as stream:
        refuses(points, tactus, "standard input without an end", ["report", "-"], 2, "standard input: is no text: byte 0 is zero", stdin=stream)
    refuses(points, tactus, "a folder", ["report", folder], 1, folder + ": cannot be read: Is a directory")
    refuses(points, tactus, "odd bytes in a name", ["report", b"a\n\xff.json"], 1, "tactus: a\\x0a\ufffd.json: cannot be read")


def check_memory(points, tactus, folder):
    """Where memory ends while a record is read, that is what is said, wherever it ends."""
    path = os.path.join(folder, "large.json")
    with open(path, "w", encoding="utf-8") as stream:
        json.dump({"schema": 1, "level": "off", "events": [], "batches": [], "more": [{"a": i, "b": "text"} for i in range(200000)]}, stream)
    told, done = [], None
    for megabytes in range(30, 4000, 10):
        done = run(tactus, "report", path, preexec_fn=lambda most=megabytes << 20: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
                   env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
        if done.returncode == 0:
            break
        if done.stderr.startswith("tactus: "):  # and not the loader, or BLAS
            told.append((done.returncode, done.stderr.count("\n"), "large.json: no memory" in done.stderr))
    points.add(done.returncode == 0 and set(told) == {(1, 1, True)}, "no memory for a record is told as that", str((set(told), done)))


def check_truncation(points, tactus, folder):
    """Wherever a record ends early, it is refused in one line."""
    whole = json.dumps(records.detailed()).encode()
    path = os.path.join(folder, "part.json")
    failures = []
    for length in range(0, len(whole), 97):
        with open(path, "wb") as stream:
            stream.write(whole[:length])
        done = run(tactus, "report", path)
        if done.returncode != 2 or done.stderr.count("\n") != 1 or done.stdout:
            failures.append((length, done))
    points.add(not failures, "a truncated record is refused wherever it ends", str(failures[:1]))
    refuses(points, tactus, "and said to be truncated", ["report", path], 2, "ends in line 1 within the record: it is not whole")


def row_of(text, name):
    """The words of a table's row."""
    found = re.search(r"^ *{} {{2,}}(.*)$".format(re.escape(name)), text, re.MULTILINE)
    return re.split(r" {2,}", found[1].strip()) if found else None


def check_tables(points, tactus, folder):
    path = records.write(folder, "run.json", records.detailed())
    done = run(tactus, "report", path)
    points.add(done.returncode == 0 and not done.stderr, "a record by hand is reported", str(done))
    points.add(done.stdout.startswith("by_hand 1.2, executor threads with 2 lanes, measurements detailed\n"
                                      "BLAS OpenBLAS, kernel Zen, 1 thread\n\n"), "the head says what ran", done.stdout)
    points.add(row_of(done.stdout, "run")[:5] == ["1", "10.000 µs", "10.000 µs", "10.000 µs", "10.000 µs"], "a row of an event", done.stdout)
    points.add(row_of(done.stdout, "work")[:5] == ["2", "2.000 µs", "1.000 µs", "1.000 µs", "1.000 µs"] and "20.0 %" in row_of(done.stdout, "work"),
               "and one of a child", done.stdout)
    points.add("25.0 %" in done.stdout, "batches have their idle share", done.stdout)
    piped = subprocess.run([tactus, "report", "-"], input=json.dumps(records.detailed()), capture_output=True, text=True, check=False)
    points.add(piped.stdout == done.stdout and piped.returncode == 0, "- is standard input", str(piped))
    both = run(tactus, "report", path, path)
    points.add(both.stdout == "{0}:\n{1}\n{0}:\n{1}".format(path, done.stdout), "two records come one after the other", both.stdout)
    other = records.write(folder, "other.json", {"schema": 1})
    stopped = run(tactus, "report", path, other)
    points.add(stopped.returncode == 2 and done.stdout in stopped.stdout and other in stopped.stderr, "the first bad one ends it", str(stopped))
    off = run(tactus, "report", records.write(folder, "off.json", {"schema": 1, "level": "off", "events": [], "batches": []}))
    points.add(off.returncode == 0 and "Nothing was measured" in off.stdout, "a record of the level off says so", str(off))


def check_hooks(points, tactus, folder):
    done = run(tactus, "report", records.write(folder, "hooked.json", records.hooked()))
    tables = done.stdout[done.stdout.find("\nphase  "):]
    points.add(done.returncode == 0 and not done.stderr and tables.startswith("\nphase"), "what hooks counted has its tables", str(done))
    points.add(re.search(r"^phase +count +task-clock +cycles$", tables, re.MULTILINE) and row_of(tables, "run") == ["1", "9.000 µs", "777"] and
               row_of(tables, "work") == ["2", "1.500 µs", "333"], "phases", tables)
    items = tables[tables.find("items of"):]
    points.add(row_of(items, "work") == ["6", "1.400 µs", "300"], "and items", tables)
    points.add("at least 25.0 %" in tables and "A note.\n" in tables and "2 in all; the first: no descriptors." in tables, "and what is said below", tables)


def check_costs(points, tactus, folder):
    done = run(tactus, "report", records.write(folder, "fitted.json", records.fitted()))
    tables = done.stdout[done.stdout.find("\ncosts of costs.json\n"):]
    points.add(done.returncode == 0 and not done.stderr and tables.startswith("\ncosts of"), "fitted costs have their tables", str(done))
    seen, idle = tables.split("\n\n") if "\n\n" in tables else (tables, "")
    points.add(row_of(seen, "work") == ["6", "1.500", "0.500", "2.500", "0.750"] and "never" not in tables, "predicted over seen", tables)
    points.add(re.findall(r"[\d.]+ %", idle) == ["25.00 %", "20.00 %", "14.29 %", "6.25 %", "0.00 %"], "idle shares of lanes", tables)


def check_older_records(points, tactus, folder):
    """What was added to the form later may be absent; a parent that was never entered is not in the list."""
    older = records.record([records.event("solve", "outer", 500), records.event("inner", "solve", 100)])
    done = run(tactus, "report", records.write(folder, "older.json", older))
    points.add(done.returncode == 0 and row_of(done.stdout, "inner") and "20.0 %" in row_of(done.stdout, "inner"), "an older record is read", str(done))
    del older["device_lost"], older["run"]
    done = run(tactus, "report", records.write(folder, "bare.json", older))
    points.add(done.returncode == 0 and done.stdout.startswith("a program that does not say its name, measurements coarse"), "and one without its run", str(done))
    late = records.record([records.event("inner", "solve", 100), records.event("solve", None, 500)])
    refuses(points, tactus, "a parent after its child", ["report", records.write(folder, "late.json", late)], 2, "events[0].parent: 'solve' is no event before its child")
    twins = records.record([records.event("a", None, 500), records.event("x", "a", 100), records.event("b", None, 300), records.event("x", "b", 30)])
    done = run(tactus, "report", records.write(folder, "twins.json", twins))
    points.add(done.stdout.count("\n  x ") == 2 and "20.0 %" in done.stdout and "10.0 %" in done.stdout, "two events of one name are two", done.stdout)


def check_odd_labels(points, tactus, folder):
    name = "quote \" back\\slash \x01 \u00b5 " + "long " * 800
    made = records.record([records.event(name, None, 500)], program="line\nbreak", executor="\x1b[31m")
    done = run(tactus, "report", records.write(folder, "odd.json", made))
    points.add(done.returncode == 0 and "\x1b" not in done.stdout and "\x01" not in done.stdout and "line\\x0abreak" in done.stdout,
               "labels of any bytes are shown safely", done.stdout[:300])


def check_long_names(points, tactus, folder):
    """A name of 100 KB widens no table, whichever it stands in."""
    name = json.dumps("begin of " + "n" * 100000 + " end")
    for make in records.detailed, records.hooked, records.fitted, records.kokkos:
        text = json.dumps(make())
        for short in "work", "axpy", "wait", "step", "Cuda":
            text = text.replace(json.dumps(short), name)
        path = records.write(folder, "long.json", json.loads(text))
        for words in ["report", path], ["compare", path, path]:
            done = run(tactus, *words)
            points.add(done.returncode == 0 and "begin of nn" in done.stdout and max(map(len, done.stdout.splitlines())) < 300,
                       "{} of long names: {}".format(words[0], make.__name__), str(done)[:700])


def check_json(points, tactus, folder):
    made = records.detailed()
    path = records.write(folder, "run.json", made)
    done = run(tactus, "report", "--json=-", path)
    points.add(done.returncode == 0 and json.loads(done.stdout) == made and done.stdout.count("\n") > 50, "--json=- gives the record again", str(done)[:300])
    out = os.path.join(folder, "again.json")
    done = run(tactus, "report", "--json=" + out, path)
    with open(out, encoding="utf-8") as stream:
        points.add(done.returncode == 0 and not done.stdout and json.load(stream) == made, "--json=FILE writes it", str(done))
    broken = records.write(folder, "broken.json", {"schema": 1})
    run(tactus, "report", "--json=" + out, broken)
    with open(out, encoding="utf-8") as stream:
        points.add(json.load(stream) == made, "a record that is refused leaves the file as it was")


def check_forms(points, tactus, folder):
    """Every form shows what the record holds, by hand: a run of 10 us with two batches of 1 us, at 4 and 6 us from its origin."""
    made = records.detailed()
    made["run"]["command_line"] = ["by_hand", "a b", "it's", "--x=1"]
    made["cost"] = {"clock_read_ns": 20, "phase_record_ns": 41.5, "item_record_ns": 60}
    path = records.write(folder, "forms.json", made)
    paths = {form: os.path.join(folder, "out." + form) for form in ("csv", "trace", "speedscope", "html")}
    done = run(tactus, "report", *("--{}={}".format(*item) for item in paths.items()), path)
    points.add(done.returncode == 0 and not done.stdout and not done.stderr, "several forms at once", str(done))
    texts = {}
    for form, out in paths.items():
        with open(out, encoding="utf-8", newline="") as stream:
            texts[form] = stream.read()
    rows = list(csv.DictReader(texts["csv"].splitlines()))
    points.add([(row["event"], row["total_ns"], row["count"]) for row in rows] == [("run", "10000", "1"), ("work", "2000", "2")], "CSV has a row an event", texts["csv"])
    points.add(rows[0]["command_line"] == "by_hand 'a b' 'it'\\''s' --x=1" and rows[0]["program"] == "by_hand" and rows[0]["lanes"] == "2" and
               rows[0]["blas_kernel"] == "Zen", "and what the record says of its run", str(rows[0]))
    points.add((rows[0]["clock_resolution_ns"], rows[0]["origin_ns"], rows[0]["clock_read_ns"], rows[0]["phase_record_ns"], rows[0]["item_record_ns"]) ==
               ("1", "1000", "20", "41.5", "60"), "and of its clock, as it was measured then", str(rows[0]))
    coarse = records.write(folder, "coarse_clock.json", changed(made, ["clock", "resolution_ns"], 2**60))
    done = run(tactus, "report", "--csv=-", coarse)
    points.add(next(csv.DictReader(done.stdout.splitlines()))["clock_resolution_ns"] == str(2**60), "of the coarsest clock, too", str(done))
    trace = json.loads(texts["trace"])
    slices = {(slice["name"], slice["ts"], slice["dur"]) for slice in trace["traceEvents"] if slice.get("ph") == "X"}
    points.add({("run", 0, 10), ("work", 4, 1), ("work", 6, 1)} <= slices and len([slice for slice in slices if slice[2] in (0.6, 0.2, 0.7)]) == 3,
               "the trace has phases, batches and items in microseconds from the origin", texts["trace"])
    points.add(trace["otherData"]["program"] == "by_hand" and trace["otherData"]["phase_record_ns"] == 41.5, "and the run", str(trace["otherData"]))
    profile = json.loads(texts["speedscope"])
    points.add({frame["name"] for frame in profile["shared"]["frames"]} >= {"run", "work"} and profile["profiles"][0]["endValue"] == 10000,
               "the speedscope profile has its frames", texts["speedscope"])
    held = re.search(r'<script type="application/json" id="record">(.*?)</script>', texts["html"], re.DOTALL)
    points.add(held and json.loads(held[1]) == made, "the page holds the record", texts["html"][:200])
    done = run(tactus, "report", "--csv=-", path)
    points.add(done.stdout.splitlines() == texts["csv"].splitlines(), "- is standard output", str(done))
    check_forms_that_are_not(points, tactus, folder, path)


def check_forms_that_are_not(points, tactus, folder, path):
    out = os.path.join(folder, "kept")
    with open(out, "w", encoding="utf-8") as stream:
        stream.write("old")
    bare = records.write(folder, "bare.json", records.record([records.event("run", None, 1000)]))
    off = records.write(folder, "off.json", {"schema": 1, "level": "off", "events": [], "batches": []})
    of_kokkos = records.write(folder, "kokkos.json", records.kokkos())
    for words, needle in [(["--trace=" + out, bare], "--trace: the record has no timeline"), (["--csv=" + out, off], "--csv: the record is of the level off"),
                          (["--trace=" + out, off], "--trace: the record is of the level off"),
                          (["--speedscope=" + out, of_kokkos], "--speedscope: a record of the Kokkos module has no such form"),
                          (["--csv=-", "--trace=-", path], "--trace: goes to standard output, as does --csv"),
                          (["--csv=" + out, "--html=" + os.path.join(folder, ".", os.path.basename(out)), path],
                           "--csv: '" + out + "' is the file of --html too"),
                          (["--html=" + path, path], "--html: '" + path + "' is the record that is read")]:
        refuses(points, tactus, "refuses: " + needle, ["report", *words], 2, "tactus: " + needle)
    with open(path, encoding="utf-8") as stream:
        done = run(tactus, "report", "--html=" + path, "-", stdin=stream)
    points.add(done.returncode == 2 and "--html: '" + path + "' is the record that is read" in done.stderr, "nor is standard input written over", str(done))
    with open(out, encoding="utf-8") as stream:
        points.add(stream.read() == "old", "and leaves the file as it was")
    done = run(tactus, "report", "--html=-", of_kokkos)
    points.add(done.returncode == 0 and "parallel_reduce" in done.stdout, "a page of the Kokkos module's record", str(done)[:300])


def check_broken_at_random(points, tactus, folder):
    """A record with a member changed at random is read or refused in one line, and never more."""
    dice = seeded_dice()
    values = [None, True, -1, 0, 1, 2**31, 2**53, 2**63 - 1, 1e300, "", "work", [], [0, 0, 0], {}, {"index": []}, del_]
    failures = []
    for number in range(150):
        made = (records.kokkos, records.detailed, records.hooked, records.fitted)[number % 4]()
        place, path = made, []
        while isinstance(place, (dict, list)) and place and (not path or dice.random() < 0.8):
            path.append(dice.choice(list(place)) if isinstance(place, dict) else dice.randrange(len(place)))
            place = place[path[-1]]
        value = dice.choice(values)
        file = records.write(folder, "random.json", changed(made, path, value))
        for words in ["report"], ["report", "--trace=-"], ["report", "--csv=-"], ["report", "--speedscope=-"]:
            done = run(tactus, *words, file)
            if done.returncode not in (0, 2) or done.stderr.count("\n") != (done.returncode == 2):
                failures.append((words, path, value, done))
    points.add(not failures, "a member changed at random", str(failures[:1]))


def bend(dice, record):
    """Changes one thing of the times of a record: an element of a column, two of them, a batch or the sums."""
    batch = dice.choice(record["batches"])
    columns = [table[key] for table in (record["timeline"], batch["items"]) for key in ("begin_ns", "start_ns", "duration_ns", "event", "index") if key in table]
    column, how = dice.choice(columns), dice.randrange(5)
    if how == 0:
        dice.shuffle(column)
    elif how == 1:
        column[dice.randrange(len(column))] += dice.choice([-1, 1]) * 10 ** dice.randrange(12)
    elif how == 2:
        column[dice.randrange(len(column))] = dice.choice(column)
    elif how == 3:
        batch[dice.choice(["begin_ns", "wall_ns", "number", "requested", "completed", "lanes"])] += dice.choice([-1, 1]) * 10 ** dice.randrange(12)
    else:
        event = dice.choice(record["events"])
        event[dice.choice(["count", "total_ns", "min_ns", "max_ns"])] += dice.choice([-1, 1]) * 10 ** dice.randrange(6)


def frames_nest(profile):
    stack, last = [], 0
    for event in profile["events"]:
        if event["at"] < last or (event["type"] == "C" and (not stack or stack.pop() != event["frame"])):
            return False
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
    return not stack and last <= profile["endValue"]


def faults_of_forms(tactus, path, end_ns):
    """What is wrong with the trace and the profile of a record; a record that is refused has no fault."""
    found = []
    for form in "trace", "speedscope":
        done = run(tactus, "report", "--{}=-".format(form), path)
        if done.returncode == 2 and done.stderr.count("\n") == 1 and not done.stdout:
            continue
        if done.returncode or done.stderr:
            return [str(done)[:500]]
        value = json.loads(done.stdout)
        if form == "speedscope":
            found += [] if frames_nest(value["profiles"][0]) else ["frames"]
            continue
        found += trace_reader.faults(value["traceEvents"])
        found += ["outside of the run: {}".format(event) for event in slices_of(value["traceEvents"])
                  if event["pid"] == 1 and not 0 <= event["ts"] <= event["ts"] + event["dur"] <= end_ns / 1000 + 0.001]
    return found


def check_impossible_times(points, tactus, dmrg, folder):
    """Times that cannot be are refused, or what is written of them is well formed and within the run."""
    dice, path, failures, refused = seeded_dice(), os.path.join(folder, "bent.json"), [], 0
    run(dmrg, "--sites=6", "--max-sweeps=1", "--threads=2", "--measurements=detailed", "--quiet", "--json=" + path)
    with open(path, encoding="utf-8") as stream:
        whole = json.load(stream)
    for made in [whole, records.detailed()] * 60:
        made = json.loads(json.dumps(made))
        made["batches"] = [batch for batch in made["batches"] if batch.get("items", {"index": []})["index"]]
        bend(dice, made)
        end_ns = max(begin + duration for begin, duration in zip(made["timeline"]["begin_ns"], made["timeline"]["duration_ns"]))
        refused += run(tactus, "report", records.write(folder, "bent.json", made)).returncode == 2
        failures += faults_of_forms(tactus, path, end_ns)
    points.add(not failures and refused > 40, "times that cannot be", str((refused, failures[:2])))


def check_real_records(points, tactus, dmrg, fmm, folder):
    """No record of the programs is taken for an impossible one."""
    path = os.path.join(folder, "real.json")
    executors = [row["name"] for row in json.loads(run(tactus, "info", "--json").stdout)["executors"] if row["available"] and "devices" not in row]
    for executor in executors:
        for program, words in (dmrg, ["--sites=10", "--max-sweeps=3", "--steady-sweeps=2", "--max-states=12"]), (fmm, ["--levels=2", "--cache=none", "--repeat=2"]):
            for more in ["--measurements=coarse"], ["--measurements=detailed"], ["--measurements=detailed", "--detail-limit=2"]:
                done = run(program, *words, *more, "--executor=" + executor, "--quiet", "--json=" + path)
                shown = run(tactus, "report", path)
                points.add(done.returncode == shown.returncode == 0 and not faults_of_forms(tactus, path, 10**12),
                           "{} on {} {}: its record is read".format(os.path.basename(program), executor, " ".join(more)), str((done, shown))[:700])


def check_kokkos(points, tactus, folder):
    done = run(tactus, "report", records.write(folder, "kokkos.json", records.kokkos()))
    points.add(done.returncode == 0 and not done.stderr, "a record of the Kokkos module is reported", str(done))
    points.add(row_of(done.stdout, "axpy (parallel_for)") == ["3", "1.000 µs", "1.000 µs", "333 ns", "300 ns", "400 ns", "50.0 %"], "its instances are folded", done.stdout)
    points.add(row_of(done.stdout, "kernels") == ["4", "2.000 µs", "25.0 %"], "kernels have a sum", done.stdout)
    points.add("Tool Fence" not in done.stdout and row_of(done.stdout, "fences")[:2] == ["4", "800 ns"], "fences of the tool layer are not the program's", done.stdout)
    points.add(row_of(done.stdout, "solve") == ["2", "1.000 µs", "1.000 µs", "500 ns", "500 ns", "500 ns", "25.0 %"], "regions are a tree", done.stdout)
    points.add(row_of(done.stdout, "Host to Cuda") == ["2", "4096", "300 ns", "0", "16"], "copies have their row", done.stdout)
    points.add(row_of(done.stdout, "Cuda") == ["3", "2", "-8", "9000"], "spaces have theirs", done.stdout)
    points.add(done.stdout.startswith("by_hand, measured by a_tool 1.2\nwall time 8.000 µs, kernels 2.000 µs (25.0 %), outside of kernels 6.000 µs (75.0 %)\n"),
               "whose version it is, and the wall time", done.stdout)
    points.add([row_of(done.stdout, name)[-1] for name in ("kernels", "fences", "step")] == ["25.0 %", "10.0 %", "50.0 %"], "shares of it", done.stdout)
    points.add(row_of(done.stdout, "(kernels, fences and copies)") == ["2.100 µs", "52.5 %"] and row_of(done.stdout, "(unmeasured)") == ["900 ns", "22.5 %"] and
               row_of(done.stdout, "(outside of regions)") == ["4.000 µs", "50.0 %"], "what the regions leave", done.stdout)
    points.add("that of its dispatch" in done.stdout, "what the times are", done.stdout)
    for place, value, needle in [(["kernels", 1, "count"], del_, "kernels[1].count: is missing"), (["regions", 1, "parent"], 1, "regions[1].parent: 1 is no region before it"),
                                 (["copies", 0, "bytes"], -1, "copies[0].bytes: is negative"), (["regions"], del_, "regions: is missing"),
                                 (["run", "wall_ns"], -1, "run.wall_ns: is negative"), (["run", "tool"], 3, "run.tool: is a whole number where a text is expected")]:
        path = records.write(folder, "kokkos_broken.json", changed(records.kokkos(), place, value))
        done = run(tactus, "report", path)
        points.add(done.returncode == 2 and done.stderr == "tactus: {}: {}\n".format(path, needle), "refuses " + needle, str(done))


def report_of_kokkos(tactus, folder, place, value):
    return run(tactus, "report", records.write(folder, "kokkos_other.json", changed(records.kokkos(), place, value))).stdout


def check_kokkos_order(points, tactus, folder):
    """Kernels by falling time; after a region what is within it, then what that leaves."""
    told = report_of_kokkos(tactus, folder, ["kernels", 1, "total_ns"], 3000)
    table = told[told.index("\nkernels, fences"):told.index("\ncopies")]
    points.add([re.split(" {2,}", line.strip())[0] for line in table.splitlines()[2:]] ==
               ["kernels", "dot (parallel_reduce)", "axpy (parallel_for)", "fences", "wait", "step", "solve", "(kernels, fences and copies)",
                "(unmeasured)", "(outside of regions)"], "kernels by time, regions with what they leave at their end", table)


def check_kokkos_unknowns(points, tactus, folder):
    told = report_of_kokkos(tactus, folder, ["run"], {"program": "by_hand", "fencing": {"seconds": "execution"}})
    points.add("\nwall time" not in told and row_of(told, "kernels")[-1] == "-" and "(outside" not in told and "ran to their end" in told,
               "a record without a wall time has no shares of it", told)
    told = report_of_kokkos(tactus, folder, ["run", "outside_kernels_ns"], None)
    points.add("kernels 2.000 µs (25.0 %), which may have run at once\n" in told, "kernels of several threads", told)
    told = report_of_kokkos(tactus, folder, ["run", "threads"], 2)
    points.add("(outside of regions)" not in told, "nor do their regions leave a time", told)
    for exclusive in None, -1, 4001, del_:
        told = report_of_kokkos(tactus, folder, ["regions", 0, "exclusive_ns"], exclusive)
        points.add("(unmeasured)" not in told and row_of(told, "step"), "what a region leaves may be unknown", told)


def check_kokkos_nested(points, tactus, folder):
    """A reduction of 1,000 ns that held a kernel of 600 and a fence of 100: sums hold each moment once."""
    made = records.kokkos()
    made["kernels"][1].update(exclusive_ns=300)
    made["kernels"][0].update(exclusive_ns=600)
    made["fences"][0].update(exclusive_ns=800)
    made["copies"][0].update(exclusive_ns=250)
    told = run(tactus, "report", records.write(folder, "kokkos_nested.json", made)).stdout
    points.add(row_of(told, "kernels") == ["4", "1.300 µs", "16.3 %"] and row_of(told, "dot (parallel_reduce)")[1:3] == ["1.000 µs", "300 ns"] and
               row_of(told, "dot (parallel_reduce)")[-1] == "23.1 %" and row_of(told, "axpy (parallel_for)")[-1] == "76.9 %",
               "what is nested is in a sum once, and shares are of it", told)
    points.add(row_of(told, "Host to Cuda") == ["2", "4096", "300 ns", "250 ns", "0", "16"], "a copy without what it held", told)
    made["kernels"][2].update(timed=0, count=1, total_ns=0, min_ns=0, max_ns=0, mean_ns=0, exclusive_ns=0)
    told = run(tactus, "report", records.write(folder, "kokkos_nested.json", made)).stdout
    points.add(row_of(told, "axpy (parallel_for)")[:6] == ["3", "600 ns", "600 ns", "300 ns", "300 ns", "300 ns"], "what never ended is in no mean and no minimum", told)


def losing_kokkos():
    made = records.kokkos()
    times = {"count": 2, "timed": 2, "total_ns": 700, "mean_ns": 350.5, "min_ns": 300, "max_ns": 400}
    made.update(sections=[{"name": "assembly", "parent": 1, **times}, {"name": "whole", "parent": None, **times}], marks=[{"name": "here", "count": 5}],
                steps=[{"name": "step", **times, "kernels": 3, "kernels_ns": 90, "fences": 2, "fences_ns": 80, "copies": 1, "copies_ns": 70}],
                mismatches={"kernels": 4, "fences": 0, "copies": 0, "regions": 2, "sections": 0, "unfinished": 3, "last_region": "a\tb", "open_region": "r1"}, dropped=6)
    return made


def check_kokkos_lists(points, tactus, folder):
    made = losing_kokkos()
    told = run(tactus, "report", records.write(folder, "kokkos_losing.json", made)).stdout
    points.add(row_of(told, "assembly in solve in step") == ["2", "700 ns", "351 ns", "300 ns", "400 ns"] and row_of(told, "whole")[0] == "2",
               "sections, with the regions around them", told)
    points.add(row_of(told, "here") == ["5"], "marks", told)
    steps = told[told.index("\nsteps"):]
    points.add(row_of(steps, "step") == ["2", "700 ns", "351 ns", "3", "90 ns", "2", "80 ns", "1", "70 ns"], "steps and what is in them", told)
    points.add("Ends of kernels that did not pair with a begin: 4\nPops of regions that nobody had pushed: 2, the last behind \"a\\x09b\"\n"
               "Begun and never ended, in the counts and in no time: 3, innermost the region \"r1\"\nEvents that found no row, no space or no section: 6\n" in told, "what was lost", told)
    points.add("did not pair" not in run(tactus, "report", records.write(folder, "kokkos.json", records.kokkos())).stdout, "nothing is said of no loss")
    for place, value, needle in [(["sections", 0, "parent"], 2, "sections[0].parent: 2 is no region"), (["marks", 0, "count"], del_, "marks[0].count: is missing"),
                                 (["mismatches", "fences"], "x", "mismatches.fences: is a text where a whole number is expected"), (["dropped"], -1, "dropped: is negative")]:
        path = records.write(folder, "kokkos_broken.json", changed(made, place, value))
        done = run(tactus, "report", path)
        points.add(done.returncode == 2 and done.stderr == "tactus: {}: {}\n".format(path, needle) and not done.stdout, "refuses " + needle, str(done))


def check_kokkos_csv(points, tactus, folder):
    made = losing_kokkos()
    made["kernels"][0]["name"] = 'a, "b"'
    made["run"]["command_line"] = ["by_hand", "two words"]
    path = records.write(folder, "kokkos_csv.json", made)
    done = run(tactus, "report", "--csv=-", path)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    points.add(done.returncode == 0 and [(row["kind"], row["number"]) for row in rows] ==
               [("parallel_for", "0"), ("parallel_reduce", "1"), ("parallel_for", "2"), ("fence", "0"), ("fence", "1"), ("copy", "0"), ("region", "0"),
                ("region", "1"), ("section", "0"), ("section", "1"), ("mark", "0")], "a row for each of a Kokkos record", str(done))
    for list_of, name in ("kernels", "parallel_for"), ("fences", "fence"), ("copies", "copy"), ("sections", "section"):
        row = next(row for row in rows if row["kind"] == name)
        points.add(all(row[key] == str(value) for key, value in made[list_of][0].items() if key not in ("kind", "mean_ns", "tool")), name + " has its figures", str(row))
    points.add([rows[3]["tool_fence"], rows[4]["tool_fence"], rows[0]["tool_fence"], rows[3]["bytes"], rows[7]["parent"], rows[8]["mean_ns"]] == ["0", "1", "", "", "0", "350.5"],
               "what another kind of row has is blank", str(rows))
    points.add(all((row["dropped"], row["wall_ns"], row["seconds"], row["clock"], row["command_line"], row["tool"]) ==
                   ("6", "8000", "mixed", "driven", "by_hand 'two words'", "a_tool") for row in rows), "each says how it came about", str(rows[0]))
    out = os.path.join(folder, "kokkos_kept.csv")
    for place, value, needle in [(["copies", 0, "bytes"], "x", "copies[0].bytes: is a text where a whole number is expected"), (["run", "fencing"], {"global": 1}, "run.fencing.global: is a whole number where true or false is expected")]:
        path = records.write(folder, "kokkos_broken.json", changed(made, place, value))
        for target in "-", out:
            done = run(tactus, "report", "--csv=" + target, path)
            points.add(done.returncode == 2 and needle in done.stderr and not done.stdout and not os.path.exists(out), "no CSV of " + needle, str(done))


def check_csv_of_several(points, tactus, folder):
    """One line of names, and the rows of each as they are alone; what has other columns is refused."""
    first, second = records.detailed(), records.detailed(0.5)
    second["run"].update(program='other, "run"', command_line=["other", "two\nlines"])
    paths = [records.write(folder, "rows{}.json".format(number), made) for number, made in enumerate((first, second, first))]
    alone = [run(tactus, "report", "--csv=-", path).stdout for path in paths]
    expected = alone[0] + "".join(text[text.index("\n") + 1:] for text in alone[1:])
    done = run(tactus, "report", "--csv=-", *paths)
    points.add(done.returncode == 0 and done.stdout == expected and expected.count("event,parent") == 1, "CSV of several records", str(done))
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    points.add([row["program"] for row in rows] == 2 * ["by_hand"] + 2 * ['other, "run"'] + 2 * ["by_hand"], "each row tells its run", str(rows))
    out = os.path.join(folder, "rows.csv")
    done = run(tactus, "report", "--csv=" + out, *paths)
    with open(out, encoding="utf-8", newline="") as stream:
        points.add(done.returncode == 0 and not done.stdout and stream.read() == expected, "in a file, too", str(done))
    kokkos = [records.write(folder, "rows_kokkos{}.json".format(number), made) for number, made in enumerate((records.kokkos(), losing_kokkos()))]
    done = run(tactus, "report", "--csv=-", *kokkos)
    points.add(done.returncode == 0 and len(list(csv.DictReader(io.StringIO(done.stdout)))) == 8 + 11, "CSV of several records of the Kokkos module", str(done))
    other = records.write(folder, "rows_other.json", changed(first, ["run", "blas", "kernel"], del_))
    less = records.write(folder, "rows_less.json", changed(changed(first, ["run", "blas"], del_), ["run", "lanes"], del_))
    more = records.write(folder, "rows_more.json", changed(first, ["run", "device"], {"name": "a device"}))
    off = records.write(folder, "rows_off.json", {"schema": 1, "level": "off", "events": [], "batches": []})
    broken = records.write(folder, "rows_broken.json", {"schema": 7})
    columns = "--csv: its columns are not those of '{}': {{}} stands where that one has {{}}; write a file for each".format(paths[0])
    for path, needle in [(kokkos[0], columns.format("'kind'", "'event'")), (other, columns.format("'blas_threads'", "'blas_kernel'")), (less, columns.format("none", "'lanes'")),
                         (more, columns.format("'device'", "none")),
                         (off, "--csv: the record is of the level off: nothing was measured"), (broken, "schema: is 7, newer than")]:
        for target in "-", out:
            done = run(tactus, "report", "--csv=" + target, paths[0], path, paths[1])
            with open(out, encoding="utf-8", newline="") as stream:
                points.add(done.returncode == 2 and done.stderr.startswith("tactus: {}: {}".format(path, needle)) and done.stderr.count("\n") == 1 and
                           not done.stdout and stream.read() == expected, "refuses rows of another kind: " + needle.replace(folder, "DIR"), str(done))
    refuses(points, tactus, "rows beside another form", ["report", "--csv=-", "--html=" + out, *paths], 2, "--html: is of one record, and 3 are given")
    refuses(points, tactus, "rows over a record", ["report", "--csv=" + paths[1], *paths], 2, "--csv: '{}' is the record that is read".format(paths[1]))
    refuses(points, tactus, "rows to nowhere", ["report", "--csv=/no/such/folder/x", *paths], 1, "--csv: cannot")


def check_usage(points, tactus, folder):
    path = records.write(folder, "run.json", records.detailed())
    refuses(points, tactus, "no record", ["report"], 2, "FILE...: no record is given")
    refuses(points, tactus, "an unknown option", ["report", "--jso=x", path], 2, "--jso: unknown option; did you mean --json?")
    refuses(points, tactus, "an empty word", ["report", ""], 2, "FILE...: an empty word is given")
    refuses(points, tactus, "a short option", ["report", "-j", path], 2, "-j: is no option")
    refuses(points, tactus, "another form of two records", ["report", "--json=x", path, path], 2, "--json: is of one record, and 2 are given")
    refuses(points, tactus, "a folder that is not there", ["report", "--json=/no/such/folder/x", path], 1, "--json: cannot")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([tactus, "report", path], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        points.add(done.returncode == 1 and "standard output" in done.stderr, "a full disk is told", str(done))
        done = subprocess.run([tactus, "report", "--json=-", path], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        points.add(done.returncode == 1 and "standard output" in done.stderr and done.stderr.count("\n") == 1, "of another form, too", str(done))
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([tactus, "report", path], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    points.add(done.returncode == -signal.SIGPIPE and not done.stderr, "a reader that has gone ends it without a word", str(done))
    helped = run(tactus, "report", "--help")
    points.add(helped.returncode == 0 and helped.stdout.startswith("usage: tactus report") and "Exit status:" in helped.stdout, "--help helps")


def check_programs(points, tactus, dmrg, fmm, folder):
    """The tables are those that the program printed, to the last character."""
    path = os.path.join(folder, "program.json")
    for program, words, begin in ((dmrg, ["--sites=8", "--max-sweeps=2"], "event  "), (fmm, ["--levels=2"], "phase  ")):
        for level in "coarse", "detailed":
            printed = run(program, *words, "--measurements=" + level, "--json=" + path).stdout
            tables = printed[printed.index(begin):printed.index("Times are host wall time") if level == "detailed" or program == dmrg else printed.index("Operations are")]
            shown = run(tactus, "report", path).stdout
            points.add(tables in shown and shown.startswith(printed.split("\n", 2)[0]), "{} at {}: its tables once more".format(os.path.basename(program), level),
                       printed + "\n---\n" + shown)


def check_counted(points, tactus, dmrg, fmm, folder):
    """What hooks counted, and costs against durations, as the programs printed them."""
    kinds = {row["name"]: row["available"] for row in json.loads(run(tactus, "info", "--json").stdout)["hooks"]}
    path, costs = os.path.join(folder, "counted.json"), os.path.join(folder, "costs.json")
    for program, words in (dmrg, ["--sites=8", "--max-sweeps=2"]), (fmm, ["--levels=2"]):
        name = os.path.basename(program)
        for kind in kinds:
            if not kinds[kind]:
                points.skip("{} with {}: its tables once more".format(name, kind), "not available")
                continue
            printed = run(program, *words, "--measurements=hooked", "--hooks=" + kind, "--json=" + path).stdout.split("\nerror  ")[0]
            shown = run(tactus, "report", path).stdout
            points.add("Hooks {}: ".format(kind) in printed and printed[printed.rindex("\n\nphase  " if kind != "nvtx" else "\nHooks "):] in shown,
                       "{} with {}: its tables once more".format(name, kind), printed + "\n---\n" + shown)
        run(program, *words, "--threads=2", "--measurements=detailed", "--json=" + path)
        run(tactus, "costs", path, "--out=" + costs)
        printed = run(program, *words, "--threads=2", "--measurements=detailed", "--costs=" + costs, "--json=" + path).stdout.split("\nerror  ")[0]
        points.add("predicted over seen" in printed and printed[printed.index("\ncosts of "):] in run(tactus, "report", path).stdout,
                   name + " with --costs: its tables once more", printed)


def rows_of(path):
    """A table without what is measured or told at another moment: the date, the costs of recording, the clock's resolution."""
    with open(path, encoding="utf-8", newline="") as stream:
        return [{key: value for key, value in row.items() if key != "date" and not key.endswith("_record_ns") and
                 key not in ("clock_read_ns", "clock_resolution_ns")} for row in csv.DictReader(stream)]


def slices_of(trace):
    return [event for event in trace if event["ph"] == "X"]


def check_same_forms(points, tactus, dmrg, fmm, folder):
    """What the programs write themselves is what tactus writes of their records."""
    path, own, made = (os.path.join(folder, name) for name in ("forms.json", "own", "made"))
    for program, words in (dmrg, ["--sites=8", "--max-sweeps=2"]), (fmm, ["--levels=2"]):
        name = os.path.basename(program)
        done = run(program, *words, "--measurements=detailed", "--quiet", "--json=" + path, "--csv=" + own + ".csv",
                   "--trace=" + own + ".trace", "--speedscope=" + own + ".speedscope", "--report=" + own + ".html")
        done = run(tactus, "report", "--csv=" + made + ".csv", "--trace=" + made + ".trace", "--speedscope=" + made + ".speedscope",
                   "--html=" + made + ".html", path) if done.returncode == 0 else done
        points.add(done.returncode == 0, name + ": writes all of its forms, and tactus does", str(done))
        points.add(rows_of(made + ".csv") == rows_of(own + ".csv"), name + ": the same CSV", str((rows_of(made + ".csv")[:1], rows_of(own + ".csv")[:1])))
        profiles = []
        for side in made, own:
            with open(side + ".speedscope", encoding="utf-8") as stream:
                profile = json.load(stream)
            profiles.append((profile["profiles"], profile["shared"]))
        points.add(profiles[0] == profiles[1], name + ": the same speedscope profile")
        with open(made + ".trace", encoding="utf-8") as stream, open(own + ".trace", encoding="utf-8") as other:
            slices = [slices_of(json.load(stream)["traceEvents"]), slices_of(json.load(other))]
        names = [sorted((slice["name"], slice["dur"]) for slice in side) for side in slices]
        points.add(names[0] == names[1] and len(names[0]) > 10, name + ": the same slices in the trace", str((names[0][:3], names[1][:3], [len(side) for side in names])))
        with open(made + ".html", encoding="utf-8") as stream, open(own + ".html", encoding="utf-8") as other:
            pages = [json.loads(re.search(r'id="record">(.*?)</script>', side.read(), re.DOTALL)[1]) for side in (stream, other)]
        points.add(pages[0]["events"] == pages[1]["events"] and pages[0]["batches"] == pages[1]["batches"], name + ": the same page")


def main(tactus, dmrg, fmm, sanitizers):
    points = Points()
    with tempfile.TemporaryDirectory() as folder:
        check_bad_files(points, tactus, folder)
        check_truncation(points, tactus, folder)
        if sanitizers == "none":  # which keep address space of their own
            check_memory(points, tactus, folder)
        check_tables(points, tactus, folder)
        check_hooks(points, tactus, folder)
        check_costs(points, tactus, folder)
        check_older_records(points, tactus, folder)
        check_odd_labels(points, tactus, folder)
        check_long_names(points, tactus, folder)
        check_json(points, tactus, folder)
        check_forms(points, tactus, folder)
        check_kokkos(points, tactus, folder)
        check_kokkos_order(points, tactus, folder)
        check_kokkos_unknowns(points, tactus, folder)
        check_kokkos_nested(points, tactus, folder)
        check_kokkos_lists(points, tactus, folder)
        check_kokkos_csv(points, tactus, folder)
        check_csv_of_several(points, tactus, folder)
        check_broken_at_random(points, tactus, folder)
        check_usage(points, tactus, folder)
        check_impossible_times(points, tactus, dmrg, folder)
        check_real_records(points, tactus, dmrg, fmm, folder)
        check_programs(points, tactus, dmrg, fmm, folder)
        check_counted(points, tactus, dmrg, fmm, folder)
        check_same_forms(points, tactus, dmrg, fmm, folder)
    points.finish()


main(*sys.argv[1:5])
