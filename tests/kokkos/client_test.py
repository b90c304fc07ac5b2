#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A real Kokkos program with the module, its events counted by hand from client.cpp: client_test.py MODULE [CLIENT IN_PROCESS]"""
import json
import os
import sys
import tempfile

from runs import lines_of, load, row, run, show, skip
from tap import Points

LABELS = ["(anonymous namespace)::functor<double>", "(anonymous namespace)::functor<int>/(anonymous namespace)::tag", "Plain", "i", "f", "2nd", "N"]
LENGTH, LAUNCHES, REAL = 1000, 1000, 8


def counts(rows):
    return {(one["name"], one["kind"]): one["count"] for one in rows}


def check_kernels(points, record):
    found = counts(record["kernels"])
    unlabelled = [one for one in record["kernels"] if "::kernels()::" in one["name"] and one["kind"] == "parallel_for"]
    points.add(found.get(("fill in", "parallel_for")) == 7 and found.get(("sum", "parallel_reduce")) == 2 and
               found.get(("running", "parallel_scan")) == 1 and
               found.get(("quote \" back\\slash\nnewline\x01\ufffd", "parallel_for")) == 1, "labelled kernels", str(found))
    points.add(len(unlabelled) == 1 and unlabelled[0]["count"] == 1, "a kernel without a label has its type's name, demangled", str(found))
    points.add(sum(found.values()) == 14 and len(found) == 7, "and nothing else but two initializations", str(found))
    points.add(all(one["device"] == "Serial" and one["timed"] == one["count"] for one in record["kernels"]), "all on Serial, timed")
    points.add(record["run"]["kokkos"]["interface_version"] >= 20191080 and record["run"]["kokkos"]["metadata"] and
               record["run"]["fencing"] == {"global": False, "asked_by": None, "seconds": "execution"},
               "Kokkos says what it is, and does not fence", json.dumps(record["run"]))


def check_copies(points, record):
    copies = record["copies"]
    size = LENGTH * REAL
    points.add(len(copies) == 1 and copies[0]["from"] == copies[0]["to"] == "Host" and copies[0]["direction"] == "same" and
               copies[0]["count"] == 5 and copies[0]["bytes"] == 5 * size, "copies both ways, onto itself, and a fill", str(copies))
    points.add(copies[0]["self_count"] == 1 and copies[0]["self_bytes"] == size and copies[0]["fill_count"] == 1 and
               copies[0]["fill_bytes"] == size, "those onto itself and fills are told apart", str(copies))
    points.add(copies[0]["exclusive_ns"] < copies[0]["total_ns"], "a fill contains its kernel", str(copies))
    host = row(record["spaces"], name="Host")
    points.add(host.get("allocations") == 2 and host.get("deallocations") == 2 and host.get("bytes") == 0 and
               2 * size <= host.get("high_water_bytes", 0) < 2 * size + 1024, "memory of two views", str(host))


def check_regions(points, record):
    points.add([(one["name"], one["parent"], one["count"]) for one in record["regions"]] ==
               [("step", None, 3), ("assemble", 0, 3), ("assemble", None, 1)], "regions as a tree", str(record["regions"]))
    points.add([(one["name"], one["parent"], one["count"], one["timed"]) for one in record["kernels_by_region"]] ==
               [("in the step", 1, 3, 3)], "kernels by region", str(record["kernels_by_region"]))
    points.add(record["steps"][0]["count"] == 3 and record["steps"][0]["kernels"] == 3, "steps", str(record["steps"]))
    points.add(record["marks"] == [{"name": "here", "count": 1}], "a profile event", str(record["marks"]))
    points.add(row(record["sections"], name="phase").get("count") == 4, "a section", str(record["sections"]))


def check_threads(points, record):
    found = counts(record["kernels"])
    points.add(found == {("first", "parallel_for"): 2 * LAUNCHES, ("second", "parallel_for"): LAUNCHES,
                         ("both", "parallel_for"): 3 * LAUNCHES}, "two host threads, and a third: exact", str(found))
    points.add(record["run"]["threads"] >= 3 and record["mismatches"]["kernels"] == 0 and record["mismatches"]["unfinished"] == 0,
               "threads pair their events", json.dumps(record["mismatches"]))
    points.add(sorted((one["name"], one["count"]) for one in record["regions"]) == [("first", 2), ("second", 1)], "regions of threads")


def check_unbalanced(points, record, ended_by):
    points.add(record["mismatches"]["regions"] == 3 and record["mismatches"]["last_region"] == "closed" and
               record["mismatches"]["unfinished"] == 1 and record["run"]["ended_by"] == ended_by and
               row(record["regions"], name="never popped").get("timed") == 0, "unbalanced regions, ended by " + ended_by,
               json.dumps(record["mismatches"]))


def main(module, *programs):
    if not programs:
        skip("no Kokkos here (Debian: libtrilinos-kokkos-dev), or no C++ compiler")
    client = programs[0]
    points = Points()
    with tempfile.TemporaryDirectory(prefix="tactus-kokkos-") as folder:

        def play(scene, **settings):
            path = os.path.join(folder, scene + ".json")
            done = run([client, scene], TACTUS_KOKKOS_OUT="json:" + path, KOKKOS_PROFILE_LIBRARY=module,
                       KOKKOS_TOOLS_LIBS=module, **settings)
            points.add(done.returncode == 0 and os.path.exists(path), scene + " runs with the module", show(done))
            return load(path)

        check_kernels(points, play("kernels"))
        check_copies(points, play("copies"))
        check_regions(points, play("regions", TACTUS_KOKKOS_STEP="step"))
        check_threads(points, play("threads"))
        check_unbalanced(points, play("unbalanced"), "finalize")
        check_unbalanced(points, play("no-finalize"), "exit")
        record = play("kernels", TACTUS_KOKKOS_FENCE="1")
        points.add(record["run"]["fencing"] == {"global": True, "asked_by": "TACTUS_KOKKOS_FENCE", "seconds": "execution"} and
                   all(one["tool"] for one in record["fences"]), "fencing when asked for; its fences are the tool's",
                   json.dumps(record["fences"]))
        record = play("labels")
        points.add(sorted(one["name"] for one in record["kernels"]) == sorted(LABELS), "types of functors and of their tags, and labels of the program's",
                   json.dumps(record["kernels"]))
        done = run([client, "kernels"], KOKKOS_PROFILE_LIBRARY=module, KOKKOS_TOOLS_LIBS=module)
        sums, kernels = lines_of(done.stderr)
        points.add(len(sums) == 1 and sums[0]["launches"] == 14 and len(kernels) == 7, "loading alone prints the text", show(done))
    points.finish()


main(*sys.argv[1:])
