#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the tests in Meson's testlog.json: tools/tally.py LOG...

The last line is "N passed, N failed, N skipped" over all logs. Each point of a TAP program (one that prints a plan)
counts as one test, any other program as one. A program that crashed, timed out or ended badly counts as one failure even
where every point that it came to had passed. Lines before it tell what failed, each beginning "failed: ".
Exit status: 0 when something passed and nothing failed, else 1.
"""
import json
import re
import sys

LINES = 12  # of what a failed program said
COLUMNS = 600
PLAN = re.compile(r"^1\.\.\d+", re.MULTILINE)
POINT = re.compile(r"^(ok|not ok)\b[^#\n]*(#\s*skip\b)?", re.IGNORECASE | re.MULTILINE)


def count(test):
    """(passed, failed, skipped) of one line of the log."""
    result = test["result"]
    passed = failed = skipped = 0
    output = test.get("stdout") or ""
    for verdict, skip in POINT.findall(output) if PLAN.search(output) else []:
        if verdict.lower() == "not ok":
            failed += 1
        elif skip:
            skipped += 1
        else:
            passed += 1
    if result in ("OK", "EXPECTEDFAIL"):
        return (passed or (0 if skipped else 1), 0, skipped)
    if result == "SKIP":
        return (0, 0, 1)
    return (passed, max(failed, 1), skipped)


def failures(test):
    """What to print of one line of the log that counts as failed: its failed points, or else how its output ends, and how its errors end."""
    output = test.get("stdout") or ""
    said = [line for line in output.splitlines() if line.startswith("not ok")][:LINES]
    if not said or test.get("returncode", 0) < 0:
        said += output.splitlines()[-LINES:]
    said += (test.get("stderr") or "").splitlines()[-LINES:]
    name = test["name"]
    return [f"failed: {name}: {test['result']}"] + [f"failed: {name}: {line[:COLUMNS]}" for line in said if line.strip()]


def main(paths):
    total = [0, 0, 0]
    for path in paths:
        with open(path, encoding="utf-8") as log:
            for line in log:
                test = json.loads(line)
                counts = count(test)
                total = [a + b for a, b in zip(total, counts)]
                if counts[1]:
                    print("\n".join(failures(test)))
    print("{} passed, {} failed, {} skipped".format(*total))
    return 0 if total[0] and not total[1] else 1


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        sys.exit(0 if "--help" in sys.argv else 2)
    sys.exit(main(sys.argv[1:]))
