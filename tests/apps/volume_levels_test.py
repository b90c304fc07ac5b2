#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measurement levels, lanes and executors change no bit of the answers: volume_levels_test.py PROGRAM OPENMP(true or false)"""
import itertools
import os
import sys
import tempfile

from program import run
from tap import Points


def lanes_of(openmp):
    executors = ["threads"] + (["openmp"] if openmp else [])
    return [("serial", 1)] + list(itertools.product(executors, (1, 2, 4)))


def answer(program, folder, *words):
    path = os.path.join(folder, "u.npy")
    done = run(program, *words, "--quiet", "--cache=" + folder, "--output=" + path)
    if done.returncode:
        raise SystemExit("{}: {}".format(" ".join(words), done))
    with open(path, "rb") as stream:
        return stream.read()


def check_bits(points, program, openmp, *words):
    """One problem at every level on every executor with 1, 2 and 4 lanes; tables and operators made, then from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        first = answer(program, folder, "--executor=serial", *words)
        different = [key for key in itertools.product(("off", "coarse", "detailed"), lanes_of(openmp))
                     if answer(program, folder, "--measurements=" + key[0], "--executor=" + key[1][0],
                               "--threads=%d" % key[1][1], *words) != first]
    points.add(not different, "same bits: " + " ".join(words), str(different))


def main(program, openmp):
    points = Points()
    check_bits(points, program, openmp, "--tol=1e-5", "--grad")
    check_bits(points, program, openmp, "--tol=1e-4", "--kernel=helmholtz", "--param=3", "--density=charged-gaussian")
    check_bits(points, program, openmp, "--tol=1e-2", "--dim=3", "--density=two-gaussians:w1=0.05,w2=0.08")
    check_bits(points, program, openmp, "--tol=1e-2", "--dim=3", "--order=5", "--kernel=yukawa", "--grid=9")
    points.finish()


main(sys.argv[1], sys.argv[2] == "true")
