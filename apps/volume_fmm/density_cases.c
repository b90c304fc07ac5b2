/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/volume_fmm/densities.h"
#include "runtime/nearest_name.h"

#define OPTION          "--density"
#define PARAMETERS_MOST 8

/* A parameter of a built-in case. Its default is in units of the domain: initial * side^power, and for a coordinate the middle
 * plus initial * side. */
struct parameter {
  const char *name;
  double initial;
  int power, axis; /* axis >= 0: a coordinate */
  double least, most;
  int is_whole;
  const char *help;
};

struct density_case {
  const char *name, *formula, *answer;
  int dim; /* 0: both */
  enum tac_status (*build)(struct tac_density *out, const double *value, struct tac_error *error);
  struct parameter parameters[PARAMETERS_MOST]; /* end with a NULL name */
};

static enum tac_status build_gaussians(struct tac_density *out, const struct tac_density_form *form,
                                       const struct tac_gaussian *gaussians, size_t count, struct tac_error *error) {
  struct tac_gaussian *copy = calloc(count, sizeof *copy);
  if (!copy)
    return tac_error_set(error, TAC_STATUS_MEMORY, OPTION, "no memory for %zu Gaussians", count);
  memcpy(copy, gaussians, count * sizeof *copy);
  return tac_density_take_gaussians(out, form, copy, count, error);
}

static enum tac_status build_gaussian(struct tac_density *out, const double *value, struct tac_error *error) {
  const struct tac_gaussian gaussian = {{value[1], value[2], value[3]}, value[0], 1};
  return build_gaussians(out, &tac_density_gaussian, &gaussian, 1, error);
}

static enum tac_status build_charged(struct tac_density *out, const double *value, struct tac_error *error) {
  const struct tac_gaussian gaussian = {{value[1], value[2], value[3]}, value[0], 1};
  return build_gaussians(out, &tac_density_charged, &gaussian, 1, error);
}

/* On the diagonal, as far from the middle as from each other's. */
static enum tac_status build_two_gaussians(struct tac_density *out, const double *value, struct tac_error *error) {
  struct tac_gaussian gaussian[2] = {{{0}, 0.5 / (value[0] * value[0]), 1}, {{0}, 0.5 / (value[1] * value[1]), 1}};
  for (int axis = 0; axis < out->dim; axis++) {
    const double middle = out->lower[axis] + 0.5 * out->side, shift = 0.5 * value[2] / sqrt(out->dim);
    gaussian[0].center[axis] = middle - shift;
    gaussian[1].center[axis] = middle + shift;
  }
  return build_gaussians(out, &tac_density_gaussian, gaussian, 2, error);
}

static enum tac_status build_ball(struct tac_density *out, const double *value, struct tac_error *error) {
  (void)error;
  out->form = &tac_density_ball;
  out->radius = value[0];
  memcpy(out->center, value + 2, sizeof out->center);
  out->depth = (int)value[1];
  out->amplitude = 1;
  return TAC_STATUS_OK;
}

static enum tac_status build_constant(struct tac_density *out, const double *value, struct tac_error *error) {
  (void)error;
  out->form = &tac_density_constant;
  out->amplitude = value[0];
  return TAC_STATUS_OK;
}

static enum tac_status build_polynomial(struct tac_density *out, const double *value, struct tac_error *error) {
  (void)error;
  out->form = &tac_density_polynomial;
  for (int axis = 0; axis < out->dim; axis++)
    out->power[axis] = (int)value[axis];
  return TAC_STATUS_OK;
}

#define CENTER                                                                                                                 \
  {"x", 0, 1, 0, -DBL_MAX, DBL_MAX, 0, "its center"}, {"y", 0, 1, 1, -DBL_MAX, DBL_MAX, 0, NULL}, {                            \
    "z", 0, 1, 2, -DBL_MAX, DBL_MAX, 0, NULL                                                                                   \
  }
#define POSITIVE DBL_MIN, DBL_MAX
#define NOWHERE  (-1)
#define WHOLE    1
#define ALL      "Laplace, Yukawa, Helmholtz"
#define ROUND(level)                                                                                                           \
  {                                                                                                                            \
    {"r", 0.3, 1, NOWHERE, POSITIVE, 0, "its radius"},                                                                         \
        {"depth", level, 0, NOWHERE, 0, TAC_FMM_MAX_LEVELS - 1, WHOLE, "level of the leaves that its border crosses"}, CENTER  \
  }

static const struct density_case cases[] = {
    {"gaussian",
     "f such that u = exp(-a r^2)",
     ALL,
     0,
     build_gaussian,
     {{"a", 160, -2, NOWHERE, POSITIVE, 0, "exponent"}, CENTER}},
    {"charged-gaussian",
     "f = exp(-a r^2), whose potential does not fall off",
     "Laplace, Yukawa",
     0,
     build_charged,
     {{"a", 160, -2, NOWHERE, POSITIVE, 0, "exponent"}, CENTER}},
    {"two-gaussians",
     "f such that u is a sum of two exp(-r^2/(2 w^2)), unlike and narrow",
     ALL,
     0,
     build_two_gaussians,
     {{"w1", 0.01, 1, NOWHERE, POSITIVE, 0, "width of the lower"},
      {"w2", 0.02, 1, NOWHERE, POSITIVE, 0, "of the upper"},
      {"d", 0.5, 1, NOWHERE, 0, DBL_MAX, 0, "their distance, along the diagonal"}}},
    {"disk", "f = 1 inside a circle, 0 outside (2D)", ALL, 2, build_ball, ROUND(9)},
    {"ball", "f = 1 inside a sphere, 0 outside (3D)", ALL, 3, build_ball, ROUND(5)},
    {"constant",
     "f = c in the whole domain",
     "Laplace",
     0,
     build_constant,
     {{"c", 1, 0, NOWHERE, -DBL_MAX, DBL_MAX, 0, "its value"}}},
    {"polynomial",
     "f = X^i Y^j [Z^k] in coordinates that are -1 and 1 at the domain's borders",
     "none",
     0,
     build_polynomial,
     {{"i", 2, 0, NOWHERE, 0, 15, WHOLE, "powers"},
      {"j", 1, 0, NOWHERE, 0, 15, WHOLE, NULL},
      {"k", 0, 0, NOWHERE, 0, 15, WHOLE, NULL}}},
};
enum { CASES = sizeof cases / sizeof *cases };

size_t tac_density_case_count(void) {
  return CASES;
}

const char *tac_density_case_name(size_t number) {
  return cases[number].name;
}

static const struct density_case *find_case(const char *text, size_t length) {
  for (int i = 0; i < CASES; i++)
    if (strlen(cases[i].name) == length && strncmp(cases[i].name, text, length) == 0)
      return &cases[i];
  return NULL;
}

static enum tac_status unknown_case(const char *text, size_t length, struct tac_error *error) {
  const char *names[CASES];
  char name[64];
  for (int i = 0; i < CASES; i++)
    names[i] = cases[i].name;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  const char *nearest = tac_nearest_name(name, names, CASES);
  if (nearest)
    return tac_error_set(error, TAC_STATUS_INVALID, OPTION, "'%s' is no density; did you mean %s? --density=help lists them",
                         name, nearest);
  return tac_error_set(error, TAC_STATUS_INVALID, OPTION,
                       "'%s' is no built-in density, nor gaussians:FILE, FILE.cube or FILE.npy; see --density=help", name);
}

/* The coordinate z and the power k belong to 3D. */
static int exists(const struct parameter *parameter, int dim) {
  return dim == 3 || (parameter->axis != 2 && strcmp(parameter->name, "k") != 0);
}

static const struct parameter *find_parameter(const struct density_case *found, int dim, const char *text, size_t length) {
  for (const struct parameter *p = found->parameters; p->name; p++)
    if (strlen(p->name) == length && strncmp(p->name, text, length) == 0 && exists(p, dim))
      return p;
  return NULL;
}

static enum tac_status unknown_parameter(const struct density_case *found, int dim, const char *word, struct tac_error *error) {
  char list[64] = "";
  for (const struct parameter *p = found->parameters; p->name; p++)
    if (exists(p, dim))
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", p->name);
  return tac_error_set(error, TAC_STATUS_INVALID, OPTION, "'%s' sets no parameter of %s in %dD; there are %s", word,
                       found->name, dim, list);
}

/* One "name=value", `length` long; a bit of *given for each that was set. */
static enum tac_status parse_parameter(double *value, unsigned *given, const struct density_case *found, int dim,
                                       const char *text, size_t length, struct tac_error *error) {
  char word[96], *end = NULL;
  snprintf(word, sizeof word, "%.*s", (int)length, text);
  const size_t name = strcspn(word, "=");
  const struct parameter *parameter = find_parameter(found, dim, word, name);
  if (!parameter || length >= sizeof word)
    return unknown_parameter(found, dim, word, error);
  const char *number = word[name] ? word + name + 1 : "";
  const double read = number[strspn(number, "+-.0123456789eE")] == '\0' ? strtod(number, &end) : NAN;
  if (!end || end == number || *end || !isfinite(read))
    return tac_error_set(error, TAC_STATUS_INVALID, OPTION, "'%s': a finite number is needed", word);
  if (read < parameter->least || read > parameter->most || (parameter->is_whole && read != floor(read)))
    return tac_error_set(error, TAC_STATUS_INVALID, OPTION, "'%s' is out of range: %s%.3g to %.3g is allowed", word,
                         parameter->is_whole ? "a whole number from " : "", parameter->least, parameter->most);
  const unsigned bit = 1U << (parameter - found->parameters);
  if (*given & bit)
    return tac_error_set(error, TAC_STATUS_INVALID, OPTION, "%s is given twice, the second time as '%s'", parameter->name,
                         word);
  *given |= bit;
  value[parameter - found->parameters] = read;
  return TAC_STATUS_OK;
}

static void set_defaults(double *value, const struct density_case *found, const struct tac_density *density) {
  for (int i = 0; found->parameters[i].name; i++) {
    const struct parameter *p = &found->parameters[i];
    value[i] = p->initial * pow(density->side, p->power);
    if (p->axis >= 0)
      value[i] += density->lower[p->axis] + 0.5 * density->side;
  }
}

enum tac_status tac_density_from_case(struct tac_density *out, const char *text, struct tac_error *error) {
  double value[PARAMETERS_MOST];
  unsigned given = 0;
  const size_t length = strcspn(text, ":");
  const struct density_case *found = find_case(text, length);
  if (!found)
    return unknown_case(text, length, error);
  if (found->dim && found->dim != out->dim)
    return tac_error_set(error, TAC_STATUS_INVALID, OPTION, "'%s' is %dD, and --dim=%d", found->name, found->dim, out->dim);
  set_defaults(value, found, out);
  enum tac_status status = TAC_STATUS_OK;
  for (const char *at = text + length; *at && status == TAC_STATUS_OK;) {
    const size_t word = strcspn(++at, ",");
    status = parse_parameter(value, &given, found, out->dim, at, word, error);
    at += word;
  }
  return status == TAC_STATUS_OK ? found->build(out, value, error) : status;
}

static void print_case(FILE *stream, const struct density_case *found) {
  fprintf(stream, "\n  %-17s %s\n", found->name, found->formula);
  for (const struct parameter *p = found->parameters; p->name; p++) {
    if (p->axis >= 0) {
      if (p->help)
        fprintf(stream, "    %-15s %s [the middle of the domain]\n", found->dim == 2 ? "x, y" : "x, y, z", p->help);
      continue;
    }
    fprintf(stream, "    %-15s %s%s[%g", p->name, p->help ? p->help : "", p->help ? " " : "", p->initial);
    if (p->power == 1)
      fputs(" of the domain's side", stream);
    else if (p->power == -2)
      fputs("/side^2", stream);
    fputs("]\n", stream);
  }
  fprintf(stream, "    closed form:    %s\n", found->answer);
}

void tac_density_help(FILE *stream) {
  fputs("Densities. Parameters follow the name, as in --density=gaussian:a=160,x=0.1; defaults stand in brackets.\n"
        "With --check the answer is compared with the closed form of the kernels named below, in 2D and 3D, and for\n"
        "everything else with direct quadrature at some targets.\n",
        stream);
  for (int i = 0; i < CASES; i++)
    print_case(stream, &cases[i]);
  fputs("\nFiles:\n"
        "  gaussians:FILE    a line each: center (x y, or x y z), exponent a, amplitude A, blanks between, for\n"
        "                    A exp(-a |x - center|^2); '#' begins a comment. Closed form: Laplace, Yukawa\n"
        "  FILE.cube         a Gaussian cube file (3D); it brings its own domain, in Bohr, see --units\n"
        "  FILE.npy          a NumPy array of float32 or float64, samples on a uniform grid from border to border\n",
        stream);
}
