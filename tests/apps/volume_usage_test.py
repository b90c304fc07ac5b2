#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Bad command lines and bad files end with the right status and one line:
volume_usage_test.py PROGRAM PROGRAM_WITHOUT_OPENMP VERSION SANITIZE"""
import os
import resource
import struct
import sys
import tempfile

from program import run, run_json
from tap import Points

USAGE = [
    ("--dim=4", ["--dim", "'4'", "2|3"]),
    ("--order=17", ["--order", "'17'", "2 to 16"]),
    ("--order=0", ["--order", "'0'", "2 to 16"]),
    ("--tol=0", ["--tol", "'0'"]),
    ("--eps=1", ["--eps", "'1'"]),
    ("--levels=31", ["--levels", "'31'", "0 to 30"]),
    ("--kernel=stokes", ["--kernel", "'stokes'", "laplace|yukawa|helmholtz"]),
    ("--param=2", ["--param", "laplace"]),
    ("--kernel=yukawa --param=0", ["--param", "'0'"]),
    ("--near=tables", ["--near", "laplace"]),
    ("--box=1,0", ["--box", "'1,0'"]),
    ("--box=0,1e-200 --levels=1", ["volume_fmm: --box: the side of the domain is too small: 1e-200\n"]),
    ("--box=1e16,1.0000000000000002e16 --levels=1", ["volume_fmm: --box: the domain is too small for its distance from the origin: side: 2\n"]),
    ("--density=gausian", ["--density", "did you mean gaussian?"]),
    ("--density=gaussian:b=2", ["--density", "'b=2'", "a, x, y"]),
    ("--density=ball", ["--density", "3D", "--dim=2"]),
    ("--grid=5 --targets=t", ["--grid", "--targets"]),
    ("--grid=1", ["--grid", "'1'"]),
    ("--output=u.txt", ["--output", "'u.txt'", ".csv, .npy, .cube"]),
    ("--output=u.cube --dim=3", ["--output", "--grid=N"]),
    ("--plot=u.png", ["--plot", "'u.png'", ".svg"]),
    ("--csv=p.csv", ["--csv", "coarse"]),
    ("--phases=p.csv", ["--phases", "coarse"]),
    ("--output=u.csv --json=./u.csv", ["--output: 'u.csv' is the file of --json too"]),
    ("--output=u.csv --measurements=coarse --phases=u.csv", ["--phases: 'u.csv' is the file of --output too"]),
    ("--trace=p.trace", ["--trace", "coarse"]),
    ("--units=bohr", ["--units", "cube"]),
    ("--threads=0", ["--threads", "'0'"]),
    ("--executor=serial --threads=2", ["--threads", "'2'", "serial"]),
    ("--executor=treads", ["--executor: unknown executor 'treads'; did you mean 'threads'? (see --executor=help)\n"]),
    ("--executor=gpu", ["--executor: unknown executor 'gpu'; choose one of serial, ", " (see --executor=help)\n"]),
    ("--measurements=all", ["--measurements", "'all'", "off|coarse|detailed"]),
    ("--repeat=0", ["--repeat", "'0'"]),
    ("--max-leaves=0", ["--max-leaves", "'0'"]),
    ("--tol=1e-3 --tol=1e-4", ["--tol", "twice"]),
    ("--density=gaussian:a=1,a=2", ["--density", "twice"]),
    ("--check=1", ["--check", "'1'"]),
    ("--json", ["--json", "needs a value"]),
    ("--denstiy=disk", ["--denstiy", "did you mean --density?"]),
    ("gaussian", ["gaussian", "--name=value"]),
    ("--kernel=helmholtz --param=60 --levels=2", ["k*h"]),
]

FAILED = [
    ("--density=gaussian:a=1e25", ["tolerance", "peak 1"]),
    ("--density=gaussian:a=1e308,x=0.1", ["tolerance", "peak 1"]),
    ("--order=2 --tol=1e-9 --max-leaves=1000", ["1000"]),
    ("--density=gaussian:a=1e308 --levels=0 --order=3", ["density", "not finite at"]),
    ("--density=/no/such/rho.npy", ["--density", "rho.npy", "No such file"]),
    ("--density=gaussians:/no/such/list", ["--density", "No such file"]),
    ("--density=/no/such/rho.cube", ["--density", "No such file"]),
    ("--targets=/no/such/points", ["--targets", "No such file"]),
    ("--output=/no/such/folder/u.csv", ["--output", "'/no/such/folder/u.csv'", "No such file"]),
    ("--plot=/no/such/folder/u.svg", ["--plot", "No such file"]),
    ("--json=/no/such/folder/u.json", ["--json", "No such file"]),
    ("--measurements=coarse --csv=/no/such/folder/p.csv", ["--csv", "No such file"]),
    ("--measurements=coarse --trace=/no/such/folder/p.trace", ["--trace", "No such file"]),
]


def one_line(text):
    return text.startswith("volume_fmm: ") and text.endswith("\n") and text.count("\n") == 1


def check_refusal(points, program, words, status, needles, name=None):
    done = run(program, *words, "--cache=none")
    passed = done.returncode == status and one_line(done.stderr) and all(needle in done.stderr for needle in needles)
    points.add(passed, "{}: status {}".format(name or " ".join(words), status), str(done))


def npy(shape, values, kind="<f8"):
    """A NumPy file of version 1."""
    header = "{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}".format(kind, shape)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%dd" % len(values), *values)


CUBE = "one\ntwo\n1 0 0 0\n2 1 0 0\n2 0 1 0\n2 0 0 1\n1 1 0 0 0\n"

FILES = [
    ("empty.npy", b"", "--density=", ["empty.npy"]),
    ("short.npy", npy((8, 8), [1.0] * 63), "--density=", ["short.npy"]),
    ("long.npy", npy((8, 8), [1.0] * 65), "--density=", ["long.npy"]),
    ("cube.npy", npy((4, 4, 4), [1.0] * 64), "--density=", ["cube.npy"]),
    ("nan.npy", npy((8, 8), [1.0] * 63 + [float("nan")]), "--density=", ["nan.npy"]),
    ("text.npy", b"1 2 3\n", "--density=", ["text.npy"]),
    ("empty", b"", "--density=gaussians:", ["empty"]),
    ("comment", b"# nothing\n", "--density=gaussians:", ["comment"]),
    ("three", b"0 0 100\n", "--density=gaussians:", ["three", "line 1"]),
    ("word", b"0 0 100 1\n0 0 many 1\n", "--density=gaussians:", ["word", "line 2"]),
    ("negative", b"0 0 -100 1\n", "--density=gaussians:", ["negative", "line 1"]),
    ("infinite", b"0 0 100 1e999\n", "--density=gaussians:", ["infinite", "line 1"]),
    ("short.cube", (CUBE + "1 2 3 4 5 6 7\n").encode(), "--density=", ["short.cube"]),
    ("long.cube", (CUBE + "1 2 3 4 5 6 7 8 9\n").encode(), "--density=", ["long.cube"]),
    ("skew.cube", (CUBE.replace("2 1 0 0", "2 1 0.5 0") + "1 2 3 4 5 6 7 8\n").encode(), "--density=", ["skew.cube"]),
    ("tiny.cube", (CUBE.replace("1 0 0\n2 0 1 0\n2 0 0 1", "1e-200 0 0\n2 0 1e-200 0\n2 0 0 1e-200") + "1 2 3 4 5 6 7 8\n").encode(), "--density=",
     ["--density: the side of the domain is too small"]),
    ("none", b"", "--targets=", ["none"]),
    ("one", b"0.1\n", "--targets=", ["one", "line 1"]),
    ("place", b"0.1 here\n", "--targets=", ["place", "line 1"]),
]


def check_files(points, program):
    with tempfile.TemporaryDirectory() as folder:
        for name, content, option, needles in FILES:
            path = os.path.join(folder, name)
            with open(path, "wb") as stream:
                stream.write(content)
            check_refusal(points, program, [option + path], 2, [option.split("=")[0]] + needles, option + name)


def check_information(points, program, version):
    done = run(program, "--version")
    points.add((done.returncode, done.stdout) == (0, "volume_fmm {}\n".format(version)), "--version", str(done))
    done = run(program, "--help")
    points.add(done.returncode == 0 and not done.stderr and "Exit status" in done.stdout, "--help", str(done))
    done = run(program, "--density=help")
    points.add(done.returncode == 0 and "charged-gaussian" in done.stdout and not done.stderr, "--density=help", str(done))
    done = run(program, "--executor=help")
    points.add(done.returncode == 0 and all(name in done.stdout for name in ("serial", "threads", "openmp")) and not done.stderr,
               "--executor=help", str(done))


def check_statuses(points, program, without_openmp):
    check_refusal(points, without_openmp, ["--executor=openmp"], 3, ["openmp"])
    check_refusal(points, program, ["--levels=2", "--order=3", "--check"], 4, ["--check", "off by more"])
    _, report = run_json(program, "--levels=2", "--order=3", "--check", "--cache=none")
    error = report["result"]["error"]
    points.add(error["passed"] is False and error["potential"]["relative_l2"] > error["potential"]["allowed"],
               "a missed check is in the JSON too", str(error))
    done = run(program, "--quiet", "--check", "--cache=none")
    points.add(done.returncode == 0 and not done.stderr and done.stdout.startswith("evaluation"), "--quiet --check: status 0", str(done))


def check_short_memory(points, program):
    """Predicted before it is taken: one line, whatever the limit."""
    for megabytes in (400, 1000):
        def limit_addresses(most=megabytes << 20):
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        done = run(program, "--levels=10", "--executor=serial", "--cache=none", preexec_fn=limit_addresses,
                   env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
        points.add(done.returncode == 1 and one_line(done.stderr) and "memory" in done.stderr, "%d MiB of addresses" % megabytes,
                   str(done))
        for words in ["--dim=3", "--levels=9"], ["--dim=3", "--order=2", "--tol=1e-12"]:
            done = run(program, *words, "--max-leaves=1000000000", "--executor=serial", "--cache=none",
                       preexec_fn=limit_addresses, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
            points.add(done.returncode == 1 and one_line(done.stderr) and "leaves that fit into" in done.stderr,
                       "%d MiB of addresses and a tree of too many leaves: %s" % (megabytes, words[1]), str(done))


def check_odd_bytes(points, program):
    done = run(program, b"--density=\xff\n\x01")
    points.add(done.returncode == 2 and done.stderr.count("\n") == 1, "odd bytes in a value", repr(done))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(os.fsencode(folder), b"caf\xe9.json")
        done = run(program, "--levels=1", "--cache=none", b"--json=" + path)
        with open(path, "rb") as stream:
            stream.read().decode("utf-8")
        points.add(done.returncode == 0, "odd bytes in a file's name", repr(done))


def main(program, without_openmp, version, sanitize):
    points = Points()
    for line, needles in USAGE:
        check_refusal(points, program, line.split(), 2, needles)
    for line, needles in FAILED:
        check_refusal(points, program, line.split(), 1, needles)
    check_files(points, program)
    check_information(points, program, version)
    check_statuses(points, program, without_openmp)
    if sanitize == "none":  # sanitizers reserve terabytes of addresses
        check_short_memory(points, program)
    check_odd_bytes(points, program)
    points.finish()


main(*sys.argv[1:])
