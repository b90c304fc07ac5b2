# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs and reads what they wrote."""
import fcntl
import json
import os
import pty
import re
import resource
import struct
import subprocess
import sys
import tempfile
import termios


def run(program, *words, **options):
    """The finished process, its output as text."""
    streams = {} if "stdout" in options or "stderr" in options else {"capture_output": True}
    return subprocess.run([program, *words], text=True, errors="surrogateescape", check=False, **streams, **options)


def run_json(program, *words):
    """The finished process and its JSON; both fail the script loudly when the run did."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        done = run(program, *words, "--json=" + path)
        if done.returncode not in (0, 4):
            raise SystemExit("{} failed: {}".format(" ".join(words), done))
        with open(path, encoding="utf-8") as stream:
            return done, json.load(stream)


def keep_files_small():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def on_a_terminal(program, *words, columns=80):
    """Standard output as text, and what a terminal as standard error got."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([program, *words], stdout=subprocess.PIPE, stderr=slave, text=True) as process:
        os.close(slave)
        shown, chunk = b"", b"x"
        while chunk:
            try:
                chunk = os.read(master, 65536)
            except OSError:  # the other end is closed
                chunk = b""
            shown += chunk
        text = process.stdout.read()
    os.close(master)
    return process.returncode, text, shown.decode()


def documented_options(readme, program):
    """The options in the table of a program's section of the README."""
    with open(readme, encoding="utf-8") as stream:
        section = stream.read().split("\n## " + program + "\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `--")]
    return set(re.findall(r"`(--[a-z-]+)", " ".join(row.split("|")[1] for row in rows)))


def shown_options(program):
    return set(re.findall(r"^  (--[a-z-]+)", run(program, "--help").stdout, re.MULTILINE))


def energies(report):
    """Every energy of a run of heisenberg_dmrg as its exact bits."""
    values = [report["result"]["energy"], report["result"]["energy_ritz"]]
    for sweep in report["sweeps"] + report["steady"]:
        values += [sweep["energy"], sweep["energy_ritz"]]
    return [float(value).hex() for value in values]


# What says that there is no driver or no device; any other reason is a failure.
ABSENT = ("cudaErrorInsufficientDriver", "cudaErrorNoDevice", "this build has no", "no OpenCL platform", "platform but no device",
          "no libtactus_cuda.so")


def skip_unless_available(tactus, executor):
    """Ends the test where a device executor is not available: a skip, unless the reason is another or TACTUS_REQUIRE_DEVICE names
    it. What `tactus info` says of it."""
    info = json.loads(run(tactus, "info", "--json").stdout)
    row = [row for row in info["executors"] if row["name"] == executor][0]
    if row["available"] or os.environ.get("TACTUS_REQUIRE_DEVICE") == executor:
        return row
    if any(reason in row["reason"] for reason in ABSENT):
        print("1..0 # SKIP " + row["reason"])
        sys.exit(0)
    print("1..1\nnot ok 1 - " + row["reason"])
    sys.exit(1)
