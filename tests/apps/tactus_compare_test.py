#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tactus compare on records made by hand, whose ratios are known: tactus_compare_test.py TACTUS"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import records
from program import run
from tap import Points


OUTSIDE = "(unmeasured)"


def runs_of(folder, side, totals, **more):
    """Records of repeated runs: each a run of 1000 ns with one event "work" of such a total."""
    paths = []
    for number, total in enumerate(totals):
        made = records.record([records.event("run", None, 1000), records.event("work", "run", total)], **more)
        made["clock"]["origin_ns"] = number
        paths.append(records.write(folder, "{}{}.json".format(side, number), made))
    return paths


def compare(tactus, base, new, *words):
    """The finished process and what it says as JSON."""
    done = run(tactus, "compare", "--json=-", *words, "--base", *base, "--new", *new)
    return done, json.loads(done.stdout) if done.stdout else None


def event_of(comparison, name):
    return [event for event in comparison["events"] if event["name"] == name][0]


def near(value, expected):
    return value is not None and abs(value - expected) < 1e-12


# Totals of the base and of the new side; ratio, at least, at most; verdict.
VERDICTS = [
    ([100, 110, 120], [150, 160, 170], 160 / 110, 150 / 120, 170 / 100, "slower"),
    ([150, 160, 170], [100, 110, 120], 110 / 160, 100 / 170, 120 / 150, "faster"),
    ([100, 110, 120], [119, 130, 140], 130 / 110, 119 / 120, 140 / 100, "noise"),
    ([100, 110, 120], [120, 130, 140], 130 / 110, 120 / 120, 140 / 100, "noise"),
    ([120, 100, 110], [121, 170, 150], 150 / 110, 121 / 120, 170 / 100, "slower"),
    ([100, 200, 300, 400], [500, 600, 700, 800], 650 / 250, 500 / 400, 800 / 100, "slower"),
    ([100, 110], [500, 600], 550 / 105, 500 / 110, 600 / 100, "unknown"),
    ([100], [300], 3, 3, 3, "unknown"),
    ([100, 110, 120], [500, 600], 550 / 110, 500 / 120, 600 / 100, "unknown"),
    # A tenth of ten runs and more is left aside at either end.
    ([900] + [100 + i for i in range(9)], [200 + i for i in range(10)], 204.5 / 104.5, 201 / 108, 208 / 101, "slower"),
    ([900] + [100 + i for i in range(8)], [200 + i for i in range(9)], 204 / 104, 200 / 900, 208 / 100, "noise"),
]


def check_verdicts(points, tactus, folder):
    for base, new, ratio, least, most, verdict in VERDICTS:
        _, told = compare(tactus, runs_of(folder, "base", base), runs_of(folder, "new", new))
        event = event_of(told, "work")
        time = event["time"]
        points.add(near(time["ratio"], ratio) and near(time["ratio_least"], least) and near(time["ratio_most"], most) and
                   event["verdict"] == verdict, "{} to {}: {}".format(base, new, verdict), json.dumps(event))
        points.add(told["noise_known"] == (verdict != "unknown"), "{} to {}: the noise is known or not".format(base, new))


def check_left_aside(points, tactus, folder):
    """Of how many events chance keeps one apart is counted in test_comparison.c."""
    three, ten, twelve = runs_of(folder, "three", range(1, 4)), runs_of(folder, "ten", range(100, 110)), runs_of(folder, "twelve", range(200, 212))
    twenty = runs_of(folder, "twenty", range(300, 320))
    tenth = "of {} the {} fastest and the {} slowest of {} runs"
    for base, new, aside, chance in [(ten, twelve, [tenth.format("the base", 1, 1, 10), tenth.format("the new side", 1, 1, 12)], None),
                                     (twelve, twenty, [tenth.format("the base", 1, 1, 12), tenth.format("the new side", 2, 2, 20)], None),
                                     (three, twelve, [tenth.format("the new side", 1, 1, 12)], "57"), (twelve, three, [tenth.format("the base", 1, 1, 12)], "57"),
                                     (ten, ten, [tenth.format("the base", 1, 1, 10), tenth.format("the new side", 1, 1, 10)], "915"),
                                     (twelve, twelve, [tenth.format("the base", 1, 1, 12), tenth.format("the new side", 1, 1, 12)], "9325")]:
        done = run(tactus, "compare", "--base", *base, "--new", *new)
        points.add("\nLeft aside in each row, but for the medians: " + "; ".join(aside) + ".\n" in done.stdout and
                   "any two of their runs that are not left aside; spread: from the fastest of these to the slowest, by the median." in done.stdout and
                   "the runs of the two sides do not overlap, but for those left aside. " in done.stdout, "runs left aside are told: " + "; ".join(aside), done.stdout)
        if chance:
            points.add("chance alone does that to one event in " + chance + "." in done.stdout,
                       "and so is chance, with them aside: " + chance, done.stdout)
    _, told = compare(tactus, three, twelve)
    points.add(told["left_aside_at_either_end"] == {"base": 0, "new": 1} and near(told["apart_by_chance_one_in"], 455 / 8), "in JSON, too", str(told))


def check_text(points, tactus, folder):
    base, new = runs_of(folder, "base", [100, 110, 120]), runs_of(folder, "new", [150, 160, 170])
    done = run(tactus, "compare", "--base", *base, "--new", *new)
    row = re.search(r"^  work +(.*)$", done.stdout, re.MULTILINE)
    points.add(done.returncode == 0 and row and row[1].split() ==
               "1 110 ns 160 ns 1.455 1.455 slower 1.250 1.700 18.2 % 12.5 %".split(), "the row of an event", done.stdout)
    points.add("chance alone does that to one event in 10." in done.stdout, "what chance alone would do", done.stdout)
    points.add("not the same" not in done.stdout, "runs that were made alike say nothing of that", done.stdout)
    words = run(tactus, "compare", ",".join(base), ",".join(new))
    points.add(words.stdout == done.stdout, "lists with commas are the same", words.stdout)
    five = run(tactus, "compare", "--base", *runs_of(folder, "five", [1, 2, 3, 4, 5]), "--new", *runs_of(folder, "more", [6, 7, 8, 9, 10]))
    points.add("to one event in 126." in five.stdout, "and with five runs a side", five.stdout)
    points.add("left aside" not in done.stdout and "spread: from the fastest to the slowest, by the median.\n" in done.stdout, "of few runs none is left aside", done.stdout)
    check_left_aside(points, tactus, folder)
    points.add("one and the same run" not in done.stdout, "sides of different runs are no twins", done.stdout)
    itself = run(tactus, "compare", "--base", *base, "--new", base[1], new[0])
    points.add(itself.returncode == 0 and itself.stdout.count("one and the same run on both sides: {}\n".format(base[1])) == 1 and
               itself.stdout.count("one and the same") == 1, "a run on both sides is told", str(itself))
    copy = os.path.join(folder, "copy.json")
    shutil.copy(base[0], copy)
    itself = run(tactus, "compare", base[0], copy)
    points.add("one and the same run on both sides: {} and {}\n".format(base[0], copy) in itself.stdout, "and so is a copy", str(itself))
    for words in ["--base", *base, copy, "--new", *new], ["--fail-above=1.1", "--base", *new, "--new", *base, copy], [",".join(new), base[0] + "," + copy]:
        repeated = run(tactus, "compare", *words)
        points.add(repeated.returncode == 2 and not repeated.stdout and repeated.stderr ==
                   "tactus: {}: holds the same run as '{}', on the same side: one run is no repetition of itself\n".format(copy, base[0]),
                   "a copy on the same side is no repetition", str(repeated))
    single = run(tactus, "compare", base[0], new[0])
    points.add(single.returncode == 0 and re.search(r"^  work +1 +100 ns +150 ns +1.500 +1.500 +unknown$", single.stdout, re.MULTILINE) and
               "The noise is unknown" in single.stdout and "chance alone does" not in single.stdout, "one run a side has no verdict", single.stdout)


def check_gate(points, tactus, folder):
    base, slow = runs_of(folder, "base", [100, 110, 120]), runs_of(folder, "new", [150, 160, 170])
    close, noisy = runs_of(folder, "close", [121, 121, 121]), runs_of(folder, "noisy", [110, 200, 210])
    for name, new, limit, status in [("slower than allowed", slow, "1.10", 4), ("slower, but allowed", slow, "1.5", 0),
                                     ("above, but within the noise", noisy, "1.10", 0), ("outside the noise, but not above", close, "1.2", 0),
                                     ("just as much as allowed", close, "1.1", 0), ("faster", base, "1", 0)]:
        done = run(tactus, "compare", "--fail-above=" + limit, "--base", *(slow if name == "faster" else base), "--new", *new)
        points.add(done.returncode == status and ("slower, fails" in done.stdout) == (status == 4), "--fail-above: " + name, str(done))
        points.add("\ngate: {} above {:g} outside the noise, 2 looked at\n".format("1 event" if status == 4 else "no event", float(limit)) in done.stdout,
                   "and the output tells of the gate", done.stdout)
        if status == 4:
            points.add(done.stderr == "tactus: --fail-above: 1 event took more than 1.1 times as long; the worst is 'work' in 'run', 1.455 times\n",
                       "and says which", done.stderr)
    points.add("gate:" not in run(tactus, "compare", "--base", *base, "--new", *slow).stdout, "without one nothing is told")
    _, told = compare(tactus, base, slow, "--fail-above=1.10")
    points.add(told["failed"] == 1 and event_of(told, "work")["failed"] and not event_of(told, "run")["failed"], "JSON says which failed", str(told))
    done = run(tactus, "compare", "--fail-above=1.1", "--events=run", "--base", *base, "--new", *slow)
    points.add(done.returncode == 0, "an event that is left out cannot fail", str(done))
    done = run(tactus, "compare", "--fail-above=1.1", "--base", *base[:2], "--new", *slow)
    points.add(done.returncode == 2 and "--fail-above: needs 3 runs a side to know the noise, and one has 2" in done.stderr and not done.stdout,
               "a gate without the noise is refused", str(done))


def check_figures(points, tactus, folder):
    """Totals differ where calls do; the mean of a call and the fastest one do not."""
    def side(name, count, mean, least):
        made = records.record([records.event("run", None, 10000), records.event("work", "run", count * mean, count, least, 3 * mean)])
        return [records.write(folder, "{}{}.json".format(name, i), records.changed(made, ["clock", "origin_ns"], i)) for i in range(3)]
    base, new = side("base", 4, 100, 50), side("new", 8, 100, 75)
    for by, ratio, verdict in ("total", 2, "slower"), ("mean", 1, "noise"), ("min", 1.5, "slower"):
        _, told = compare(tactus, base, new, "--by=" + by)
        event = event_of(told, "work")
        points.add(near(event["time"]["ratio"], ratio) and event["verdict"] == verdict and told["by"] == by, "--by=" + by, json.dumps(event))
        points.add(near(event["fastest_call"]["ratio"], 1.5) and event["calls"] == {"base": 4, "new": 8}, "--by={}: calls and the fastest".format(by), json.dumps(event))
    done = run(tactus, "compare", "--base", *base, "--new", *new)
    points.add(" 4 → 8 " in done.stdout, "the text tells that calls differ", done.stdout)


def check_selection(points, tactus, folder):
    def side(name, events):
        return [records.write(folder, name + ".json", records.record(events))]
    shared = [records.event("run", None, 10000), records.event("work", "run", 9000), records.event("tiny", "work", 99)]
    base = side("base", shared + [records.event("old part", "run", 500)])
    new = side("new", shared + [records.event("new part", "run", 600)])
    _, told = compare(tactus, base, new)
    points.add([event["name"] for event in told["events"]] == ["run", "work", "old part", "new part"] and told["left_out"] == 1,
               "an event below a hundredth is left out, and counted", str(told["events"]))
    points.add((event_of(told, "old part")["verdict"], event_of(told, "new part")["verdict"]) == ("only_base", "only_new"),
               "what only one side has is told", str(told["events"]))
    points.add(event_of(told, "new part")["time"]["ratio"] is None, "and has no ratio")
    _, told = compare(tactus, base, new, "--min-share=0")
    points.add([event["name"] for event in told["events"]] == ["run", "work", "tiny", "old part", "new part"], "--min-share=0 leaves none out")
    points.add(event_of(told, "tiny")["parent"] == "work" and near(event_of(told, "work")["share"]["base"], 0.9), "parents and shares", str(told))
    _, told = compare(tactus, base, new, "--events=w*,new part", "--min-share=0")
    points.add([event["name"] for event in told["events"]] == ["work", "new part"], "--events takes names and patterns", str(told["events"]))
    for words, needle in [(["--events=wurk"], "--events: 'wurk' is none of the events; did you mean 'work'?"),
                          (["--events=new part"], "nothing to compare: the sides have no event in common"),
                          (["--min-share=0.5", "--events=tiny"], "nothing to compare: no event is left")]:
        done = run(tactus, "compare", *words, *base, *new)
        points.add(done.returncode == 2 and done.stderr == "tactus: {}\n".format(needle) and not done.stdout, "refuses " + " ".join(words), str(done))


def check_batches(points, tactus, folder):
    base = [records.write(folder, "base.json", records.detailed(0.25, imbalance=1.25, item_p50_ns=100, item_p90_ns=200, item_p99_ns=400))]
    new = [records.write(folder, "new.json", records.detailed(0.5, imbalance=1.5, item_p50_ns=150, item_p90_ns=200, item_p99_ns=800))]
    _, told = compare(tactus, base, new)
    batches = event_of(told, "work")["batches"]
    points.add([batches["idle_share"][side]["median"] for side in ("base", "new")] == [0.25, 0.5], "idle shares", str(batches))
    points.add([batches["imbalance"][side]["median"] for side in ("base", "new")] == [1.25, 1.5], "imbalance", str(batches))
    points.add([batches[key]["ratio"] for key in ("item_p50", "item_p90", "item_p99", "item_max")] == [1.5, 1, 2, 1], "percentiles", str(batches))
    points.add(batches["item_p50"]["base"]["median_ns"] == 100, "in ns", str(batches))
    done = run(tactus, "compare", *base, *new)
    row = re.search(r"^work +(.*%.*)$", done.stdout, re.MULTILINE)
    points.add(row and row[1].split() == "25.0 % 50.0 % 1.000 1.250 1.500 100 ns 150 ns 1.500 200 ns 200 ns 1.000 400 ns 800 ns 2.000".split(),
               "the row of its batches", done.stdout)
    coarse = [records.write(folder, "coarse.json", records.record([records.event("run", None, 10000), records.event("work", "run", 2000)]))]
    _, told = compare(tactus, coarse, new)
    points.add(event_of(told, "work")["batches"]["idle_share"] is None, "what one side does not tell is no figure", str(told))
    points.add("batched event" not in run(tactus, "compare", *coarse, *new).stdout, "and has no table")


def check_device(points, tactus, folder):
    def side(name, busy_ns):
        made = records.record([records.event("run", None, 10000)])
        made["events"][0]["device"] = {"batches": 1, "commands": 2, "busy_ns": busy_ns, "total_ns": busy_ns, "domain": "device"}
        return records.write(folder, name, made)
    base, new = side("base.json", 400), side("new.json", 600)
    _, told = compare(tactus, [base], [new])
    points.add(near(event_of(told, "run")["device_busy"]["ratio"], 1.5), "device time has a ratio of its own", str(told))
    points.add(re.search(r"^run +400 ns +600 ns +1.500$", run(tactus, "compare", base, new).stdout, re.MULTILINE), "and a table")


def check_differences(points, tactus, folder):
    base = runs_of(folder, "base", [100, 110], date="2026-01-01T00:00:00Z", sites=10)
    new = runs_of(folder, "new", [100, 110], level="detailed", executor="serial", version="1.3", program="other", sites=20,
                  date="2026-01-02T00:00:00Z", blas={"name": "BLIS", "kernel": "Zen", "threads": 1})
    _, told = compare(tactus, base, new)
    found = {row["member"]: (row["base"], row["new"]) for row in told["differences"]}
    points.add(found == {"level": (["coarse"], ["detailed"]), "run.program": (["by_hand"], ["other"]), "run.version": (["1.2"], ["1.3"]),
                         "run.executor": (["threads"], ["serial"]), "run.measurements": (["coarse"], ["detailed"]),
                         "run.blas.name": (["OpenBLAS"], ["BLIS"]), "run.sites": ([10], [20])}, "what differs between the sides is told", str(found))
    text = run(tactus, "compare", "--base", *base, "--new", *new).stdout
    points.add("not the same:\n" in text and "  run.executor: base threads; new serial\n" in text and "  run.sites: base 10; new 20\n" in text,
               "in the text, too", text)
    without, fitted = runs_of(folder, "without", [100, 110], costs=None), runs_of(folder, "fitted", [100, 110], costs="c.json")
    shown = run(tactus, "compare", "--base", *without, "--new", *fitted).stdout
    points.add("not the same:\n  run.costs: base none; new c.json\n" in shown, "what a record says there is none of is told", shown)
    shown = run(tactus, "compare", "--base", *fitted, "--new", base[0]).stdout
    points.add("run.costs: base c.json; new not told\n" in shown, "and is another thing than what it does not tell", shown)
    mixed = [base[0], new[0]]
    _, told = compare(tactus, mixed, base)
    found = {row["member"]: (row["base"], row["new"]) for row in told["differences"]}
    points.add(found["run.executor"] == (["threads", "serial"], ["threads"]), "and what differs within a side", str(found))
    _, told = compare(tactus, base, new)
    points.add(told["in_blocks"] is True and "Take turns." in text, "sides that ran one after the other are told", text)
    turns = [records.write(folder, "turn{}.json".format(i), records.record([records.event("run", None, 1000)], date="2026-01-0{}T00:00:00Z".format(i + 1)))
             for i in range(4)]
    _, told = compare(tactus, turns[0::2], turns[1::2])
    points.add(told["in_blocks"] is False, "those that took turns are not")
    _, told = compare(tactus, turns[3:], turns[:3])
    points.add(told["in_blocks"] is True, "nor does it matter which side came first")


def check_kokkos(points, tactus, folder):
    base = records.write(folder, "base.json", records.kokkos())
    slower = records.kokkos()
    slower["kernels"][1].update(total_ns=3000, min_ns=3000, max_ns=3000)
    slower["run"].update(wall_ns=12000, kernels_ns=4000)
    new = records.write(folder, "new.json", slower)
    _, told = compare(tactus, [base], [new])
    ratios = {event["name"]: event["time"]["ratio"] for event in told["events"]}
    points.add(ratios == {"wall time": 1.5, OUTSIDE: 6900 / 4900, "kernels": 2, "axpy (parallel_for)": 1, "dot (parallel_reduce)": 3, "fences": 1,
                          "wait": 1, "copies": 1, "Host to Cuda": 1, "step": 1, "solve": 1},
               "records of the Kokkos module compare as a whole, by kernel, fence, copy and region", str(ratios))
    shares = [event_of(told, name)["share"]["base"] for name in ("wall time", OUTSIDE, "kernels", "wait", "copies", "solve")]
    points.add(all(near(share, part / 8000) for share, part in zip(shares, (8000, 4900, 2000, 800, 300, 1000))), "shares are of the wall time", str(shares))
    points.add(told["differences"] == [], "times are no difference of how the runs were made", str(told["differences"]))
    slower["run"]["command_line"] = ["by_hand", "two words"]
    _, told = compare(tactus, [base], [records.write(folder, "words.json", slower)])
    points.add(told["differences"] == [{"member": "run.command_line", "base": [["by_hand"]], "new": [["by_hand", "two words"]]}],
               "command lines are, as nothing else tells what was asked for", str(told["differences"]))
    for place, value in (["run", "threads"], 2), (["kernels", 0, "total_ns"], 9000), (["run", "wall_ns"], records.del_):
        other = records.write(folder, "other.json", records.changed(records.kokkos(), place, value))
        _, told = compare(tactus, [other], [other])
        points.add(OUTSIDE not in [event["name"] for event in told["events"]], "what is unmeasured may be unknown: {}".format(place), str(told["events"]))
    points.add("wall time" not in [event["name"] for event in told["events"]] and near(event_of(told, "wait")["share"]["base"], 1),
               "without a wall time shares are of their kind", str(told["events"]))
    mixed = run(tactus, "compare", base, runs_of(folder, "run", [100])[0])
    points.add(mixed.returncode == 2 and "nothing to compare" in mixed.stderr, "and not with those of other programs", str(mixed))


def kokkos_runs(folder, side, walls, copied=(2, 4096, 300)):
    """Runs of 2000 ns in kernels and 800 in fences, with three copies of that count, bytes and time, and a step."""
    paths = []
    for number, wall in enumerate(walls):
        made = records.kokkos()
        made["run"].update(wall_ns=wall, date="2026-01-01T00:00:{:02}Z".format(number))
        made["copies"][0].update(zip(("count", "bytes", "total_ns"), copied))
        made["steps"] = [{"name": "sweep", "count": 2, "timed": 2, "total_ns": 1000, "mean_ns": 500, "min_ns": 400, "max_ns": 600, "kernels": 3,
                          "kernels_ns": 500, "fences": 2, "fences_ns": 80, "copies": copied[0], "copies_ns": copied[2]}]
        paths.append(records.write(folder, "{}{}.json".format(side, number), made))
    return paths


def check_kokkos_gate(points, tactus, folder):
    """What a program does besides kernels is seen by the gate; sums of different calls are compared by their totals only."""
    base = kokkos_runs(folder, "base", [8000, 8010, 8020])
    for new, worst, factor in [(kokkos_runs(folder, "copying", [64000, 64010, 64020], (2000, 4096000, 56000)), "copies", 56000 / 300),
                               (kokkos_runs(folder, "waiting", [64000, 64010, 64020]), OUTSIDE, 60910 / 4910)]:
        done = run(tactus, "compare", "--fail-above=1.1", "--events=wall time," + worst, "--base", *base, "--new", *new)
        points.add(done.returncode == 4 and done.stderr.endswith("the worst is '{}', {:.3f} times\n".format(worst, factor)) and
                   "2 events took more than 1.1" in done.stderr, "a run made slower by what is in no kernel fails", str(done))
    copying = kokkos_runs(folder, "copying", [64000, 64010, 64020], (2000, 4096000, 56000))
    _, told = compare(tactus, base, copying)
    points.add([near(event_of(told, name)["bytes"]["ratio"], 1000) for name in ("copies", "Host to Cuda")] == [True, True] and
               event_of(told, "Host to Cuda")["calls"] == {"base": 2, "new": 2000}, "copies have counts and bytes", str(told["events"]))
    steps = {name: event_of(told, name)["time"]["ratio"] for name in ("sweep (step)", "kernels in steps", "copies in steps")}
    points.add(steps == {"sweep (step)": 1, "kernels in steps": 1, "copies in steps": 56000 / 300} and event_of(told, "copies in steps")["parent"] == "sweep (step)",
               "steps and what is in them", str(steps))
    text = run(tactus, "compare", "--base", *base, "--new", *copying).stdout
    points.add(re.search(r"^event, bytes +base +new +ratio\n-*\n*copies +4096 +4096000 +1000.000\n  Host to Cuda +4096 +4096000 +1000.000$", text, re.MULTILINE),
               "bytes have a table", text)
    points.add(re.search(r"^kernels +4 +2.000 µs +2.000 µs +1.000 +within noise +1.000 ", text, re.MULTILINE), "all kernels have no fastest call", text)
    for by, without in ("min", ("kernels", "fences", "copies", "Host to Cuda", "kernels in steps")), ("mean", ("kernels", "fences", "copies", "kernels in steps")):
        _, told = compare(tactus, base, copying, "--by=" + by, "--fail-above=1.1")
        points.add({event["name"] for event in told["events"] if event["verdict"] == "no_figure"} >= set(without) and
                   all(event_of(told, name)["time"] is None and event_of(told, name)["fastest_call"] is None and not event_of(told, name)["failed"] for name in without) and
                   event_of(told, "dot (parallel_reduce)")["verdict"] == "noise", "--by={} is of no sum of different calls".format(by), str(told["events"]))
    text = run(tactus, "compare", "--by=min", "--fail-above=1.1", "--events=kernels,dot*", "--base", *base, "--new", *copying).stdout
    points.add(re.search(r"^kernels +4 +no such figure$", text, re.MULTILINE) and "noise, 1 looked at" in text, "nor does a gate look at it", text)
    done = run(tactus, "compare", "--by=min", "--fail-above=1.1", "--events=kernels", "--base", *base, "--new", *copying)
    points.add(done.returncode == 2 and not done.stdout and done.stderr ==
               "tactus: nothing to compare: the events are sums of different calls, which have no such figure as --by\n", "nor passes with nothing else", str(done))


def check_usage(points, tactus, folder):
    paths = runs_of(folder, "base", [100, 110, 120])
    broken = records.write(folder, "broken.json", {"schema": 7})
    off = records.write(folder, "off.json", {"schema": 1, "level": "off", "events": [], "batches": []})
    for words, status, needle in [
            ([], 2, "BASE NEW: two words are needed, 0 given"),
            (paths, 2, "BASE NEW: two words are needed, 3 given"),
            ([paths[0] + ",", paths[1]], 2, "BASE NEW: a file without a name stands in a list"),
            (["--base", paths[0]], 2, "--new: no file is given"),
            (["--base", "--new", paths[0]], 2, "--base: no file is given"),
            ([paths[0], "--base", paths[1], "--new", paths[2]], 2, "stands before --base and --new"),
            (["--base=" + paths[0], "--new", paths[1]], 2, "--base: is written --base FILE..."),
            (["--base", paths[0], paths[0], "--new", paths[1]], 2, "is given twice: one run is no repetition of itself"),
            (["--fail-above=0.5", *paths[:2]], 2, "--fail-above: '0.5' is out of range"),
            (["--fail-above=nan", *paths[:2]], 2, "--fail-above: 'nan'"),
            (["--min-share=2", *paths[:2]], 2, "--min-share: '2' is out of range"),
            (["--by=median", *paths[:2]], 2, "--by: 'median' is none of total|mean|min"),
            (["--evnts=x", *paths[:2]], 2, "--evnts: unknown option; did you mean --events?"),
            ([paths[0], broken], 2, broken + ": schema: is 7, newer than"),
            ([off, paths[0]], 2, off + ": level: is off: nothing was measured"),
            ([paths[0], "nothing.json"], 1, "nothing.json: cannot be read"),
            (["--json=" + paths[0], *paths[:2]], 2, "--json: '" + paths[0] + "' is the record that is read"),
            (["--json=" + paths[2], "--base", paths[0], "--new", paths[1], paths[2]], 2, "--json: '" + paths[2] + "' is the record that is read"),
            (["--json=/no/such/folder/x", *paths[:2]], 1, "--json: cannot")]:
        done = run(tactus, "compare", *words)
        points.add(done.returncode == status and needle in done.stderr and done.stderr.count("\n") == 1 and (status == 1 or not done.stdout),
                   "refuses: " + needle.replace(folder, "DIR"), str(done))
    points.add(all(run(tactus, "report", path).returncode == 0 for path in paths[:3]), "and leaves the records as they were")
    out = os.path.join(folder, "out.json")
    done = run(tactus, "compare", "--json=" + out, *paths[:2])
    with open(out, encoding="utf-8") as stream:
        told = json.load(stream)
    points.add(done.returncode == 0 and "verdict" in done.stdout and told["kind"] == "comparison" and told["base"] == [paths[0]],
               "--json=FILE beside the tables", str(done))
    points.add(run(tactus, "report", out).returncode == 2, "a comparison is no record")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([tactus, "compare", *paths[:2]], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    points.add(done.returncode == 1 and "standard output" in done.stderr, "a full disk is told", str(done))
    helped = run(tactus, "compare", "--help")
    points.add(helped.returncode == 0 and "--fail-above=X" in helped.stdout and "Verdicts:" in helped.stdout, "--help helps")


def main(tactus):
    points = Points()
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_verdicts, check_text, check_gate, check_figures, check_selection, check_batches, check_device, check_differences,
                      check_kokkos, check_kokkos_gate, check_usage):
            place = os.path.join(folder, check.__name__)
            os.mkdir(place)
            check(points, tactus, place)
    points.finish()


main(sys.argv[1])
