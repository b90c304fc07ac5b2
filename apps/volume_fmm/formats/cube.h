/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_CUBE_H
#define VOLUME_FMM_FORMATS_CUBE_H

#include <stddef.h>

#include <tactus/runtime/error.h>

#define TAC_BOHR_PER_ANGSTROM (1.0 / 0.529177210903) /* CODATA 2018 */

/* Units of lengths in a cube file. By its sign, a positive number of voxels means Bohr and a negative one Angstrom; programs
 * disagree about it, so that a caller can say what it is. */
enum tac_cube_units { TAC_CUBE_UNITS_BY_SIGN = 0, TAC_CUBE_UNITS_BOHR, TAC_CUBE_UNITS_ANGSTROM };

struct tac_cube_atom {
  int number; /* of the element */
  double charge;
  double position[3]; /* Bohr */
};

/* A Gaussian cube file: samples at origin + (ix*step[0], iy*step[1], iz*step[2]), ix < shape[0] and so on. */
struct tac_cube {
  char *comments[2];
  size_t shape[3];
  double origin[3], step[3]; /* Bohr; steps are positive */
  struct tac_cube_atom *atoms;
  size_t atom_count;
  double *values;            /* values[(ix*shape[1] + iy)*shape[2] + iz] */
  enum tac_cube_units units; /* taken: Bohr or Angstrom */
  int units_are_doubtful;    /* 1: taken as Angstrom from negative numbers of voxels, which some programs write for Bohr */
};

/* Reads a cube file; path "-" is the standard input. Files of one orbital (a negative number of atoms and a line more) are
 * read, of several refused. Axes must run along x, y, z in this order and in positive direction. IO: the file cannot be
 * read. INVALID: its content, with file and line; axes that do not; a number of values that is not the header's; whole cell
 * vectors where those of one voxel belong. */
enum tac_status tac_cube_read(struct tac_cube *out, const char *path, enum tac_cube_units units, struct tac_error *error);
void tac_cube_free(struct tac_cube *cube); /* bears one that was not read, if it is all zero */

#define TAC_CUBE_DIGITS      5  /* after the point, as everybody writes */
#define TAC_CUBE_FULL_DIGITS 16 /* enough for every double */

/* Writes cube with `values` in place of its own (NULL: its own), `digits` (5 … 16) digits after the point. Lengths are in
 * Bohr with positive numbers of voxels, in the customary six decimals where they are exact, else with 17 digits. Replaces
 * the file as a whole; on failure the old one is kept. INVALID: a value that is not finite. */
enum tac_status tac_cube_write(const char *path, const struct tac_cube *cube, const double *values, int digits,
                               struct tac_error *error);

#endif
