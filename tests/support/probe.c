/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/support/probe.h"

#include <sys/wait.h>
#include <unistd.h>

#include <tactus/runtime/executor.h>

struct answer {
  enum tac_status status;
  struct tac_error error;
};

static struct answer ask(const char *executor) {
  const struct tac_executor *table = NULL;
  struct answer answer = {0};
  answer.status = tac_executor_find(&table, executor, &answer.error);
  if (answer.status == TAC_STATUS_OK)
    answer.status = table->probe(&answer.error);
  return answer;
}

enum tac_status probe_in_child(const char *executor, struct tac_error *error) {
  int ends[2];
  if (pipe(ends) != 0)
    return tac_error_set(error, TAC_STATUS_SYSTEM, "probe", "no pipe to the child that probes");
  const pid_t child = fork();
  if (child == 0) {
    const struct answer found = ask(executor);
    _exit(write(ends[1], &found, sizeof found) == (ssize_t)sizeof found ? 0 : 1);
  }
  close(ends[1]);
  struct answer answer;
  const ssize_t bytes = read(ends[0], &answer, sizeof answer);
  close(ends[0]);
  if (child > 0)
    waitpid(child, NULL, 0);
  if (bytes != (ssize_t)sizeof answer)
    return tac_error_set(error, TAC_STATUS_SYSTEM, "probe", "no answer from the child that probes");
  *error = answer.error;
  return answer.status;
}
