#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A parent project that finds Tactus only below subprojects/ builds and runs: subproject_test.py SOURCE_ROOT COMPILER"""
import json
import os
import shutil
import sys
import tempfile

from project import output_of, run
from tap import Points

PARENT = """project('parent', 'c')
executable('sum_of_squares', 'sum_of_squares.c', dependencies: dependency('tactus', fallback: 'tactus'))
"""


def ignored(folder, names):
    """What a clone would not hold: build folders and everything hidden."""
    return [name for name in names if name.startswith((".", "__pycache__"))
            or name.startswith(("build", "b-")) and os.path.isdir(os.path.join(folder, name))]


def main(source, compiler):
    points = Points()
    with tempfile.TemporaryDirectory(prefix="tactus-parent-") as parent:
        shutil.copytree(source, os.path.join(parent, "subprojects", "tactus"), ignore=ignored)
        shutil.copy(os.path.join(source, "examples", "sum_of_squares", "sum_of_squares.c"), parent)
        with open(os.path.join(parent, "meson.build"), "w", encoding="utf-8") as description:
            description.write(PARENT)
        env = {"CC": compiler, "PKG_CONFIG_PATH": "", "CFLAGS": "", "LDFLAGS": ""}
        done = run(["meson", "setup", "build", "--force-fallback-for=tactus", "-Dbuildtype=debug"], parent, env)
        points.add(done.returncode == 0, "meson setup", output_of(done))
        done = run(["meson", "compile", "-C", "build", "-j", "1", "sum_of_squares"], parent, env)
        points.add(done.returncode == 0, "meson compile", output_of(done))
        done = run([os.path.join(parent, "build", "sum_of_squares")], parent)
        points.add(done.returncode == 0 and "= 333833500 on" in done.stdout, "the program runs", output_of(done))
        done = run(["meson", "introspect", "--tests", "build"], parent)
        points.add(done.returncode == 0 and json.loads(done.stdout) == [], "it gets none of our tests", output_of(done))
    points.finish()


main(sys.argv[1], sys.argv[2])
