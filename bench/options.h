/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

/* Options that the benches share. */
struct bench_options {
  int quick;           /* few and short samples: shows that the bench runs, its figures mean nothing */
  int least;           /* the least of the samples instead of their median */
  int rounds;          /* 0: the bench's own number */
  const char *program; /* path of heisenberg_dmrg, NULL: none */
  const char *only;    /* one part of a bench that has several, NULL: all */
  int json;            /* JSON instead of a table, where the bench offers it */
};

/* Reads --quick, --least, --rounds=N, --program=PATH, --only=PART, --json and --help. Returns 0; 1 after --help; 2 after a
 * usage error, which is printed. */
int bench_options_read(struct bench_options *options, int argc, char **argv, const char *about);

#endif
