#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a measured run of heisenberg_dmrg says of its own cost: perturbation_device_test.py EXECUTOR TACTUS HEISENBERG_DMRG

On a device executor one line under the tables and one object in JSON; nothing at off or on the host. Skips where the executor
is not available, unless TACTUS_REQUIRE_DEVICE names it."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from program import energies, on_a_terminal, run, run_json, skip_unless_available
from tap import Points

LINE = re.compile(r"Measured, a sweep there and back took (\d+\.\d{6}) s, and (\d+\.\d{6}) s with measurements off: "
                  r"(?:(\d+\.\d) % (more|less, so single timings say nothing here)|within the noise of one timing|two that did not do the same work)\.")
KEYS = {"measured_there_and_back_seconds", "off_there_and_back_seconds", "measured_pair", "same_work"}
CHAIN = ["--sites=16", "--max-states=24"]
SETTLED = ["--min-sweeps=14", "--max-sweeps=14"]
RUNS = [  # words, the measured pairs that may stand beside, whether both must have done the same
    (SETTLED, {"last"}, True),
    (["--min-sweeps=13", "--max-sweeps=13"], {"last"}, True),
    (SETTLED + ["--steady-sweeps=5"], {"steady"}, True),
    (["--trajectory=uni20", "--split=device"] + SETTLED, {"last"}, True),
    (["--max-sweeps=1"], {"extra"}, False),
    (["--max-sweeps=2", "--precision=fp32"], {"last", "extra"}, False),
    (["--scalar=complex", "--threads=1"] + SETTLED, {"last"}, True),
]


def says_nothing(done, report):
    return "Measured, a sweep" not in done.stdout and "perturbation" not in report


def agrees(line, values):
    """The line and JSON tell the same."""
    measured, off = values["measured_there_and_back_seconds"], values["off_there_and_back_seconds"]
    near = abs(float(line[1]) - measured) < 1e-6 and abs(float(line[2]) - off) < 1e-6
    cost = measured / off - 1
    said = ("did not do the same" in line[0] if not values["same_work"] else
            abs(float(line[3]) - 100 * abs(cost)) < 0.1 and abs(cost) > 0.0499 and (cost > 0) == (line[4] == "more") if line[3] else
            "noise" in line[0] and abs(cost) < 0.0501)
    return values.keys() == KEYS and measured > 0 and off > 0 and near and said


def check_line(points, executor, program, level, words, pairs, same):
    words = CHAIN + words
    name = level + " " + " ".join(words)
    done, report = run_json(program, "--executor=" + executor, "--measurements=" + level, "--quiet", *words)
    line, values = LINE.fullmatch(done.stdout.splitlines()[-1]), report.get("perturbation", {})
    points.add(bool(line) and done.stdout.count("Measured, ") == 1, name + ": one line under the tables", done.stdout[-400:])
    points.add(bool(line) and agrees(line, values), name + ": JSON has its numbers", str(values))
    points.add(values.get("measured_pair") in pairs and (values["same_work"] or not same), name + ": of the pair", str(values))
    off, at_off = run_json(program, "--executor=" + executor, "--quiet", *words)
    points.add(says_nothing(off, at_off), name + ": nothing at off", off.stdout)
    same_result = all(report["result"][key] == at_off["result"][key] for key in ("energy_state", "variance", "state_bytes"))
    points.add(energies(report) == energies(at_off) and same_result, name + ": the result is that of off", str(report["result"]))
    sweeps = sum(event["count"] for event in report["events"] if event["name"] == "sweep")
    points.add(sweeps == len(report["sweeps"]) + len(report["steady"]), name + ": no event of it is told", str(sweeps))


def check_host(points, program):
    for host in "serial", "threads":
        done, report = run_json(program, "--executor=" + host, "--measurements=detailed", *CHAIN)
        points.add(says_nothing(done, report), host + ": nothing on the host", done.stdout)


def check_other_outputs(points, executor, program):
    words = ["--executor=" + executor, "--measurements=coarse"]
    done = run(program, "--sites=1", *words)
    points.add(done.returncode == 0 and "Measured, " not in done.stdout, "one site: no pair of sweeps", str(done))
    done = run("/bin/sh", "-c", '{ "$0" "$@" --json=/dev/fd/3 >/dev/null; } 3>&1 | cat', program, *words, *CHAIN)
    points.add("perturbation" in json.loads(done.stdout or "{}"), "a pipe gets one object", done.stdout[-400:])
    status, text, shown = on_a_terminal(program, *words, *CHAIN, *SETTLED)
    points.add(status == 0 and LINE.fullmatch(text.splitlines()[-1]) is not None, "a terminal sees it, too", text[-400:])
    points.add("measurements off, sweep 1" in shown, "and which sweeps run", shown[-400:])


def check_interruption(points, executor, program):
    """What is told before the sweeps at off stays."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        words = ["--sites=100", "--max-states=64", "--max-sweeps=7", "--local-matvecs=12", "--quiet", "--measurements=coarse"]
        with subprocess.Popen([program, "--executor=" + executor, "--json=" + path] + words, stdout=subprocess.PIPE,
                              text=True) as process:
            while process.poll() is None and not os.path.exists(path):
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            text = process.stdout.read()
        with open(path, encoding="utf-8") as stream:
            report = json.load(stream)
        points.add(process.returncode == -signal.SIGINT, "SIGINT ends the sweeps at off", str(process.returncode))
        points.add("energy  " in text and "launches" in text and not LINE.search(text), "the tables were printed", text[-400:])
        points.add(len(report["sweeps"]) == 7 and "perturbation" not in report, "JSON was written", str(report["result"]))
        points.add(os.listdir(folder) == ["out.json"], "and nothing beside it", str(os.listdir(folder)))


def main(executor, tactus, program):
    skip_unless_available(tactus, executor)
    points = Points()
    for words, pairs, same in RUNS:
        check_line(points, executor, program, "coarse", words, pairs, same)
    check_line(points, executor, program, "detailed", *RUNS[0])
    check_host(points, program)
    check_other_outputs(points, executor, program)
    check_interruption(points, executor, program)
    points.finish()


main(*sys.argv[1:])
