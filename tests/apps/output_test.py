#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is written, where, and what happens when it cannot be: output_test.py PROGRAM"""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from program import energies, keep_files_small, on_a_terminal, run, run_json
from seeded import seeded_dice
from tap import Points

SWEEP = re.compile(r"^ +(\d+)  (right|left) +(\S+) +(\d+) +(\S+) +(\S+)$", re.MULTILINE)
OLD = '{"old": true}\n'


def numbers_close(text, value):
    """Energies are printed with twelve decimals."""
    return abs(float(text) - value) <= 0.51e-12


def check_text_agrees(points, program):
    done, report = run_json(program, "--sites=12", "--max-states=16", "--steady-sweeps=3", "--check")
    rows, sweeps = SWEEP.findall(done.stdout), report["sweeps"] + report["steady"]
    points.add(len(rows) == len(sweeps) > 5, "a line a sweep", done.stdout)
    points.add(len({(len(row[2]), len(line)) for row, line in zip(rows, filter(SWEEP.match, done.stdout.splitlines()))}) == 1,
               "the columns line up", done.stdout)
    agree = all(numbers_close(row[2], sweep["energy"]) and int(row[3]) == sweep["max_bond"]
                and (row[1] == "right") == (sweep["direction"] > 0) and abs(float(row[5]) - sweep["seconds"]) < 1e-6
                and abs(float(row[4]) - sweep["max_discarded"]) <= 0.01 * sweep["max_discarded"]
                for row, sweep in zip(rows, sweeps))
    points.add(agree, "the lines say what the JSON says", done.stdout)
    points.add([int(row[0]) for row in rows] == list(range(1, len(report["sweeps"]) + 1)) + [1, 2, 3], "sweeps are numbered")
    points.add(all(a["direction"] == -b["direction"] for a, b in zip(sweeps, sweeps[1:])), "directions alternate")
    result = report["result"]
    shown = dict(re.findall(r"^(energy a site|exact energy|energy|variance) +(\S+)", done.stdout, re.MULTILINE))
    points.add(numbers_close(shown["energy"], result["energy"]) and numbers_close(shown["exact energy"], result["check"]["exact"])
               and numbers_close(shown["energy a site"], result["energy"] / 12), "the result says what the JSON says", str(shown))
    points.add(result["energy"] == report["sweeps"][-1]["energy"] and result["sweeps"] == len(report["sweeps"]),
               "the result is that of the last sweep")
    median = sorted(a["seconds"] + b["seconds"] for a, b in zip(report["steady"][::2], report["steady"][1::2]))[0]
    points.add(abs(result["steady_there_and_back_seconds"] - median) < 1e-12, "there and back is two sweeps")


def check_header(points, program):
    done, report = run_json(program, "--sites=4", "--executor=threads", "--threads=2", "--field=0.5")
    header, about = done.stdout.split("\n\n")[0], report["run"]
    needed = [about["version"], "threads with 2 lanes", about["blas"]["name"], about["blas"]["kernel"], "4 spins 1/2", "field 0.5"]
    points.add(all(word in header for word in needed), "the header tells what runs", header)
    points.add(about["command_line"][1:4] == ["--sites=4", "--executor=threads", "--threads=2"], "the JSON keeps the command line")
    points.add(report["schema"] == 1, "the JSON has a schema version")


def check_quiet(points, program):
    done = run(program, "--sites=4", "--quiet")
    points.add(done.stdout.startswith("converged") and not SWEEP.search(done.stdout), "--quiet prints the result alone", done.stdout)


def check_energies_before_and_after(points, program):
    done, report = run_json(program, "--sites=20", "--max-states=1")
    result = report["result"]
    points.add(result["energy_ritz"] < result["energy"] - 0.1 and "before the last truncation" in done.stdout,
               "m=1: both energies are told", done.stdout)
    done, _ = run_json(program, "--sites=20", "--max-states=1", "--trajectory=uni20")
    points.add(bool(re.search(r"^energy {10}\S+  before the last truncation$", done.stdout, re.MULTILINE)
                    and re.search(r"^  of the state  \S+  after the last truncation$", done.stdout, re.MULTILINE)),
               "uni20: the energy is said to be the one before", done.stdout)
    points.add(abs(result["energy"] - result["energy_state"]) < 1e-12 and abs(result["energy"] + 4.75) < 1e-12,
               "m=1: the energy is that of the state", str(result))


def check_single(points, program):
    """Single precision shows the digits that it has, and converges by its own tolerance."""
    done, report = run_json(program, "--sites=30", "--max-states=48", "--precision=fp32", "--check")
    points.add(report["result"]["converged"] and report["result"]["check"]["passed"], "fp32 converges", done.stdout)
    points.add(all(re.fullmatch(r"-\d+\.\d{6}", row[2]) for row in SWEEP.findall(done.stdout)), "fp32 has six decimals",
               done.stdout)


def check_comparison(points, program):
    for words, verdict in (("--sites=12",), "passed"), (("--sites=12", "--max-states=2"), "missed"):
        done, report = run_json(program, *words, "--check")
        found = re.search(r"^check (\w+): (\S+) (above|below) the exact energy; allowed (\S+) … (\S+)$", done.stdout, re.MULTILINE)
        check = report["result"]["check"]
        numbers = [abs(check["difference"]), -check["allowed_below"], check["allowed_above"]]
        agree = found and all(abs(float(found[i]) - number) <= 0.06 * abs(number) for i, number in zip((2, 4, 5), numbers))
        points.add(bool(agree) and found[1] == verdict and (found[3] == "below") == (check["difference"] < 0),
                   "a check that " + verdict, done.stdout)


def check_decompositions(points, program):
    done, report = run_json(program, "--sites=12")
    result = report["result"]
    line = "decompositions  {full_bonds} SVD, {gram_bonds} Gram, {warm_bonds} warm ({warm_rejected} taken back)\n".format(**result)
    points.add(result["svd_fallbacks"] == 0 and line in done.stdout, "decompositions are counted", done.stdout)


def check_discarded_floor(points, program):
    for words in [["--sites=16", "--max-states=60"], ["--sites=16", "--max-states=8"], ["--sites=4", "--trajectory=uni20"]]:
        done, report = run_json(program, *words)
        last = report["sweeps"][-1]
        told = "not resolved below" in done.stdout
        points.add(told == (0 < last["max_discarded"] < 10 * last["discarded_floor"]), "the floor of weights: " + " ".join(words),
                   done.stdout)


def check_warnings(points, program):
    stuck = "--sites=8", "--jxy=0", "--jz=-1"
    done, report = run_json(program, *stuck)
    points.add("warning: the first sweep changed nothing" in done.stdout and len(report["result"]["warnings"]) == 1,
               "a stuck start is told", done.stdout)
    done, report = run_json(program, "--sites=8", "--local-matvecs=1", "--max-sweeps=2")
    points.add("warning: the first sweep changed nothing: with --local-matvecs=1" in done.stdout
               and len(report["result"]["warnings"]) == 1, "too few products are told as the cause", done.stdout)
    for words in stuck + ("--start=random",), ("--sites=8",), ("--sites=8", "--twice-sz=8"), ("--sites=1",):
        done, report = run_json(program, *words)
        points.add("warning" not in done.stdout and report["result"]["warnings"] == [], "no warning: " + " ".join(words), done.stdout)


def check_full_disk(points, program):
    for words in ["--sites=4"], ["--sites=4", "--quiet"], ["--help"], ["--version"], ["--sites=4", "--measurements=coarse", "--quiet"]:
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = run(program, *words, stdout=full, stderr=subprocess.PIPE)
        points.add(done.returncode == 1 and done.stderr.count("\n") == 1 and "No space" in done.stderr,
                   "a full disk: " + " ".join(words), str(done))


def check_closed_pipe(points, program):
    reader, writer = os.pipe()
    os.close(reader)
    done = run(program, "--sites=4", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    points.add(done.returncode == 1 and done.stderr.count("\n") == 1 and "Broken pipe" in done.stderr, "a closed pipe", str(done))


def check_closed_stdout(points, program):
    """A file that the program opens must not become its standard output."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        script = 'exec "$0" --sites=4 --json="$1" >&-'
        done = subprocess.run(["/bin/sh", "-c", script, program, path], stderr=subprocess.PIPE, check=False)
        points.add(done.returncode == 1 and not os.path.exists(path), "a closed standard output", str(done))


def check_failed_write_keeps_old(points, program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(OLD)
        done = run(program, "--sites=4", "--json=" + path, preexec_fn=keep_files_small)
        with open(path, encoding="utf-8") as stream:
            kept = stream.read() == OLD
        points.add(done.returncode == 1 and done.stderr.count("\n") == 1 and "File too large" in done.stderr,
                   "a JSON file that cannot be written", str(done))
        points.add(kept and os.listdir(folder) == ["out.json"], "leaves the old one and nothing else", str(os.listdir(folder)))


def check_special_targets(points, program):
    done = run(program, "--sites=4", "--quiet", "--json=/dev/full")
    points.add(done.returncode == 1 and "No space" in done.stderr and os.path.exists("/dev/full"), "--json=/dev/full", str(done))
    with tempfile.TemporaryDirectory() as folder:
        link, target = os.path.join(folder, "link.json"), os.path.join(folder, "target.json")
        with open(target, "w", encoding="utf-8") as stream:
            stream.write(OLD)
        os.chmod(target, 0o640)
        os.symlink(target, link)
        done = run(program, "--sites=4", "--json=" + link)
        with open(target, encoding="utf-8") as stream:
            text = stream.read()
        points.add(done.returncode == 0 and os.path.islink(link) and "result" in json.loads(text), "a link is followed")
        points.add(text.endswith("}\n"), "the JSON ends with a newline", repr(text[-9:]))
        points.add(os.stat(target).st_mode & 0o777 == 0o640, "the mode of the file is kept")


def check_short_memory(points, program):
    """BLAS waits for its buffers for ever: the program must not come that far."""
    for megabytes in range(150, 600, 50):
        def limit_addresses(most=megabytes << 20):
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        try:
            done = run(program, "--sites=20", "--max-states=100", "--executor=serial", timeout=20,
                       preexec_fn=limit_addresses, env=dict(os.environ, OPENBLAS_NUM_THREADS="2"))
            points.add(done.returncode in (0, 1) and (done.returncode == 0 or done.stderr.count("\n") == 1),
                       "%d MiB of addresses: done, or one line" % megabytes, str(done))
        except subprocess.TimeoutExpired:
            points.add(False, "%d MiB of addresses: ends" % megabytes)


def check_kill_in_a_sweep(points, program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(OLD)
        words = ["--sites=60", "--max-states=200", "--steady-sweeps=1000", "--json=" + path]
        with subprocess.Popen([program, *words], stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                if SWEEP.match(line):
                    process.kill()
                    break
        with open(path, encoding="utf-8") as stream:
            points.add(process.returncode == -signal.SIGKILL and stream.read() == OLD, "killed in a sweep: the old JSON is there")


def check_kill_anywhere(points, program):
    """Killed at any moment, writing a large file most of the time: the file is always whole."""
    dice, whole, killed = seeded_dice(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(OLD)
        for _ in range(15):
            words = ["--sites=2", "--quiet", "--steady-sweeps=3000", "--measurements=detailed", "--json=" + path]
            with subprocess.Popen([program, *words], stdout=subprocess.DEVNULL) as process:
                time.sleep(dice.uniform(0, 0.25))
                process.kill()
            killed += process.returncode == -signal.SIGKILL
            with open(path, encoding="utf-8") as stream:
                whole += isinstance(json.load(stream), dict)
    points.add(whole == 15 and killed > 0, "killed anywhere: the JSON is whole", str((whole, killed)))


def check_terminate_anywhere(points, program):
    """Told to stop at any moment: it stops, and no temporary file stays."""
    dice, stopped, left = seeded_dice(), 0, set()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP] * 5:
            words = ["--sites=2", "--quiet", "--steady-sweeps=3000", "--measurements=detailed", "--json=" + path]
            with subprocess.Popen([program, *words], stdout=subprocess.DEVNULL) as process:
                time.sleep(dice.uniform(0, 0.25))
                process.send_signal(number)
            stopped += process.returncode == -number
            left |= set(os.listdir(folder))
    points.add(left <= {"out.json"} and stopped > 0, "stopped anywhere: no temporary file", str((left, stopped)))


def check_progress(points, program):
    status, text, shown = on_a_terminal(program, "--sites=6", "--max-sweeps=3")
    points.add(status == 0 and 1 <= shown.count("bond ") <= 15 and "sweep 1, bond 1 of 5" in shown, "a progress line", repr(shown))
    points.add(shown.endswith("\r\033[K") and ", bond " not in text, "it is removed at the end", repr(shown[-40:]))
    plain = run(program, "--sites=6", "--max-sweeps=3")
    points.add(not plain.stderr, "no progress in a pipe", plain.stderr)
    points.add([row[:5] for row in SWEEP.findall(plain.stdout)] == [row[:5] for row in SWEEP.findall(text)],
               "progress changes no result")
    status, text, shown = on_a_terminal(program, "--sites=6", "--max-sweeps=3", columns=20)
    lines = [line.replace("\033[K", "") for line in shown.split("\r")]
    points.add(max(map(len, lines)) == 19 and "sweep 1, bond 1 of " in lines, "it is cut to the terminal", repr(shown))
    status, text, shown = on_a_terminal(program, "--sites=10", "--jz=1e308", "--jxy=1e308")
    points.add(status == 1 and "sweep 1, site 0" in shown, "a failure leaves its message", repr(shown))
    status, text, shown = on_a_terminal(program, "--sites=6", "--quiet")
    points.add(status == 0 and shown == "", "--quiet shows no progress", repr(shown))
    status, text, shown = on_a_terminal(program, "--sites=6", "--max-sweeps=3", "--measurements=coarse")
    points.add(status == 0 and "bond " in shown and "effective-H application" in text, "progress with measurement")


def check_seeds(points, program):
    def bits(*words):
        return energies(run_json(program, "--sites=10", "--max-sweeps=3", "--start=random", *words)[1])
    points.add(bits("--seed=4") == bits("--seed=4") != bits("--seed=5"), "a seed fixes the random start")


def main(program, sanitize):
    points = Points()
    if sanitize == "none":  # sanitizers reserve terabytes of addresses
        check_short_memory(points, program)
    for check in (check_text_agrees, check_header, check_quiet, check_energies_before_and_after, check_single,
                  check_comparison, check_decompositions, check_discarded_floor, check_warnings, check_full_disk,
                  check_closed_pipe, check_closed_stdout, check_failed_write_keeps_old, check_special_targets,
                  check_kill_in_a_sweep, check_kill_anywhere, check_terminate_anywhere, check_progress, check_seeds):
        check(points, program)
    points.finish()


main(*sys.argv[1:])
