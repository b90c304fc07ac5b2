#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that do with the module what Kokkos does not: hosts_test.py HOSTS MODULE PLAIN (PLAIN: no sanitizer)"""
import os
import sys
import tempfile

from runs import load, run, show
from tap import Points


def check_first(points, hosts, module):
    done = run([hosts, module, "first"])
    points.add(done.returncode == 0 and done.stdout == "", "any entry may be the first that is called", show(done))


def check_forks(points, hosts, module):
    """While threads of the parent hold locks of the module's, or write a trace."""
    with tempfile.TemporaryDirectory(prefix="tactus-kokkos-") as folder:
        path = os.path.join(folder, "out")
        for form in "json:" + path, "trace:" + path:
            done = run([hosts, module, "forks"], TACTUS_KOKKOS_OUT=form)
            record = load(path)
            kernels = [one["count"] for one in record["kernels"]] if form.startswith("json") else \
                [len([one for one in record if one["name"] == "kernel"])]
            points.add(done.returncode == 0 and done.stdout == "all children ended\n" and done.stderr == "" and kernels[0] > 0 and
                       os.listdir(folder) == ["out"], form.partition(":")[0] + ": a child of a threaded program goes on", show(done))


def check_sections(points, hosts, module):
    with tempfile.TemporaryDirectory(prefix="tactus-kokkos-") as folder:
        path = os.path.join(folder, "out")
        done = run([hosts, module, "sections"], TACTUS_KOKKOS_OUT="json:" + path)
        sections = load(path)["sections"]
        points.add(done.returncode == 0 and done.stderr == "" and all(one["count"] > 0 and 0 <= one["min_ns"] <= one["max_ns"] <= one["total_ns"]
                                                                     for one in sections),
                   "a section started while it is stopped has no negative time", show(done) + str(sections))


def main(hosts, module, plain):
    points = Points()
    check_first(points, hosts, module)
    if plain == "true":  # a sanitizer's own threads and locks do not go on in a child
        check_forks(points, hosts, module)
    check_sections(points, hosts, module)
    points.finish()


main(*sys.argv[1:])
