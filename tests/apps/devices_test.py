#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Both programs on a device executor: devices_test.py EXECUTOR TACTUS HEISENBERG_DMRG VOLUME_FMM GUIDE

The answers are those of the host, whatever lanes, queues and levels; the commands of the guide run as written. Skips where the
executor is not available, unless TACTUS_REQUIRE_DEVICE names it."""
import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile

import trace_reader
from program import energies, run, run_json, skip_unless_available
from tap import Points

CACHE = tempfile.mkdtemp(prefix="tactus-devices.")


def check_refusals(points, executor, row, program):
    beyond = len(row["devices"])
    done = run(program, "--executor=" + executor, "--device=%d" % beyond)
    points.add(done.returncode == 2 and done.stderr.count("\n") == 1 and "--device: '%d'" % beyond in done.stderr,
               os.path.basename(program) + " refuses a device that is none", str(done))


def check_cache(points, program):
    """Where PoCL may not keep what it compiles it builds nothing, or shows no device: the line says what to do."""
    done = subprocess.run([program, "--executor=opencl", "--quiet"], capture_output=True, text=True, check=False,
                          env=dict(os.environ, POCL_CACHE_DIR="/dev/null"))
    points.add(done.returncode in (1, 3) and "$POCL_CACHE_DIR" in done.stderr and not done.stdout,
               os.path.basename(program) + " without a cache", str(done))


def chain(program, executor, *words):
    _, report = run_json(program, "--executor=" + executor, "--sites=16", "--max-states=24", *words)
    return report


def check_trajectory(points, executor, program):
    """Equal sweeps with exact decompositions agree to 1e-11 of the energy, wherever the blocks are decomposed."""
    for words in [], ["--spin=1", "--sites=8"], ["--scalar=complex"]:
        words = ["--trajectory=uni20", "--max-sweeps=6", "--min-sweeps=6"] + words
        words = words if "--sites=8" in words else ["--sites=14"] + words
        words.append("--max-states=20")
        _, host = run_json(program, "--executor=serial", *words)
        for split in "host", "device", "auto":
            _, device = run_json(program, "--executor=" + executor, "--split=" + split, *words)
            pairs = [(a["energy"], b["energy"]) for a, b in zip(host["sweeps"], device["sweeps"])]
            worst = max(abs(a - b) / abs(a) for a, b in pairs)
            points.add(len(pairs) == 6 and worst <= 1e-11, "{} --split={}: {:.1e}".format(" ".join(words), split, worst), str(pairs))
            on_device = sum(sweep["svd_device_items"] for sweep in device["sweeps"])
            items = sum(sweep["svd_items"] for sweep in device["sweeps"])
            points.add({"host": on_device == 0, "device": on_device == items, "auto": on_device <= items}[split],
                       "--split={}: {} of {} blocks on the device".format(split, on_device, items))


def check_lanes(points, executor, program):
    """Neither lanes nor queues nor levels change a bit, and steady sweeps allocate nothing."""
    first = energies(chain(program, executor, "--threads=1"))
    for level, (lanes, streams) in itertools.product(("off", "coarse", "detailed"), ((1, 2), (2, 2), (2, 5), (4, 4))):
        report = chain(program, executor, "--measurements=" + level, "--submitters=%d" % lanes, "--streams=%d" % streams)
        points.add(energies(report) == first and (report["run"]["lanes"], report["run"]["streams"]) == (lanes, streams),
                   "{} lanes, {} queues, {}: the same energies".format(lanes, streams, level), str(energies(report)))
    report = chain(program, executor, "--min-sweeps=14", "--max-sweeps=14", "--steady-sweeps=4")
    made = [(sweep["allocations"], sweep["device_allocations"]) for sweep in report["steady"]]
    points.add(all(counts == (0, 0) for counts in made), "steady sweeps allocate nothing", str(made))
    points.add(report["sweeps"][0]["device_allocations"] > 0, "the first sweep does", str(report["sweeps"][0]))


def check_precision(points, executor, program):
    for words in ["--precision=fp32"], ["--precision=fp32", "--scalar=complex"]:
        done = run(program, "--executor=" + executor, "--sites=10", "--max-states=32", "--check", "--quiet", *words)
        points.add(done.returncode == 0 and "check passed" in done.stdout, " ".join(words) + ": the check passes", str(done))


def potential(program, executor, *words):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "u.csv")
        done = run(program, "--executor=" + executor, "--cache=" + CACHE, "--quiet", "--output=" + path, *words)
        if done.returncode:
            raise SystemExit(str(done))
        with open(path, encoding="utf-8") as stream:
            rows = list(csv.reader(stream))
    width = len(rows[0])
    return [[float(row[column]) for row in rows[1:]] for column in range(2 + ("z" in rows[0]), width)]


def distance(a, b):
    """Relative, over all columns: a part that vanishes by itself has only rounding to compare."""
    square = sum((x - y) ** 2 for p, q in zip(a, b) for x, y in zip(p, q))
    return (square / sum(y * y for q in b for y in q)) ** 0.5


VOLUMES = [
    ["--tol=1e-5"],
    ["--kernel=yukawa", "--param=8", "--grad", "--tol=1e-4"],
    ["--kernel=helmholtz", "--param=6", "--tol=1e-4"],
    ["--dim=3", "--tol=1e-2", "--grad"],
    ["--dim=3", "--tol=1e-2", "--path=plain", "--order=4"],
    ["--tol=1e-5", "--grid=17"],
]


def check_volumes(points, executor, program):
    for words in VOLUMES:
        host = potential(program, "serial", *words)
        device = potential(program, executor, *words)
        far = distance(device, host)
        points.add(far <= 1e-12, "volume_fmm {}: {:.1e} from the host's".format(" ".join(words), far))
        again = potential(program, executor, "--submitters=3", "--streams=4", "--measurements=detailed", *words)
        points.add(again == device, "volume_fmm {}: the same bits on three lanes, measured".format(" ".join(words)))


def check_records(points, executor, tactus, programs):
    """tactus reads what the programs recorded of the device, whole and beyond the limit."""
    for program, words in zip(programs, (["--sites=12", "--max-states=16", "--max-sweeps=3"], ["--tol=1e-4", "--cache=" + CACHE])):
        for more in ["--measurements=coarse"], ["--measurements=detailed"], ["--measurements=detailed", "--detail-limit=2", "--submitters=2"]:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "record.json")
                done = run(program, "--executor=" + executor, *words, *more, "--quiet", "--json=" + path)
                shown = run(tactus, "report", path) if done.returncode == 0 else done
                traced = run(tactus, "report", "--trace=-", path) if shown.returncode == 0 else shown
                points.add(traced.returncode == 0 and not trace_reader.faults(json.loads(traced.stdout)["traceEvents"]),
                           "{} {}: its record is read".format(os.path.basename(program), " ".join(more)), str(traced)[:700])


def check_guide(points, executor, guide, programs):
    with open(guide, encoding="utf-8") as stream:
        lines = [line for line in stream.read().splitlines() if line.startswith("build/apps/")]
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            name = os.path.basename(program)
            os.makedirs(os.path.join(folder, "build/apps", name))
            os.symlink(os.path.abspath(program), os.path.join(folder, "build/apps", name, name))
        for line in lines:
            if "--executor=" in line and "--executor=" + executor not in line:
                continue
            done = subprocess.run(["/bin/sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False,
                                  env=dict(os.environ, XDG_CACHE_HOME=folder))
            points.add(done.returncode == 0, "guide: " + line.split("  ")[0], str(done))


def main(executor, tactus, heisenberg, volume, guide):
    row = skip_unless_available(tactus, executor)
    points = Points()
    for program in heisenberg, volume:
        check_refusals(points, executor, row, program)
        if "Portable Computing Language" in json.dumps(row):
            check_cache(points, program)
    check_trajectory(points, executor, heisenberg)
    check_lanes(points, executor, heisenberg)
    check_precision(points, executor, heisenberg)
    check_volumes(points, executor, volume)
    check_records(points, executor, tactus, [heisenberg, volume])
    check_guide(points, executor, guide, [tactus, heisenberg, volume])
    points.finish()


main(*sys.argv[1:])
