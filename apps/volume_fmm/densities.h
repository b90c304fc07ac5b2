/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_DENSITIES_H
#define VOLUME_FMM_DENSITIES_H

#include <stddef.h>
#include <stdio.h>

#include <tactus/fmm/kernel.h>
#include <tactus/fmm/tree.h>

#include "apps/volume_fmm/formats/cube.h"
#include "apps/volume_fmm/formats/gaussians.h"
#include "apps/volume_fmm/formats/samples.h"

/* What the command line says about the density and where it is. */
struct tac_density_request {
  const char *text; /* "gaussian:a=160,x=0.1", "gaussians:FILE", "FILE.cube", "FILE.npy" */
  int dim;          /* 3 for a cube file */
  struct tac_fmm_kernel kernel;
  double lower, upper; /* of the domain, along every axis; a cube file brings its own */
  enum tac_cube_units units;
};

/* The file that such a text names; NULL: none. */
const char *tac_density_file(const char *text);

struct tac_density;

/* What a kind of density can tell. value is NULL where values come in bulk (samples); answer is NULL where no closed form is
 * known for any kernel. */
struct tac_density_form {
  double (*value)(const struct tac_density *density, const double *x);
  int (*is_known)(const struct tac_density *density);
  void (*answer)(double *fields, const struct tac_density *density, const double *x);
  double (*outside)(const struct tac_density *density);
};

/* A density with what belongs to it. Read by one thread at a time while the tree is made, by any number afterwards. */
struct tac_density {
  const struct tac_density_form *form;
  int dim;
  struct tac_fmm_kernel kernel;
  double lower[3], side; /* the domain */
  struct tac_gaussian *gaussians;
  size_t gaussian_count;
  size_t *near; /* scratch: those that reach the points at hand */
  double center[3], radius, amplitude;
  int depth; /* of the leaves at a jump; 0: there is none */
  int power[3];
  struct tac_samples *samples;
  struct tac_cube cube; /* cube.values is NULL when it is not from a cube file */
  const struct tac_fmm_seed *seeds;
  size_t seed_count;
  struct tac_fmm_seed *own_seeds; /* of Gaussians; those of samples belong to them */
};

/* INVALID: unknown name or parameter, or a file's content, told under "--density"; IO; MEMORY. */
enum tac_status tac_density_create(struct tac_density *out, const struct tac_density_request *request, struct tac_error *error);
void tac_density_destroy(struct tac_density *density);

/* A tac_fmm_density_fn; the context is the density. */
enum tac_status tac_density_values(void *density, size_t count, const double *points, double *values, struct tac_error *error);

/* A tac_fmm_refine_fn for a density with a jump: boxes that it crosses are split down to its depth. */
int tac_density_refine(void *density, int level, const double *lower, double side);

/* Whether the potential has a closed form for the kernel and in this dimension. */
int tac_density_is_known(const struct tac_density *density);

/* Potential and gradient in free space at x in any thread: fields[part + parts*component], component 1 + axis for the
 * derivative along that axis. Only where it is known. */
void tac_density_answer(double *fields, const struct tac_density *density, const double *x);

/* About the share of the potential that comes from outside the domain, where the closed form has density and the domain has
 * not; 0 without. */
double tac_density_outside(const struct tac_density *density);

/* Work of one answer, in evaluations of a closed form. */
size_t tac_density_terms(const struct tac_density *density);

/* The built-in cases by their names, in the order of --density=help. */
size_t tac_density_case_count(void);
const char *tac_density_case_name(size_t number);

/* --density=help. */
void tac_density_help(FILE *stream);

/* Parts of the above. */
extern const struct tac_density_form tac_density_gaussian, tac_density_charged, tac_density_ball, tac_density_constant,
    tac_density_polynomial, tac_density_sampled;
enum tac_status tac_density_from_case(struct tac_density *out, const char *text, struct tac_error *error);
enum tac_status tac_density_from_gaussians(struct tac_density *out, const char *path, struct tac_error *error);
enum tac_status tac_density_from_npy(struct tac_density *out, const char *path, struct tac_error *error);
enum tac_status tac_density_from_cube(struct tac_density *out, const char *path, enum tac_cube_units units,
                                      struct tac_error *error);
/* Takes `gaussians` over and makes seeds of them. */
enum tac_status tac_density_take_gaussians(struct tac_density *out, const struct tac_density_form *form,
                                           struct tac_gaussian *gaussians, size_t count, struct tac_error *error);

#endif
