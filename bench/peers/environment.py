# SPDX-License-Identifier: BSD-3-Clause
"""The virtual environment in which the peers live, and the process environment in which everything is timed."""

import os
import subprocess
import sys
from pathlib import Path

PACKAGES = {"tenpy": ("physics-tenpy",), "block2": ("block2",)}
POINT_CODES = {"fmm2dpy": ("numpy<2", "fmm2dpy"), "fmm3dpy": ("numpy<2", "fmm3dpy")}  # in an environment of their own
MODULES = {"tenpy": "tenpy", "block2": "pyblock2", "fmm2dpy": "fmm2dpy", "fmm3dpy": "fmm3dpy"}


def python_of(cache):
    return Path(cache) / "bin" / "python"


def installed(cache, peer):
    python = python_of(cache)
    if not python.exists():
        return False
    found = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{MODULES[peer]}') is None)"
    return subprocess.run([python, "-c", found], check=False).returncode == 0


def install(cache, peers, packages=PACKAGES):
    """Makes the environment where it is missing and installs what it lacks. Raises CalledProcessError."""
    if not python_of(cache).exists():
        subprocess.run([sys.executable, "-m", "venv", str(cache)], check=True)
    missing = [name for peer in peers if not installed(cache, peer) for name in packages[peer]]
    if missing:
        print(f"installing {' '.join(missing)} into {cache}", flush=True)
        subprocess.run([python_of(cache), "-m", "pip", "install", "--quiet", *missing], check=True)


def one_thread():
    """One thread for every BLAS, and the BLAS free to choose its kernel, as a processor setting may pin a slow one."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    for library in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM"):
        environment[f"{library}_NUM_THREADS"] = "1"
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return environment
