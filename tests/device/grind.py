#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the kernels under Oclgrind, which looks for data races, accesses out of bounds and uninitialised values: grind.py PROGRAM
[MODE...]; without modes the program is the one that has the planted faults. Oclgrind exits with 0 whatever it finds, so what
counts is its log: empty for the kernels, and not empty where a fault was planted."""
import os
import shutil
import subprocess
import sys
import tempfile

from tap import Points

FAULTS = {'races': 'race', 'bounds': 'Invalid write', 'uninitialised': 'Uninitialized'}


def grind(program, mode):
    """The exit code and the log."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, 'log')
        # Unoptimised: what the optimiser makes of undefined values is not what was written.
        done = subprocess.run(['oclgrind', '--build-options', '-cl-opt-disable', '--data-races', '--uninitialized',
                               '--log', log, program, mode], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        text = ''
        if os.path.exists(log):
            with open(log, encoding='utf-8') as file:
                text = file.read()
        return done.returncode, text, done.stderr


def main():
    program = sys.argv[1]
    if not shutil.which('oclgrind'):
        print('1..0 # SKIP there is no oclgrind')
        return
    points = Points()
    modes = sys.argv[2:]
    for mode in modes or ['none', 'dense']:
        code, log, errors = grind(program, mode)
        points.add(code == 0 and not log.strip(), f'{mode}: nothing is found', errors[-2000:] + log[:4000])
    for mode, word in [] if modes else FAULTS.items():
        code, log, errors = grind(program, mode)
        points.add(word in log, f'a planted fault is found: {mode}', errors[-2000:] + log[:4000])
    points.finish()


main()
