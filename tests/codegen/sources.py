# SPDX-License-Identifier: BSD-3-Clause
"""Rules over what the preprocessor leaves of a template at off, and plants that they must reject. A plant is a substitution
in a copy of the real template, so it follows the source; one that no longer matches is an error.

  a word of measurement      an identifier that has one of WORDS in it: a test of the level at run time, a recorder passed
                             along, a clock read, whatever the compiler makes of it
  progress outside           an identifier with `progress` in a function that is not itself the one with progress: the plain
                             sweep goes through the one that asks
  progress tested            `progress` in a body without being called: the test that the choice of function has replaced
  writable data              an object in a writable section: a counter or a switch that outlives the call
A counter in a structure of the algorithm looks like one of its results; that is for a reviewer to see."""
import os
import re

import objects

WORDS = {"level", "coarse", "detailed", "hooked", "hook", "hooks", "recorder", "record", "clock", "now", "measure", "slot",
         "slots", "phase", "profile"}
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
WRITABLE = re.compile(r"^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)(?!\.rel\.ro)")

SWEEP, DRIVE, RUN = "apps/dmrg/sweep_tmpl.c", "apps/fmm/drive_tmpl.c", "scheduler/run_tmpl.c"
PHASE = "  for (int i = 0; i < TAC_FMM_PHASES"
THROUGH_PROGRESS = """static enum tac_status run_plain(const struct tac_sweep *sweep TAC_RECORDER_PARAMETER, struct tac_error *error) {
  return run_sweep_progress(sweep, NULL, NULL TAC_RECORDER_ARGUMENT, error);
}

"""
# What is planted, where, the substitutions, and the rules that must reject it.
PLANTS = [
    ("a sweep through the one with progress", SWEEP,
     [("static enum tac_status initial_environments", THROUGH_PROGRESS + "static enum tac_status initial_environments"),
      (".sweep = run_sweep,", ".sweep = run_plain,"), ("&& progress(", "&& progress && progress(")],
     {"progress outside", "progress tested"}),
    ("a test of the progress function", SWEEP, [("&& progress(", "&& progress && progress(")], {"progress tested"}),
    ("a level test in the batch driver", RUN,
     [("  TAC_MEASURE_BEGIN(", "  if (scheduler->level == TAC_DETAILED)\n    return TAC_STATUS_LEVEL;\n  TAC_MEASURE_BEGIN(")],
     {"a word of measurement"}),
    ("a plain counter in the sweep", SWEEP,
     [("static enum tac_status run_sweep(", "unsigned long tac_sweeps;\nstatic enum tac_status run_sweep("),
      ("  tac_guard_begin(", "  tac_sweeps++;\n  tac_guard_begin(")], {"writable data"}),
    ("a clock read in the FMM drive", DRIVE,
     [("#include <tactus/measure/variant.h>", "#include <tactus/measure/variant.h>\n#include <tactus/runtime/clock.h>"),
      (PHASE, "  const struct tac_clock *clock = tac_clock_monotonic();\n  plan->evaluated = clock->now_ns(clock->context) > 0;\n" + PHASE)],
     {"a word of measurement"}),
    ("a level test in the FMM drive", DRIVE,
     [(PHASE, "  if (tac_scheduler_level(scheduler) == TAC_LEVEL_DETAILED)\n    status = TAC_STATUS_LEVEL;\n" + PHASE)],
     {"a word of measurement"}),
    ("a plain counter in the FMM drive", DRIVE,
     [("static enum tac_status run_step(", "unsigned long tac_steps;\nstatic enum tac_status run_step("),
      ("  for (int i = 0; i < step->count", "  tac_steps++;\n  for (int i = 0; i < step->count")], {"writable data"}),
]


def templates(root):
    """Every file of the library's rooms that is compiled once per level."""
    return sorted(os.path.relpath(os.path.join(folder, name), root)
                  for room in ("scheduler", "measure", "runtime", "apps")
                  for folder, _, names in os.walk(os.path.join(root, room))
                  for name in names if name.endswith("_tmpl.c"))


def own_text(shop, source, level):
    """What the preprocessor leaves of the file itself, without what it includes."""
    path, inside, kept = os.path.join(shop.root, source), False, []
    for line in objects.run([*shop.command(source, "-DTAC_LEVEL={}".format(level)), "-E"]).splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            inside = mark.group(1) == path
        elif inside:
            kept.append(line)
    return "\n".join(kept)


def functions(text):
    """(name, body) of each function definition."""
    found = []
    for head, body in re.findall(r"^([^\s{}#][^{};=]*)\{$(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        name = re.search(r"(\w+)\s*\(", head)
        if name:
            found.append((name.group(1), body))
    return found


def writable_objects(name):
    """Names of the objects in sections that can be written when the program runs."""
    found = []
    for line in objects.run(["objdump", "-t", name]).splitlines():
        entry = re.match(r"[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+ (.+)$", line)
        if entry and "d" not in entry.group(1) and WRITABLE.match(entry.group(2)):
            found.append(entry.group(3))
    return found


def broken_rules(shop, source, level=0):
    """The rules that a template breaks, each with where."""
    broken = {}
    text = own_text(shop, source, level)
    for word in IDENTIFIER.findall(text):
        if WORDS & set(word.lower().split("_")):
            broken.setdefault("a word of measurement", []).append(word)
    for name, body in functions(text):
        if not name.endswith("_progress") and any("progress" in word for word in IDENTIFIER.findall(body)):
            broken.setdefault("progress outside", []).append(name)
        elif re.search(r"\bprogress\b(?!\()", body):
            broken.setdefault("progress tested", []).append(name)
    data = writable_objects(shop.compile(source, "-DTAC_LEVEL={}".format(level)))
    if data:
        broken["writable data"] = data
    return broken


def planted(shop, source, substitutions):
    """A copy of a template with something in it that must not be there."""
    with open(os.path.join(shop.root, source), encoding="utf-8") as original:
        text = original.read()
    for old, new in substitutions:
        if old not in text:
            raise RuntimeError("{}: nothing to plant at '{}'".format(source, old))
        text = text.replace(old, new, 1)
    made = shop.path("_tmpl.c")
    with open(made, "w", encoding="utf-8") as copy:
        copy.write(text)
    return made


def prove(points, shop):
    found = templates(shop.root)
    points.add({SWEEP, DRIVE, RUN} <= set(found), "the templates are found", str(found))
    for source in found:
        points.add(len(functions(own_text(shop, source, 0))) >= 2, source + ": its functions are found")
        broken = broken_rules(shop, source)
        points.add(not broken, source + " keeps every rule at off", str(broken))
    for source in (SWEEP, DRIVE, RUN):
        points.add("a word of measurement" in broken_rules(shop, source, 2), source + " compiled at detailed is found out")
    for name, source, substitutions, rules in PLANTS:
        broken = broken_rules(shop, planted(shop, source, substitutions))
        points.add(set(broken) == rules, "planted {}: rejected".format(name), str(broken))
