#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the examples against an installed tree, shared and static, by the lines of examples/README.md and by Meson:
installed_test.py SOURCE_ROOT BUILD_ROOT PREFIX LIBDIR COMPILER SANITIZE(as b_sanitize)"""
import csv
import json
import os
import re
import shutil
import sys
import tempfile

from project import output_of, run, sanitizer_flags
from tap import Points

KOKKOS = "/usr/include/trilinos"  # Debian's
LEVELS = ["off", "coarse", "detailed", "hooked"]
STEPS = re.compile(r"^(\w+): (\d+) steps, by the closed form (\d+), middle (\S+)$", re.MULTILINE)


def files_below(folder, ending):
    return sorted(os.path.relpath(os.path.join(base, name), folder)
                  for base, _, names in os.walk(folder) for name in names if name.endswith(ending))


def code_blocks(path, language):
    """The fenced blocks of a Markdown file in that language."""
    with open(path, encoding="utf-8") as page:
        return re.findall(r"^```{}\n(.*?)^```".format(language), page.read(), re.MULTILINE | re.DOTALL)


def check_tree(points, source, prefix, libdir):
    """The tree holds every public header, both kinds of library, the description and the programs."""
    wanted = sorted(files_below(os.path.join(source, "include", "tactus"), (".h", ".hpp")) + ["testing/battery.h"])
    found = files_below(os.path.join(prefix, "include", "tactus"), (".h", ".hpp"))
    points.add(wanted == found, "every public header is installed", str(set(wanted) ^ set(found)))
    for program in "heisenberg_dmrg", "tactus", "volume_fmm":
        for name in ("man/man1/{}.1", "bash-completion/completions/{}.bash", "zsh/site-functions/_{}", "fish/vendor_completions.d/{}.fish"):
            path = os.path.join(prefix, "share", name.format(program))
            points.add(os.path.exists(path) and os.path.getsize(path) > 200, "share/{} is installed".format(name.format(program)))
    for command in "info", "report", "compare", "costs":
        points.add(os.path.exists(os.path.join(prefix, "share/man/man1/tactus-{}.1".format(command))), "the page of tactus {} is installed".format(command))
    for name in [libdir + "/libtactus.so", libdir + "/libtactus.a", libdir + "/pkgconfig/tactus.pc", "bin/tactus",
                 libdir + "/libtactus_battery.a", libdir + "/pkgconfig/tactus-battery.pc", libdir + "/libtactus_dmrg.so",
                 libdir + "/libtactus_dmrg.a", libdir + "/pkgconfig/tactus_dmrg.pc", "bin/heisenberg_dmrg",
                 libdir + "/libtactus_fmm.so", libdir + "/libtactus_fmm.a", libdir + "/pkgconfig/tactus_fmm.pc", "bin/volume_fmm",
                 libdir + "/libtactus_kokkos.so", libdir + "/libtactus_hooks.so", libdir + "/libtactus_hooks.a",
                 libdir + "/pkgconfig/tactus_hooks.pc"]:
        points.add(os.path.exists(os.path.join(prefix, name)), name + " is installed")


def check_sum(points, how, program, env):
    done = run([program], ".", env)
    points.add(done.returncode == 0 and "= 333833500 on" in done.stdout, how + ": sum_of_squares is right", output_of(done))


def check_heat(points, how, program, env):
    """Every level takes the steps of the closed form to the same bits, and its table says how many."""
    middles = set()
    for level in LEVELS:
        done = run([program, level], ".", env)
        found = STEPS.search(done.stdout)
        right = done.returncode == 0 and found and found[1] == level and found[2] == found[3] and int(found[2]) > 10
        points.add(bool(right), "{}: heat at {} takes the steps of the closed form".format(how, level), output_of(done))
        if not right:
            continue
        middles.add(found[4])
        for event, once in ("step", False), ("update", False), ("run", True):
            row = re.search(r"^ *{} +(\d+) ".format(event), done.stdout, re.MULTILINE)
            counted = row is None if level == "off" else row is not None and row[1] == ("1" if once else found[2])
            points.add(counted, "{}: heat at {} counts its event {}".format(how, level, event), done.stdout)
        peak = re.search(r"^ *peak +{} ".format(found[2]), done.stdout, re.MULTILINE)
        points.add((peak is not None) == (level == "detailed"), "{}: heat's fine phase at {}".format(how, level), done.stdout)
    points.add(len(middles) == 1, how + ": heat gives the same bits at every level", str(middles))


def check_phases(points, how, program, env):
    """The right answer, a row a phase with its call and its count, blanks for what is not known; the same in CSV."""
    done = run([program], ".", env)
    error = re.search(r"^largest error (\S+)$", done.stdout, re.MULTILINE)
    points.add(done.returncode == 0 and error is not None and float(error[1]) < 1e-8, how + ": phases is right", output_of(done))
    for phase, operations in ("assemble", 200000), ("factor", 199999), ("solve", 399999):
        row = re.search(r"^{} +[\d.]+ +1 .* {} ".format(phase, operations), done.stdout, re.MULTILINE)
        points.add(row is not None, "{}: phases has its row {}".format(how, phase), done.stdout)
    done = run([program, "csv"], ".", env)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    points.add([row["phase"] for row in rows] == ["assemble", "factor", "solve"] and
               [row["flops"] for row in rows] == ["", "599997", "999996"] and
               all(row["calls"] == "1" and 0 < float(row["seconds_share"]) < 1 for row in rows),
               how + ": phases writes CSV", output_of(done))


def check_hooks(points, how, program, env):
    """A table of the program's own hears of every phase and item."""
    done = run([program], ".", env)
    points.add(done.returncode == 0 and done.stdout == "run {\n  add {\n  }\n}\n1000 items on 2 lanes\n", how + ": hooks is called",
               output_of(done))


def needs_shared_library(program):
    return "libtactus.so" in run(["readelf", "-d", program], ".").stdout


def check_by_hand(points, how, examples, work, env, is_shared):
    """Runs the lines that examples/README.md shows."""
    folder = os.path.join(work, how)
    shutil.copytree(examples, folder)
    done = run(["sh", "-eu", "-c", code_blocks(os.path.join(examples, "README.md"), "sh")[0]], folder, env)
    points.add(done.returncode == 0 and not done.stderr, how + ": the lines of the README compile", output_of(done))
    if done.returncode != 0:
        return
    programs = [os.path.join(folder, name, name) for name in ("sum_of_squares", "heat", "phases", "hooks")]
    points.add(all(needs_shared_library(program) == is_shared for program in programs), how + ": linked as asked")
    check_sum(points, how, programs[0], env)
    check_heat(points, how, programs[1], env)
    check_phases(points, how, programs[2], env)
    check_hooks(points, how, programs[3], env)


def check_readme(points, source, work, env):
    """The program in README.md, compiled by the line that stands below it."""
    readme = os.path.join(source, "README.md")
    with open(os.path.join(work, "squares.c"), "w", encoding="utf-8") as program:
        program.write(code_blocks(readme, "c")[0])
    line = [block for block in code_blocks(readme, "sh") if "squares.c" in block][0].splitlines()[0]
    done = run(["sh", "-eu", "-c", line.replace("cc ", env["CC"] + " " + env["CFLAGS"] + " ", 1)], work, env)
    points.add(done.returncode == 0 and not done.stderr, "the program in README.md compiles", output_of(done))
    done = run([os.path.join(work, "squares")], work, env)
    points.add(done.returncode == 0 and done.stdout == "the last of 1000 squares is 998001\n",
               "the program in README.md runs", output_of(done))


def has_kokkos():
    return os.path.exists(os.path.join(KOKKOS, "Kokkos_Core.hpp")) and shutil.which("c++") is not None


def check_kokkos_guide(points, source, work, env):
    """The first program in docs/kokkos.md, compiled and run by the lines below it, leaves every form of its report."""
    guide = os.path.join(source, "docs", "kokkos.md")
    folder = os.path.join(work, "kokkos")
    os.mkdir(folder)
    with open(os.path.join(folder, "steps.cpp"), "w", encoding="utf-8") as program:
        program.write(code_blocks(guide, "cpp")[0])
    done = run(["sh", "-eu", "-c", code_blocks(guide, "sh")[0]], folder, env)
    texts = re.findall(r"^tactus-kokkos launches=(\d+) .*? copies=(\d+) (?:.* steps=(\d+) )?", done.stderr, re.MULTILINE)
    points.add(done.returncode == 0 and texts == [("43", "1", ""), ("43", "1", "20")], "docs/kokkos.md: the text", output_of(done))
    if done.returncode != 0:
        return
    points.add(all(re.search("^ *{} ".format(re.escape(name)), done.stdout, re.MULTILINE)
                   for name in ("wall time", "add up (parallel_for)", "time step", "(unmeasured)", "(outside of regions)")),
               "docs/kokkos.md: the tables", done.stdout)
    with open(os.path.join(folder, "steps.json"), encoding="utf-8") as record:
        record = json.load(record)
    counts = {row["name"]: row["count"] for row in record["kernels"]}
    within = {(record["regions"][row["parent"]]["name"], row["name"]): row["count"] for row in record["kernels_by_region"]}
    points.add(counts.get("add up") == counts.get("sum") == 20, "docs/kokkos.md: the record", str(counts))
    points.add(within == {("time step", "add up"): 20, ("time step", "sum"): 20}, "docs/kokkos.md: kernels of its region", str(within))
    with open(os.path.join(folder, "steps.trace.json"), encoding="utf-8") as trace:
        slices = [event["name"] for event in json.load(trace) if event["ph"] == "X"]
    points.add(slices.count("time step") == 20 and slices.count("sum") == 20, "docs/kokkos.md: the trace", str(slices))
    with open(os.path.join(folder, "steps.html"), encoding="utf-8") as page:
        points.add("add up" in page.read(), "docs/kokkos.md: the page")


def check_guides(points, source, work, env):
    """The C blocks of a page, one after the other, compile as one file at every level; those of another language alone."""
    docs = os.path.join(source, "docs")
    pages = [os.path.join(source, "README.md")] + [os.path.join(docs, name) for name in files_below(docs, ".md")]
    flags = "-Wall -Wextra -Werror -Wno-unused-function -isystem " + KOKKOS + " $(pkg-config --cflags tactus_dmrg)"
    for page in pages:
        name = os.path.basename(page)
        for language, compiler, ending in ("c", env["CC"] + " -std=c11", ".c"), ("cpp", "c++ -std=c++17", ".cc"):
            blocks = code_blocks(page, language)
            if not blocks or not shutil.which(compiler.split()[0]) or (name == "kokkos.md" and not has_kokkos()):
                continue
            program = os.path.join(work, name + ending)
            with open(program, "w", encoding="utf-8") as text:
                text.write("\n".join(blocks))
            for number, level in enumerate(LEVELS):
                line = "{} {} -DTAC_LEVEL={} -fsyntax-only '{}'".format(compiler, flags, number, program)
                done = run(["sh", "-eu", "-c", line], work, env)
                points.add(done.returncode == 0, "{}: its {} blocks compile at {}".format(name, language, level), output_of(done))


def check_library_guide(points, source, work, env, page, name, answer):
    """The program of a library's page, compiled by the line below it, prints what the page promises."""
    guide = os.path.join(source, "docs", page)
    with open(os.path.join(work, name + ".c"), "w", encoding="utf-8") as program:
        program.write(code_blocks(guide, "c")[0])
    line = code_blocks(guide, "sh")[0].splitlines()[0].split(" && ")[0]
    done = run(["sh", "-eu", "-c", line.replace("cc ", env["CC"] + " " + env["CFLAGS"] + " ", 1)], work, env)
    points.add(done.returncode == 0 and not done.stderr, "the program in docs/" + page + " compiles", output_of(done))
    done = run([os.path.join(work, name)], work, env)
    points.add(done.stdout == answer + "\n", "the program in docs/" + page + " is right", output_of(done))


def check_device_guide(points, source, work, env):
    """As check_library_guide; where there is no OpenCL device the program says so."""
    guide = os.path.join(source, "docs", "devices.md")
    with open(os.path.join(work, "add.c"), "w", encoding="utf-8") as program:
        program.write(code_blocks(guide, "c")[0])
    line = [block for block in code_blocks(guide, "sh") if "add.c" in block][0].splitlines()[0].split(" && ")[0]
    done = run(["sh", "-eu", "-c", line.replace("cc ", env["CC"] + " " + env["CFLAGS"] + " ", 1)], work, env)
    points.add(done.returncode == 0 and not done.stderr, "the program in docs/devices.md compiles", output_of(done))
    done = run([os.path.join(work, "add"), "opencl"], work, env)
    points.add(done.stdout == "the last of 1000 numbers is 15\n" or (done.returncode == 1 and done.stderr.startswith("opencl: ")),
               "the program in docs/devices.md is right, or says why not", output_of(done))


def check_hooks_guide(points, source, work, env):
    """The program in docs/hooks.md counts, or says why it cannot."""
    guide = os.path.join(source, "docs", "hooks.md")
    with open(os.path.join(work, "count.c"), "w", encoding="utf-8") as program:
        program.write(code_blocks(guide, "c")[0])
    line = [block for block in code_blocks(guide, "sh") if "count.c" in block][0].splitlines()[0].split(" && ")[0]
    done = run(["sh", "-eu", "-c", line.replace("cc ", env["CC"] + " " + env["CFLAGS"] + " ", 1)], work, env)
    points.add(done.returncode == 0 and not done.stderr, "the program in docs/hooks.md compiles", output_of(done))
    done = run([os.path.join(work, "count")], work, env)
    counted = re.search(r"^work +1 +\S+ \S?s +\d+\n.*^work +100 +\S+ \S?s +\d+\n", done.stdout, re.MULTILINE | re.DOTALL)
    points.add(counted is not None or (done.returncode == 1 and done.stderr.startswith("perf: ")),
               "the program in docs/hooks.md counts, or says why not", output_of(done))


def check_battery(points, source, work, env):
    """The executor in docs/executor.md passes the installed battery, and one that forgets some batches does not."""
    blocks = code_blocks(os.path.join(source, "docs", "executor.md"), "c")
    executor, main_function = blocks[0], blocks[-1]
    line = "$CC $CFLAGS {0}.c $(pkg-config --cflags --libs tactus-battery) -o {0}"
    sound = executor + main_function
    broken = sound.replace("int started = 1;", "int started = 1;\n  if (work->count == 3)\n    return TAC_STATUS_OK;")
    for name, text in ("sound", sound), ("broken", broken):
        with open(os.path.join(work, name + ".c"), "w", encoding="utf-8") as program:
            program.write(text)
        done = run(["sh", "-eu", "-c", line.format(name)], work, env)
        points.add(done.returncode == 0 and not done.stderr, name + " executor: compiles with the battery", output_of(done))
    done = run([os.path.join(work, "sound")], work, env)
    points.add(done.returncode == 0 and "100%" in done.stdout, "the executor of the guide passes the battery", output_of(done))
    done = run([os.path.join(work, "broken")], work, env)
    points.add(done.returncode == 1, "one that forgets batches of three does not", output_of(done))


def check_by_meson(points, name, check, examples, work, env):
    folder = os.path.join(work, "meson", name)
    shutil.copytree(os.path.join(examples, name), folder)
    done = run(["meson", "setup", "build", "--buildtype=debug", "-Dwerror=true", "-Db_lundef=false"], folder, env)
    if done.returncode == 0:
        done = run(["meson", "compile", "-C", "build", "-j", "1"], folder, env)
    points.add(done.returncode == 0, "meson: {} builds".format(name), output_of(done))
    if done.returncode == 0:
        check(points, "meson", os.path.join(folder, "build", name), env)


def remove_shared_libraries(folder):
    for name in os.listdir(folder):
        if name.startswith("libtactus") and ".so" in name:
            os.remove(os.path.join(folder, name))


def environment(prefix, libdir, compiler, sanitize):
    libraries = os.path.join(prefix, libdir)
    return {
        "CC": compiler,
        "PATH": os.path.join(prefix, "bin") + os.pathsep + os.environ["PATH"],
        "CFLAGS": "-Wall -Wextra -Werror " + sanitizer_flags(sanitize),
        "LDFLAGS": sanitizer_flags(sanitize),
        "PKG_CONFIG_PATH": os.path.join(libraries, "pkgconfig"),
        "LD_LIBRARY_PATH": libraries,
    }


def main(source, build, prefix, libdir, compiler, sanitize):
    points = Points()
    examples = os.path.join(source, "examples")
    with tempfile.TemporaryDirectory(prefix="tactus-installed-") as work:
        done = run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", os.path.join(work, "shared")], work)
        points.add(done.returncode == 0, "meson install", output_of(done))
        shared = os.path.join(work, "shared", prefix.lstrip("/"))
        check_tree(points, source, shared, libdir)
        env = environment(shared, libdir, compiler, sanitize)
        check_by_hand(points, "by hand, shared", examples, work, env, True)
        check_readme(points, source, work, env)
        check_guides(points, source, work, env)
        # The energy is that of the Bethe equations, the potential -ln(r)/(2 pi) at r^2 = 1/2.
        check_library_guide(points, source, work, env, "dmrg.md", "chain", "energy -8.682473334")
        check_library_guide(points, source, work, env, "fmm.md", "potential", "potential 0.05515890")
        check_device_guide(points, source, work, env)
        if has_kokkos() and sanitize == "none":
            check_kokkos_guide(points, source, work, env)
        check_hooks_guide(points, source, work, env)
        check_battery(points, source, work, env)
        check_by_meson(points, "sum_of_squares", check_sum, examples, work, env)
        check_by_meson(points, "heat", check_heat, examples, work, env)
        check_by_meson(points, "phases", check_phases, examples, work, env)
        check_by_meson(points, "hooks", check_hooks, examples, work, env)
        installed = run([os.path.join(shared, "bin", "tactus"), "info"], work, env)
        points.add(installed.returncode == 0, "the installed program runs", output_of(installed))
        for program in "heisenberg_dmrg", "volume_fmm":
            installed = run([os.path.join(shared, "bin", program), "--version"], work, env)
            points.add(installed.returncode == 0, "the installed {} runs".format(program), output_of(installed))
        static = os.path.join(work, "static", prefix.lstrip("/"))
        shutil.move(shared, static)
        remove_shared_libraries(os.path.join(static, libdir))
        env = {**environment(static, libdir, compiler, sanitize), "PKG_CONFIG": "pkg-config --static"}
        check_by_hand(points, "by hand, static", examples, work, env, False)
    points.finish()


main(*sys.argv[1:7])
