#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Traces of the module, and the page: trace_test.py LOADER MODULE PLAIN NEXT_TOOL..."""
import collections
import json
import os
import re
import sys
import tempfile

from runs import load, run, show
from tap import Points


def slices(events, track=None):
    return [one for one in events if one.get("ph") == "X" and track in (None, one["tid"])]


def in_ns(microseconds):
    return round(1000 * microseconds)


def nests(events):
    """Whether every slice of a track is within the one below it, to the nanosecond."""
    for track in {one["tid"] for one in slices(events)}:
        open_ends = []
        for one in sorted(slices(events, track), key=lambda one: (in_ns(one["ts"]), -in_ns(one["dur"]))):
            start = in_ns(one["ts"])
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            if open_ends and start + in_ns(one["dur"]) > open_ends[-1]:
                return False
            open_ends.append(start + in_ns(one["dur"]))
    return True


def read_part(path):
    """An array whose end is missing, as a viewer reads it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return json.loads(text + "\n]") if not text.rstrip().endswith("]") else json.loads(text)


def check_all(points, play):
    done, events = play("all")
    names = collections.Counter((one["cat"], one["name"]) for one in slices(events))
    points.add(done.returncode == 0 and done.stderr == "" and names[("parallel_for", "axpy")] == 5 and
               names[("parallel_reduce", "axpy")] == 1 and names[("fence", "inner")] == 1 and
               names[("copy", "copy Host to Cuda")] == 3 and names[("region", "solve")] == 4 and
               names[("parallel_for", "in the step")] == 4, "a slice for each event", show(done) + str(names))
    points.add(bool(events) and nests(events), "slices nest")
    first = min(one["ts"] for one in slices(events))
    points.add(0 <= first < 60e6 and events[0]["args"]["origin_ns"] > 0, "times start near zero, the origin is told", str(events[:2]))
    pairs = collections.Counter((one["ph"], one["name"]) for one in events if one.get("cat") == "section")
    points.add(pairs == {(ph, name): 1 for ph in "be" for name in ("one", "two")}, "sections are pairs", str(pairs))
    memory = [one["args"]["bytes"] for one in events if one.get("ph") == "C" and one["name"] == "memory Cuda"]
    points.add(memory == [100, 300, 200, 250], "memory is a track of its own", str(memory))
    marks = [one["name"] for one in events if one.get("ph") == "i"]
    points.add(marks == ["an event"], "profile events are instants", str(marks))


def check_others(points, play, folder):
    done, events = play("crossed")
    crossed = [one["ph"] for one in events if one.get("name") == "crossed"]
    points.add(crossed == ["b", "e"] and nests(events) and sorted(one["name"] for one in slices(events)) ==
               ["around", "kernel", "within"], "what does not nest is a pair", str(events))
    done, events = play("labels")
    points.add("quote \" back\\slash\nnewline \x01 \ufffd </script>" in [one["name"] for one in slices(events)],
               "labels of any bytes", show(done))
    done, events = play("threads")
    tracks = {one["tid"]: one["args"]["name"] for one in events if one["name"] == "thread_name"}
    counts = collections.Counter(one["tid"] for one in slices(events))
    points.add(len(tracks) == 12 and sorted(counts.values()) == [1] * 10 + [10001] * 2 and nests(events),
               "a track for each thread", str(counts))
    done, events = play("twice")
    points.add([one["name"] for one in slices(events)] == ["first", "second", "second", "main", "third"],
               "a trace goes on after a finalize", show(done) + str(events))
    done, events = play("fork")
    points.add([one["name"] for one in slices(events)] == ["parent"], "a child by fork is in no trace", show(done))
    points.add(not [name for name in os.listdir(folder) if name.endswith(".part")], "no part is left")


def check_killed(points, play, folder):
    play("killed")
    part = os.path.join(folder, "killed.json.part")
    points.add(not os.path.exists(os.path.join(folder, "killed.json")) and os.path.exists(part), "a killed run leaves its part")
    events = read_part(part) if os.path.exists(part) else []
    points.add(0 < len(slices(events)) <= 3000, "the part opens", str(len(events)))
    _, events = play("killed_later")
    points.add([one["name"] for one in slices(events)] == ["whole"], "what was finished stays whole", str(len(events)))
    events = read_part(os.path.join(folder, "killed_later.json.part"))
    points.add([one["name"] for one in slices(events)][:2] == ["whole", "killed"], "the part has both", str(len(events)))


def check_full(points, loader, module, folder):
    """A file that may not grow ends the trace, not the program; what cannot be followed is not."""
    path = os.path.join(folder, "small.json")
    victim = os.path.join(folder, "victim")
    with open(victim, "w", encoding="utf-8") as file:
        file.write("old")
    os.symlink(victim, path + ".part")
    done = run(["bash", "-c", 'ulimit -f 20; exec "$@"', "-", loader, module, "busy"], TACTUS_KOKKOS_OUT="trace:" + path)
    points.add(done.returncode == 0 and "File too large" in done.stderr, "a limit of files ends no program", show(done))
    with open(victim, encoding="utf-8") as file:
        points.add(file.read() == "old", "a link in the way is not written to")


def check_page(points, loader, module, folder):
    path = os.path.join(folder, "page.html")
    done = run([loader, module, "labels"], TACTUS_KOKKOS_OUT="html:" + path)
    with open(path, encoding="utf-8") as file:
        page = file.read()
    record = re.search(r'<script type="application/json" id="record">(.*?)</script>', page, re.DOTALL)
    points.add(done.returncode == 0 and page.startswith("<!") and record is not None and
               "</script>" in " ".join(one["name"] for one in json.loads(record[1])["kernels"]),
               "the page holds the record", show(done) + page[:300])


def main(loader, module, plain, *_):
    points = Points()
    with tempfile.TemporaryDirectory(prefix="tactus-kokkos-") as folder:

        def play(scene):
            path = os.path.join(folder, scene + ".json")
            done = run([loader, module, scene], TACTUS_KOKKOS_OUT="trace:" + path)
            return done, load(path) if os.path.exists(path) else []

        check_all(points, play)
        check_others(points, play, folder)
        check_page(points, loader, module, folder)
        check_full(points, loader, module, folder)
        if plain == "true":
            check_killed(points, play, folder)
    points.finish()


main(*sys.argv[1:])
