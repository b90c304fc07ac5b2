/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "apps/volume_fmm/formats/cube.h"
#include "apps/volume_fmm/formats/text_file.h"

/* The header before its meaning: counts with their signs, vectors in the file's own units. */
struct header {
  long long atoms, voxels[3];
  double origin[3], vector[3][3];
};

static const char axis_names[] = "xyz";

static enum tac_status no_memory(const struct tac_text_file *file, const char *what) {
  return tac_error_set(file->error, TAC_STATUS_MEMORY, "file", "%s: no memory for its %s", file->name, what);
}

static enum tac_status next_line(struct tac_text_file *file, const char *what) {
  int more;
  enum tac_status status = tac_text_line(file, &more);
  if (status == TAC_STATUS_OK && !more)
    return tac_text_refuse(file, "the file ends before %s", what);
  return status;
}

/* Fields of a line that holds from `least` to `most` of them. */
static enum tac_status next_fields(struct tac_text_file *file, const char *what, size_t least, size_t most, char **fields,
                                   size_t *found) {
  enum tac_status status = next_line(file, what);
  if (status != TAC_STATUS_OK)
    return status;
  *found = tac_text_fields(file->text, fields, most);
  return *found >= least && *found <= most ? TAC_STATUS_OK
                                           : tac_text_refuse(file, "%zu fields where %s has %zu", *found, what, least);
}

static enum tac_status to_integer(long long *out, const struct tac_text_file *file, const char *field, const char *what) {
  char shown[TAC_SHOWN_BYTES];
  const char *reason = tac_text_whole_integer(out, field);
  return reason ? tac_text_refuse(file, "%s: '%s' %s", what, tac_text_shown(shown, field), reason) : TAC_STATUS_OK;
}

static enum tac_status to_reals(double *out, size_t count, const struct tac_text_file *file, char *const *fields,
                                const char *what) {
  char shown[TAC_SHOWN_BYTES];
  for (size_t i = 0; i < count; i++) {
    const char *reason = tac_text_whole_real(&out[i], fields[i]);
    if (reason)
      return tac_text_refuse(file, "%s: '%s' %s", what, tac_text_shown(shown, fields[i]), reason);
  }
  return TAC_STATUS_OK;
}

static enum tac_status read_comments(struct tac_cube *cube, struct tac_text_file *file) {
  for (int i = 0; i < 2; i++) {
    enum tac_status status = next_line(file, "the number of atoms (two lines of comment come first)");
    if (status != TAC_STATUS_OK)
      return status;
    cube->comments[i] = strdup(file->text);
    if (!cube->comments[i])
      return no_memory(file, "comments");
  }
  return TAC_STATUS_OK;
}

/* Number of atoms and origin; a fifth field is the number of values a voxel. */
static enum tac_status read_origin(struct header *header, struct tac_text_file *file) {
  char *fields[5] = {0};
  size_t found;
  long long values = 1;
  enum tac_status status = next_fields(file, "the line of the number of atoms and the origin", 4, 5, fields, &found);
  if (status == TAC_STATUS_OK)
    status = to_integer(&header->atoms, file, fields[0], "the number of atoms");
  if (status == TAC_STATUS_OK)
    status = to_reals(header->origin, 3, file, fields + 1, "the origin");
  if (status == TAC_STATUS_OK && found == 5)
    status = to_integer(&values, file, fields[4], "the number of values a voxel");
  if (status == TAC_STATUS_OK && values != 1)
    return tac_text_refuse(file, "%lld values a voxel where a density has one", values);
  return status;
}

static enum tac_status read_axis(struct header *header, struct tac_text_file *file, int axis) {
  char what[48], *fields[4] = {0};
  size_t found;
  snprintf(what, sizeof what, "the line of axis %d (voxels and vector)", axis + 1);
  enum tac_status status = next_fields(file, what, 4, 4, fields, &found);
  if (status == TAC_STATUS_OK)
    status = to_integer(&header->voxels[axis], file, fields[0], "the number of voxels");
  if (status == TAC_STATUS_OK && (header->voxels[axis] == 0 || llabs(header->voxels[axis]) > INT32_MAX))
    return tac_text_refuse(file, "%lld voxels along axis %d", header->voxels[axis], axis + 1);
  return status == TAC_STATUS_OK ? to_reals(header->vector[axis], 3, file, fields + 1, "the vector of a voxel") : status;
}

/* Other components may be there to a millionth of a voxel over the whole axis: programs compute them. */
static enum tac_status check_direction(const struct header *header, const struct tac_text_file *file, int axis) {
  const double *vector = header->vector[axis];
  const double voxels = fabs((double)header->voxels[axis]);
  int longest = 0, others = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(vector[i]) > fabs(vector[longest]))
      longest = i;
  if (vector[longest] == 0)
    return tac_text_refuse(file, "axis %d has no length", axis + 1);
  for (int i = 0; i < 3; i++)
    others += i != longest && fabs(vector[i]) * voxels > 1e-6 * fabs(vector[longest]);
  if (others)
    return tac_text_refuse(file, "axis %d is skewed: it must run along %c alone (resample the density on such a grid)",
                           axis + 1, axis_names[axis]);
  if (longest != axis)
    return tac_text_refuse(file, "axis %d runs along %c: the axes must run along x, y, z in this order", axis + 1,
                           axis_names[longest]);
  if (vector[axis] < 0)
    return tac_text_refuse(file, "axis %d runs backwards, which makes the axes left-handed: steps must be positive", axis + 1);
  return TAC_STATUS_OK;
}

static enum tac_status decide_units(struct tac_cube *cube, const struct header *header, const struct tac_text_file *file,
                                    enum tac_cube_units units) {
  int negative = 0;
  for (int axis = 0; axis < 3; axis++)
    negative += header->voxels[axis] < 0;
  cube->units = units;
  cube->units_are_doubtful = units == TAC_CUBE_UNITS_BY_SIGN && negative == 3;
  if (units != TAC_CUBE_UNITS_BY_SIGN)
    return TAC_STATUS_OK;
  if (negative == 1 || negative == 2)
    return tac_text_refuse(file, "positive and negative numbers of voxels leave the unit open: say it with --units");
  cube->units = negative ? TAC_CUBE_UNITS_ANGSTROM : TAC_CUBE_UNITS_BOHR;
  return TAC_STATUS_OK;
}

static double bohr(const struct tac_cube *cube, double length) {
  return cube->units == TAC_CUBE_UNITS_ANGSTROM ? length * TAC_BOHR_PER_ANGSTROM : length;
}

static enum tac_status set_grid(struct tac_cube *cube, const struct header *header, const struct tac_text_file *file) {
  size_t count = 1;
  for (int axis = 0; axis < 3; axis++) {
    cube->shape[axis] = (size_t)llabs(header->voxels[axis]);
    cube->origin[axis] = bohr(cube, header->origin[axis]);
    cube->step[axis] = bohr(cube, header->vector[axis][axis]);
    if (!isfinite(cube->origin[axis] + cube->step[axis] * (double)cube->shape[axis]))
      return tac_text_refuse(file, "axis %d reaches to infinity", axis + 1);
    if (count > SIZE_MAX / sizeof(double) / cube->shape[axis])
      return tac_text_refuse(file, "more voxels than this machine can count");
    count *= cube->shape[axis];
  }
  return TAC_STATUS_OK;
}

static enum tac_status read_grid(struct tac_cube *cube, struct header *header, struct tac_text_file *file,
                                 enum tac_cube_units units) {
  enum tac_status status = read_origin(header, file);
  for (int axis = 0; axis < 3 && status == TAC_STATUS_OK; axis++) {
    status = read_axis(header, file, axis);
    if (status == TAC_STATUS_OK)
      status = check_direction(header, file, axis);
  }
  if (status == TAC_STATUS_OK)
    status = decide_units(cube, header, file, units);
  return status == TAC_STATUS_OK ? set_grid(cube, header, file) : status;
}

static enum tac_status read_atom(struct tac_cube *cube, struct tac_text_file *file) {
  char *fields[5] = {0};
  double numbers[4];
  size_t found;
  long long element;
  struct tac_cube_atom *atom = &cube->atoms[cube->atom_count];
  enum tac_status status = next_fields(file, "the line of an atom (number, charge, position)", 5, 5, fields, &found);
  if (status == TAC_STATUS_OK)
    status = to_integer(&element, file, fields[0], "the number of an atom's element");
  if (status == TAC_STATUS_OK && llabs(element) > INT32_MAX)
    return tac_text_refuse(file, "%lld is the number of no element", element);
  if (status == TAC_STATUS_OK)
    status = to_reals(numbers, 4, file, fields + 1, "an atom");
  if (status != TAC_STATUS_OK)
    return status;
  *atom = (struct tac_cube_atom){.number = (int)element, .charge = numbers[0]};
  for (int axis = 0; axis < 3; axis++) {
    atom->position[axis] = bohr(cube, numbers[1 + axis]);
    if (!isfinite(atom->position[axis]))
      return tac_text_refuse(file, "an atom is at infinity");
  }
  cube->atom_count++;
  return TAC_STATUS_OK;
}

static enum tac_status read_atoms(struct tac_cube *cube, const struct header *header, struct tac_text_file *file) {
  const unsigned long long promised =
      header->atoms < 0 ? 0 - (unsigned long long)header->atoms : (unsigned long long)header->atoms;
  size_t capacity = 0;
  while (cube->atom_count < promised) {
    if (!tac_grow((void **)&cube->atoms, &capacity, cube->atom_count + 1, promised, sizeof *cube->atoms))
      return no_memory(file, "atoms");
    enum tac_status status = read_atom(cube, file);
    if (status != TAC_STATUS_OK)
      return status;
  }
  return TAC_STATUS_OK;
}

/* The line that a negative number of atoms announces: how many orbitals, and which. */
static enum tac_status read_orbital(struct tac_text_file *file) {
  char *fields[2] = {0};
  size_t found;
  long long orbitals, orbital;
  enum tac_status status = next_line(file, "the line of the orbitals, which a negative number of atoms announces");
  if (status != TAC_STATUS_OK)
    return status;
  found = tac_text_fields(file->text, fields, 2);
  if (found < 2)
    return tac_text_refuse(file, "no number of orbitals with their names, which a negative number of atoms announces");
  status = to_integer(&orbitals, file, fields[0], "the number of orbitals");
  if (status != TAC_STATUS_OK)
    return status;
  if (orbitals != 1)
    return tac_text_refuse(file, "%lld orbitals a voxel where a density has one value: write each to a file of its own",
                           orbitals);
  return found == 2 ? to_integer(&orbital, file, fields[1], "the orbital's number")
                    : tac_text_refuse(file, "%zu fields where the line of one orbital has 2", found);
}

/* Whole cell vectors in place of those of a voxel make voxels of atomic size, the first of which holds atoms; no density is
 * sampled so. */
static enum tac_status check_voxels(const struct tac_cube *cube, const struct tac_text_file *file) {
  size_t inside = 0;
  for (int axis = 0; axis < 3; axis++)
    if (cube->step[axis] < 2 || cube->shape[axis] < 8)
      return TAC_STATUS_OK;
  for (size_t i = 0; i < cube->atom_count; i++) {
    int in = 1;
    for (int axis = 0; axis < 3; axis++) {
      const double place = (cube->atoms[i].position[axis] - cube->origin[axis]) / cube->step[axis];
      in = in && place >= 0 && place <= 1;
    }
    inside += (size_t)in;
  }
  return inside == 0 || inside < cube->atom_count
             ? TAC_STATUS_OK
             : tac_text_refuse(file,
                               "the vectors look like those of the whole cell, not of one voxel: all atoms are in the first "
                               "of the voxels, which are %.3g Bohr wide",
                               cube->step[0]);
}

static enum tac_status refuse_value(const struct tac_cube *cube, const struct tac_text_file *file, size_t index, const char *at,
                                    const char *reason) {
  char shown[TAC_SHOWN_BYTES];
  const size_t layer = cube->shape[1] * cube->shape[2];
  return tac_text_refuse(file, "voxel (%zu, %zu, %zu): '%s' %s", index / layer, index / cube->shape[2] % cube->shape[1],
                         index % cube->shape[2], tac_text_shown(shown, at), reason);
}

/* The values of one word: in full columns the sign of a number follows the number before it. */
static enum tac_status take_word(struct tac_cube *cube, const struct tac_text_file *file, size_t count, size_t *done,
                                 size_t *capacity) {
  for (const char *at = file->text; *at != '\0';) {
    double value;
    const char *word = at, *reason = tac_text_real(&value, &at);
    if (*done == count)
      return tac_text_refuse(file, "something follows the %zu values that the header promises", count);
    if (!reason && *at != '\0' && *at != '-' && *at != '+')
      reason = "is not a number";
    if (reason)
      return refuse_value(cube, file, *done, word, reason);
    if (!tac_grow((void **)&cube->values, capacity, *done + 1, count, sizeof *cube->values))
      return no_memory(file, "values");
    cube->values[(*done)++] = value;
  }
  return TAC_STATUS_OK;
}

static enum tac_status read_values(struct tac_cube *cube, struct tac_text_file *file) {
  const size_t count = cube->shape[0] * cube->shape[1] * cube->shape[2];
  size_t done = 0, capacity = 0;
  for (;;) {
    int more;
    enum tac_status status = tac_text_word(file, &more);
    if (status != TAC_STATUS_OK)
      return status;
    if (!more && done < count)
      return tac_text_refuse(file, "the file ends after %zu of the %zu values that its header promises", done, count);
    if (!more)
      return TAC_STATUS_OK;
    status = take_word(cube, file, count, &done, &capacity);
    if (status != TAC_STATUS_OK)
      return status;
  }
}

static enum tac_status read_cube(struct tac_cube *cube, struct tac_text_file *file, enum tac_cube_units units) {
  struct header header;
  enum tac_status status = read_comments(cube, file);
  if (status == TAC_STATUS_OK)
    status = read_grid(cube, &header, file, units);
  if (status == TAC_STATUS_OK)
    status = read_atoms(cube, &header, file);
  if (status == TAC_STATUS_OK)
    status = check_voxels(cube, file);
  if (status == TAC_STATUS_OK && header.atoms < 0)
    status = read_orbital(file);
  return status == TAC_STATUS_OK ? read_values(cube, file) : status;
}

enum tac_status tac_cube_read(struct tac_cube *out, const char *path, enum tac_cube_units units, struct tac_error *error) {
  struct tac_cube cube = {0};
  struct tac_text_file file;
  enum tac_status status = tac_text_open(&file, path, error);
  if (status == TAC_STATUS_OK)
    status = read_cube(&cube, &file, units);
  tac_text_close(&file);
  if (status == TAC_STATUS_OK)
    *out = cube;
  else
    tac_cube_free(&cube);
  return status;
}

void tac_cube_free(struct tac_cube *cube) {
  free(cube->comments[0]);
  free(cube->comments[1]);
  free(cube->atoms);
  free(cube->values);
  memset(cube, 0, sizeof *cube);
}
