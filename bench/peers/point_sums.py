# SPDX-License-Identifier: BSD-3-Clause
"""A point FMM on the quadrature nodes of a uniform tree: CPU seconds and error at the loosest eps that reaches the error asked
for, as JSON. Charges are density times weight, so that the sums are what a point code makes of the volume potential."""

import argparse
import importlib.metadata
import json
import math
import os
import time

import numpy

SAMPLES = 200  # nodes at which the sums are compared with direct ones
EPS = [10.0**-digits for digits in range(1, 15)]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dim", type=int, required=True)
    parser.add_argument("--order", type=int, required=True)
    parser.add_argument("--levels", type=int, required=True)
    parser.add_argument("--exponent", type=float, required=True)
    parser.add_argument("--error", type=float, required=True)
    parser.add_argument("--repeat", type=int, required=True)
    return parser.parse_args()


def quadrature(asked):
    """Nodes nodes[axis, i] and weights of the unit box, a tensor Gauss rule on every leaf."""
    node, weight = numpy.polynomial.legendre.leggauss(asked.order)
    leaves = 2**asked.levels
    line = ((numpy.arange(leaves)[:, None] + (node[None, :] + 1) / 2) / leaves - 0.5).ravel()
    along = numpy.tile(weight / (2 * leaves), leaves)
    nodes = numpy.stack([axis.ravel() for axis in numpy.meshgrid(*[line] * asked.dim, indexing="ij")])
    weights = numpy.ones(1)
    for _ in range(asked.dim):
        weights = numpy.multiply.outer(weights, along).ravel()
    return nodes, weights


def peer_of(dim):
    """Name, FMM, direct sum, and the factor to Green's function."""
    if dim == 2:
        import fmm2dpy
        return "fmm2dpy", fmm2dpy.rfmm2d, fmm2dpy.r2ddir, -1 / (2 * math.pi)
    import fmm3dpy
    return "fmm3dpy", fmm3dpy.lfmm3d, fmm3dpy.l3ddir, 1.0


def relative(values, exact):
    return float(numpy.linalg.norm(values - exact) / numpy.linalg.norm(exact))


def main():
    asked = arguments()
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the libraries may print
    nodes, weights = quadrature(asked)
    squares = (nodes**2).sum(axis=0)
    potential = numpy.exp(-asked.exponent * squares)
    charges = (2 * asked.dim * asked.exponent - 4 * asked.exponent**2 * squares) * potential * weights
    name, fmm, direct, factor = peer_of(asked.dim)
    # Where the potential is, not in the empty part of the box.
    sample = numpy.random.default_rng(1).choice(numpy.flatnonzero(potential > 1e-3), SAMPLES)
    exact = direct(sources=nodes, targets=nodes[:, sample], charges=charges, pgt=1).pottarg
    if asked.dim == 3:  # versions differ in the factor 1/(4 pi)
        unit = fmm(eps=1e-9, sources=numpy.array([[0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]), charges=numpy.ones(2), pg=1).pot[0]
        factor = 1 / (4 * math.pi * unit)
    for eps in EPS:
        seconds = []
        for _ in range(asked.repeat):
            begin = time.process_time()
            sums = fmm(eps=eps, sources=nodes, charges=charges, pg=1).pot
            seconds.append(time.process_time() - begin)
        error = relative(sums[sample], exact)
        if error <= asked.error:
            break
    json.dump({"name": name, "version": importlib.metadata.version(name), "points": len(weights), "eps": eps,
               "seconds": min(seconds), "error": error, "as_potential": relative(factor * sums, potential)}, answer)
    answer.write("\n")
    answer.close()


main()
