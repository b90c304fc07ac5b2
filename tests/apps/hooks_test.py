#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The level hooked of both programs: hooks_test.py TACTUS HEISENBERG_DMRG VOLUME_FMM GUIDE

Hooks change no bit; what they counted stands in order; options that do not fit are refused."""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

from program import energies, run, run_json
from tap import Points

KERNEL = {"perf": "task-clock,page-faults", "papi": "perf::TASK-CLOCK,perf::PAGE-FAULTS"}


def available(tactus):
    """The kinds of tactus info with their reasons (None: available), as text and JSON tell them alike."""
    rows = json.loads(run(tactus, "info", "--json").stdout)["hooks"]
    return {row["name"]: row.get("reason") for row in rows}


def check_info(points, tactus, kinds):
    text = run(tactus, "info").stdout
    points.add(set(kinds) == {"nvtx", "perf", "papi"}, "tactus info knows the hooks", str(kinds))
    for name, reason in kinds.items():
        points.add("  {} ".format(name) in text and (reason is None or reason in text), "tactus info tells of " + name, text)


def check_usage(points, program, kinds):
    name = os.path.basename(program)
    cases = [(["--hooks=perf"], 2, "--hooks: 'perf' needs --measurements=hooked"),
             (["--hooks=perf", "--measurements=detailed"], 2, "--hooks: 'perf' needs --measurements=hooked"),
             (["--measurements=hooked"], 2, "--measurements: 'hooked' needs --hooks=nvtx, perf or papi"),
             (["--measurements=hooked", "--hooks=gprof"], 2, "--hooks: 'gprof' is none of nvtx, perf, papi"),
             (["--measurements=hooked", "--hooks="], 2, "--hooks: needs a value")]
    if not kinds["perf"]:
        cases += [(["--measurements=hooked", "--hooks=perf:tusk-clock"], 2, "--hooks: 'tusk-clock' is none of "),
                  (["--measurements=hooked", "--hooks=perf:page-faults,page-faults"], 2, "--hooks: 'page-faults,page-faults' names ")]
    if not kinds["nvtx"]:
        cases.append((["--measurements=hooked", "--hooks=nvtx:x"], 2, "--hooks: 'x': nvtx makes ranges and counts nothing"))
    cases += [(["--measurements=hooked", "--hooks=" + kind], 3, "--hooks: " + reason) for kind, reason in kinds.items() if reason]
    for words, status, text in cases:
        done = run(program, *words)
        points.add(done.returncode == status and done.stderr.startswith("{}: {}".format(name, text)) and
                   done.stderr.count("\n") == 1 and not done.stdout, "{} {} is refused".format(name, " ".join(words)), str(done))
    done = run(program, "--hooks=help")
    points.add(done.returncode == 0 and all(kind + " " in done.stdout for kind in kinds) and not done.stderr,
               name + " --hooks=help lists the kinds", str(done))
    points.add(len(re.findall(r"does not expose it", done.stdout)) <= 1, name + " --hooks=help tells one reason once", done.stdout)


def check_order(points, what, report, lanes):
    """Parents hold their children, counter by counter, and on one lane a batch its items."""
    hooks = report["hooks"]
    rows = {row["name"]: row for row in hooks["events"]}
    parents = {event["name"]: event["parent"] for event in report["events"]}
    points.add(hooks["failures"] == 0 and hooks["failure"] is None, what + ": no hook failed", str(hooks["failure"]))
    points.add({event["name"]: event["count"] for event in report["events"]} == {name: row["count"] for name, row in rows.items()},
               what + ": as many calls as the recorder has phases")
    for number, counter in enumerate(hooks["counters"]):
        sums = {name: sum(rows[child]["values"][number] for child, parent in parents.items() if parent == name) for name in rows}
        points.add(all(0 <= sums[name] <= row["values"][number] for name, row in rows.items()),
                   "{}: {} of children fit into their parent".format(what, counter["name"]), str(rows))
        if lanes == 1:
            points.add(all(row["item_values"][number] <= row["values"][number] for row in rows.values()),
                       "{}: {} of items fit into their batch".format(what, counter["name"]), str(rows))
    clock = [row["values"][0] for row in rows.values()]
    points.add(min(clock) > 0, what + ": every phase took CPU time", str(clock))
    points.add("counted_share" not in str(hooks), what + ": the kernel's counters count all the time")


def check_counters(points, program, words, kinds, off, bits):
    name = os.path.basename(program)
    for kind, list_of in KERNEL.items():
        if kinds[kind]:
            continue
        for lanes in 1, 2:
            what = "{} --hooks={} on {}".format(name, kind, lanes)
            done, report = run_json(program, *words, "--threads=%d" % lanes, "--measurements=hooked",
                                    "--hooks={}:{}".format(kind, list_of))
            points.add(bits(report) == off, what + ": same bits as off")
            points.add(report["level"] == "hooked" and report["hooks"]["name"] == kind and
                       [counter["name"] for counter in report["hooks"]["counters"]] == list_of.split(","), what + ": the record says which")
            points.add("Hooks {}: ".format(kind) in done.stdout, what + ": the tables are printed", done.stdout)
            check_order(points, what, report, lanes)


def check_other_levels(points, program, words):
    _, report = run_json(program, *words, "--measurements=coarse")
    points.add("hooks" not in report, os.path.basename(program) + ": no hooks at coarse")


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))


def check_failure(points, program, words, kinds, off, bits):
    """Threads that find too few descriptors go on without counters: the same bits, and one line that says so."""
    if kinds["perf"]:
        return
    name = os.path.basename(program)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        command = [program, *words, "--threads=4", "--measurements=hooked",
                   "--hooks=perf:task-clock,page-faults,minor-faults,major-faults", "--json=" + path]
        done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=few_files)
        points.add(done.returncode == 0 and done.stdout.count("threads whose hooks failed") == 1 and "ulimit -n" in done.stdout and
                   not done.stderr, name + ": hooks that fail are told once", done.stdout[-1000:] + done.stderr)
        if done.returncode == 0:
            with open(path, encoding="utf-8") as stream:
                report = json.load(stream)
            points.add(bits(report) == off, name + ": same bits although hooks failed")
            points.add(report["hooks"]["failures"] > 0 and "ulimit -n" in report["hooks"]["failure"], name + ": the record has the failure")


def check_descriptors(points, program, words, kinds):
    """Counters that take the last descriptors give them back for the files."""
    if kinds["perf"]:
        return
    name = os.path.basename(program)
    for counters in ("task-clock", "task-clock,page-faults", "task-clock,page-faults,minor-faults"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            done = subprocess.run([program, *words, "--threads=4", "--measurements=hooked", "--hooks=perf:" + counters, "--json=" + path],
                                  capture_output=True, text=True, check=False, preexec_fn=few_files)
            points.add(done.returncode == 0 and not done.stderr, "{}: --hooks=perf:{} leaves room for the record".format(name, counters), str(done)[-1500:])
            with open(path, encoding="utf-8") as stream:
                report = json.load(stream)
            first = report["hooks"]["events"][0]
            points.add(first["count"] > 0 and first["values"][0] > 0, name + ": with what was counted", str(report["hooks"])[:500])


def check_fastest(points, program, words, kinds):
    """Of several evaluations the figures of the fastest are kept, as its times are."""
    if kinds["perf"]:
        return
    _, report = run_json(program, *words, "--repeat=4", "--measurements=hooked", "--hooks=perf:task-clock")
    solve = [row for row in report["hooks"]["events"] if row["name"] == "solve"][0]
    points.add(solve["count"] == 1, "volume_fmm: figures are of one evaluation", str(solve))


def potentials(program, words):
    """Runs with an answer in a file; its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "u.npy")
        done = run(program, *words, "--output=" + path)
        with open(path, "rb") as stream:
            return done.returncode, stream.read()


def check_potentials(points, program, words, kinds):
    off = potentials(program, words)
    for kind, reason in kinds.items():
        if not reason:
            points.add(potentials(program, words + ["--measurements=hooked", "--hooks=" + kind]) == off,
                       "volume_fmm --hooks={}: same potentials as off".format(kind))


def check_guide(points, guide, programs, kinds):
    """The commands of the guide run as they are written, or are refused for a kind that is not here."""
    with open(guide, encoding="utf-8") as page:
        commands = re.findall(r"^```sh\n(.*?)^```", page.read(), re.MULTILINE | re.DOTALL)[0].splitlines()
    folders = [os.path.dirname(os.path.abspath(program)) for program in programs]
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "PATH": os.pathsep.join(folders + [os.environ["PATH"]]), "XDG_CACHE_HOME": folder}
        for command in commands:
            kind = re.search(r"--hooks=(\w+)", command)[1]
            done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, cwd=folder, env=env)
            points.add(done.returncode == (3 if kinds.get(kind) else 0), "the guide's " + command, done.stderr)
    points.add(len(commands) > 3, "the guide has commands")


def main(tactus, dmrg, fmm, guide):
    points = Points()
    kinds = available(tactus)
    check_info(points, tactus, kinds)
    chain = ["--sites=12", "--max-states=24", "--max-sweeps=6"]
    tree = ["--tol=1e-4", "--cache=none"]
    for program, words, bits in (dmrg, chain, energies), (fmm, tree, lambda report: report["result"]["error"]["potential"]["relative_l2"]):
        check_usage(points, program, kinds)
        _, report = run_json(program, *words)
        off = bits(report)
        check_counters(points, program, words, kinds, off, bits)
        check_other_levels(points, program, words)
        check_failure(points, program, words, kinds, off, bits)
        check_descriptors(points, program, words, kinds)
    check_fastest(points, fmm, tree, kinds)
    check_potentials(points, fmm, tree, kinds)
    check_guide(points, guide, [dmrg, fmm], kinds)
    points.finish()


main(*sys.argv[1:5])
