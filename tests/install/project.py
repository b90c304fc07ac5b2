# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the installed tree and of the subproject share."""
import os
import subprocess


def run(command, folder, env=None):
    """A finished command whose output is text; env adds to the environment."""
    merged = {**os.environ, **(env or {})}
    # A program of an ordinary build may need Tactus' libraries; the tests say themselves which ones it gets.
    if "LD_LIBRARY_PATH" not in (env or {}):
        merged.pop("LD_LIBRARY_PATH", None)
    try:
        return subprocess.run(command, cwd=folder, env=merged, capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        return subprocess.CompletedProcess(command, 127, "", str(missing))


def output_of(done):
    return "{}\nstatus {}\n{}{}".format(done.args, done.returncode, done.stdout, done.stderr)


def sanitizer_flags(names):
    """Compiler flags for the value of Meson's b_sanitize."""
    return "" if names == "none" else "-fsanitize=" + names
