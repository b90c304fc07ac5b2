# SPDX-License-Identifier: BSD-3-Clause
"""Steady two-site sweeps of block2 (U(1) symmetry of Sz) with four Davidson steps a bond.

Davidson without its preconditioner is asked: it spans the Krylov space that Lanczos spans, needs no diagonal of the
effective Hamiltonian, and is the faster of the two forms."""

import importlib.metadata
import os
import re
import sys
import tempfile

from pyblock2.driver.core import DMRGDriver, SymmetryTypes

import steady


# Squared residual at which Davidson ends before its soft limit of iterations: rounding only. A threshold of zero makes it
# add vectors of noise where the space of an end bond is exhausted, and the energies are wrong then.
RESIDUAL = 1e-25


class Captured:
    """What the compiled part of block2 writes to the standard output while it runs: the only place where its product counts show."""

    def __enter__(self):
        sys.stdout.flush()
        self.file = tempfile.TemporaryFile()
        self.saved = os.dup(1)
        os.dup2(self.file.fileno(), 1)
        return self

    def __exit__(self, *_):
        sys.stdout.flush()
        os.dup2(self.saved, 1)
        os.close(self.saved)
        self.file.seek(0)
        self.text = self.file.read().decode(errors="replace")
        self.file.close()


def hamiltonian(driver, sites):
    terms = driver.expr_builder()
    for site in range(sites - 1):
        terms.add_term("PM", [site, site + 1], 0.5)
        terms.add_term("MP", [site, site + 1], 0.5)
        terms.add_term("ZZ", [site, site + 1], 1.0)
    return driver.get_mpo(terms.finalize(), iprint=0)


def main():
    asked = steady.arguments()
    with Captured():
        driver = DMRGDriver(scratch=asked.scratch, symm_type=SymmetryTypes.SGB, n_threads=1, stack_mem=4 << 30)
        driver.initialize_system(n_sites=asked.sites, heis_twos=1, heis_twosz=0)
        operator = hamiltonian(driver, asked.sites)
        state = driver.get_random_mps(tag="KET", bond_dim=16, nroots=1)
        caps = steady.growth_caps(asked.max_states) + [asked.max_states] * asked.growth
        driver.dmrg(operator, state, n_sweeps=-1, bond_dims=[asked.max_states], noises=[0], thrds=[RESIDUAL],
                    dav_max_iter=steady.PRODUCTS, dav_type="NoPrecond", cutoff=0.0, iprint=0)
        dmrg = driver._dmrg
        dmrg.me.init_environments(False)
    energies = []

    def sweep(cap=asked.max_states):
        for forward in (True, False):
            energies.append(list(dmrg.sweep(forward, cap, 0.0, RESIDUAL)[0])[-1])

    for cap in caps:
        sweep(cap)
    seconds = steady.timed(sweep, asked.sweeps)
    energy = energies[-1]
    dmrg.iprint = 2
    with Captured() as shown:
        sweep()
    made = [int(number) for number in re.findall(r"Ndav\s*=\s*(\d+)", shown.text)]
    max_bond = max(int(number) for number in re.findall(r"Mmps\s*=\s*(\d+)", shown.text))
    steady.report("block2", importlib.metadata.version("block2"), "SGB, no preconditioner", seconds, energy, len(made),
                  steady.spread(made), max_bond)


main()
