# SPDX-License-Identifier: BSD-3-Clause
"""What every peer of dmrg_peers shares: its arguments, the CPU clock around steady sweeps, and the JSON it answers with."""

import argparse
import json
import resource
import sys
import time

PRODUCTS = 4  # local effective-Hamiltonian products a bond, as the runs of ours make


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sites", type=int, required=True)
    parser.add_argument("--max-states", type=int, required=True)
    parser.add_argument("--growth", type=int, required=True, help="there-and-back sweeps at full bond dimension before the clock")
    parser.add_argument("--sweeps", type=int, required=True, help="there-and-back sweeps under the clock")
    parser.add_argument("--scratch", required=True, help="folder for a peer that keeps its operators in files")
    return parser.parse_args()


def growth_caps(max_states):
    """Bond dimensions of the sweeps before the full one: doubling from 16, as cheap as growth can be."""
    caps = []
    cap = 16
    while cap < max_states:
        caps.append(cap)
        cap *= 2
    return caps


def timed(sweep, count):
    """CPU seconds (user and system, all threads) of each of `count` calls."""
    seconds = []
    for _ in range(count):
        begin = time.process_time()
        sweep()
        seconds.append(time.process_time() - begin)
    return seconds


def spread(made):
    """Fewest, most and mean of the products made at a bond."""
    return [int(min(made)), int(max(made)), float(sum(made)) / len(made)]


def report(name, version, variant, seconds, energy, bonds, products, max_bond):
    """`products`: their spread over the bonds of steady sweeps; `bonds`: bonds optimised there and back."""
    json.dump({
        "name": name, "version": version, "variant": variant, "seconds": seconds, "energy": energy, "bonds": bonds,
        "products": products, "max_bond": max_bond,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0,
    }, sys.stdout)
    sys.stdout.write("\n")
