# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the Kokkos module share: runs of a program with the module, and what they leave."""
import json
import os
import re
import subprocess
import sys

SETTINGS = ("TACTUS_KOKKOS_OUT", "TACTUS_KOKKOS_FENCE", "TACTUS_KOKKOS_STEP", "TACTUS_KOKKOS_TRACE_LIMIT", "KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY")
PAIR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)')


def run(command, **settings):
    """A finished command whose environment has these settings and no others of ours."""
    environment = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**environment, **settings}, timeout=120)


def pairs(line):
    """The key=value pairs of a line; names are quoted as in JSON, numbers are numbers."""
    found = {}
    for key, value in PAIR.findall(line):
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found


def rows_of(text, first):
    """The lines of a text report whose first key this is: `launches` of what sums up, `kernel`, `copy`, `space`, `region`."""
    return [pairs(line) for line in text.splitlines() if line.startswith("tactus-kokkos {}=".format(first))]


def lines_of(text):
    """What sums up in a text report, and its kernels."""
    return rows_of(text, "launches"), rows_of(text, "kernel")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def skip(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


def row(rows, **members):
    """The one row that has these members."""
    found = [one for one in rows if all(one.get(key) == value for key, value in members.items())]
    return found[0] if len(found) == 1 else {}


def show(done):
    return "status {}\n{}\n{}".format(done.returncode, done.stdout, done.stderr)
