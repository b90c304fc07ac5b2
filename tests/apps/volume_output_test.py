#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What volume_fmm writes, where, and what happens when it cannot: volume_output_test.py PROGRAM"""
import csv
import json
import math
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

from program import keep_files_small, on_a_terminal, run, run_json
from seeded import seeded_dice
from tap import Points

OLD = "old\n"
FAST = "--levels=2", "--order=4", "--cache=none"
PHASES = [
    "far_form_multipoles", "far_coarsen_multipoles", "nearfield_table_apply", "split_correction", "far_multipole_to_local",
    "far_eval_multipoles", "far_form_locals", "far_refine_locals", "far_eval_locals",
]
COLUMNS = [
    "kernel", "near", "scope", "phase", "ops_unit", "ops", "ops_share", "flops", "seconds", "seconds_share", "calls",
    "counting_rule", "device_seconds",
]


def check_text_agrees(points, program):
    done, report = run_json(program, "--measurements=coarse", "--tol=1e-5", "--cache=none")
    tree, result = report["tree"], report["result"]
    rows = re.findall(r"^ +(\d+) +(\S+) +(\d+)$", done.stdout.split("\ntree ")[0], re.MULTILINE)
    points.add({int(row[0]): int(row[2]) for row in rows} == {i: n for i, n in enumerate(tree["leaves_by_level"]) if n},
               "leaves per level", done.stdout)
    points.add(all(abs(float(row[1]) * 2 ** int(row[0]) - 1) < 1e-3 for row in rows), "sides per level")
    line = "pairs       list 1: {list1_same} same level, {list1_finer} finer, {list1_coarser} coarser; list 2: {list2}; list 3: {list3}; list 4: {list4}\n"
    points.add(line.format(**tree) in done.stdout, "sizes of lists", done.stdout)
    points.add("tree        {leaves} leaves, {nodes} nodes".format(**tree) in done.stdout, "the tree", done.stdout)
    found = re.search(r"^evaluation +(\S+) s with measurements off, (\S+) points/s", done.stdout, re.MULTILINE)
    points.add(found and abs(float(found[1]) / result["off_seconds"] - 1) < 1e-3
               and abs(float(found[2]) * result["off_seconds"] / tree["nodes"] - 1) < 1e-2, "points/s come from the off solve",
               done.stdout)
    found = re.search(r"^error +(\S+) relative L2, (\S+) at most, against the closed form at (\d+) nodes$", done.stdout, re.MULTILINE)
    error = result["error"]
    points.add(found and abs(float(found[1]) / error["potential"]["relative_l2"] - 1) < 1e-2 and int(found[3]) == tree["nodes"],
               "the error", done.stdout)


def check_header(points, program):
    done, report = run_json(program, *FAST, "--executor=threads", "--threads=2", "--kernel=yukawa", "--param=2.5")
    header, about = done.stdout.split("\n\n")[0], report["run"]
    needed = [about["version"], "threads with 2 lanes", about["blas"]["name"], about["blas"]["kernel"], "2D, kernel yukawa with l = 2.5",
              "density gaussian", "[-0.5, 0.5] x [-0.5, 0.5]", "order 4"]
    points.add(all(word in header for word in needed), "the header tells what runs", header)
    points.add(about["command_line"][1:4] == list(FAST) and report["schema"] == 1, "the JSON keeps the command line")


def check_phases(points, program):
    """A row a phase in the table, the JSON and the CSV, with the same numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "phases.csv")
        done, report = run_json(program, "--measurements=coarse", "--tol=1e-4", "--cache=none", "--phases=" + path)
        with open(path, encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
    profile = report["profile"]
    points.add([row["phase"] for row in rows] == PHASES and list(rows[0]) == COLUMNS, "rows and columns of the CSV", str(rows))
    points.add([phase["name"] for phase in profile["phases"]] == PHASES, "phases of the JSON", str(profile))
    points.add(all(re.search("^" + name, done.stdout, re.MULTILINE) for name in PHASES + ["residual", "profiled total", "off total"]),
               "rows of the table", done.stdout)
    for row, phase in zip(rows, profile["phases"]):
        points.add(int(row["calls"]) == phase["calls"] and (row["kernel"], row["scope"]) == ("laplace", "solve")
                   and row["counting_rule"] and row["ops_unit"], "CSV row " + row["phase"], str((row, phase)))
    shares = [float(row["seconds_share"]) for row in rows]
    points.add(0.5 < sum(shares) <= 1, "shares are of the profiled total", str(shares))
    split = rows[PHASES.index("split_correction")]
    points.add((split["calls"], float(split["seconds"]), int(split["ops"])) == ("0", 0, 0), "Laplace does not enter the split", str(split))
    points.add(all(int(row["ops"]) > 0 and float(row["flops"]) > 0 for row in rows if row["phase"] in PHASES[2::2]),
               "operations and flops are counted", str(rows))
    names = {event["name"]: event for event in report["events"]}
    points.add(set(names) == set(PHASES) - {"split_correction"} | {"solve"} and names["solve"]["count"] == 1,
               "events of one profiled evaluation", str(names))


def check_detailed(points, program):
    done, report = run_json(program, "--measurements=detailed", "--tol=1e-4", "--threads=2", "--repeat=2", "--cache=none")
    points.add(report["batches"] and {batch["event"] for batch in report["batches"]} <= set(PHASES)
               and all(batch["requested"] == batch["started"] == batch["completed"] for batch in report["batches"]),
               "detailed: batches", str(report["batches"])[:300])
    points.add("peak overlap" in done.stdout and "lanes idle" in done.stdout, "detailed: the second table", done.stdout)
    off = run_json(program, *FAST)[1]
    points.add(off["level"] == "off" and off["events"] == [] and "profile" not in off, "off: nothing is recorded")


def npy_values(path):
    with open(path, "rb") as stream:
        data = stream.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = data[10:10 + length].decode()
    shape = tuple(int(word) for word in re.search(r"'shape': \(([^)]*)\)", header)[1].replace(",", " ").split())
    return shape, struct.unpack("<%dd" % ((len(data) - 10 - length) // 8), data[10 + length:])


def check_answer_files(points, program):
    with tempfile.TemporaryDirectory() as folder:
        def write(name, *words):
            path = os.path.join(folder, name)
            done = run(program, *words, "--cache=none", "--quiet", "--output=" + path)
            points.add(done.returncode == 0, "writes {} with {}".format(name, " ".join(words)), str(done))
            return path
        with open(write("u.csv", "--levels=2", "--grad", "--dim=3", "--order=2"), encoding="utf-8") as stream:
            lines = stream.read().splitlines()
        points.add(lines[0] == "x,y,z,u,ux,uy,uz" and len(lines) == 513, "a CSV of the nodes", lines[0])
        words = lines[7].split(",")
        points.add(all(word == repr(float(word)) or len(word.lstrip("-0.")) >= 15 for word in words), "with 17 digits", lines[7])
        shape, values = npy_values(write("u.npy", "--grid=6", "--dim=3", "--tol=1e-3"))
        points.add(shape == (6, 6, 6) and len(values) == 216, "a grid as an array", str(shape))
        shape, values = npy_values(write("g.npy", "--grid=6", "--grad", "--tol=1e-3", "--kernel=helmholtz"))
        points.add(shape == (6, 6, 3) and len(values) == 2 * 108, "with gradients, complex", str(shape))
        cube = write("u.cube", "--grid=6", "--dim=3", "--tol=1e-3")
        done, report = run_json(program, "--density=" + cube, "--tol=1e-2", "--cache=none")
        points.add(report["run"]["dim"] == 3 and abs(report["run"]["domain"]["side"] - 1) < 1e-12, "a cube file is read back",
                   str(report["run"]))
        points.add("6 x 6 x 6 voxels and 0 atoms, lengths in Bohr" in done.stdout, "and its units are told", done.stdout)


def check_cube(points, program):
    """A Gaussian of charge 1 in a cube file: its potential comes out as a cube on the same grid, and sums superpose."""
    count, step, a = 33, 0.25, 1.0
    def cube_text(centers):
        head = "density\nof Gaussians\n1 -4 -4 -4\n" + "".join(
            "%d %s\n" % (count, " ".join(str(step if axis == i else 0) for axis in range(3))) for i in range(3)) + "1 1 0 0 0\n"
        axis = [-4 + step * i for i in range(count)]
        norm = (a / math.pi) ** 1.5
        return head + "\n".join("%.10e" % (norm * sum(math.exp(-a * ((x - c) ** 2 + y * y + z * z)) for c in centers))
                                for x in axis for y in axis for z in axis) + "\n"
    def potential(folder, name, centers):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
            stream.write(cube_text(centers))
        done = run(program, "--density=" + os.path.join(folder, name), "--tol=1e-5", "--cache=none",
                   "--output=" + os.path.join(folder, "u.cube"))
        with open(os.path.join(folder, "u.cube"), encoding="utf-8") as stream:
            lines = stream.read().splitlines()
        points.add(done.returncode == 0 and lines[2].split()[0] == "1" and lines[3].split()[0] == str(count),
                   name + ": the potential is a cube with the atom", str(done))
        return [float(word) for line in lines[7:] for word in line.split()]
    with tempfile.TemporaryDirectory() as folder:
        one, two, both = potential(folder, "a.cube", [0]), potential(folder, "b.cube", [0.5]), potential(folder, "c.cube", [0, 0.5])
    middle = (count ** 3 - 1) // 2
    exact = 2 * math.sqrt(a / math.pi) / (4 * math.pi)
    points.add(abs(one[middle] / exact - 1) < 1e-4, "the potential at the center", str((one[middle], exact)))
    far = one[0] * 4 * math.pi * math.sqrt(48)
    points.add(abs(far - 1) < 1e-4, "far away it is that of a charge", str(far))
    worst = max(abs(x + y - z) for x, y, z in zip(one, two, both)) / max(both)
    points.add(worst < 1e-4, "cubes superpose", str(worst))


def check_plot(points, program):
    with tempfile.TemporaryDirectory() as folder:
        for words in ["--tol=1e-3"], ["--tol=1e-2", "--dim=3", "--kernel=helmholtz"]:
            path = os.path.join(folder, "u.svg")
            done = run(program, *words, "--cache=none", "--plot=" + path)
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
            points.add(done.returncode == 0 and text.lstrip().startswith("<") and "</svg>" in text and "gaussian" in text,
                       "a picture: " + " ".join(words), str(done))


def check_quiet(points, program):
    done = run(program, *FAST, "--quiet")
    points.add(done.stdout.startswith("evaluation") and "tree" not in done.stdout, "--quiet prints the result alone", done.stdout)


def check_full_disk(points, program):
    for words in [*FAST], [*FAST, "--quiet"], ["--help"], ["--version"], ["--density=help"], ["--executor=help"], \
            [*FAST, "--measurements=coarse", "--quiet"]:
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = run(program, *words, stdout=full, stderr=subprocess.PIPE)
        points.add(done.returncode == 1 and done.stderr.count("\n") == 1 and "No space" in done.stderr,
                   "a full disk: " + " ".join(words), str(done))
    for option in "--json", "--csv", "--phases", "--speedscope", "--report", "--trace":
        done = run(program, *FAST, "--measurements=coarse", option + "=/dev/full")
        points.add(done.returncode == 1 and "No space" in done.stderr and done.stderr.startswith("volume_fmm: " + option),
                   option + "=/dev/full", str(done))


def check_closed_pipe(points, program):
    reader, writer = os.pipe()
    os.close(reader)
    done = run(program, *FAST, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    points.add(done.returncode == 1 and done.stderr.count("\n") == 1 and "Broken pipe" in done.stderr, "a closed pipe", str(done))


def check_closed_stdout(points, program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        script = 'exec "$0" --levels=1 --cache=none --json="$1" >&-'
        done = subprocess.run(["/bin/sh", "-c", script, program, path], stderr=subprocess.PIPE, check=False)
        points.add(done.returncode == 1 and not os.path.exists(path), "a closed standard output", str(done))


def files_of(folder):
    return ["--output=" + os.path.join(folder, "u.csv"), "--json=" + os.path.join(folder, "u.json"),
            "--phases=" + os.path.join(folder, "p.csv"), "--plot=" + os.path.join(folder, "u.svg")]


def write_old(folder):
    for name in "u.csv", "u.json", "p.csv", "u.svg":
        with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
            stream.write(OLD)


def content(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as stream:
        return stream.read()


def is_whole(name, text):
    """Either the old content or all of the new one."""
    if text == OLD:
        return True
    if name.endswith(".json"):
        return isinstance(json.loads(text), dict)
    if name.endswith(".svg"):
        return text.rstrip().endswith("</svg>")
    return text.endswith("\n") and len({line.count(",") for line in text.splitlines()}) == 1


def check_failed_write_keeps_old(points, program):
    for option in range(4):
        with tempfile.TemporaryDirectory() as folder:
            write_old(folder)
            done = run(program, *FAST, "--measurements=coarse", files_of(folder)[option], preexec_fn=keep_files_small)
            points.add(done.returncode == 1 and done.stderr.count("\n") == 1 and "File too large" in done.stderr
                       and all(content(folder, name) == OLD for name in os.listdir(folder)) and len(os.listdir(folder)) == 4,
                       "a file that cannot be written leaves the old one: " + files_of("")[option], str(done))


def check_signals(points, program):
    """Killed or stopped at any moment, every file is whole; stopped, no temporary file stays."""
    dice, whole, ended, left = seeded_dice(), True, 0, set()
    for number in [signal.SIGKILL, signal.SIGTERM, signal.SIGINT] * 4:
        with tempfile.TemporaryDirectory() as folder:
            write_old(folder)
            words = ["--tol=1e-4", "--cache=none", "--measurements=detailed", *files_of(folder)]
            with subprocess.Popen([program, *words], stdout=subprocess.DEVNULL) as process:
                time.sleep(dice.uniform(0, 0.4))
                process.send_signal(number)
            ended += process.returncode == -number
            whole = whole and all(is_whole(name, content(folder, name)) for name in ("u.csv", "u.json", "p.csv", "u.svg"))
            if number != signal.SIGKILL:
                left |= set(os.listdir(folder)) - {"u.csv", "u.json", "p.csv", "u.svg"}
    points.add(whole and ended > 0, "ended anywhere: files are whole", str(ended))
    points.add(not left, "stopped anywhere: no temporary file", str(left))


def check_progress(points, program):
    status, text, shown = on_a_terminal(program, "--tol=1e-7", "--cache=none")
    points.add(status == 0 and "tree" in shown and "evaluation" in shown and shown.endswith("\r\033[K"), "a progress line", repr(shown))
    points.add("values of the density" not in text, "not in the output", text)
    plain = run(program, "--tol=1e-7", "--cache=none")
    points.add(not plain.stderr, "no progress in a pipe", plain.stderr)
    status, text, shown = on_a_terminal(program, *FAST, "--quiet")
    points.add(status == 0 and shown == "", "--quiet shows no progress", repr(shown))
    status, text, shown = on_a_terminal(program, "--tol=1e-8", "--order=2", "--max-leaves=500")
    points.add(status == 1 and shown.rstrip().split("\033[K")[-1].startswith("volume_fmm: "), "a failure leaves its message", repr(shown))


def main(program):
    points = Points()
    for check in (check_text_agrees, check_header, check_phases, check_detailed, check_answer_files, check_cube, check_plot, check_quiet,
                  check_full_disk, check_closed_pipe, check_closed_stdout, check_failed_write_keeps_old, check_signals,
                  check_progress):
        check(points, program)
    points.finish()


main(*sys.argv[1:])
