# SPDX-License-Identifier: BSD-3-Clause
"""Random input of the tests: from TACTUS_TEST_SEED, or the same in every run, so that a commit has one verdict."""
import os
import random
import sys


def seeded_dice():
    """A generator of its own; its seed goes to standard error."""
    seed = int(os.environ.get("TACTUS_TEST_SEED") or 20240229)
    print("seed", seed, file=sys.stderr)
    return random.Random(seed)
