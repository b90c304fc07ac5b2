#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""--trajectory=uni20 reproduces the published energies and counts: trajectory_test.py PROGRAM"""
import itertools
import sys

from program import run_json
from tap import Points

TOLERANCE = 1e-11

FOUR = [-1.50686014284956, -1.61602537343133, -1.61602540378444]
HUNDRED = [
    -42.44513732815678, -43.85595097445594, -44.05979279696816, -44.10683078225518, -44.12206578722411, -44.12685883883459,
    -44.12768002243661, -44.12773771618135, -44.12773921846862, -44.12773924939402,
]
HUNDRED_PRODUCTS = [296, 689, 1085, 1481, 1877, 2273, 2669, 3065, 3461, 3857]


def run(program, sites, states, sweeps, *words):
    _, report = run_json(program, "--trajectory=uni20", "--sites=%d" % sites, "--max-states=%d" % states,
                         "--max-sweeps=%d" % sweeps, "--energy-tol=0", *words)
    return report


def check_energies(points, name, report, expected):
    found = [sweep["energy"] for sweep in report["sweeps"]]
    close = len(found) == len(expected) and all(abs(a - b) <= TOLERANCE for a, b in zip(found, expected))
    points.add(close, name, "\n".join("{!r} {!r}".format(*pair) for pair in itertools.zip_longest(found, expected)))


def check_four(points, program):
    report = run(program, 4, 256, 3)
    check_energies(points, "N=4 after each sweep", report, FOUR)


def check_forty(points, program):
    report = run(program, 40, 64, 7)
    energy = report["result"]["energy"]
    points.add(abs(energy + 17.54147329019870) <= TOLERANCE, "L=40, m=64, 7 sweeps", repr(energy))
    products = sum(sweep["products"] for sweep in report["sweeps"])
    items = sum(sweep["svd_items"] for sweep in report["sweeps"])
    points.add((products, items) == (1049, 1214), "L=40 products and SVD items", str((products, items)))


def check_hundred(points, program):
    report = run(program, 100, 64, 10)
    check_energies(points, "L=100, m=64 after each sweep", report, HUNDRED)
    products = list(itertools.accumulate(sweep["products"] for sweep in report["sweeps"]))
    points.add(products == HUNDRED_PRODUCTS, "L=100 products", str(products))
    discarded = [sweep["max_discarded"] for sweep in report["sweeps"]]
    points.add(abs(discarded[-1] - 4.8e-9) < 0.05e-9, "L=100 largest discarded weight of the last sweep", str(discarded))
    points.add(discarded[:6] == [0] * 6, "the discarded weight is exactly 0 while nothing is", str(discarded))
    bonds = [sweep["max_bond"] for sweep in report["sweeps"]]
    points.add(bonds == [2, 4, 8, 16, 32] + [64] * 5, "the bond doubles each sweep up to the cap", str(bonds))
    exact = [sweep["warm_bonds"] for sweep in report["sweeps"]]
    points.add(exact == [0] * 10, "every decomposition is a full one", str(exact))


def check_energy_is_before_truncation(points, program):
    result = run(program, 20, 1, 4)["result"]
    points.add(result["energy"] == result["energy_ritz"], "the energy is the last Ritz value", str(result))
    points.add(result["energy_state"] > result["energy"] + 0.1, "the truncated state lies above it", str(result))


def check_complex(points, program):
    report = run(program, 40, 64, 7, "--scalar=complex")
    points.add(abs(report["result"]["energy"] + 17.54147329019870) <= TOLERANCE, "L=40 with complex numbers")


def main(program):
    points = Points()
    check_four(points, program)
    check_forty(points, program)
    check_hundred(points, program)
    check_energy_is_before_truncation(points, program)
    check_complex(points, program)
    points.finish()


main(sys.argv[1])
