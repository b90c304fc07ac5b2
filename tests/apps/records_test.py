#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The files of a measured run, of both programs: records_test.py HEISENBERG_DMRG VOLUME_FMM GUIDE SANITIZERS"""
import csv
import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import trace_reader
from program import keep_files_small, run
from seeded import seeded_dice
from tap import Points

FILES = {"--json": "r.json", "--csv": "r.csv", "--trace": "r.trace", "--speedscope": "r.speedscope.json", "--report": "r.html"}
OLD = "old\n"
FACTS = ("program", "version", "date", "host", "command_line", "executor", "lanes", "blas", "blas_kernel", "blas_threads")
HEAD = ("schema", "level", "clock", "clock_resolution_ns", "origin_ns", "clock_read_ns", "phase_record_ns", "item_record_ns")


def words_of(folder, options=FILES):
    return ["{}={}".format(option, os.path.join(folder, FILES[option])) for option in options]


def read(folder, option):
    with open(os.path.join(folder, FILES[option]), encoding="utf-8", newline="") as stream:
        return stream.read()


def is_one_line(text):
    """Without a character that a terminal would obey."""
    return text.endswith("\n") and not re.search("[\x00-\x1f\x7f-\x9f]", text[:-1])


def run_with_files(program, words, *more):
    """The finished process and the text of every file."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(program, *words, *more, *words_of(folder))
        if done.returncode:
            raise SystemExit(str(done))
        left = set(os.listdir(folder)) - set(FILES.values())
        return done, {option: read(folder, option) for option in FILES}, left


def no_constants(name):
    raise ValueError(name + " is no JSON")


def check_json(points, name, record):
    timeline, names = record["timeline"], record["events_all"]
    count = len(timeline["event"])
    points.add(count > 0 and all(len(timeline[key]) == count for key in ("begin_ns", "duration_ns")), name + ": the timeline")
    points.add(timeline["begin_ns"] == sorted(timeline["begin_ns"]) and min(timeline["begin_ns"]) >= 0,
               name + ": the timeline is in order")
    totals = {}
    for event, duration in zip(timeline["event"], timeline["duration_ns"]):
        totals.setdefault(names[event], []).append(duration)
    for event in record["events"]:
        found = totals.get(event["name"], [])
        points.add((len(found), sum(found)) == (event["count"], event["total_ns"]), name + ": the timeline adds up to " + event["name"],
                   str((found[:5], event)))
        children = sum(other["total_ns"] for other in record["events"] if other["parent"] == event["name"])
        points.add(event["exclusive_ns"] == event["total_ns"] - children
                   and ("unmeasured_ns" in event) == any(other["parent"] == event["name"] for other in record["events"])
                   and event.get("unmeasured_ns", event["exclusive_ns"]) == event["exclusive_ns"],
                   name + ": exclusive time of " + event["name"], str(event))
    points.add(set(record["cost"]) == {"clock_read_ns", "phase_record_ns", "item_record_ns"}
               and all(0 < cost < 1e6 for cost in record["cost"].values()), name + ": what a record costs", str(record["cost"]))
    points.add(record["dropped"] == record["timeline_dropped"] == record["slots_dropped"] == record["mismatches"] == 0,
               name + ": nothing is dropped")
    points.add(time.strptime(record["run"]["date"], "%Y-%m-%dT%H:%M:%SZ") is not None and record["run"]["host"] == os.uname().nodename,
               name + ": date and host", str(record["run"]))


def bucket(duration):
    """The lower end of a duration's bucket: the upper five bits of what is not less than 32."""
    shift = max(0, duration.bit_length() - 5)
    return duration >> shift << shift


def check_batches(points, name, record):
    summaries = {summary["event"]: summary for summary in record["batch_summaries"]}
    durations, lanes = {event: [] for event in summaries}, {event: [0, 0.0] for event in summaries}
    good = True
    for number, batch in enumerate(record["batches"]):
        items = batch["items"]
        columns = [items[column] for column in items if column != "terms"] + list(items.get("terms", {}).values())
        good = good and batch["number"] == number and len({len(column) for column in columns}) == 1
        good = good and len(items["index"]) == batch["completed"] == len(set(items["index"]))
        good = good and all(0 <= lane < batch["lanes"] for lane in items["lane"]) and "status" not in items
        good = good and all(0 <= start <= start + duration <= batch["wall_ns"]
                            for start, duration in zip(items["start_ns"], items["duration_ns"]))
        durations[batch["event"]] += items["duration_ns"]
        busy = [sum(d for d, lane in zip(items["duration_ns"], items["lane"]) if lane == k) for k in range(batch["lanes"])]
        if busy:
            lanes[batch["event"]][0] += max(busy)
            lanes[batch["event"]][1] += sum(busy) / len(busy)
    points.add(good, name + ": items of batches")
    for event, summary in summaries.items():
        found = sorted(durations[event])
        longest = summary["slowest"]
        if not found:
            points.add(longest is None and summary["completed"] == 0 and summary["imbalance"] is None and not summary["item_histogram_ns"],
                       name + ": nothing ran in " + event, str(summary))
            continue
        batch = record["batches"][longest["batch"]]
        at = batch["items"]["index"].index(longest["index"])
        points.add(batch["event"] == event and batch["items"]["duration_ns"][at] == longest["duration_ns"] == found[-1],
                   name + ": the slowest item of " + event, str(longest))
        points.add(all(summary["item_p{}_ns".format(key)] == bucket(found[max(0, -(-len(found) * thousandths // 1000) - 1)])
                       for key, thousandths in ((50, 500), (90, 900), (99, 990), (999, 999))), name + ": percentiles of " + event)
        points.add(sum(count for _, count in summary["item_histogram_ns"]) == len(found)
                   and all(sum(bucket(d) == least for d in found) == count for least, count in summary["item_histogram_ns"]),
                   name + ": histogram of " + event)
        points.add(summary["lane_busy_max_ns"] == lanes[event][0] and math.isclose(summary["lane_busy_mean_ns"], lanes[event][1])
                   and math.isclose(summary["imbalance"], lanes[event][0] / lanes[event][1]), name + ": lanes of " + event)


def check_csv(points, name, text, record):
    rows = list(csv.DictReader(text.splitlines(), strict=True))
    points.add([row["event"] for row in rows] == [event["name"] for event in record["events"]] and None not in rows[0],
               name + ": a row an event", text[:500])
    summaries = {summary["event"]: summary for summary in record["batch_summaries"]}
    for row, event in zip(rows, record["events"]):
        same = all(float(row[key]) == event[key] for key in ("count", "total_ns", "min_ns", "max_ns", "exclusive_ns"))
        same = same and row["parent"] == (event["parent"] or "") and (row["unmeasured_ns"] == "") == ("unmeasured_ns" not in event)
        summary = summaries.get(event["name"])
        if summary:
            same = same and all(math.isclose(float(row[key]), summary[key], rel_tol=1e-12) for key in summary
                                if key in row and isinstance(summary[key], (int, float)))
            same = same and row["slowest_batch"] == ("" if summary["slowest"] is None else str(summary["slowest"]["batch"]))
        points.add(same and all(row[key] for key in HEAD + FACTS) and (row["batches"] != "") == (summary is not None),
                   name + ": the row of " + event["name"], str(row))


def check_trace(points, name, text, record, repeated):
    events = json.loads(text, parse_constant=no_constants)
    faults = trace_reader.faults(events)
    points.add(isinstance(events, list) and not faults, name + ": the trace nests", "\n".join(faults[:5]))
    tracks, names = trace_reader.slices(events), trace_reader.names(events)
    caller = [track for track in tracks if names[track] == "phases and batches"]
    origin = record["clock"]["origin_ns"] - [event for event in events if event["name"] == "tactus"][0]["args"]["origin_ns"]
    if not repeated:
        timeline = record["timeline"]
        expected = sorted((begin + origin, -duration, record["events_all"][event])
                          for event, begin, duration in zip(timeline["event"], timeline["begin_ns"], timeline["duration_ns"]))
        points.add(tracks[caller[0]] == expected, name + ": the caller's track is the timeline")
        items = sum(len(batch["items"]["index"]) for batch in record["batches"])
        shown = [found for track in tracks if names[track].startswith("lane") for found in tracks[track]]
        points.add(sum(found[2].startswith("item ") for found in shown) == items, name + ": every item is on a lane")
        points.add(sum(event["ph"] == "f" for event in events) == sum(batch["completed"] > 0 for batch in record["batches"]),
                   name + ": an arrow a batch")
    about = [event for event in events if event["name"] == "tactus"][0]["args"]
    points.add(all(about[key] not in ("", None) for key in HEAD + FACTS), name + ": the trace says what it is of", str(about))
    points.add(min(start for found in tracks.values() for start, _, _ in found) < 60e9, name + ": times begin near zero")


def check_speedscope(points, name, text, record):
    """The rules of the published schema, and that frames close in order."""
    value = json.loads(text, parse_constant=no_constants)
    frames = value["shared"]["frames"]
    points.add(value["$schema"] == "https://www.speedscope.app/file-format-schema.json"
               and all(isinstance(frame["name"], str) for frame in frames) and isinstance(value["name"], str)
               and isinstance(value["exporter"], str) and 0 <= value["activeProfileIndex"] < len(value["profiles"]),
               name + ": speedscope's members")
    evented, sampled = value["profiles"]
    points.add(evented["type"] == "evented" and sampled["type"] == "sampled"
               and all(isinstance(profile["name"], str) and profile["unit"] == "nanoseconds"
                       and isinstance(profile["startValue"], int) and isinstance(profile["endValue"], int)
                       for profile in value["profiles"]), name + ": speedscope's profiles")
    stack, last, good = [], 0, True
    for event in evented["events"]:
        good = good and event["at"] >= last and 0 <= event["frame"] < len(frames)
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            good = good and event["type"] == "C" and stack and stack.pop() == event["frame"]
    points.add(good and not stack and last == evented["endValue"], name + ": frames open and close in order")
    points.add(len(evented["events"]) == 2 * len(record["timeline"]["event"]), name + ": the timeline is all there")
    weights = {frames[sample[-1]]["name"]: weight for sample, weight in zip(sampled["samples"], sampled["weights"])}
    points.add(len(sampled["samples"]) == len(sampled["weights"]) and sum(sampled["weights"]) == sampled["endValue"]
               and weights == {event["name"]: event["exclusive_ns"] for event in record["events"] if event["exclusive_ns"] > 0},
               name + ": exclusive time by event", str(weights))
    points.add(all(value["tactus"][key] not in ("", None) for key in HEAD + FACTS), name + ": speedscope's file says what it is of")


def check_page(points, name, text, record_text):
    begin = text.index('id="record">') + len('id="record">')
    points.add(json.loads(text[begin:text.index("</script>", begin)]) == json.loads(record_text), name + ": the page holds the record")


def check_files(points, name, program, words, repeated):
    done, texts, left = run_with_files(program, words, "--measurements=detailed")
    record = json.loads(texts["--json"], parse_constant=no_constants)
    points.add(not left, name + ": no other file stays", str(left))
    points.add("(unmeasured)" in done.stdout and "imbalance" in done.stdout and "p99.9" in done.stdout, name + ": the table", done.stdout)
    check_json(points, name, record)
    check_batches(points, name, record)
    check_csv(points, name, texts["--csv"], record)
    check_trace(points, name, texts["--trace"], record, repeated)
    check_speedscope(points, name, texts["--speedscope"], record)
    check_page(points, name, texts["--report"], texts["--json"])


def check_coarse(points, name, program, words):
    _, texts, _ = run_with_files(program, words, "--measurements=coarse")
    record = json.loads(texts["--json"])
    points.add(record["timeline"]["event"] and not record["batches"] and "item_record_ns" not in record["cost"],
               name + ": at coarse there is a timeline")
    faults = trace_reader.faults(json.loads(texts["--trace"]))
    points.add(not faults, name + ": the trace at coarse", str(faults[:5]))
    points.add(json.loads(texts["--speedscope"])["tactus"]["item_record_ns"] is None, name + ": speedscope at coarse")


def check_limit(points, name, program, words):
    """What is beyond the limit is in the sums and counted, in the files and on the terminal."""
    _, texts, _ = run_with_files(program, words, "--measurements=detailed")
    whole = json.loads(texts["--json"])
    done, texts, _ = run_with_files(program, words, "--measurements=detailed", "--detail-limit=2")
    record = json.loads(texts["--json"])
    batches = sum(summary["batches"] for summary in record["batch_summaries"])
    points.add(len(record["batches"]) == 2 and record["dropped"] == batches - 2 > 0
               and batches == sum(summary["batches"] for summary in whole["batch_summaries"]), name + ": --detail-limit", str(record)[:300])
    points.add(len(record["timeline"]["event"]) == min(20, len(whole["timeline"]["event"]))
               and record["timeline_dropped"] == max(0, len(whole["timeline"]["event"]) - 20), name + ": the timeline's limit")
    points.add("not kept one by one: {}\n".format(batches - 2) in done.stdout and "A larger --detail-limit " in done.stdout,
               name + ": the table counts what was dropped", done.stdout)
    for level in "coarse", "detailed":
        done = run(program, *words, "--measurements=" + level)
        points.add(done.returncode == 0 and "limit" not in done.stdout, name + ": without a file nothing is missed at " + level, done.stdout)
    events = json.loads(texts["--trace"])
    end = [event for event in events if event["name"] == "tactus_end"][0]["args"]
    points.add(not trace_reader.faults(events) and end["without_items"] >= batches - 2, name + ": the trace counts what was dropped", str(end))


def check_failed_writes(points, name, program, words):
    """A file that cannot be written leaves the old one, and exit status 1; nothing stays beside it."""
    for option in FILES:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, FILES[option])
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(OLD)
            done = run(program, *words, "--measurements=detailed", *words_of(folder, [option]), preexec_fn=keep_files_small)
            points.add(done.returncode == 1 and "File too large" in done.stderr and option in done.stderr
                       and os.listdir(folder) == [FILES[option]] and read(folder, option) == OLD,
                       name + ": a failing write keeps the old file: " + option, str((done.returncode, done.stderr, os.listdir(folder))))
        done = run(program, *words, "--measurements=coarse", option + "=/dev/full")
        points.add(done.returncode == 1 and option in done.stderr and "No space" in done.stderr, name + ": " + option + "=/dev/full",
                   str(done.stderr))


def check_messages(points, name, program, words):
    """What fails is told by the name under which one knows it, and what was typed cannot steer a terminal."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = run(program, *words, "--measurements=detailed", stdout=full, stderr=subprocess.PIPE)
    points.add(done.returncode == 1 and done.stderr == "{}: standard output: cannot be written: No space left on device\n".format(name),
               name + ": a full disk", str(done))
    for typed, status, told in (["--\x1b[31m"], 2, "--\\x1b[31m: unknown option"), (["--costs=/\x1b]0;x\x07\x9b"], 1, "/\\x1b]0;x\\x07"), \
            (["--measurements=\x7f"], 2, "--measurements: '\\x7f'"), (["--json=/\r\x08/x"], 1, "--json: "):
        done = run(program, *words, *typed)
        points.add(done.returncode == status and told in done.stderr and is_one_line(done.stderr), name + ": control characters of " + told, str(done))


def check_memory(points, name, program, words):
    """Of what an option asks for there may be no memory."""
    most = 2 << 30
    with tempfile.TemporaryDirectory() as folder:
        done = run(program, *words, "--measurements=detailed", "--detail-limit=10000000", *words_of(folder, ["--report"]),
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)), env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
        points.add(done.returncode == 1 and done.stderr.startswith(name + ": --detail-limit: no memory") and is_one_line(done.stderr)
                   and not os.listdir(folder), name + ": no memory for the timeline", str(done))


def check_open_descriptors(points, name, program, words):
    """Standard output that is a file, and any other that is open, is written on: what it holds already stays."""
    for option in FILES:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log")
            for where in "/dev/stdout", "/dev/fd/1":
                with open(path, "w", encoding="utf-8") as log:
                    log.write(OLD)
                with open(path, "a", encoding="utf-8") as log:
                    done = run(program, *words, "--measurements=coarse", option + "=" + where, stdout=log, stderr=subprocess.PIPE)
                with open(path, encoding="utf-8") as log:
                    text = log.read()
                points.add(done.returncode == 0 and text.startswith(OLD) and "executor threads" in text and len(text) > 2 * len(OLD) + len(run(program, *words).stdout)
                           and os.listdir(folder) == ["log"], "{}: {}={} goes on in the file".format(name, option, where), str(done) + text[:300])
                if option == "--json":
                    begin = text.index("{\n")
                    record, end = json.JSONDecoder().raw_decode(text[begin:])
                    points.add(record["schema"] == 1 and text.index("executor threads") < begin and not text[begin + end:].strip(), name + ": the record stands whole behind the tables")


def check_long_paths(points, name, program):
    """However long a path is, the reason stands behind its begin and its end."""
    long = "./" * 60 + "none/" + "x" * 90 + "{}"
    for words, needle in [
            (["--json=" + long.format("/x")], r"--json: cannot write '\./\./[./]*…x+/x': No such file or directory"),
            (["--measurements=coarse", "--trace=" + long.format("/x")], r"--trace: cannot write '\./[./]*…x+/x': No such file or directory"),
            (["--csv=" + long.format(".csv")], r"--csv: '\./[./]*…x+\.csv' needs --measurements=coarse, detailed or hooked: off measures nothing"),
            (["--costs=" + long.format(".costs")], r"--costs: '\./[./]*…x+\.costs': cannot be read: No such file or directory"),
            (["--costs=" + "./" * 90 + "z", "--json=z"], "--json: 'z' is the file of --costs too"),
            (["--costs=z", "--json=" + "./" * 90 + "z"], r"--json: '\./[./]*…[./]*/z' is the file of --costs too")]:
        done = run(program, *words)
        points.add(done.returncode in (1, 2) and re.fullmatch(name + ": " + needle + "\n", done.stderr), name + ": a long path in " + needle, str(done))


def check_refusals(points, name, program):
    for option in list(FILES)[1:]:
        done = run(program, option + "=x")
        points.add(done.returncode == 2 and done.stderr.count("\n") == 1 and option in done.stderr and "coarse" in done.stderr,
                   name + ": " + option + " without measurements", str(done))
    done = run(program, "--measurements=coarse", "--trace=x", "--speedscope=x")
    points.add(done.returncode == 2 and "'x' is the file of --trace too" in done.stderr, name + ": one file for two", str(done))
    for option in FILES:
        done = run(program, "--measurements=coarse", option + "=-")
        points.add(done.returncode == 2 and done.stderr.count("\n") == 1 and option + ": '-' names no file" in done.stderr, name + ": " + option + "=-", str(done))
    done = run(program, "--costs=/dev/zero")
    points.add(done.returncode == 2 and done.stderr == name + ": --costs: '/dev/zero': is no text: byte 0 is zero\n", name + ": costs without an end", str(done))
    check_long_paths(points, name, program)
    with tempfile.TemporaryDirectory() as folder:
        done = run(program, "--measurements=coarse", "--threads=0", *words_of(folder))
        points.add(done.returncode == 2 and not os.listdir(folder), name + ": a refused run leaves no file", str(os.listdir(folder)))


# Words, what refuses them, and what stands in the file "kept" or "kept.part" all the while.
CLASHES = [
    ("--costs=kept --json=kept", "--json: 'kept' is the file of --costs too"),
    ("--costs=kept --csv=./kept", "--csv: './kept' is the file of --costs too"),
    ("--costs=link --report=kept", "--report: 'kept' is the file of --costs too"),
    ("--costs=kept --trace=link", "--trace: 'link' is the file of --costs too"),
    ("--costs=kept.part --trace=kept", "--costs: 'kept.part' is the FILE.part of --trace too"),
    ("--costs=kept.part --trace=link", "--costs: 'kept.part' is the FILE.part of --trace too"),
    ("--trace=kept --json=kept.part", "--json: 'kept.part' is the FILE.part of --trace too"),
    ("--trace=kept --report=./kept.part", "--report: './kept.part' is the FILE.part of --trace too"),
]
VOLUME_CLASHES = [
    ("--targets={0} --{1}={0}".format(path, option), "--{}: '{}' is the file of --targets too".format(option, path))
    for option, path in (("json", "kept"), ("csv", "kept"), ("phases", "kept"), ("output", "kept.csv"), ("plot", "kept.svg"))
] + [
    ("--targets=kept.part --trace=kept", "--targets: 'kept.part' is the FILE.part of --trace too"),
    ("--density=gaussians:kept --csv=link", "--csv: 'link' is the file of --density too"),
    ("--density=kept.npy --output=./kept.npy", "--output: './kept.npy' is the file of --density too"),
    ("--density=kept.cube --grid=9 --output=kept.cube", "--output: 'kept.cube' is the file of --density too"),
    ("--density=kept.cub --json=kept.cub", "--json: 'kept.cub' is the file of --density too"),
    ("--density=gaussians:kept.part --trace=link", "--density: 'kept.part' is the FILE.part of --trace too"),
    ("--targets=- --csv=kept", "--csv: 'kept' is the file of --targets too"),
    ("--density=gaussians:- --trace=link", "--trace: 'link' is the file of --density too"),
    ("--plot=kept.svg --phases=kept.svg", "--phases: 'kept.svg' is the file of --plot too"),
]


def check_clashes(points, name, program, clashes):
    """No file is written over one that is read or over another that is written; all of them are as they were."""
    for words, needle in clashes:
        with tempfile.TemporaryDirectory() as folder:
            for path in ("kept", "kept.part", "kept.csv", "kept.svg", "kept.npy", "kept.cube", "kept.cub"):
                with open(os.path.join(folder, path), "w", encoding="utf-8") as stream:
                    stream.write(path)
            os.symlink("kept", os.path.join(folder, "link"))
            before = sorted(os.listdir(folder))
            with open(os.path.join(folder, "kept"), encoding="utf-8") as stream:
                done = run(os.path.abspath(program), "--measurements=coarse", *words.split(), cwd=folder, stdin=stream)
            passed = done.returncode == 2 and done.stderr == "{}: {}\n".format(name, needle) and not done.stdout and sorted(os.listdir(folder)) == before
            for path in before:
                with open(os.path.join(folder, path), encoding="utf-8") as stream:
                    passed = passed and stream.read() == path.replace("link", "kept")
            points.add(passed, name + ": refuses " + words, str(done))


def check_killed(points, name, program, words):
    """Killed anywhere, FILE is the old one and FILE.part opens; stopped by a signal, too."""
    dice, seen, good = seeded_dice(), 0, True
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGINT) * 2:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, FILES["--trace"])
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(OLD)
            with subprocess.Popen([program, *words, "--measurements=detailed", "--trace=" + path], stdout=subprocess.DEVNULL) as process:
                while process.poll() is None and (not os.path.exists(path + ".part") or os.path.getsize(path + ".part") < 20000):
                    time.sleep(0.005)
                time.sleep(dice.uniform(0, 0.2))
                process.send_signal(number)
                process.wait()
            good = good and process.returncode == -number and os.path.exists(path + ".part")
            if not good:
                break
            with open(path + ".part", encoding="utf-8") as stream:
                events = trace_reader.tolerant_events(stream.read())
            faults = trace_reader.faults(events, cut=True)
            good = not faults and read(folder, "--trace") == OLD
            seen = max(seen, sum(event["ph"] == "X" for event in events))
            if not good:
                print("\n".join(faults[:5]), file=sys.stderr)
                break
    points.add(good and seen > 50, name + ": what a killed run left opens", str((process.returncode, seen)))


def check_odd_words(points, program):
    """A command line of any bytes is in every file."""
    with tempfile.TemporaryDirectory() as folder:
        odd = os.fsencode(folder) + b"/a \"b\" 'c', \xff\n\x01"
        done = run(program, "--sites=4", "--measurements=coarse", b"--json=" + odd, *words_of(folder, ["--csv", "--trace", "--speedscope"]))
        points.add(done.returncode == 0, "odd words: the run", str(done))
        with open(odd, encoding="utf-8") as stream:
            record = json.load(stream)
        row = next(csv.DictReader(read(folder, "--csv").splitlines(keepends=True), strict=True))
        events = json.loads(read(folder, "--trace"))
        about = [event for event in events if event["name"] == "tactus"][0]["args"]
        profile = json.loads(read(folder, "--speedscope"))
        points.add("a \"b\" 'c', \ufffd\n\x01" in record["run"]["command_line"][3] and "--sites=4" in row["command_line"]
                   and row["command_line"] == about["command_line"] == profile["tactus"]["command_line"]
                   and "/a \"b\" '\\''c'\\'', \ufffd\n\x01'" in row["command_line"], "odd words stand in every file", row["command_line"])


def check_guide(points, guide, programs):
    """The commands of the guide run as they stand there."""
    with open(guide, encoding="utf-8") as stream:
        block = stream.read().split("```sh\n")[1].split("```")[0]
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join([os.path.dirname(os.path.abspath(program)) for program in programs] + [os.environ["PATH"]])
        for line in block.splitlines():
            done = subprocess.run(["/bin/sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False,
                                  env=dict(os.environ, PATH=path, XDG_CACHE_HOME=os.path.join(folder, "cache")))
            points.add(done.returncode == 0, "the guide: " + line, str(done))
        written = {word.split("=")[1] for word in block.split() if "=run." in word}
        points.add(written and written == set(os.listdir(folder)) - {"cache"}, "the guide: its files", str(os.listdir(folder)))


def main():
    points = Points()
    heisenberg, volume, guide, sanitizers = sys.argv[1:]
    chain = ["--sites=12", "--max-states=16", "--max-sweeps=3", "--executor=threads", "--threads=2"]
    box = ["--levels=2", "--cache=none", "--executor=threads", "--threads=2"]
    check_files(points, "heisenberg_dmrg", heisenberg, chain, False)
    check_files(points, "volume_fmm", volume, box, False)
    check_files(points, "volume_fmm, repeated", volume, [*box, "--repeat=3"], True)
    for name, program, words in ("heisenberg_dmrg", heisenberg, chain), ("volume_fmm", volume, box):
        check_coarse(points, name, program, words)
        check_limit(points, name, program, words)
        check_failed_writes(points, name, program, words)
        check_messages(points, name, program, words)
        if sanitizers == "none":  # which take address space of their own
            check_memory(points, name, program, words)
        check_open_descriptors(points, name, program, words)
        check_refusals(points, name, program)
        check_clashes(points, name, program, CLASHES)
    check_clashes(points, "volume_fmm", volume, VOLUME_CLASHES)
    check_killed(points, "heisenberg_dmrg", heisenberg, ["--sites=40", "--max-states=60", "--steady-sweeps=1000", "--executor=serial", "--quiet"])
    check_odd_words(points, heisenberg)
    check_guide(points, guide, (heisenberg, volume))
    points.finish()


main()
