/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Two threads on two cores of which another process keeps one busy: how much longer than one thread on an idle core? One
 * thread's CPU time is what it takes on an idle core, whatever else the machine does. */

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/contender.h"
#include "bench/options.h"
#include "bench/sample.h"

#define BUSY_GOAL 1.3
#define SKIPPED   77

/* Confines this process to its first two processors; returns the second, -1 when there is one only. */
static int take_two_cores(void) {
  cpu_set_t allowed, two;
  CPU_ZERO(&two);
  if (sched_getaffinity(0, sizeof allowed, &allowed))
    return -1;
  int last = -1;
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) {
      CPU_SET(cpu, &two);
      last = cpu;
    }
  return CPU_COUNT(&two) == 2 && !sched_setaffinity(0, sizeof two, &two) ? last : -1;
}

/* A child that spins on that processor until it is killed; it dies with this process. */
static pid_t start_busy_child(int cpu) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child)
    return child;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent || sched_setaffinity(0, sizeof one, &one))
    _exit(1);
  for (volatile unsigned turn = 0;; ++turn)
    ;
}

static int measure_one(double *ns, enum bench_contender_kind kind, const struct bench_load *load,
                       const struct bench_plan *plan) {
  char reason[256] = "";
  struct bench_contender contender;
  int failed = bench_contender_create(&contender, kind, 2, load, reason, sizeof reason);
  if (failed)
    printf("%s left out: %s\n", contender.name, reason);
  else
    failed = bench_times(ns, &(struct bench_subject){contender.name, contender.run, &contender}, 1, plan) || contender.failed;
  bench_contender_destroy(&contender);
  return failed;
}

static int run_batches(int cpu, double item_us, const struct bench_plan *plan) {
  static const enum bench_contender_kind kinds[] = {BENCH_THREADS, BENCH_OPENMP, BENCH_OMP_LOOP, BENCH_TBB_AUTO};
  static const char *const names[] = {"threads", "openmp", "omp loop", "tbb auto"};
  struct bench_work work = bench_calibrate(1000 * item_us);
  const struct bench_load load = {.count = 64, .item = bench_item_work, .context = &work};
  double idle_ns;
  struct bench_plan alone = *plan;
  alone.cpu_time = 1;
  if (measure_one(&idle_ns, BENCH_SERIAL, &load, &alone))
    return -1;
  const pid_t child = start_busy_child(cpu);
  if (child < 0)
    return -1;
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
    double ns;
    if (measure_one(&ns, kinds[k], &load, plan))
      continue;
    printf("64 items of %5.0f us   %-10s %8.2f", item_us, names[k], ns / idle_ns);
    if (kinds[k] == BENCH_THREADS || kinds[k] == BENCH_OPENMP)
      printf("   %.1f %s", BUSY_GOAL, bench_verdict(ns / idle_ns, BUSY_GOAL));
    puts("");
    fflush(stdout);
  }
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return 0;
}

struct dmrg_run {
  const char *program, *executor, *threads;
  const char *sites, *states;
  double cpu_ns; /* user and system time of the last run */
  int failed;
};

static double to_ns(const struct timeval *time) {
  return 1e9 * (double)time->tv_sec + 1e3 * (double)time->tv_usec;
}

static void run_dmrg(void *context) {
  struct dmrg_run *run = context;
  char executor[32], threads[32], sites[32], states[32];
  snprintf(executor, sizeof executor, "--executor=%s", run->executor);
  snprintf(threads, sizeof threads, "--threads=%s", run->threads);
  snprintf(sites, sizeof sites, "--sites=%s", run->sites);
  snprintf(states, sizeof states, "--max-states=%s", run->states);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout))
      _exit(127);
    execl(run->program, run->program, sites, states, executor, threads, "--quiet", (char *)NULL);
    _exit(127);
  }
  int status = -1;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status)
    run->failed = 1;
  else
    run->cpu_ns = to_ns(&usage.ru_utime) + to_ns(&usage.ru_stime);
}

static int run_program(int cpu, struct dmrg_run run, const struct bench_plan *plan) {
  static const char *const executors[] = {"threads", "openmp"};
  const struct bench_subject subject = {"dmrg", run_dmrg, &run};
  run.executor = "serial";
  run.threads = "1";
  run_dmrg(&run);
  const double idle_ns = run.cpu_ns;
  if (run.failed)
    return -1;
  const pid_t child = start_busy_child(cpu);
  if (child < 0)
    return -1;
  run.threads = "2";
  for (size_t e = 0; e < 2 && !run.failed; ++e) {
    double ns;
    run.executor = executors[e];
    if (bench_times(&ns, &subject, 1, plan) || run.failed)
      break;
    printf("DMRG, m = %-4s         %-10s %8.2f   %.1f %s\n", run.states, executors[e], ns / idle_ns, BUSY_GOAL,
           bench_verdict(ns / idle_ns, BUSY_GOAL));
    fflush(stdout);
  }
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return run.failed ? -1 : 0;
}

int main(int argc, char **argv) {
  struct bench_options options;
  const int read = bench_options_read(&options, argc, argv, "Two threads where another process keeps one of two cores busy.\n");
  if (read)
    return read == 1 ? 0 : read;
  const int cpu = take_two_cores();
  if (cpu < 0) {
    puts("busy_core: needs two processors");
    return SKIPPED;
  }
  struct bench_plan plan = {.rounds = 15, .sample_ns = 200000000, .warm_ns = 1000000};
  struct bench_plan runs = {.rounds = 5};
  struct dmrg_run dmrg = {.program = options.program, .sites = "100", .states = "64"};
  if (options.quick) {
    plan = (struct bench_plan){.rounds = 1, .sample_ns = 10000};
    runs = (struct bench_plan){.rounds = 1};
    dmrg.sites = "12";
    dmrg.states = "16";
  }
  plan.least = runs.least = options.least;
  if (options.rounds)
    plan.rounds = runs.rounds = options.rounds;
  const char *policy = getenv("OMP_WAIT_POLICY");
  printf("Two threads with one of two cores kept busy, wall time over one thread's on an idle core.\n"
         "OMP_WAIT_POLICY=%s (the default is the spinning one).\n\n%-21s %-10s %8s   goal\n",
         policy ? policy : "(default)", "work", "executor", "ratio");
  int failed = run_batches(cpu, 10, &plan) || run_batches(cpu, 1000, &plan);
  if (!failed && options.program)
    failed = run_program(cpu, dmrg, &runs);
  if (failed)
    fprintf(stderr, "busy_core: a run failed\n");
  return failed ? 1 : 0;
}
