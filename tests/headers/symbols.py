#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The libraries define what the public headers declare, and no name outside tac_: symbols.py NM INCLUDE_DIR LIBRARY...

A shared library (.so) exports only what a header marks TAC_API; a static one (.a) defines only names that begin with tac_.
Together the shared libraries export everything that is declared."""
import os
import re
import subprocess
import sys

from tap import Points

DECLARATION = re.compile(r"^TAC_API\b([^;]*);", re.MULTILINE)
FUNCTION = re.compile(r"\b(\w+)\s*\(")
VARIABLE = re.compile(r"\b(\w+)\s*(?:\[[^]]*\])?\s*$")
# What the sanitizers and coverage add to every object.
# A header of NVTX' defines what all that include it in one program share, weak and hidden.
NVTX = ("nvtx", "InitializeInjectionNvtx2_fnptr")
INSTRUMENTS = ("__asan_", "__odr_asan", "__ubsan_", "__tsan_", "__gcov_", "__sanitizer_")


def declared_names(text):
    """The functions and variables that a header marks TAC_API."""
    plain = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    # A parameter's own parentheses come after the function's name.
    return {(FUNCTION.search(found) or VARIABLE.search(found))[1] for found in DECLARATION.findall(plain)}


def declared_below(include_dir):
    names = set()
    for folder, _, files in os.walk(include_dir):
        for name in files:
            with open(os.path.join(folder, name), encoding="utf-8") as header:
                names |= declared_names(header.read())
    return names


def defined_names(nm, library):
    table = ["--dynamic"] if ".so" in os.path.basename(library) else ["--extern-only"]
    output = subprocess.run([nm, *table, "--defined-only", "--format=posix", library], capture_output=True, text=True, check=True)
    rows = (line.split() for line in output.stdout.splitlines())
    return {row[0] for row in rows if len(row) >= 2 and len(row[1]) == 1 and not row[0].startswith(INSTRUMENTS + NVTX)}


def check_the_check(points):
    planted = """TAC_API const struct tac_clock *tac_clock(int (*now)(void *), int a /* not b(); */);
TAC_API extern const int tac_n[3];
int tac_hidden(void);
"""
    points.add(declared_names(planted) == {"tac_clock", "tac_n"}, "declarations are read")


def main(nm, include_dir, libraries):
    points = Points()
    check_the_check(points)
    declared = declared_below(include_dir)
    exported = set()
    for library in libraries:
        name = os.path.basename(library)
        defined = defined_names(nm, library)
        foreign = {symbol for symbol in defined if not symbol.startswith("tac_")}
        points.add(bool(defined) and not foreign, name + " defines tac_ names only", str(sorted(foreign)))
        if ".so" in name:
            exported |= defined
            points.add(defined <= declared, name + " exports only what a header declares", str(sorted(defined - declared)))
    points.add(declared <= exported, "everything declared is exported", str(sorted(declared - exported)))
    points.finish()


main(sys.argv[1], sys.argv[2], sys.argv[3:])
