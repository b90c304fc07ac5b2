#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/tally.py on logs made by hand: tally_test.py TALLY"""
import json
import os
import subprocess
import sys
import tempfile

from tap import Points

# Name, the log's lines (result, output), the line to be printed, exit status.
CASES = [
    ("a plain program", [("OK", "hello\n")], "1 passed, 0 failed, 0 skipped", 0),
    ("a plain program that prints ok", [("OK", "ok then\nok\n")], "1 passed, 0 failed, 0 skipped", 0),
    ("points of a TAP program", [("OK", "1..2\nok 1 - a\nok 2 - b\n")], "2 passed, 0 failed, 0 skipped", 0),
    ("a plan at the end", [("OK", "ok 1\nok 2\n1..2\n")], "2 passed, 0 failed, 0 skipped", 0),
    ("a failed point", [("ERROR", "1..3\nok 1\nnot ok 2\nok 3\n")], "2 passed, 1 failed, 0 skipped", 1),
    ("a skipped point", [("OK", "1..2\nok 1 - a # SKIP no device\nok 2\n")], "1 passed, 0 failed, 1 skipped", 0),
    ("a skipped program", [("OK", ""), ("SKIP", "1..0 # SKIP no device\n")], "1 passed, 0 failed, 1 skipped", 0),
    ("only skips", [("SKIP", "1..0 # SKIP why\n")], "0 passed, 0 failed, 1 skipped", 1),
    ("a crash between points", [("ERROR", "1..4\nok 1\nok 2\n")], "2 passed, 1 failed, 0 skipped", 1),
    ("a crash after the last point", [("FAIL", "1..1\nok 1\n")], "1 passed, 1 failed, 0 skipped", 1),
    ("a crash before the plan", [("FAIL", None)], "0 passed, 1 failed, 0 skipped", 1),
    ("a time-out", [("TIMEOUT", "1..2\nok 1\n")], "1 passed, 1 failed, 0 skipped", 1),
    ("a failure that was expected", [("EXPECTEDFAIL", "")], "1 passed, 0 failed, 0 skipped", 0),
    ("a pass that was not expected", [("UNEXPECTEDPASS", "")], "0 passed, 1 failed, 0 skipped", 1),
    ("nothing", [], "0 passed, 0 failed, 0 skipped", 1),
    ("a sum", [("OK", "1..2\nok 1\nok 2\n"), ("FAIL", ""), ("OK", "")], "3 passed, 1 failed, 0 skipped", 1),
]


def run_tally(tally, lines):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.json")
        with open(path, "w", encoding="utf-8") as log:
            for result, output in lines:
                test = {"name": "t", "result": result}
                if isinstance(output, tuple):
                    output, test["stderr"] = output
                if output is not None:
                    test["stdout"] = output
                log.write(json.dumps(test) + "\n")
        return subprocess.run([sys.executable, tally, path], capture_output=True, text=True, check=False)


def check_failures(points, tally):
    """Who failed is told, and how, before the last line; nobody else."""
    done = run_tally(tally, [("OK", "1..1\nok 1\n"), ("FAIL", "1..3\nok 1\nnot ok 2 - odd: 3 != 4\nok 3\n"), ("TIMEOUT", "slow\n")])
    points.add(done.stdout.splitlines()[:-1] == ["failed: t: FAIL", "failed: t: not ok 2 - odd: 3 != 4", "failed: t: TIMEOUT",
                                                 "failed: t: slow"], "failures are told", str(done))
    done = run_tally(tally, [("FAIL", ("1..1\nnot ok 1 - odd\n", "odd:\n3 != 4\n")), ("OK", ("1..1\nok 1\n", "seed 5\n"))])
    points.add(done.stdout.splitlines()[:-1] == ["failed: t: FAIL", "failed: t: not ok 1 - odd", "failed: t: odd:", "failed: t: 3 != 4"],
               "and what it said of it", str(done))
    done = run_tally(tally, [("FAIL", "1..40\n" + "".join("not ok {} {}\n".format(i, "x" * 5000) for i in range(40)))])
    points.add(len(done.stdout) < 13 * 700, "failures are told in few words", str(len(done.stdout)))


def main(tally):
    points = Points()
    check_failures(points, tally)
    for name, lines, expected, status in CASES:
        done = run_tally(tally, lines)
        last = done.stdout.splitlines()[-1:]
        points.add(last == [expected] and done.returncode == status, name, "{} {}".format(done.returncode, done))
    points.finish()


main(sys.argv[1])
