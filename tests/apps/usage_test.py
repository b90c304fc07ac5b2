#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Bad command lines end with the right status and one line: usage_test.py PROGRAM PROGRAM_WITHOUT_OPENMP VERSION"""
import os
import sys
import tempfile

from program import run, run_json
from tap import Points

USAGE = [
    ("--sites=0", ["--sites", "'0'", "1 to"]),
    ("--sites=100001", ["--sites", "'100001'", "1 to 100000"]),
    ("--sites=-1", ["--sites", "'-1'"]),
    ("--sites=five", ["--sites", "'five'"]),
    ("--sites=4 --sites=4", ["--sites", "twice"]),
    ("--sites=3 --twice-sz=0", ["--twice-sz", "'0'", "-3", "-1", "3"]),
    ("--sites=4 --twice-sz=1", ["--twice-sz", "'1'", "-4", "-2", "4"]),
    ("--sites=4 --twice-sz=6", ["--twice-sz", "'6'", "4"]),
    ("--sites=3 --spin=1 --twice-sz=1", ["--twice-sz", "'1'"]),
    ("--max-states=0", ["--max-states", "'0'"]),
    ("--cutoff=2", ["--cutoff", "'2'"]),
    ("--cutoff=nan", ["--cutoff", "'nan'"]),
    ("--jz=inf", ["--jz", "'inf'"]),
    ("--field=1e", ["--field", "'1e'"]),
    ("--energy-tol=-1e-9", ["--energy-tol", "'-1e-9'"]),
    ("--local-matvecs=0", ["--local-matvecs", "'0'"]),
    ("--threads=0", ["--threads", "'0'"]),
    ("--executor=serial --threads=2", ["--threads", "'2'", "serial"]),
    ("--executor=thread", ["--executor: unknown executor 'thread'; did you mean 'threads'? (see --executor=help)\n"]),
    ("--executor=gpu", ["--executor: unknown executor 'gpu'; choose one of serial, ", " (see --executor=help)\n"]),
    ("--executor=threads --split=host", ["--split", "opencl", "threads"]),
    ("--device=0", ["--device", "opencl", "threads"]),
    ("--executor=opencl --submitters=4 --streams=3", ["--streams", "'3'", "4"]),
    ("--min-sweeps=5 --max-sweeps=4", ["--min-sweeps", "'5'", "--max-sweeps=4"]),
    ("--trajectory=uni20 --cutoff=1e-9", ["--cutoff", "'1e-09'", "uni20"]),
    ("--start=ferro", ["--start", "'ferro'", "neel|random"]),
    ("--spin=3/2", ["--spin", "'3/2'"]),
    ("--precision=fp16", ["--precision", "'fp16'"]),
    ("--scalar=quaternion", ["--scalar", "'quaternion'"]),
    ("--measurements=all", ["--measurements", "'all'", "off|coarse|detailed"]),
    ("--seed=-1", ["--seed", "'-1'"]),
    ("--json", ["--json", "needs a value"]),
    ("--check=1", ["--check", "'1'"]),
    ("--max-stats=4", ["--max-stats", "did you mean --max-states?"]),
    ("--frobnicate", ["--frobnicate", "unknown option"]),
    ("100", ["100", "--name=value"]),
    ("--help --sites=0", ["--sites"]),
]


def one_line(text):
    return text.startswith("heisenberg_dmrg: ") and text.endswith("\n") and text.count("\n") == 1


def check_refusal(points, program, line, status, needles):
    done = run(program, *line.split())
    passed = done.returncode == status and one_line(done.stderr) and all(needle in done.stderr for needle in needles)
    points.add(passed and (status != 2 or not done.stdout), "{}: status {}".format(line, status), str(done))


def check_information(points, program, version):
    done = run(program, "--version")
    points.add((done.returncode, done.stdout) == (0, "heisenberg_dmrg {}\n".format(version)), "--version", str(done))
    done = run(program, "--help")
    points.add(done.returncode == 0 and not done.stderr and "Exit status" in done.stdout, "--help", str(done))
    done = run(program, "--executor=help")
    points.add(done.returncode == 0 and not done.stderr and all(name in done.stdout for name in ("serial", "opencl", "cuda")),
               "--executor=help", str(done))


def check_statuses(points, program, without_openmp):
    check_refusal(points, without_openmp, "--executor=openmp", 3, ["openmp"])
    check_refusal(points, program, "--sites=40 --jz=0.5 --check", 4, ["--check", "no exact energy"])
    check_refusal(points, program, "--sites=12 --max-states=2 --check", 4, ["--check", "not the exact one"])
    check_refusal(points, program, "--sites=10 --jz=1e308 --jxy=1e308", 1, ["sweep 1", "site 0", "local eigensolver"])
    check_refusal(points, program, "--json=/no/such/folder/out.json", 1,
                  ["heisenberg_dmrg: --json: cannot write '/no/such/folder/out.json': No such file or directory\n"])
    check_refusal(points, program, "--json=/", 1, ["heisenberg_dmrg: --json: cannot write '/': Is a directory\n"])


def check_success(points, program):
    for line in "--sites=4 --check", "--sites=5 --check --quiet", "--sites=12 --max-sweeps=1", "--sites=6 --spin=1 --check":
        done = run(program, *line.split())
        points.add(done.returncode == 0 and not done.stderr, line + ": status 0", str(done))
    _, report = run_json(program, "--sites=12", "--max-sweeps=1")
    points.add(report["result"]["converged"] is False, "a run that ends early says so")
    _, report = run_json(program, "--sites=12", "--max-states=2", "--check")
    points.add(report["result"]["check"]["passed"] is False, "a missed check is in the JSON too", str(report["result"]))


def check_defaults(points, program):
    """An odd chain of spins 1/2 starts from 2 Sz = 1; spin 1 never does."""
    for words, expected in (("--sites=3",), 1), (("--sites=4",), 0), (("--sites=3", "--spin=1"), 0), (("--sites=3", "--spin=0.5"), 1):
        _, report = run_json(program, *words)
        points.add(report["run"]["twice_sz"] == expected, "sector of " + " ".join(words), str(report["run"]))
    for words, expected in ((), 1e-11), (("--precision=fp32",), 5e-6), (("--precision=fp32", "--energy-tol=1e-4"), 1e-4):
        _, report = run_json(program, "--sites=3", *words)
        points.add(report["run"]["energy_tol"] == expected, "tolerance of " + " ".join(words), str(report["run"]))
    _, report = run_json(program, "--sites=3", "--executor=serial")
    points.add(report["run"]["lanes"] == 1, "serial has one lane")
    _, report = run_json(program, "--sites=3")
    points.add((report["run"]["executor"], report["run"]["lanes"]) == ("threads", len(os.sched_getaffinity(0))),
               "the default executor takes the processors allowed", str(report["run"]))
    points.add(report["run"]["blas"]["threads"] in (0, 1), "BLAS runs one thread", str(report["run"]["blas"]))


def check_odd_bytes(points, program):
    """A command line of any bytes is refused, or repeated as valid JSON."""
    done = run(program, b"--sites=\xff\n\x01")
    points.add(done.returncode == 2 and done.stderr.count("\n") == 1, "odd bytes in a value", repr(done))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(os.fsencode(folder), b"caf\xe9.json")
        done = run(program, "--sites=2", b"--json=" + path)
        with open(path, "rb") as stream:
            stream.read().decode("utf-8")
        points.add(done.returncode == 0, "odd bytes in a file's name", repr(done))


def main(program, without_openmp, version):
    points = Points()
    for line, needles in USAGE:
        check_refusal(points, program, line, 2, needles)
    check_information(points, program, version)
    check_statuses(points, program, without_openmp)
    check_success(points, program)
    check_defaults(points, program)
    check_odd_bytes(points, program)
    points.finish()


main(*sys.argv[1:])
