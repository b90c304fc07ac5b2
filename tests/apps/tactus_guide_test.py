#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The commands of docs/reports-cli.md and of the README run as they stand: tactus_guide_test.py README GUIDE TACTUS DMRG FMM"""
import json
import os
import re
import subprocess
import sys
import tempfile

from tap import Points


def blocks_of(text):
    return re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def link_programs(folder, programs):
    """build/apps/NAME/NAME, as after a build."""
    for program in programs:
        place = os.path.join(folder, "build", "apps", os.path.basename(program))
        os.makedirs(place)
        os.symlink(os.path.abspath(program), os.path.join(place, os.path.basename(program)))


def run_block(block, folder, env):
    return subprocess.run(["bash", "-eu", "-c", block], cwd=folder, env=env, capture_output=True, text=True, check=False)


def check_guide(points, guide, folder, env):
    with open(guide, encoding="utf-8") as stream:
        blocks = blocks_of(stream.read())
    points.add(len(blocks) == 4, "the guide has its commands", str(len(blocks)))
    for number, block in enumerate(blocks):
        done = run_block(block, folder, env)
        # The side with more states is slower unless the machine is busy with others: either is right, and a busy one is no failure.
        passed = done.returncode in ((0, 4) if "--fail-above" in block else (0,))
        points.add(passed and (not done.stderr or done.returncode == 4), "guide: block {} runs as it stands".format(number + 1), str(done))
    for name, begin in ("run.html", "<!"), ("run.trace", "{"), ("run.speedscope", "{"):
        with open(os.path.join(folder, name), encoding="utf-8") as stream:
            points.add(stream.read().lstrip().startswith(begin), "guide: " + name + " is written")
    with open(os.path.join(folder, "run.trace"), encoding="utf-8") as stream:
        points.add(len(json.load(stream)["traceEvents"]) > 100, "guide: the trace has events")


def check_readme(points, readme, folder, env):
    with open(readme, encoding="utf-8") as stream:
        section = stream.read().split("\n## tactus\n")[1].split("\n## ")[0]
    done = run_block(blocks_of(section)[0], folder, env)
    points.add(done.returncode == 0 and not done.stderr, "README: the commands run as they stand", str(done))
    points.add(all(text in done.stdout for text in ("verdict", "of parent", "executors")), "README: and print what it says", done.stdout)


def main(readme, guide, *programs):
    points = Points()
    with tempfile.TemporaryDirectory() as folder:
        link_programs(folder, programs)
        env = {**os.environ, "PATH": os.pathsep.join(os.path.join(folder, "build", "apps", os.path.basename(program)) for program in programs) +
               os.pathsep + os.environ["PATH"]}
        check_guide(points, guide, folder, env)
        check_readme(points, readme, folder, env)
    points.finish()


main(*sys.argv[1:6])
