/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/availability.h"

static int is_available(const struct tac_choice *choice, struct tac_error *why) {
  tac_error_clear(why);
  return choice->probe(why) == TAC_STATUS_OK;
}

int tac_availability_print(FILE *stream, int indentation, int columns, const struct tac_choice *choice) {
  struct tac_error why;
  const int available = is_available(choice, &why);
  fprintf(stream, "%*s%-*s %s\n", indentation, "", columns, choice->name, choice->summary);
  fprintf(stream, "%*s %s%s\n", indentation + columns, "",
          available ? "available" : "not available: ", available ? "" : why.text);
  return available;
}

json_t *tac_availability_json(const struct tac_choice *choice) {
  struct tac_error why;
  const int available = is_available(choice, &why);
  return json_pack("{s:s, s:s, s:b, s:s*}", "name", choice->name, "summary", choice->summary, "available", available, "reason",
                   available ? NULL : why.text);
}
