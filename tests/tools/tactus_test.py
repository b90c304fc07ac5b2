#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The program tactus from outside: tactus_test.py PROGRAM VERSION OPENMP(true or false)"""
import json
import os
import subprocess
import sys

from tap import Points


def run(program, *words, **options):
    return subprocess.run([program, *words], capture_output=True, text=True, check=False, **options)


def check_usage(points, program, words, needle):
    """Status 2, nothing on standard output, one line that names the trouble on standard error."""
    done = run(program, *words)
    one_line = done.stderr.count("\n") == 1 and done.stderr.endswith("\n")
    passed = done.returncode == 2 and not done.stdout and one_line and needle in done.stderr
    points.add(passed, "refuses " + (" ".join(words) or "no command"), str(done))


def check_executors(points, info, text, openmp):
    executors = {row["name"]: row for row in info["executors"]}
    points.add({"serial", "threads", "openmp"} <= executors.keys(), "knows its executors", str(list(executors)))
    points.add(executors["serial"]["available"] and executors["threads"]["available"], "serial and threads are available")
    points.add(executors["openmp"]["available"] == openmp, "openmp is available where it was built")
    points.add(info["parts"]["openmp"] == openmp, "the parts say whether openmp was built")
    reasoned = all(row["available"] == ("reason" not in row) for row in executors.values())
    points.add(reasoned and all(row.get("reason", "why") for row in executors.values()), "what is missing has a reason")
    shown = all(row["name"] in text and row["summary"] in text and row.get("reason", "") in text for row in executors.values())
    points.add(shown, "the text shows every executor", text)
    with_devices = [row for row in executors.values() if "devices" in row]
    points.add({row["name"] for row in with_devices} == {"opencl", "cuda"} and
               all(bool(row["devices"]) == row["available"] for row in with_devices), "a device executor that is available has devices")
    points.add(all("device %d: %s" % (device["number"], device["name"]) in text for row in with_devices for device in row["devices"]),
               "the text shows every device", text)


def check_info(points, program, version, openmp):
    text = run(program, "info")
    done = run(program, "info", "--json")
    points.add(text.returncode == 0 and done.returncode == 0, "info ends well")
    info = json.loads(done.stdout)
    points.add(info["schema"] == 1, "the JSON form is of schema 1")
    points.add(info["version"] == version and text.stdout.startswith("tactus %s\n" % version), "names its version")
    points.add(info["lanes"] == len(os.sched_getaffinity(0)), "counts the processors allowed")
    points.add(0 < info["clock"]["resolution_ns"] < 10**9 and info["clock"]["name"] in text.stdout, "names its clock")
    points.add(list(info["parts"]) == ["openmp", "dmrg", "fmm", "zlib", "opencl", "cuda", "nvtx", "papi"] and "dmrg: built, fmm: built" in text.stdout, "names the parts")
    points.add(info["blas"]["name"] and info["blas"]["name"] in text.stdout, "names its BLAS", str(info["blas"]))
    check_executors(points, info, text.stdout, openmp)


def check_affinity(points, program):
    one = min(os.sched_getaffinity(0))
    done = run(program, "info", "--json", preexec_fn=lambda: os.sched_setaffinity(0, {one}))
    points.add(json.loads(done.stdout)["lanes"] == 1, "one processor allowed makes one lane")


def check_full_disk(points, program):
    for words in ["info"], ["info", "--json"], ["--help"]:
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([program, *words], stdout=full, stderr=subprocess.PIPE, check=False)
        points.add(done.returncode == 1 and b"cannot be written" in done.stderr, " ".join(words) + " reports a failed write", str(done))


def main(program, version, openmp):
    points = Points()
    check_usage(points, program, [], "no command")
    check_usage(points, program, ["inform"], "'inform'")
    check_usage(points, program, ["reprot"], "unknown command 'reprot'; did you mean 'report'?")
    check_usage(points, program, ["info", "now"], "now")
    check_usage(points, program, ["info", "--jsn"], "--jsn")
    check_usage(points, program, ["--version", "now"], "'now'")
    helped = run(program, "--help")
    points.add(helped.returncode == 0 and "usage: tactus" in helped.stdout, "--help helps")
    points.add(run(program, "help").stdout == helped.stdout, "and so does help")
    for command in "info", "report", "compare", "costs":
        asked, told = run(program, "help", command), run(program, command, "--help")
        points.add(asked.returncode == 0 and asked.stdout == told.stdout and "usage: tactus " + command in told.stdout and not asked.stderr,
                   "help " + command, str(asked))
    check_usage(points, program, ["help", "reprot"], "unknown command 'reprot'; did you mean 'report'?")
    check_usage(points, program, ["help", "report", "x"], "too many words: 'x'")
    points.add(run(program, "--version").stdout == "tactus %s\n" % version, "--version tells the version")
    check_info(points, program, version, openmp)
    check_affinity(points, program)
    check_full_disk(points, program)
    points.finish()


main(sys.argv[1], sys.argv[2], sys.argv[3] == "true")
