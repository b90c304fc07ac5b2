#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every option does what it says, alone and beside others: effects_test.py PROGRAM README OPENMP(true or false)"""
import itertools
import sys

from program import documented_options, energies, run_json, shown_options
from tap import Points


def report_of(program, *words):
    return run_json(program, *words)[1]


def check_documentation(points, program, readme):
    """--help and the README name the same options, those that a run knows."""
    shown, written = shown_options(program), documented_options(readme, "heisenberg_dmrg")
    points.add(shown == written and len(shown) == 37, "README and --help list the same options", str(shown ^ written))


def check_chain(points, program):
    """Couplings, field, sector and spin by exact diagonalisation of what they should mean."""
    for spin, twice_sz, scalar in itertools.product(("1/2", "1"), (0, 2), ("real", "complex")):
        words = ["--sites=6", "--jxy=0.7", "--jz=1.3", "--field=0.4", "--spin=" + spin, "--twice-sz=%d" % twice_sz]
        done, _ = run_json(program, *words, "--scalar=" + scalar, "--check")
        points.add(done.returncode == 0, "exact: " + " ".join(words + [scalar]), done.stdout)
    plain = report_of(program, "--sites=6")["result"]["energy"]
    for word in "--jxy=0.7", "--jz=1.3", "--spin=1", "--twice-sz=2":
        points.add(abs(report_of(program, "--sites=6", word)["result"]["energy"] - plain) > 1e-3, word + " changes the energy")
    up = report_of(program, "--sites=6", "--twice-sz=2")["result"]["energy"]
    shifted = report_of(program, "--sites=6", "--twice-sz=2", "--field=0.5")["result"]["energy"]
    points.add(abs(shifted - up + 0.5) < 1e-12, "--field takes h Sz from the energy", repr((up, shifted)))
    small = "--sites=10", "--jxy=1e-11", "--jz=1e-11", "--check"
    points.add(run_json(program, *small)[0].returncode == 0, "exact: " + " ".join(small))
    points.add(run_json(program, *small, "--max-states=1")[0].returncode == 4, "--check sees a wrong energy of small couplings")
    wrong = "--sites=10", "--twice-sz=2", "--field=1e6", "--max-states=8", "--check"
    points.add(run_json(program, *wrong)[0].returncode == 4, "--check sees a wrong energy beside a large field")
    for words in ["--sites=1"], ["--sites=2"], ["--sites=8", "--jxy=0", "--jz=0"], ["--sites=8", "--jxy=1e-310", "--jz=1e-310"]:
        points.add(report_of(program, *words)["result"]["converged"], "converged: " + " ".join(words))
    for field, twice_sz in itertools.product(("1e6", "-1e15", "1e300"), (0, 2)):
        words = ["--sites=8", "--field=" + field, "--twice-sz=%d" % twice_sz]
        done, report = run_json(program, *words, "--check")
        result, alone = report["result"], report_of(program, words[0], words[2])["result"]["energy"]
        expected = alone - 0.5 * float(field) * twice_sz
        points.add(done.returncode == 0 and abs(result["energy"] - expected) <= 1e-15 * abs(expected) + 1e-12
                   and result["variance"] < 1e-8, "a large field: " + " ".join(words), done.stdout)


def check_states(points, program):
    plain = report_of(program, "--sites=16")
    few = report_of(program, "--sites=16", "--max-states=10")
    points.add(max(sweep["max_bond"] for sweep in few["sweeps"]) == 10, "--max-states caps the bond")
    cut = report_of(program, "--sites=16", "--cutoff=1e-7", "--energy-tol=1e-6")
    points.add(0 < cut["sweeps"][-1]["max_discarded"] <= 1e-7 and cut["sweeps"][-1]["max_bond"] < plain["sweeps"][-1]["max_bond"],
               "--cutoff drops states", str(cut["sweeps"][-1]))
    sizes = [report_of(program, "--sites=16", "--max-states=64", "--max-sweeps=8", *more)["result"]["state_bytes"]
             for more in (["--scalar=complex"], [], ["--precision=fp32"])]
    points.add(sizes[0] > 1.5 * sizes[1] > 1.5 * 1.2 * sizes[2],
               "--scalar and --precision change the size of a number", str(sizes))
    single = report_of(program, "--sites=16", "--precision=fp32", "--max-sweeps=9")["result"]["energy"]
    points.add(1e-12 < abs(single - plain["result"]["energy"]) < 1e-4, "--precision=fp32 computes in single precision", repr(single))
    random = report_of(program, "--sites=16", "--start=random")
    points.add(random["sweeps"][0]["energy"] != plain["sweeps"][0]["energy"], "--start=random starts elsewhere")
    points.add(abs(random["result"]["energy"] - plain["result"]["energy"]) < 1e-9, "and ends at the same energy")


def check_sweeps(points, program):
    plain = report_of(program, "--sites=16")
    count = plain["result"]["sweeps"]
    points.add(plain["result"]["converged"] and 2 < count < 20, "the default converges", str(count))
    loose = report_of(program, "--sites=16", "--energy-tol=1e-3", "--max-states=8")["result"]
    tight = report_of(program, "--sites=16", "--energy-tol=1e-12", "--max-states=8")["result"]
    points.add(loose["converged"] and loose["sweeps"] < tight["sweeps"], "--energy-tol decides when to stop", str((loose, tight)))
    limited = report_of(program, "--sites=16", "--max-sweeps=3")["result"]
    points.add((limited["sweeps"], limited["converged"]) == (3, False), "--max-sweeps stops the run")
    long = report_of(program, "--sites=16", "--min-sweeps=%d" % (count + 4))["result"]
    points.add(long["sweeps"] >= count + 4 and long["converged"], "--min-sweeps keeps it going", str(long["sweeps"]))
    two = report_of(program, "--sites=16", "--local-matvecs=2", "--max-sweeps=4")["sweeps"]
    points.add([sweep["products"] for sweep in two] == [30] * 4, "--local-matvecs counts the products of a bond", str(two))
    steady = report_of(program, "--sites=16", "--steady-sweeps=3")
    points.add(len(steady["steady"]) == 3 and energies(steady)[:2] == energies(plain)[:2],
               "--steady-sweeps adds sweeps after the result")
    uni20 = report_of(program, "--sites=16", "--max-states=8", "--trajectory=uni20")
    points.add(all(sweep["full_bonds"] == 15 and sweep["energy"] == sweep["energy_ritz"] for sweep in uni20["sweeps"]),
               "--trajectory=uni20 decomposes exactly and tells energies before truncation")


def check_machine(points, program, openmp):
    for executor, threads in [("threads", 3), ("serial", 1)] + ([("openmp", 2)] if openmp else []):
        about = report_of(program, "--sites=4", "--executor=" + executor, "--threads=%d" % threads)["run"]
        points.add((about["executor"], about["lanes"]) == (executor, threads), executor + " runs with its lanes", str(about))


def main(program, readme, openmp):
    points = Points()
    check_documentation(points, program, readme)
    check_chain(points, program)
    check_states(points, program)
    check_sweeps(points, program)
    check_machine(points, program, openmp == "true")
    points.finish()


main(*sys.argv[1:])
