#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The default run and other converged runs against exact energies: converged_test.py PROGRAM"""
import sys

from program import run_json
from tap import Points

HUNDRED = -44.1277398932962  # Bethe equations of the open chain


def check_default(points, program):
    done, report = run_json(program, "--check")
    result = report["result"]
    difference = result["energy"] - HUNDRED
    points.add(done.returncode == 0 and result["check"]["passed"], "the default run passes its check", done.stdout + done.stderr)
    points.add(result["converged"], "the default run converges", done.stdout)
    points.add(-1e-12 * 44 <= difference <= 1e-9, "N=100, m=256 within 1e-9 and not below", repr(difference))
    points.add(0 <= result["variance"] < 1e-9, "N=100, m=256 variance", repr(result["variance"]))
    points.add(abs(result["check"]["exact"] - HUNDRED) < 1e-12, "N=100 exact energy", repr(result["check"]))
    limit = -1e-12 * 44
    points.add(all(sweep["energy"] - HUNDRED >= limit and sweep["energy_ritz"] - HUNDRED >= limit for sweep in report["sweeps"]),
               "no energy on the way lies below the exact one")


def check_levels(points, program):
    cases = [
        (-8.682473334398985, 1e-10, ["--sites=20", "--max-states=128", "--check"]),
        (-8.5023786980468, 1e-10, ["--sites=20", "--max-states=128", "--twice-sz=2"]),
        (-9.086218400935, 1e-10, ["--sites=21", "--max-states=128"]),
        (-3.3749325986879, 1e-12, ["--sites=8", "--scalar=complex", "--check"]),
        (-8.682473334398985, 1e-4, ["--sites=20", "--max-states=64", "--precision=fp32"]),
        (-8.682473334398985, 1e-10, ["--sites=20", "--max-states=128", "--start=random", "--seed=7"]),
        (-2, 1e-12, ["--sites=2", "--spin=1", "--check"]),
        (-0.75, 1e-12, ["--sites=2", "--check"]),
        (-1, 1e-12, ["--sites=3", "--check"]),
        (-1.6160254037844386, 1e-12, ["--sites=4", "--check"]),
        (0, 0, ["--sites=1", "--check"]),
    ]
    for energy, tolerance, words in cases:
        done, report = run_json(program, *words)
        found = report["result"]["energy"]
        points.add(done.returncode == 0 and abs(found - energy) <= tolerance, " ".join(words), "{!r}\n{}".format(found, done.stdout))


def main(program):
    points = Points()
    check_default(points, program)
    check_levels(points, program)
    points.finish()


main(sys.argv[1])
