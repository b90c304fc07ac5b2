#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every option of volume_fmm does what it says: volume_effects_test.py PROGRAM README GUIDE OPENMP(true or false)"""
import itertools
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from program import documented_options, run, run_json, shown_options
from tap import Points


CACHE = tempfile.mkdtemp(prefix="volume_effects.")  # of the whole script, so that tables are made once


def report_of(program, *words):
    cache = [] if any(word.startswith("--cache") for word in words) else ["--cache=" + CACHE]
    return run_json(program, *words, *cache)[1]


def error_of(program, *words):
    return report_of(program, *words)["result"]["error"]["potential"]["relative_l2"]


def table_of(program, *words):
    """The columns of --output=.csv by name."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "u.csv")
        done = run(program, *words, "--cache=" + CACHE, "--quiet", "--output=" + path)
        if done.returncode:
            raise SystemExit(str(done))
        with open(path, encoding="utf-8") as stream:
            names = stream.readline().strip().split(",")
            rows = [[float(word) for word in line.split(",")] for line in stream]
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def distance(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)) / sum(y * y for y in b))


def check_documentation(points, program, readme):
    """--help and the README name the same options; the commands of the README run as they stand there."""
    shown, written = shown_options(program), documented_options(readme, "volume_fmm")
    points.add(shown == written and len(shown) == 40, "README and --help list the same options", str(shown ^ written))
    with open(readme, encoding="utf-8") as stream:
        section = stream.read().split("\n## volume_fmm\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("build/apps/volume_fmm/volume_fmm ")]
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "build/apps/volume_fmm"))
        os.symlink(os.path.abspath(program), os.path.join(folder, "build/apps/volume_fmm/volume_fmm"))
        for line in lines:
            done = subprocess.run(["/bin/sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False,
                                  env=dict(os.environ, XDG_CACHE_HOME=folder))
            points.add(done.returncode == 0 and not done.stderr, "README: " + line, str(done))
    points.add(len(lines) >= 4, "the README has commands")


def check_guide(points, program, guide):
    """The blocks of commands in the program's page run in their order, as they stand there, in one folder."""
    with open(guide, encoding="utf-8") as stream:
        blocks = re.findall(r"^```sh\n(.*?)^```$", stream.read(), re.MULTILINE | re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(program), os.path.join(folder, "volume_fmm"))
        environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"], XDG_CACHE_HOME=folder)
        for block in blocks:
            done = subprocess.run(["/bin/sh", "-e", "-c", block], cwd=folder, capture_output=True, text=True, check=False, env=environment)
            points.add(done.returncode == 0 and not done.stderr, "guide: " + block.strip().splitlines()[-1], str(done))
        files = ("hartree.cube", "hartree.svg", "points.csv", "u.npy", "u.svg", "run.json", "phases.csv")
        written = [name for name in files if os.path.isfile(os.path.join(folder, name))]
        points.add(len(written) == len(files), "the guide's commands write their files", str(written))
        with open(os.path.join(folder, "points.csv"), encoding="utf-8") as stream:
            far = float(stream.read().splitlines()[2].split(",")[3])
        points.add(abs(far - 10 / (160 * math.pi)) < 1e-3 * far, "from afar ten electrons are nearly a point", str(far))


def check_accuracy(points, program):
    """Errors fall with the order as h^(p+2) says, with --tol, and with --eps down to what the leaves resolve."""
    for order, levels in ((4, 3), (4, 4), (6, 3), (8, 3)):
        words = ["--order=%d" % order, "--eps=1e-13"]
        coarse, fine = error_of(program, "--levels=%d" % levels, *words), error_of(program, "--levels=%d" % (levels + 1), *words)
        points.add(coarse / fine > 2 ** (order + 0.5), "order %d converges from level %d" % (order, levels), str((coarse, fine)))
    errors = [error_of(program, "--levels=4", "--eps=1e-13", "--order=%d" % order) for order in range(2, 13, 2)]
    points.add(all(a > 5 * b for a, b in zip(errors, errors[1:])), "errors fall with --order", str(errors))
    errors = [error_of(program, "--tol=%g" % tol) for tol in (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)]
    points.add(all(a > 8 * b for a, b in zip(errors, errors[1:])) and errors[-1] < 1e-9, "errors fall with --tol", str(errors))
    errors = [error_of(program, "--tol=1e-11", "--eps=%g" % eps) for eps in (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)]
    points.add(all(a > 8 * b for a, b in zip(errors, errors[1:])) and errors[-1] < 1e-9, "errors fall with --eps", str(errors))
    leaves = [report_of(program, "--tol=%g" % tol)["tree"]["leaves"] for tol in (1e-2, 1e-5, 1e-8)]
    points.add(leaves[0] < leaves[1] < leaves[2], "a smaller --tol makes more leaves", str(leaves))
    errors = [error_of(program, "--dim=3", "--levels=3", "--order=%d" % order) for order in (2, 4, 6)]
    points.add(errors[0] > 5 * errors[1] > 25 * errors[2], "errors fall with --order in 3D", str(errors))


def check_tree(points, program):
    tree = report_of(program, "--levels=3")["tree"]
    points.add((tree["leaves"], tree["nodes"]) == (64, 4096) and tree["leaves_by_level"] == [0, 0, 0, 64], "--levels=3", str(tree))
    tree = report_of(program, "--levels=0", "--order=5", "--dim=3")["tree"]
    points.add((tree["leaves"], tree["nodes"]) == (1, 125), "a single leaf", str(tree))
    total, tensor = (report_of(program, "--basis=" + basis, "--tol=1e-5") for basis in ("total", "tensor"))
    points.add(tensor["tree"]["leaves"] < total["tree"]["leaves"], "tensor leaves resolve more", str((total["tree"], tensor["tree"])))
    done = run(program, "--max-leaves=100", "--cache=" + CACHE)
    points.add(done.returncode == 1 and "100" in done.stderr, "--max-leaves", str(done))
    disk = report_of(program, "--density=disk:depth=6")["tree"]["leaves_by_level"]
    points.add(len(disk) == 7 and disk[6] > 100, "the leaves at a jump have the depth asked for", str(disk))


def check_problem(points, program):
    for kernel, dim in itertools.product(("laplace", "yukawa", "helmholtz"), (2, 3)):
        words = ["--kernel=" + kernel, "--dim=%d" % dim, "--grad", "--check", "--tol=" + ("1e-4" if dim == 2 else "1e-2")]
        words += [] if kernel == "laplace" else ["--param=4"]
        done, report = run_json(program, *words, "--cache=" + CACHE)
        error = report["result"]["error"]
        points.add(done.returncode == 0 and error["reference"] == "closed form", " ".join(words), done.stdout)
    for words in (["--density=charged-gaussian:x=0.1", "--grad"], ["--density=charged-gaussian", "--kernel=yukawa", "--param=20"],
                  ["--density=two-gaussians"], ["--density=disk", "--tol=1e-4"], ["--density=constant"],
                  ["--density=disk", "--kernel=helmholtz", "--param=5", "--tol=1e-4"],
                  ["--dim=3", "--density=ball:depth=3", "--tol=1e-3", "--grad"]):
        done, report = run_json(program, *words, "--check", "--cache=" + CACHE)
        points.add(done.returncode == 0 and report["result"]["error"]["reference"] == "closed form", "exact: " + " ".join(words),
                   done.stdout)
    for words in (["--density=polynomial:i=3,j=4", "--grad"], ["--density=gaussian:a=20"], ["--density=disk:x=0.4", "--tol=1e-3"],
                  ["--density=charged-gaussian", "--kernel=helmholtz", "--param=8"]):
        done, report = run_json(program, *words, "--check", "--cache=" + CACHE)
        points.add(done.returncode == 0 and report["result"]["error"]["reference"] == "direct quadrature",
                   "by quadrature: " + " ".join(words), done.stdout)
    done, report = run_json(program, "--density=gaussian:a=20", "--cache=" + CACHE)
    error = report["result"]["error"]
    points.add(error["reference"] == "none" and error["outside"] > 1e-3 and "outside the domain" in done.stdout,
               "a density that is cut off is told", done.stdout)


def check_scales(points, program):
    """3D Laplace: lengths times s, potentials times s^2 (2D also less mass*ln(s)/2 pi); leaves at the same places."""
    small = table_of(program, "--dim=3", "--tol=1e-2", "--density=charged-gaussian:a=160")
    large = table_of(program, "--dim=3", "--tol=1e-2", "--box=-1.5,1.5", "--density=charged-gaussian:a=%.17g" % (160 / 9))
    points.add(distance(large["x"], [3 * x for x in small["x"]]) < 1e-14 and
               distance(large["u"], [9 * u for u in small["u"]]) < 1e-12, "--box scales")
    moved = table_of(program, "--dim=3", "--tol=1e-2", "--box=7.5,8.5", "--density=charged-gaussian:a=160")
    points.add(distance(moved["u"], small["u"]) < 1e-10 and abs(moved["x"][0] - small["x"][0] - 8) < 1e-12, "--box moves")
    weak = table_of(program, "--kernel=yukawa", "--param=1e-3", "--levels=2", "--dim=3")
    plain = table_of(program, "--levels=2", "--dim=3")
    points.add(1e-12 < distance(weak["u"], plain["u"]) < 1e-3, "a weak screening is nearly Laplace", str(distance(weak["u"], plain["u"])))
    for words in (["--box=0,1e100", "--grad"], ["--box=0,1e-140", "--grad"], []):
        words += ["--density=constant" if words else "--density=constant:c=1e300", "--tol=1e-4"]
        done, report = run_json(program, *words, "--check", "--cache=" + CACHE)
        points.add(done.returncode == 0 and report["result"]["error"]["potential"]["relative_l2"] < 1e-10,
                   "squares neither overflow nor underflow: " + " ".join(words), str(done))
    words = ["--kernel=yukawa", "--param=1e9", "--tol=1e-4", "--check"]
    done, _ = run_json(program, *words, "--cache=" + CACHE)
    points.add(done.returncode == 0, "a kernel much narrower than the leaves", str(done))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "far.txt")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("1e200 -1e300\n")
        done, _ = run_json(program, "--targets=" + path, "--grad", "--check", "--cache=" + CACHE)
        points.add(done.returncode == 0 and "nan" not in done.stdout, "a target at 1e300", str(done))


def check_method(points, program):
    for kernel in "yukawa", "helmholtz":
        words = ["--kernel=" + kernel, "--param=6", "--tol=1e-9", "--density=charged-gaussian", "--grad"]
        split, tables = table_of(program, *words), table_of(program, *words, "--near=tables")
        names = ["u"] if kernel == "yukawa" else ["u_re", "u_im"]
        points.add(all(0 < distance(split[name], tables[name]) < 1e-9 for name in names), "--near: " + kernel,
                   str([distance(split[name], tables[name]) for name in names]))
    plan = report_of(program, "--kernel=yukawa", "--split-order=3", "--smooth-order=9")["plan"]
    points.add((plan["split_order"], plan["smooth_order"]) == (3, 9), "--split-order and --smooth-order", str(plan))
    plan = report_of(program, "--kernel=yukawa", "--near=tables")["plan"]
    points.add(plan["split_order"] == 0, "--near=tables splits nothing", str(plan))
    for dim in 2, 3:
        words = ["--dim=%d" % dim, "--tol=1e-2", "--eps=1e-6", "--density=charged-gaussian"]
        paired, plain, auto = (table_of(program, *words, "--path=" + path)["u"] for path in ("paired", "plain", "auto"))
        points.add(0 < distance(paired, plain) < 1e-5 and distance(auto, plain) < 1e-5, "--path in %dD" % dim,
                   str((distance(paired, plain), distance(auto, plain))))
    ranks = [max(report_of(program, "--eps=%g" % eps, "--levels=3")["plan"]["ranks"]) for eps in (1e-3, 1e-6, 1e-9)]
    points.add(ranks[0] < ranks[1] < ranks[2], "--eps chooses the orders", str(ranks))


def check_cache(points, program):
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "tables")
        words = ["--dim=3", "--levels=2", "--cache=" + place]
        whole = report_of(program, *words)
        first, second = whole["plan"], report_of(program, *words)["plan"]
        points.add(not first["near_cached"] and not first["far_cached"] and second["near_cached"] and second["far_cached"]
                   and os.listdir(place), "--cache keeps tables and operators", str((first, second)))
        done = run(program, *words)
        points.add("cached" in done.stdout, "the output says so", done.stdout)
        for name in os.listdir(place):
            with open(os.path.join(place, name), "r+b") as stream:
                stream.seek(-9, os.SEEK_END)
                stream.write(b"\x55\x55\x55")
        third = report_of(program, *words)
        points.add(not third["plan"]["near_cached"] and third["result"]["error"] == whole["result"]["error"],
                   "a damaged cache is not trusted", str(third["plan"]))
        env = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "xdg"), HOME=os.path.join(folder, "home"))
        run(program, "--levels=2", env=env)
        points.add(bool(os.listdir(os.path.join(folder, "xdg", "tactus"))), "the default is the user's cache folder")
        del env["XDG_CACHE_HOME"]
        run(program, "--levels=2", env=env)
        points.add(bool(os.listdir(os.path.join(folder, "home", ".cache", "tactus"))), "or the one in their home")
        before = sum(len(names) for _, _, names in os.walk(folder))
        run(program, "--levels=2", "--order=5", "--cache=none", env=env)
        points.add(before == sum(len(names) for _, _, names in os.walk(folder)), "--cache=none keeps nothing")


def check_answers(points, program):
    """Targets, in their order and wherever they are; a grid; gradients by differences."""
    dice = random.Random(11)
    places = [(dice.uniform(-0.5, 0.5), dice.uniform(-0.5, 0.5)) for _ in range(50)]
    places += [(0.25, 0.25), (0.0, 0.1), (0.5, 0.5), (-0.5, 0.3), (1.5, 2.0), (0.125, -0.0625)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "points.txt")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("# x y\n" + "".join("%.17g %.17g\n" % place for place in places))
        table = table_of(program, "--targets=" + path, "--grad")
        points.add(list(zip(table["x"], table["y"])) == places, "targets keep their order and every digit")
        error = [u - math.exp(-160 * (x * x + y * y)) for x, y, u in zip(table["x"], table["y"], table["u"])]
        points.add(max(map(abs, error)) < 1e-5, "targets have the tolerance of the nodes", str(max(map(abs, error))))
        error = [ux + 320 * x * math.exp(-160 * (x * x + y * y)) for x, y, ux in zip(table["x"], table["y"], table["ux"])]
        points.add(max(map(abs, error)) < 2e-3, "so do gradients", str(max(map(abs, error))))
        done, report = run_json(program, "--targets=" + path, "--check", "--cache=" + CACHE)
        points.add(done.returncode == 0 and report["result"]["answer_points"] == len(places)
                   and report["result"]["error"]["points"] == len(places), "--check looks at the targets", done.stdout)
    grid = table_of(program, "--grid=11")
    points.add(grid["x"][:12] == [-0.5] * 11 + [grid["x"][11]] and abs(grid["x"][11] + 0.4) < 1e-15 and len(grid["x"]) == 121,
               "--grid runs from border to border, y fastest", str(grid["x"][:12]))
    points.add(abs(grid["u"][60] - 1) < 1e-5 and abs(grid["y"][60]) < 1e-15, "the middle of the grid has the peak", str(grid["u"][60]))
    nodes = table_of(program, "--levels=2", "--order=3")
    points.add(list(nodes) == ["x", "y", "u"] and len(nodes["u"]) == 144, "without them it is the nodes")


def check_files(points, program):
    """Samples and lists of Gaussians have the potential of what they stand for."""
    with tempfile.TemporaryDirectory() as folder:
        path, count = os.path.join(folder, "f.npy"), 81
        axis = [i / (count - 1) - 0.5 for i in range(count)]
        header = "{{'descr': '<f8', 'fortran_order': False, 'shape': ({0}, {0}), }}".format(count).ljust(117) + "\n"
        with open(path, "wb") as stream:
            stream.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode())
            stream.write(struct.pack("<%dd" % count ** 2, *(math.exp(-100 * ((x - 0.1) ** 2 + y * y)) for x in axis for y in axis)))
        words = ["--tol=1e-5", "--grid=9"]
        sampled = table_of(program, *words, "--density=" + path)
        exact = table_of(program, *words, "--density=charged-gaussian:a=100,x=0.1")
        points.add(0 < distance(sampled["u"], exact["u"]) < 1e-4, "samples", str(distance(sampled["u"], exact["u"])))
        path = os.path.join(folder, "list.txt")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("# x y a A\n0.1 0 100 1\n-0.2 0.1 300 -2.5 # the other\n")
        other = table_of(program, *words, "--density=charged-gaussian:a=300,x=-0.2,y=0.1")
        both = table_of(program, *words, "--density=gaussians:" + path)
        expected = [u - 2.5 * v for u, v in zip(exact["u"], other["u"])]
        points.add(0 < distance(both["u"], expected) < 1e-4, "a list of Gaussians is a sum", str(distance(both["u"], expected)))
        for more, reference in ([], "closed form"), (["--kernel=helmholtz", "--param=3"], "direct quadrature"):
            done, report = run_json(program, "--density=gaussians:" + path, "--check", *more, "--cache=" + CACHE)
            points.add(done.returncode == 0 and report["result"]["error"]["reference"] == reference,
                       "a list of Gaussians against its " + reference, done.stdout)


def check_machine(points, program, openmp):
    for executor, threads in [("threads", 3), ("serial", 1)] + ([("openmp", 2)] if openmp else []):
        about = report_of(program, "--levels=3", "--executor=" + executor, "--threads=%d" % threads)["run"]
        points.add((about["executor"], about["lanes"]) == (executor, threads), executor + " runs with its lanes", str(about))
    about = report_of(program, "--levels=1")["run"]
    points.add((about["executor"], about["lanes"]) == ("threads", len(os.sched_getaffinity(0))), "the default takes what is allowed")
    done = run(program, "--levels=2", "--repeat=3", "--cache=" + CACHE)
    points.add(re.search(r"^evaluation .*\(fastest of 3\)$", done.stdout, re.MULTILINE) is not None, "--repeat is told", done.stdout)


def main(program, readme, guide, openmp):
    points = Points()
    for check in (check_accuracy, check_tree, check_problem, check_scales, check_method, check_cache, check_answers, check_files):
        check(points, program)
    check_machine(points, program, openmp == "true")
    check_documentation(points, program, readme)
    check_guide(points, program, guide)
    shutil.rmtree(CACHE)
    points.finish()


main(*sys.argv[1:])
