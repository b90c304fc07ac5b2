#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A tool behind the module hears everything, with its own handles: chain_test.py LOADER MODULE PLAIN NEXT_TOOL FENCING_TOOL"""
import re
import sys

from runs import lines_of, run, show
from tap import Points

# By hand from loader.c: kernels 7 + 4, fences 6 + 4 of the tool layer; copies of 2000 + 300 + 50 + 70 + 64 + 5 bytes; one stop of a section too many.
HEARD = ("next: sequence=1 begins=21 ends=21 wrong=0 copies=7/7 bytes=2489 regions=7/7 sections=2/2/3 memory=4 facts=2 "
         "arguments=1 fence=1")


def main(loader, module, without_sanitizer, *tools):
    points = Points()
    plain = next(tool for tool in tools if "libnext_tool" in tool)
    fencing = next(tool for tool in tools if "libfencing_tool" in tool)

    def play(libraries, variable="KOKKOS_TOOLS_LIBS", scene="all", **settings):
        return run([loader, module, scene], **{variable: libraries}, **settings)

    for variable in "KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY":
        done = play(module + ";" + plain, variable)
        sums, _ = lines_of(done.stderr)
        points.add(done.returncode == 0 and HEARD in done.stdout and sums[0]["launches"] == 11 and sums[0]["fencing"] == "off",
                   variable + ": both tools count", show(done))
    done = play(module + ";" + fencing)
    points.add("fencing=1" in done.stdout and lines_of(done.stderr)[0][0]["fencing"] == "on",
               "the next tool may ask for fencing", show(done))
    done = play(module + ";" + plain, TACTUS_KOKKOS_OUT="nonsense")
    points.add(HEARD in done.stdout and not lines_of(done.stderr)[0], "the next tool runs where nothing is measured", show(done))
    done = play(module + ";" + plain, scene="mismatches")
    heard = re.search(r"begins=(\d+) ends=(\d+) wrong=(\d+)", done.stdout)
    points.add(done.returncode == 0 and heard is not None and int(heard[1]) == 5 and int(heard[2]) == 4,
               "ends without a begin are not passed on", show(done))
    if without_sanitizer == "true":
        done = play(module + ";" + plain, scene="starving_chain")
        points.add(done.returncode == 0 and "begins=6 ends=6 wrong=0 copies=0/0 bytes=0 regions=100/100 sections=1/1/1" in done.stdout and
                   "mismatches=0 unfinished=0 " in done.stderr, "ends are passed on where there is no memory for their begins", show(done))
    for libraries in plain + ";" + module, plain, module, module + ";", ";" + plain:
        done = play(libraries)
        points.add(done.returncode == 0 and "next:" not in done.stdout and lines_of(done.stderr)[0][0]["launches"] == 11,
                   "not chained by " + re.sub(r"\S*/", "", libraries.replace(";", " ; ")), show(done))
    done = play(module + ";/no/such/tool.so")
    points.add(done.returncode == 0 and "/no/such/tool.so" in done.stderr and lines_of(done.stderr)[0][0]["launches"] == 11,
               "a tool that is not there is left out, and told", show(done))
    points.finish()


main(*sys.argv[1:])
