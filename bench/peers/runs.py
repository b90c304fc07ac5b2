# SPDX-License-Identifier: BSD-3-Clause
"""Runs of peers and of heisenberg_dmrg, and what they used."""

import json
import os
import shutil
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import environment

HERE = Path(__file__).resolve().parent

PRODUCTS = 4  # local products a bond, the default of ours and what the peers are held to
GROWTH_SWEEPS = 14  # one-way sweeps of ours before the steady ones: nine to 512 states by doubling, and five more
SHORT = 2  # steady one-way sweeps of the shorter of two runs


@dataclass
class Result:
    name: str
    seconds: float  # CPU seconds of a steady there-and-back sweep
    least: float  # the least seen
    peak_mib: float
    energy: float
    note: str


class RunFailed(Exception):
    pass


def execute(command, env):
    """Runs it to its end: standard output and peak memory in MiB."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([str(part) for part in command], env=env, stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            tail = errors.read().decode(errors="replace").strip().splitlines()[-3:]
            raise RunFailed(f"{Path(command[0]).name} ended with {process.returncode}: {' / '.join(tail)}")
        return output.read().decode(errors="replace"), usage.ru_maxrss / 1024.0


def scratch_folder():
    """In memory where the machine offers that: a peer that keeps its operators in files is not to wait for a disk."""
    shared = Path("/dev/shm")
    return tempfile.mkdtemp(prefix="dmrg_peers.", dir=shared if os.access(shared, os.W_OK) else None)


def run_peer(cache, peer, asked, max_states):
    scratch = scratch_folder()
    try:
        text, _ = execute([environment.python_of(cache), HERE / f"{peer}_sweeps.py", f"--sites={asked.sites}",
                              f"--max-states={max_states}", f"--growth={asked.growth}", f"--sweeps={asked.sweeps}",
                              f"--scratch={scratch}"], environment.one_thread())
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    found = json.loads(text.strip().splitlines()[-1])
    fewest, most, mean = found["products"]
    note = f"{found['bonds']} bonds, {mean:.2f} products a bond ({fewest} to {most}), largest bond {found['max_bond']}"
    return Result(f"{found['name']} {found['version']} ({found['variant']})", statistics.median(found["seconds"]),
                  min(found["seconds"]), found["peak_mib"], found["energy"], note)


class Ours:
    """heisenberg_dmrg on one thread."""

    def __init__(self, program, counter, asked):
        self.program = program
        self.counter = counter
        self.asked = asked

    def run(self, max_states, steady_sweeps, extra=(), env=None, threads=1):
        """Its report and its peak memory."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            executor = "serial" if threads == 1 else "threads"
            command = [self.program, f"--sites={self.asked.sites}", f"--max-states={max_states}", f"--executor={executor}",
                       f"--threads={threads}", f"--max-sweeps={GROWTH_SWEEPS}", f"--min-sweeps={GROWTH_SWEEPS}",
                       f"--steady-sweeps={steady_sweeps}", "--quiet", f"--json={report}", *extra]
            _, peak = execute(command, env or environment.one_thread())
            return json.loads(report.read_text()), peak

    def measure(self, name, max_states, extra=()):
        """The seconds are the mean over the steady sweeps of a run, so that a full decomposition every few sweeps counts with
        its share; of several runs the median."""
        means, turns, peaks = [], [], []
        for _ in range(self.asked.runs):
            report, peak = self.run(max_states, self.asked.steady, extra)
            cpu = [sweep["cpu_seconds"] for sweep in report["steady"]]
            turns += [there + back for there, back in zip(cpu[::2], cpu[1::2])]
            means.append(2 * statistics.mean(cpu))
            peaks.append(peak)
        return Result(name, statistics.median(means), min(turns), max(peaks), report["steady"][-1]["energy"],
                      self.describe(report["steady"]))

    def describe(self, steady):
        bonds = len(steady) * (self.asked.sites - 1)
        products, full, warm = (sum(sweep[key] for sweep in steady) for key in ("products", "full_bonds", "warm_bonds"))
        return (f"{2 * (self.asked.sites - 1)} bonds, {products / bonds:.2f} products a bond, largest bond "
                f"{steady[-1]['max_bond']}, decompositions {full} full, {warm} warm in {len(steady)} sweeps")

    def two_threads(self, max_states):
        """Wall time of steady sweeps on two threads over that on one, the least of several runs each."""
        least = {}
        for threads in (1, 2):
            walls = []
            for _ in range(self.asked.runs):
                report, _ = self.run(max_states, self.asked.steady, threads=threads)
                walls.append(sum(sweep["seconds"] for sweep in report["steady"]))
            least[threads] = min(walls)
        return least[2] / least[1]

    def differences(self, read):
        """What a there-and-back sweep adds: the dictionary that read(steady sweeps) gives of a longer run less that of a shorter
        one, entry by entry, each the least of several runs, as other processes can only add to a time. Start and growth cancel."""
        least = {}
        for steady in (SHORT, SHORT + self.asked.steady):
            tries = [read(steady) for _ in range(self.asked.runs)]
            least[steady] = {key: min(found[key] for found in tries) for key in tries[0]}
        short, long = least.values()
        return {key: (long[key] - short[key]) / (self.asked.steady / 2) for key in long}

    def shares(self, max_states, extra=()):
        """Nanoseconds by event, at coarse."""

        def read(steady):
            report, _ = self.run(max_states, steady, (*extra, "--measurements=coarse"))
            return {event["name"]: event["total_ns"] for event in report["events"]}

        return self.differences(read)

    def products(self, max_states, extra=()):
        """Calls and operations of dgemm in a steady there-and-back sweep, and the operations and nanoseconds of the calls of whole
        runs that nothing interrupted: their quotient is a rate, which needs no difference."""
        counts = {}
        for steady in (SHORT, SHORT + self.asked.steady):
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "count.json"
                env = {**environment.one_thread(), "LD_PRELOAD": str(self.counter), "BLAS_COUNT_FILE": str(file)}
                self.run(max_states, steady, extra, env)
                counts[steady] = json.loads(file.read_text())
        short, long = counts.values()
        added = {key: (long[key] - short[key]) / (self.asked.steady / 2) for key in ("calls", "flops")}
        return {**added, "timed_flops": long["timed_flops"], "timed_ns": long["timed_ns"]}
