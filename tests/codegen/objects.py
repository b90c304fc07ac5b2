# SPDX-License-Identifier: BSD-3-Clause
"""Compiles plain objects (whatever sanitizers the build has) and says what is in them."""
import os
import re
import subprocess
import tempfile

# What reads a counter, and what is an atomic read-modify-write, by the machine's name in objdump.
COUNTER_READ = {"x86-64": r"\brdtscp?\b|\brdpmc\b", "aarch64": r"\bmrs\b.*\bcnt\w*ct"}
ATOMIC = {"x86-64": r"\block\b|\bxchg\b.*\(", "aarch64": r"\bldadd|\bldset|\bldclr|\bswp|\bcas|\bld[a]?x[rp]|\bst[l]?x[rp]"}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError("{}\n{}{}".format(" ".join(command), done.stdout, done.stderr))
    return done.stdout


class Workshop:
    """A folder for objects and programs, and the one way of compiling them."""

    def __init__(self, compiler, root):
        self.compiler = compiler.split()
        self.root = root
        self.temporary = tempfile.TemporaryDirectory(prefix="tactus-codegen-")
        self.folder = self.temporary.name
        self.made = 0

    def path(self, ending):
        self.made += 1
        return os.path.join(self.folder, str(self.made) + ending)

    def command(self, source, *more):
        """The compiler on a source file below the root, optimising as for a release."""
        return [*self.compiler, "-std=c11", "-O2", "-D_GNU_SOURCE", "-fvisibility=hidden", "-I", self.root,
                "-I", os.path.join(self.root, "include"), *more, os.path.join(self.root, source)]

    def compile(self, source, *defines):
        made = self.path(".o")
        run([*self.command(source, *defines), "-c", "-o", made])
        return made

    def headers(self, source):
        """Every header that a source file includes, below the root."""
        words = run(self.command(source, "-MM")).replace("\\\n", " ").split()
        return [os.path.relpath(word, self.root) for word in words if word.endswith(".h")]

    def link(self, *objects):
        made = self.path("")
        run([*self.compiler, *objects, "-lm", "-o", made])
        return made


def symbols(objects):
    """What a group of objects needs from outside, and what it defines."""
    needed, defined = set(), set()
    for name in objects:
        for line in run(["nm", name]).splitlines():
            kind, symbol = line.split()[-2:]
            (needed if kind in "Uwv" else defined).add(symbol)
    return needed - defined, defined


def is_plumbing(symbol):
    """The linker's own symbols say nothing about the source."""
    return symbol == "_GLOBAL_OFFSET_TABLE_"


def machine(name):
    found = re.search(r"file format elf64-([\w-]+)", run(["objdump", "-f", name]))
    kind = found.group(1) if found else "unknown"
    return "aarch64" if kind.startswith("littleaarch64") else kind


def instructions(name):
    """(function, instruction) of an object, relocations with the names of what is called among them."""
    function, found = "", []
    for line in run(["objdump", "-dr", "--no-show-raw-insn", name]).splitlines():
        head = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        if head:
            function = head.group(1)
        elif "\t" in line:
            found.append((function, line.split("\t", 1)[1].strip()))
    return found


def matching(name, pattern):
    return [(function, text) for function, text in instructions(name) if re.search(pattern, text)]


def counted(folder, program):
    """Instructions that callgrind counts in each function of a program itself, callees not included."""
    log = os.path.join(folder, os.path.basename(program) + ".callgrind")
    run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + log, "--compress-strings=no", "--compress-pos=no", program])
    own, function, is_call = {}, None, False
    with open(log, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("fn="):
                function = line[3:].strip()
            elif line.startswith("calls="):
                is_call = True
            elif line[:1].isdigit() and function:
                own[function] = own.get(function, 0) + (0 if is_call else int(line.split()[1]))
                is_call = False
    return own
