#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tactus report refuses what cannot be, and no record of the programs: tactus_report_broken_test.py TACTUS DMRG FMM SANITIZERS"""
import json
import os
import resource
import sys
import tempfile

import records
import trace_reader
from program import run
from records import changed, del_
from report_checks import refuses, slices_of
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


def check_broken_at_random(points, tactus, folder):
    """A record with a member changed at random is read or refused in one line, and never more."""
    dice = seeded_dice()
    values = [None, True, -1, 0, 1, 2**31, 2**53, 2**63 - 1, 1e300, "", "work", [], [0, 0, 0], {}, {"index": []}, del_]
    failures = []
    for number in range(150):
        made = (records.kokkos, records.losing_kokkos, records.detailed, records.hooked, records.fitted)[number % 5]()
        place, path = made, []
        while isinstance(place, (dict, list)) and place and (not path or dice.random() < 0.8):
            path.append(dice.choice(list(place)) if isinstance(place, dict) else dice.randrange(len(place)))
            place = place[path[-1]]
        value = dice.choice(values)
        file = records.write(folder, "random.json", changed(made, path, value))
        for words in ["report"], ["report", "--trace=-"], ["report", "--csv=-"], ["report", "--speedscope=-"], ["report", "--html=-"], ["costs"]:
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


def main(tactus, dmrg, fmm, sanitizers):
    points = Points()
    with tempfile.TemporaryDirectory() as folder:
        check_bad_files(points, tactus, folder)
        check_truncation(points, tactus, folder)
        if sanitizers == "none":  # which keep address space of their own
            check_memory(points, tactus, folder)
        check_broken_at_random(points, tactus, folder)
        check_impossible_times(points, tactus, dmrg, folder)
        check_real_records(points, tactus, dmrg, fmm, folder)
    points.finish()


main(*sys.argv[1:5])
