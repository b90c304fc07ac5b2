# SPDX-License-Identifier: BSD-3-Clause
"""Steady two-site sweeps of TeNPy with exactly four Lanczos steps a bond."""

import warnings

import tenpy
from tenpy.algorithms.dmrg import TwoSiteDMRGEngine
from tenpy.models.spins import SpinModel
from tenpy.networks.mps import MPS

import steady


def main():
    asked = steady.arguments()
    warnings.simplefilter("ignore")
    model = SpinModel({"L": asked.sites, "S": 0.5, "bc_MPS": "finite", "Jx": 1.0, "Jy": 1.0, "Jz": 1.0, "conserve": "Sz"})
    neel = ["up" if site % 2 == 0 else "down" for site in range(asked.sites)]
    state = MPS.from_product_state(model.lat.mps_sites(), neel, bc="finite")
    engine = TwoSiteDMRGEngine(state, model, {
        "mixer": None,
        "combine": True,  # joins each environment with its site: the faster of the two forms
        "diag_method": "lanczos",  # the default would diagonalise small blocks fully
        # No early end: the least number of steps is the most, and the norm below which a vector counts as zero is tiny.
        "lanczos_params": {"N_min": steady.PRODUCTS, "N_max": steady.PRODUCTS, "cutoff": 1e-200, "E_tol": 0.0, "P_tol": 0.0},
        "trunc_params": {"chi_max": 16, "svd_min": None, "trunc_cut": None},
    })

    def sweep():
        engine.sweep(meas_E_trunc=False)

    for cap in steady.growth_caps(asked.max_states) + [asked.max_states] * asked.growth:
        engine.trunc_params["chi_max"] = cap
        sweep()
    steps = engine.update_stats["N_lanczos"]
    before = len(steps)
    seconds = steady.timed(sweep, asked.sweeps)
    made = steps[before:]
    energy = float(engine.update_stats["E_total"][-1])
    steady.report("TeNPy", tenpy.__version__, "combined", seconds, energy, len(made) // asked.sweeps,
                  steady.spread(made), int(max(state.chi)))


main()
