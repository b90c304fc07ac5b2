#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counters within a Kokkos program (in_process.cpp): in_process_test.py MODULE TACTUS [CLIENT IN_PROCESS]"""
import os
import sys
import tempfile

from runs import lines_of, run, show, skip
from tap import Points


def main(module, tactus, *programs):
    if not programs:
        skip("no Kokkos here (Debian: libtrilinos-kokkos-dev), or no C++ compiler")
    points = Points()
    for scene in "early", "late":
        done = run([programs[1], scene])
        points.add(done.returncode == 0 and not done.stdout and not done.stderr, scene + ": counts, and prints nothing", show(done))
    for scene, what in ("deferred", "defers to a tool that is loaded"), ("taken over", "tells of a tool that is loaded later"):
        done = run([programs[1], scene], KOKKOS_PROFILE_LIBRARY=module, KOKKOS_TOOLS_LIBS=module)
        sums, kernels = lines_of(done.stderr)
        points.add(done.returncode == 0 and not done.stdout and sums[0]["launches"] == 1 and kernels[0]["kernel"] == "a tool's",
                   what, show(done))
    with tempfile.TemporaryDirectory(prefix="tactus-kokkos-") as folder:
        path = os.path.join(folder, "record.json")
        done = run([programs[1], "record"])
        with open(path, "w", encoding="utf-8") as file:
            file.write(done.stdout)
        told = run([tactus, "report", path]).stdout.splitlines()
        points.add(done.returncode == 0 and told[0] == "in_process" and told[1].startswith("wall time 1.000 s") and
                   any(line.startswith("  work (parallel_for)") for line in told), "a record with facts is reported under its program's name", show(done) + str(told))
    points.finish()


main(*sys.argv[1:])
