# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of tactus report share: refusals, rows of a table, slices of a trace."""
import re

from program import run


def refuses(points, tactus, name, words, status, needle, **options):
    """One line on standard error that names the trouble, without a control character, nothing on standard output."""
    done = run(tactus, *words, **options)
    one_line = not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.stderr) and done.stderr.startswith("tactus: ") and done.stderr.count("\n") == 1
    points.add(done.returncode == status and one_line and needle in done.stderr and not done.stdout, name, str(done))


def row_of(text, name):
    """The words of a table's row."""
    found = re.search(r"^ *{} {{2,}}(.*)$".format(re.escape(name)), text, re.MULTILINE)
    return re.split(r" {2,}", found[1].strip()) if found else None


def slices_of(trace):
    return [event for event in trace if event["ph"] == "X"]
