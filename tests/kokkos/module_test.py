#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the module counts of events told by hand: module_test.py LOADER MODULE PLAIN NEXT_TOOL... (PLAIN: no sanitizer)"""
import json
import os
import sys
import tempfile

from runs import lines_of, load, row, rows_of, run, show
from tap import Points

OPENMP1 = {"device": "OpenMP", "device_number": 0, "instance": 1}
CUDA13 = {"device": "Cuda", "device_number": 1, "instance": 3}
NAME_OF_63 = "SYCLDeviceUSM_of_a_name_that_fills_all_sixty_three_bytes_there_"
LAUNCHES = 5000


class Scenes:
    """Plays scenes with one loader and module, and reads what they leave."""

    def __init__(self, loader, module, folder):
        self.loader, self.module, self.folder = loader, module, folder

    def play(self, scene, **settings):
        return run([self.loader, self.module, scene], **settings)

    def record(self, scene, **settings):
        path = os.path.join(self.folder, scene + ".json")
        done = self.play(scene, TACTUS_KOKKOS_OUT="json:" + path, **settings)
        return done, load(path) if os.path.exists(path) else {}


def holds(found, **members):
    return bool(found) and all(found.get(key) == value for key, value in members.items())


def near(found, expected):
    """Of texts of three digits."""
    return abs(found - expected) <= 0.01 * expected


def times_fit(one):
    """Least, mean and most are in order and the total is between; nothing is exclusive beyond it."""
    return one["timed"] == one["count"] and one["min_ns"] <= one["mean_ns"] <= one["max_ns"] and \
        abs(one["mean_ns"] * one["count"] - one["total_ns"]) <= 1e-9 * one["total_ns"] + 1 and \
        0 <= one.get("exclusive_ns", 0) <= one["total_ns"]


def check_kernels(points, record):
    kernels = record.get("kernels", [])
    points.add(len(kernels) == 5 and holds(row(kernels, name="axpy", kind="parallel_for", **OPENMP1), count=3) and
               holds(row(kernels, name="axpy", kind="parallel_for", **CUDA13), count=2) and
               holds(row(kernels, name="axpy", kind="parallel_reduce", **OPENMP1), count=1) and
               holds(row(kernels, name="", kind="parallel_scan", device="unknown"), count=1) and
               holds(row(kernels, name="in the step", device="Serial"), count=4),
               "kernels by label, kind, device and instance", json.dumps(kernels))
    points.add(bool(kernels) and all(map(times_fit, kernels)), "times of kernels fit together", json.dumps(kernels))


def check_fences(points, record):
    fences = record.get("fences", [])
    points.add(len(fences) == 6 and holds(row(fences, name="user fence", scope="all"), count=2, device="OpenMP", tool=False) and
               holds(row(fences, name="user fence", scope="instance", **CUDA13), count=1) and
               holds(row(fences, name="after a copy", scope="copies"), count=1) and
               holds(row(fences, name="outer"), count=1) and holds(row(fences, name="inner"), count=1) and
               holds(row(fences, tool=True), count=4), "fences by label and what they wait for", json.dumps(fences))
    points.add(row(fences, name="inner").get("total_ns", 1) <= row(fences, name="outer").get("total_ns", 0),
               "a fence contains one that is nested in it", json.dumps(fences))


def check_copies(points, record):
    copies, directions = record.get("copies", []), record.get("directions", {})
    points.add(len(copies) == 5 and
               holds(row(copies, **{"from": "Host", "to": "Cuda"}), direction="host_to_device", count=3, bytes=2064,
                     fill_count=1, fill_bytes=64, self_bytes=0) and
               holds(row(copies, **{"from": "CudaHostPinned", "to": "Host"}), direction="device_to_host", count=1, bytes=300) and
               holds(row(copies, **{"from": "Host", "to": "HostAnything"}), direction="same", count=1, bytes=50) and
               holds(row(copies, **{"from": "Cuda", "to": "Cuda"}), direction="same", count=1, bytes=70, self_bytes=70) and
               holds(row(copies, **{"from": NAME_OF_63, "to": "Host"}), direction="device_to_host", bytes=5),
               "copies by pair of spaces, with true names", json.dumps(copies))
    points.add(directions.get("host_to_device", {}).get("bytes") == 2064 and
               directions.get("device_to_host", {}).get("bytes") == 305 and directions.get("same", {}).get("bytes") == 120 and
               directions.get("same", {}).get("self_count") == 1, "copies folded by the prefix", json.dumps(directions))


def check_others(points, record):
    spaces, sections, marks = record.get("spaces", []), record.get("sections", []), record.get("marks", [])
    points.add(holds(row(spaces, name="Cuda"), allocations=3, deallocations=1, bytes=250, high_water_bytes=300) and
               holds(row(spaces, name="Host"), allocations=1, deallocations=1, bytes=0, high_water_bytes=10),
               "memory with its high-water mark", json.dumps(spaces))
    points.add(holds(row(sections, name="one"), count=1) and holds(row(sections, name="two"), count=1),
               "sections that overlap", json.dumps(sections))
    points.add(marks == [{"name": "an event", "count": 1}], "profile events", json.dumps(marks))
    regions = record.get("regions", [])
    points.add([(one["name"], one["parent"], one["depth"], one["count"]) for one in regions] ==
               [("step", None, 0, 3), ("solve", 0, 1, 3), ("solve", None, 0, 1)], "regions as a tree", json.dumps(regions))
    points.add(len(regions) == 3 and all(map(times_fit, regions)) and
               regions[0]["exclusive_ns"] == regions[0]["total_ns"] - regions[1]["total_ns"],
               "a region without what is within", json.dumps(regions))
    placed = record.get("kernels_by_region", [])
    points.add([(one["name"], one["kind"], one["parent"], one["count"], one["step_count"]) for one in placed] ==
               [("in the step", "parallel_for", 1, 3, 3), ("in the step", "parallel_for", 2, 1, 0)] and all(map(times_fit, placed)) and
               sum(one["total_ns"] for one in placed) == row(record["kernels"], name="in the step")["total_ns"] and
               record.get("kernels_not_by_region") == 0, "kernels by region", json.dumps(placed))
    points.add(record.get("mismatches") == {"kernels": 0, "fences": 0, "copies": 0, "regions": 0, "sections": 1,
                                            "unfinished": 0, "last_region": None, "open_region": None} and record.get("dropped") == 0,
               "one stop too many is the only mismatch", json.dumps(record.get("mismatches")))


def check_run(points, scenes, record):
    run_of = record.get("run", {})
    points.add(record.get("schema") == 1 and record.get("kind") == "kokkos" and record.get("clock", {}).get("name") and
               record.get("cost", {}).get("launch_record_ns", 0) > 0, "schema, clock and cost", json.dumps(record)[:500])
    points.add(run_of.get("command_line") == [scenes.loader, scenes.module, "all"] and
               run_of.get("program") == os.path.basename(scenes.loader) and run_of.get("threads") == 1 and
               run_of.get("tool") == "libtactus_kokkos" and run_of.get("tool_version") and "version" not in run_of and
               run_of.get("ended_by") == "finalize" and len(run_of.get("date", "")) == 20 and run_of.get("host"),
               "what ran, when and where", json.dumps(run_of))
    kernels_ns = sum(one["exclusive_ns"] for one in record.get("kernels", []))
    points.add(run_of.get("kernels_ns") == kernels_ns > 0 and kernels_ns + run_of.get("outside_kernels_ns", 0) == run_of.get("wall_ns"),
               "the wall time, kernels and what is outside of them", json.dumps(run_of))
    points.add(run_of.get("kokkos") == {"interface_version": 20240906, "metadata": [
        {"key": "first key", "value": 'a "value"'}, {"key": "second key", "value": ""}]}, "what Kokkos declares", json.dumps(run_of))


def check_all(points, scenes):
    done, record = scenes.record("all", TACTUS_KOKKOS_STEP="step")
    points.add(done.returncode == 0 and done.stdout == "fencing=0\n" and done.stderr == "",
               "the program runs, is not fenced and hears nothing", show(done))
    check_kernels(points, record)
    check_fences(points, record)
    check_copies(points, record)
    check_others(points, record)
    check_run(points, scenes, record)
    steps = record.get("steps", [])
    points.add(len(steps) == 1 and holds(steps[0], name="step", count=3, kernels=3, fences=0, copies=0),
               "steps and what is in them", json.dumps(steps))
    points.add(row(record.get("kernels", []), name="in the step").get("step_count") == 3, "three of four launches are in a step")
    _, record = scenes.record("sections")
    points.add([(one["name"], one["parent"], one["count"]) for one in record.get("sections", [])] == [("two", None, 0), ("one", 1, 1)] and
               record["regions"][1]["name"] == "inner" and record["mismatches"]["unfinished"] == 1,
               "sections in the tree of regions", json.dumps(record.get("sections")))
    _, record = scenes.record("old")
    points.add(holds(row(record.get("kernels", []), name="axpy"), device="Cuda", device_number=0, instance=0x20003),
               "an old interface has no numbers of devices", json.dumps(record.get("kernels")))


def check_text(points, scenes):
    done = scenes.play("all", TACTUS_KOKKOS_OUT="text", TACTUS_KOKKOS_STEP="step")
    sums, kernels = lines_of(done.stderr)
    points.add(done.returncode == 0 and len(sums) == 1 and len(done.stderr.splitlines()) == 1 + len(kernels) + 5 + 2 + 3,
               "one line that sums up, and one for each kernel, pair of spaces, space and region", show(done))
    if len(sums) != 1:
        return
    points.add(holds(sums[0], launches=11, fences=6, copies=7, h2d_bytes=2064, d2h_bytes=305, same_bytes=120, self_bytes=70,
                     fill_bytes=64, step="step", steps=3, launches_per_step=1, fencing="off", seconds="mixed", threads=1,
                     section=1, mismatches=1, unfinished=0, dropped=0), "the line that sums up", str(sums[0]))
    points.add(sums[0]["launches_s"] + sums[0]["outside_s"] <= 1.001 * sums[0]["wall_s"] and
               near(sums[0]["launches_share"] * sums[0]["wall_s"], sums[0]["launches_s"]), "and the wall time", str(sums[0]))
    points.add([(one["kernel"], one["kind"], one["n"]) for one in sorted(kernels, key=lambda one: (-one["n"], one["kernel"]))] ==
               [("axpy", "parallel_for", 5), ("in the step", "parallel_for", 4), ("", "parallel_scan", 1),
                ("axpy", "parallel_reduce", 1)], "kernels with devices and instances folded", str(kernels))
    points.add([one["s"] for one in kernels] == sorted((one["s"] for one in kernels), reverse=True), "kernels by time", str(kernels))
    points.add(row(kernels, kernel="in the step").get("per_step") == 1, "launches a step", str(kernels))
    copies, spaces, regions = (rows_of(done.stderr, first) for first in ("copy", "space", "region"))
    points.add(holds(row(copies, copy="Host", to="Cuda"), direction="host_to_device", n=3, bytes=2064, fill_bytes=64, self_bytes=0) and
               holds(row(copies, copy="Cuda", to="Cuda"), direction="same", self_bytes=70), "copies by pair of spaces", str(copies))
    points.add(spaces == [{"space": "Cuda", "allocations": 3, "deallocations": 1, "bytes": 250, "high_water_bytes": 300},
                          {"space": "Host", "allocations": 1, "deallocations": 1, "bytes": 0, "high_water_bytes": 10}], "memory", str(spaces))
    points.add([(one["region"], one["depth"], one.get("in"), one["n"]) for one in regions] ==
               [("step", 0, None, 3), ("solve", 1, "step", 3), ("solve", 0, None, 1)], "regions in the order of their tree", str(regions))
    points.add(len(scenes.play("all").stderr.splitlines()) == len(done.stderr.splitlines()), "text is the default")
    done = scenes.play("labels")
    _, kernels = lines_of(done.stderr)
    points.add(sorted(one["kernel"] for one in kernels) == sorted(["quote \" back\\slash\nnewline \x01 \ufffd </script>", "x" * 4096, ""]),
               "labels of any bytes", done.stderr)


def check_settings(points, scenes):
    done = scenes.play("all", TACTUS_KOKKOS_FENCE="1")
    sums, _ = lines_of(done.stderr)
    points.add(done.stdout == "fencing=1\n" and holds(sums[0], fencing="on", seconds="execution", fences=6),
               "fencing when asked for", show(done))
    wrong = [("OUT", value) for value in ("yaml", "json:", "json:/no/such/folder/x", "trace:/", "trace:/dev/full")] + \
        [("TRACE_LIMIT", value) for value in ("0", "-1", "1e6", "99999999999999999999")] + [("FENCE", "yes")]
    for name, value in wrong:
        done = scenes.play("all", **{"TACTUS_KOKKOS_" + name: value})
        points.add(done.returncode == 0 and done.stdout == "fencing=0\n" and len(done.stderr.splitlines()) == 1 and
                   (value in done.stderr or "TACTUS_KOKKOS_" + name in done.stderr or "cannot write '/" in done.stderr or "'/dev/full'" in done.stderr),
                   "{}={} is refused in one line, and the program runs".format(name, value), show(done))
    for form in "json:", "trace:", "html:":
        for name, what in ("", "'{}' names no file"), ("n" * 5000, "the file name '" + "n" * 60 + "\u2026' is too long"):
            done = scenes.play("all", TACTUS_KOKKOS_OUT=form + name)
            points.add(done.stderr == "libtactus_kokkos: TACTUS_KOKKOS_OUT: " + what.format(form) + "; nothing is measured\n",
                       form + " with a name of {} bytes".format(len(name)), show(done))
    done = scenes.play("all", TACTUS_KOKKOS_OUT="a\x1b[2J\nb\t\u00e9")
    points.add(done.stderr.startswith("libtactus_kokkos: TACTUS_KOKKOS_OUT: unknown value 'a\\x1b[2J b\\x09\u00e9' (") and done.stderr.count("\n") == 1,
               "control characters of a value are told as \\xNN, in one line", show(done))
    done = scenes.play("all", TACTUS_KOKKOS_OUT="json:/no/\x1b/x")
    points.add("'/no/\\x1b/x'" in done.stderr and "\x1b" not in done.stderr, "and those of a path", show(done))
    for form in "json:", "trace:":
        done = scenes.play("all", TACTUS_KOKKOS_OUT=form + "/no/" + "long/" * 100 + "x")
        points.add("\u2026" in done.stderr and "No such file or directory" in done.stderr and done.stderr.count("\n") == 1,
                   "a long path keeps the reason behind it, " + form, show(done))
    done = scenes.play("all", TACTUS_KOKKOS_OUT="json:/dev/full")
    points.add(done.returncode == 0 and done.stderr == "libtactus_kokkos: cannot write '/dev/full': No space left on device\n",
               "a write that fails is told, and the program runs", show(done))
    done = scenes.play("all", TACTUS_KOKKOS_OUT="json:/dev/stdout")
    points.add(json.loads(done.stdout.partition("\n")[2])["kind"] == "kokkos", "what is no regular file is written to", show(done))


def check_mismatches(points, scenes):
    done, record = scenes.record("mismatches")
    points.add(done.returncode == 0 and record.get("mismatches") == {
        "kernels": 4, "fences": 1, "copies": 1, "regions": 2, "sections": 0, "unfinished": 2, "last_region": "the last one",
        "open_region": "never popped"},
        "what does not pair is counted", json.dumps(record.get("mismatches")))
    kernels = record.get("kernels", [])
    points.add(holds(row(kernels, name="one"), count=2, timed=0) and holds(row(kernels, name="two"), count=1, timed=0) and
               holds(row(kernels, name="right"), count=1, timed=1) and holds(row(kernels, name="never ends"), count=1, timed=0),
               "and adds no time", json.dumps(kernels))
    sums, _ = lines_of(scenes.play("mismatches").stderr)
    points.add(holds(sums[0], mismatches=8, unfinished=2, excess_pops=2, last_region="the last one", open_region="never popped"),
               "the text names the last region and the one that is open", str(sums))
    _, record = scenes.record("foreign")
    points.add(record.get("mismatches", {}).get("kernels") == 1 and record["mismatches"]["unfinished"] == 0 and
               holds(row(record["kernels"], name="here"), count=1, timed=1) and
               holds(row(record["kernels"], name="elsewhere"), count=1, timed=1),
               "an end on another thread is a mismatch that ends nothing there", json.dumps(record))


def check_threads(points, scenes):
    done, record = scenes.record("threads")
    kernels = record.get("kernels", [])
    points.add(done.returncode == 0 and all(holds(row(kernels, name=name, **OPENMP1), count=LAUNCHES, timed=LAUNCHES)
                                            for name in ("first", "second")) and
               holds(row(kernels, name="both", instance=2), count=2 * LAUNCHES, timed=2 * LAUNCHES) and
               holds(row(kernels, name="later"), count=10), "two threads at once, and ten that come and go: exact",
               show(done) + json.dumps(kernels))
    points.add(record.get("run", {}).get("outside_kernels_ns", 0) is None and record["run"]["wall_ns"] > 0,
               "what is outside of kernels of several threads is not known", json.dumps(record.get("run")))
    points.add(record.get("run", {}).get("threads") == 12 and
               holds(row(record.get("spaces", []), name="Host"), allocations=2 * LAUNCHES, deallocations=2 * LAUNCHES, bytes=0),
               "threads and memory", json.dumps(record.get("spaces")))
    points.add(row(record.get("spaces", []), name="Host").get("high_water_bytes") in (8, 16), "a high-water mark of all threads")
    regions = record.get("regions", [])
    points.add(sorted((one["name"], one["count"]) for one in regions) == [("first", 1), ("second", 1)], "regions of threads")
    points.add(sorted((regions[one["parent"]]["name"], one["name"], one["count"]) for one in record.get("kernels_by_region", [])) ==
               [(region, name, LAUNCHES) for region in ("first", "second") for name in sorted((region, "both"))],
               "kernels by region of threads", json.dumps(record.get("kernels_by_region")))
    _, record = scenes.record("busy")
    kernels = record.get("kernels", [])
    points.add(sum(one["count"] for one in kernels) == 4 * LAUNCHES and all(one["timed"] == one["count"] for one in kernels) and
               record["mismatches"]["kernels"] == 0, "reports amid launches lose nothing", json.dumps(kernels))


def check_ends(points, scenes):
    done, record = scenes.record("twice")
    parts = record.get("parts", [])
    points.add([sorted((one["name"], one["count"]) for one in part["kernels"]) for part in parts] ==
               [[("first", 1)], [("second", 2)], [("third", 1)]], "each finalize ends a section of the report", json.dumps(parts))
    points.add([sorted((one["name"], one["parent"], one["count"]) for one in part["kernels_by_region"]) for part in parts] ==
               [[("first", 0, 1)], [("second", 0, 2)], []], "by region, too", json.dumps(parts))
    points.add([(one["name"], one["count"], one["timed"]) for one in record.get("regions", [])] == [("main", 1, 1)] and
               sum(one["count"] for one in record["kernels"]) == 4 and record["run"]["ended_by"] == "exit",
               "all of them make the whole", json.dumps(record))
    points.add(record["run"]["threads"] == 1 and [part["threads"] for part in parts] == [1, 1, 1] and
               record["run"]["outside_kernels_ns"] == record["run"]["wall_ns"] - record["run"]["kernels_ns"],
               "one thread that counts in each is one thread", json.dumps(record["run"]))
    done = scenes.play("twice")
    sums, _ = lines_of(done.stderr)
    points.add([(one["section"], one["launches"], one["unfinished"], one.get("open_region")) for one in sums] ==
               [(1, 1, 1, "main"), (2, 2, 0, None), (3, 1, 0, None)],
               "in text, section by section", show(done))
    _, record = scenes.record("across")
    keys = ("name", "count", "timed", "total_ns")
    points.add([[tuple(one[key] for key in keys) for one in part["kernels_by_region"]] == [tuple(one[key] for key in keys) for one in part["kernels"]]
                for part in record.get("parts", [])] == [True, True] and
               sorted((one["name"], one["count"], one["timed"]) for one in record["kernels_by_region"]) == [("across", 1, 1), ("whole", 2, 2)],
               "a kernel that is open between two sections is in its region in both", json.dumps(record.get("parts")))
    for scene, launches in ("unfinalized", 1), ("uninitialized", 1), ("empty", 0):
        sums, _ = lines_of(scenes.play(scene).stderr)
        points.add(len(sums) == 1 and sums[0]["launches"] == launches, scene + ": one report", str(sums))
    points.add(holds(lines_of(scenes.play("uninitialized").stderr)[0][0], fencing="unknown", seconds="execution"),
               "what was never asked is not known, but that Serial runs to its end is")


def check_plain(points, scenes):
    done = scenes.play("fork")
    sums, kernels = lines_of(done.stderr)
    points.add(len(sums) == 1 and [one["kernel"] for one in kernels] == ["parent"], "a child by fork reports nothing", show(done))
    done, record = scenes.record("starving")
    kernels = record.get("kernels", [])
    # The first launch has no set; five find no row; of a hundred regions no name and some no place are kept.
    points.add(done.returncode == 0 and holds(row(kernels, name="known"), count=4) and len(kernels) == 1 and
               record.get("dropped", 0) >= 6 and record["mismatches"]["kernels"] == 0 and record["mismatches"]["unfinished"] == 0,
               "without memory the program runs, and what is left out is counted", show(done) + json.dumps(record)[:3000])
    done = scenes.play("unsorted")
    sums, kernels = lines_of(done.stderr)
    points.add(done.returncode == 0 and len(sums) == 1 and sums[0]["launches"] == 8000 and
               [one["kernel"] for one in kernels] == ["kernel {}".format(i) for i in range(8000)] and
               done.stderr.splitlines()[-1].startswith("libtactus_kokkos: no memory to sort 8000 kernels: "),
               "without memory to sort them kernels are told as they came", done.stderr[-3000:])


def main(loader, module, plain, *_):
    points = Points()
    with tempfile.TemporaryDirectory(prefix="tactus-kokkos-") as folder:
        scenes = Scenes(loader, module, folder)
        check_all(points, scenes)
        check_text(points, scenes)
        check_settings(points, scenes)
        check_mismatches(points, scenes)
        check_threads(points, scenes)
        check_ends(points, scenes)
        if plain == "true":
            check_plain(points, scenes)
        points.add(not [name for name in os.listdir(folder) if not name.endswith(".json")], "nothing else is left behind")
    points.finish()


main(*sys.argv[1:])
