#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""That off is off: off_test.py PROOF COMPILER SOURCE_ROOT DRIVER_SOURCE...

The batch loop and its driver, compiled at off, are held against twins that never heard of measurement. The drivers of the
libraries above have no twin: they must need no symbol of measurement and hold no counter read and no atomic operation.
  symbols       nothing is needed from outside that the twin does not need
  instructions  no counter read, no more atomic operations than the twin
  counts        callgrind counts the same instructions in each loop, to the last one
  sources       what the preprocessor leaves of every template keeps the rules of sources.py, which plants into drivers
The first three must also reject what tests/codegen/twin_loop.c plants into the loop, as far as they can see it."""
import os
import re
import shutil
import sys

import objects
import sources
from tap import Points

LOOPS = ["alone", "alone_ordered", "shared", "shared_ordered", "one"]
PLANTS = {1: "a level test", 2: "a counter", 3: "a clock read", 4: "a time-stamp counter read"}
TWINS = ["tests/codegen/twin_loop.c", "tests/codegen/twin_run.c"]
# What each proof can see; counting sees everything.
SEEN = {"symbols": {3}, "instructions": {2, 4}, "counts": {1, 2, 3, 4}}
TOOLS = {"symbols": ["nm"], "instructions": ["objdump"], "counts": ["valgrind", "objdump"],
         "sources": ["objdump"]}
MEASUREMENT = re.compile(r"clock|gettime|recorder|report|measure|profile|slot|record|progress|hook", re.IGNORECASE)
LEVEL_TEST = re.compile(r"^\s*#\s*(el)?if.*\bTAC_LEVEL\b", re.MULTILINE)
LEVEL_HEADERS = {"include/tactus/measure/variant.h", "measure/variant_batch.h"}
# What the two counted programs need beside a loop.
SUPPORT = ["runtime/memory.c", "runtime/status.c", "scheduler/run.c", "scheduler/order.c"]


def skip(why):
    print("1..0 # SKIP " + why)
    sys.exit(0)


def plant_name(proof, plant):
    return "planted {}: {}".format(PLANTS[plant], "rejected" if plant in SEEN[proof] else "not for this proof to see")


def has_builtin(plant, machine):
    return plant != 4 or machine == "x86-64"


class Subjects:
    """The objects that the proofs look at."""

    def __init__(self, shop, drivers):
        off = "-DTAC_LEVEL=0"
        self.loop, self.run = shop.compile("scheduler/loop_tmpl.c", off), shop.compile("scheduler/run_tmpl.c", off)
        self.twin, self.twin_run = (shop.compile(source) for source in TWINS)
        kind = objects.machine(self.twin) if shutil.which("objdump") else ""
        self.plants = {plant: shop.compile(TWINS[0], "-DPLANT={}".format(plant))
                       for plant in PLANTS if has_builtin(plant, kind)}
        self.drivers = {source: shop.compile(source, off) for source in drivers}
        self.measured_drivers = {source: shop.compile(source, "-DTAC_LEVEL=2") for source in drivers}


def foreign_symbols(candidate, twin):
    """What the candidate needs beyond the twin."""
    extra = objects.symbols(candidate)[0] - objects.symbols(twin)[0]
    return sorted(symbol for symbol in extra if not objects.is_plumbing(symbol))


def measurement_symbols(driver):
    needed, defined = objects.symbols([driver])
    return sorted(symbol for symbol in needed if MEASUREMENT.search(symbol))


def files_that_test_the_level(root):
    """A level is tested by the preprocessor in the variant headers alone."""
    found = set()
    for room in "include", "runtime", "measure", "scheduler", "apps":
        for folder, _, names in os.walk(os.path.join(root, room)):
            for path in (os.path.join(folder, name) for name in names if name.endswith((".c", ".h"))):
                with open(path, encoding="utf-8") as source:
                    if LEVEL_TEST.search(source.read()):
                        found.add(os.path.relpath(path, root))
    return found


def prove_symbols(points, subjects, shop):
    twin = [subjects.twin, subjects.twin_run]
    testing = files_that_test_the_level(shop.root)
    points.add(testing == LEVEL_HEADERS, "the variant headers alone test the level", str(testing ^ LEVEL_HEADERS))
    for source in TWINS:
        heard_of = [name for name in shop.headers(source) if "measure" in name]
        points.add(not heard_of, source + " has never heard of measurement", str(heard_of))
    extra = foreign_symbols([subjects.loop, subjects.run], twin)
    points.add(not extra, "loop and driver need nothing that the twin does not need", str(extra))
    for plant, planted in subjects.plants.items():
        extra = foreign_symbols([planted, subjects.twin_run], twin)
        points.add(bool(extra) == (plant in SEEN["symbols"]), plant_name("symbols", plant), str(extra))
    for source, driver in subjects.drivers.items():
        found = measurement_symbols(driver)
        points.add(not found, source + " needs no symbol of measurement", str(found))
        found = measurement_symbols(subjects.measured_drivers[source])
        points.add(bool(found), source + " compiled at detailed is found out", str(found))


def prove_instructions(points, subjects, shop):
    kind = objects.machine(subjects.twin)
    if kind not in objects.ATOMIC:
        skip("no list of atomic instructions and counter reads for " + kind)
    atomic, counter = objects.ATOMIC[kind], objects.COUNTER_READ[kind]
    for name, off, twin in ("loop", subjects.loop, subjects.twin), ("driver", subjects.run, subjects.twin_run):
        reads = objects.matching(off, counter)
        points.add(not reads, "the {} reads no counter".format(name), str(reads))
        mine, its = objects.matching(off, atomic), objects.matching(twin, atomic)
        points.add(len(mine) == len(its), "the {} has the twin's atomic operations".format(name), str([mine, its]))
    claims, its_claims = objects.matching(subjects.loop, atomic), objects.matching(subjects.twin, atomic)
    places = {function for function, _ in claims}
    points.add(places == {"tac_loop_shared_off", "tac_loop_shared_ordered_off"}, "the loop's are its claims", str(claims))
    for plant, planted in subjects.plants.items():
        found = objects.matching(planted, counter) or len(objects.matching(planted, atomic)) != len(its_claims)
        points.add(bool(found) == (plant in SEEN["instructions"]), plant_name("instructions", plant))
    for source, driver in subjects.drivers.items():
        found = objects.matching(driver, counter + "|" + atomic)
        points.add(not found, source + " has no counter read and no atomic operation", str(found))


def loop_counts(shop, support, loop, suffix):
    program = shop.link(shop.compile("tests/codegen/count.c", "-DSUFFIX=" + suffix), loop, *support)
    own = objects.counted(shop.folder, program)
    return {name: own.get("tac_loop_" + name + suffix, 0) for name in LOOPS}


def prove_counts(points, subjects, shop):
    support = [shop.compile(source) for source in SUPPORT]
    twin = loop_counts(shop, support, subjects.twin, "_twin")
    off = loop_counts(shop, support, subjects.loop, "_off")
    for name in LOOPS:
        points.add(twin[name] >= 2000 * 5 and off[name] == twin[name], "{}: {} instructions".format(name, twin[name]), str(off))
    for plant, planted in subjects.plants.items():
        counts = loop_counts(shop, support, planted, "_twin")
        points.add(all(counts[name] > twin[name] for name in LOOPS), plant_name("counts", plant),
                   str([counts, twin]))


def prove_sources(points, subjects, shop):
    del subjects
    sources.prove(points, shop)


PROOFS = {"symbols": prove_symbols, "instructions": prove_instructions, "counts": prove_counts, "sources": prove_sources}


def main(proof, compiler, root, drivers):
    for tool in TOOLS[proof]:
        if not shutil.which(tool):
            skip(tool + " is not installed")
    shop = objects.Workshop(compiler, root)
    points = Points()
    PROOFS[proof](points, Subjects(shop, drivers), shop)
    points.finish()


main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
