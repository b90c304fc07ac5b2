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


def check_told(points, play, loader, module):
    """What the trace says of itself: at its begin what is known by then, so that it is in a killed run's part, and the rest at its end."""
    _, events = play("all")
    head, fencing, end = events[0], events[1], events[-1]
    told = head.get("args", {})
    points.add(head["name"] == "tactus" and head["ph"] == "M" and told.get("schema") == 1 and told.get("kind") == "kokkos" and told.get("clock") and
               told.get("clock_resolution_ns", 0) > 0 and told.get("clock_read_ns", 0) > 0 and told.get("launch_record_ns", 0) > 0,
               "the first event tells the clock and what a record costs", str(head))
    points.add(told.get("program") == os.path.basename(loader) and told.get("command_line") == [loader, module, "all"] and
               told.get("tool") == "libtactus_kokkos" and told.get("tool_version") and len(told.get("date", "")) == 20 and told.get("host"),
               "and what ran, when and where", str(head))
    points.add(fencing["name"] == "tactus_fencing" and fencing["args"] == {"global": False, "asked_by": None}, "the second whether it is fenced", str(fencing))
    told = end.get("args", {})
    points.add(end["name"] == "tactus_end" and told.get("fencing") == {"global": False, "asked_by": None, "seconds": "mixed"} and
               told.get("dropped") == told.get("not_in_trace") == 0 and told.get("mismatches", {}).get("sections") == 1 and told.get("ended_by") == "finalize" and
               told.get("threads") == 1 and 0 < told.get("kernels_ns", 0) < told.get("wall_ns", 0) and
               told.get("kokkos", {}).get("interface_version") == 20240906 and len(told["kokkos"]["metadata"]) == 2, "the last what was counted and lost", str(end))
    _, events = play("all", TACTUS_KOKKOS_FENCE="1")
    points.add(events[1]["args"] == {"global": True, "asked_by": "TACTUS_KOKKOS_FENCE"} and events[-1]["args"]["fencing"]["seconds"] == "execution",
               "fencing that is on", str(events[1]))
    _, events = play("twice")
    notes = [one["name"] for one in events if one["name"].startswith("tactus")]
    points.add(notes == ["tactus", "tactus_fencing", "tactus_end"] and events[-1]["name"] == "tactus_end" and events[-1]["args"]["report_sections"] == 3 and
               events[-1]["args"]["ended_by"] == "exit", "one end, however often it was finalized", str(notes))


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
    points.add([one["name"] for one in events[:2]] == ["tactus", "tactus_fencing"] and events[0]["args"]["program"], "and says what it is of", str(events[:2]))
    _, events = play("killed_later")
    points.add([one["name"] for one in slices(events)] == ["whole"], "what was finished stays whole", str(len(events)))
    events = read_part(os.path.join(folder, "killed_later.json.part"))
    points.add([one["name"] for one in slices(events)][:2] == ["whole", "killed"], "the part has both", str(len(events)))


def check_limit(points, play):
    """The scene's events, counted by hand: 11 kernels, 10 fences, 7 copies, 7 regions, 6 of memory, 2 sections and a mark are 44."""
    done, events = play("all", TACTUS_KOKKOS_TRACE_LIMIT="44")
    points.add(done.stderr == "" and events[-1]["args"]["beyond_limit"] == 0 and events[-1]["args"]["trace_limit"] == 44, "a limit that is not reached", show(done))
    slices_of_all = [one["name"] for one in slices(events)]
    done, events = play("all", TACTUS_KOKKOS_TRACE_LIMIT="3")
    points.add([one["name"] for one in slices(events)] == slices_of_all[:4] and events[-1]["args"]["beyond_limit"] == 40 and done.returncode == 0 and
               done.stderr == "libtactus_kokkos: the trace ends before the run: events beyond TACTUS_KOKKOS_TRACE_LIMIT=3: 40\n",
               "what is beyond the limit is counted and told", show(done) + str(events))
    done, events = play("crossed", TACTUS_KOKKOS_TRACE_LIMIT="1")
    names = {one["name"] for one in events}
    points.add({"around", "kernel", "within", "crossed"} - names == {"within"} - names and "around" in names and nests(events),
               "what began before the limit is kept whole", str(events))
    done, events = play("twice", TACTUS_KOKKOS_TRACE_LIMIT="1")
    points.add(done.stderr.count("\n") == 1 and [one["name"] for one in slices(events)] == ["first", "second", "main"] and events[-1]["args"]["beyond_limit"] == 2,
               "a limit is told once", show(done) + str(events))


def check_without_memory(points, play):
    done, events = play("starving")
    points.add(done.returncode == 0 and events[-1]["args"]["dropped"] >= 6, "what was dropped is told", show(done) + str(events[-1:]))
    done, events = play("bufferless")
    points.add(done.returncode == 0 and not slices(events) and events[-1]["args"]["not_in_trace"] == 3 and events[-1]["args"]["dropped"] == 0,
               "events of a thread without a buffer are counted", show(done) + str(events[-1:]))


def check_full(points, loader, module, folder):
    """A file that may not grow ends the trace, not the program; what cannot be followed is not."""
    path = os.path.join(folder, "small.json")
    victim = os.path.join(folder, "victim")
    with open(victim, "w", encoding="utf-8") as file:
        file.write("old")
    os.symlink(victim, path + ".part")
    done = run(["bash", "-c", 'ulimit -f 20; exec "$@"', "-", loader, module, "busy"], TACTUS_KOKKOS_OUT="trace:" + path)
    points.add(done.returncode == 0 and done.stderr == "libtactus_kokkos: cannot write '{}': File too large\n".format(path),
               "a limit of files ends no program, and is told once for all sections", show(done))
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

        def play(scene, **settings):
            path = os.path.join(folder, scene + ".json")
            done = run([loader, module, scene], TACTUS_KOKKOS_OUT="trace:" + path, **settings)
            return done, load(path) if os.path.exists(path) else []

        check_all(points, play)
        check_told(points, play, loader, module)
        check_others(points, play, folder)
        check_limit(points, play)
        check_page(points, loader, module, folder)
        check_full(points, loader, module, folder)
        if plain == "true":
            check_killed(points, play, folder)
            check_without_memory(points, play)
    points.finish()


main(*sys.argv[1:])
