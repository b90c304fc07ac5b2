#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that do with the module what Kokkos does not: hosts_test.py HOSTS MODULE"""
import sys

from runs import run, show
from tap import Points


def check_first(points, hosts, module):
    done = run([hosts, module, "first"])
    points.add(done.returncode == 0 and done.stdout == "", "any entry may be the first that is called", show(done))


def main(hosts, module):
    points = Points()
    check_first(points, hosts, module)
    points.finish()


main(*sys.argv[1:])
