#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measurement levels, lanes and executors change no bit of the energies, and count what they should:
levels_test.py PROGRAM OPENMP(true or false)"""
import itertools
import sys

from program import energies, run_json
from tap import Points

KRYLOV = {"Krylov allocation", "Krylov vector update", "Krylov reduction"}
ONCE = {
    "run", "initial environments", "sweep", "bond", "center construction", "local eigensolver", "block SVD", "SVD batch",
    "state selection", "factor materialization", "environment update",
}
PARENTS = {
    "run": None, "initial environments": "run", "sweep": "run", "bond": "sweep", "center construction": "bond",
    "local eigensolver": "bond", "effective-H application": "local eigensolver", "Krylov allocation": "local eigensolver",
    "Krylov vector update": "local eigensolver", "Krylov reduction": "local eigensolver", "block SVD": "bond",
    "SVD batch": "block SVD", "state selection": "bond", "factor materialization": "bond", "environment update": "bond",
}
BATCHED = {"SVD batch", "effective-H application", "factor materialization", "environment update"}
BATCH_KEYS = {
    "event", "requested", "started", "completed", "wall_ns", "item_total_ns", "item_max_ns", "first_start_delay_ns",
    "start_spread_ns", "finish_spread_ns", "return_after_last_finish_ns", "peak_overlap", "domain",
}


def lanes_of(openmp):
    executors = ["threads"] + (["openmp"] if openmp else [])
    return [("serial", 1)] + list(itertools.product(executors, (1, 2, 4)))


def check_bits(points, program, openmp, name, *words):
    """One chain at every level on every executor with 1, 2 and 4 lanes."""
    found = {}
    for level, (executor, lanes) in itertools.product(("off", "coarse", "detailed"), lanes_of(openmp)):
        _, report = run_json(program, "--measurements=" + level, "--executor=" + executor, "--threads=%d" % lanes, *words)
        found[level, executor, lanes] = tuple(energies(report))
    different = [key for key in found if found[key] != found["off", "serial", 1]]
    points.add(not different, "same bits: " + name, str(different))


def two_sites(program, level):
    return run_json(program, "--sites=2", "--max-sweeps=1", "--measurements=" + level)


def check_counts(points, program, level):
    done, report = two_sites(program, level)
    counts = {event["name"]: event["count"] for event in report["events"]}
    once = {name for name, count in counts.items() if count == 1} & ONCE
    points.add(once == ONCE, level + ": each phase of one bond once", str(counts))
    products = report["sweeps"][0]["products"]
    points.add(counts["effective-H application"] == products > 0, level + ": applications are the products", str(counts))
    points.add((KRYLOV <= counts.keys()) == (level == "detailed"), level + ": Krylov events at detailed only", str(counts))
    points.add(counts.keys() <= PARENTS.keys() and all(PARENTS[event["name"]] == event["parent"] for event in report["events"]),
               level + ": events stand under their parents")
    points.add(all(name in done.stdout for name in counts), level + ": the table shows them", done.stdout)
    check_durations(points, level, report["events"])


def check_durations(points, level, events):
    plain = all(event["domain"] == "host_wall" and 0 <= event["min_ns"] <= event["mean_ns"] <= event["max_ns"] <= event["total_ns"]
                and event["total_ns"] <= event["count"] * event["max_ns"] for event in events)
    points.add(plain, level + ": durations are in order", str(events))
    total = {event["name"]: event["total_ns"] for event in events}
    children = all(sum(time for name, time in total.items() if PARENTS[name] == parent) <= total[parent] for parent in total)
    points.add(children, level + ": children fit into their parent", str(total))


def check_off(points, program):
    done, report = two_sites(program, "off")
    points.add(report["level"] == "off" and report["events"] == [] and report["batches"] == [], "off: nothing is recorded")
    points.add("host wall" not in done.stdout, "off: no table", done.stdout)


def check_batches(points, program):
    done, report = run_json(program, "--sites=10", "--max-states=16", "--max-sweeps=6", "--measurements=detailed", "--threads=2")
    batches = report["batches"]
    points.add(batches and all(BATCH_KEYS <= batch.keys() for batch in batches), "detailed: batches have their keys")
    sound = all(batch["requested"] == batch["started"] == batch["completed"] and batch["domain"] == "host_wall"
                and 0 <= batch["item_max_ns"] <= batch["item_total_ns"] and batch["wall_ns"] >= 0
                and batch["peak_overlap"] <= 2 for batch in batches)
    points.add(sound, "detailed: batches are complete and sound")
    points.add(BATCHED <= {batch["event"] for batch in batches}, "detailed: every batched event has batches")
    items = sum(batch["requested"] for batch in batches if batch["event"] == "SVD batch")
    points.add(items == sum(sweep["svd_items"] for sweep in report["sweeps"]), "detailed: SVD items are the sweeps' own")
    points.add("final figures" in done.stdout.splitlines()[-1] and "off" in done.stdout.splitlines()[-1],
               "detailed: the last line says where final figures come from", done.stdout[-300:])


def check_steady(points, program):
    _, report = run_json(program, "--sites=12", "--max-states=16", "--max-sweeps=6", "--steady-sweeps=5", "--measurements=coarse")
    counts = {event["name"]: event["count"] for event in report["events"]}
    points.add(len(report["steady"]) == 5, "steady sweeps are run and listed")
    points.add(counts["sweep"] == len(report["sweeps"]) + 5 and counts["run"] == 2, "steady sweeps are measured too", str(counts))
    points.add(all(sweep["max_bond"] == 16 for sweep in report["steady"]), "steady sweeps keep the bond dimension")
    points.add(all(sweep["allocations"] == 0 for sweep in report["steady"][2:]), "steady sweeps allocate nothing",
               str([sweep["allocations"] for sweep in report["steady"]]))


def main(program, openmp):
    points = Points()
    check_bits(points, program, openmp, "default", "--sites=24", "--max-states=48", "--max-sweeps=8", "--steady-sweeps=2")
    check_bits(points, program, openmp, "uni20", "--sites=16", "--max-states=32", "--trajectory=uni20", "--max-sweeps=7")
    check_bits(points, program, openmp, "complex spin 1", "--sites=8", "--max-states=24", "--spin=1", "--scalar=complex",
               "--max-sweeps=6")
    check_bits(points, program, openmp, "fp32", "--sites=12", "--max-states=24", "--precision=fp32", "--max-sweeps=6")
    check_bits(points, program, openmp, "random start", "--sites=12", "--start=random", "--seed=9", "--max-sweeps=5")
    for level in "coarse", "detailed":
        check_counts(points, program, level)
    check_off(points, program)
    check_batches(points, program)
    check_steady(points, program)
    points.finish()


main(sys.argv[1], sys.argv[2] == "true")
