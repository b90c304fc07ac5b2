# SPDX-License-Identifier: BSD-3-Clause
"""Collects named checks and prints them as TAP."""
import sys


class Points:
    def __init__(self):
        self.lines = []
        self.failed = 0

    def add(self, passed, name, details=""):
        """One point; the details of a failure go to standard error."""
        self.failed += not passed
        self.lines.append("{} {} - {}".format("ok" if passed else "not ok", len(self.lines) + 1, name))
        if not passed and details:
            print(name + ":\n" + details, file=sys.stderr)

    def skip(self, name, why):
        """A point that cannot be tried here."""
        self.lines.append("ok {} - {} # SKIP {}".format(len(self.lines) + 1, name, why))

    def finish(self):
        """Prints all points and leaves; no point at all is a failure."""
        print("\n".join(["1..{}".format(len(self.lines))] + self.lines))
        sys.exit(1 if self.failed or not self.lines else 0)
