# SPDX-License-Identifier: BSD-3-Clause
"""Runs heisenberg_dmrg and reads what it wrote."""
import json
import os
import subprocess
import tempfile


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


def energies(report):
    """Every energy of a run as its exact bits."""
    values = [report["result"]["energy"], report["result"]["energy_ritz"]]
    for sweep in report["sweeps"] + report["steady"]:
        values += [sweep["energy"], sweep["energy_ritz"]]
    return [float(value).hex() for value in values]
