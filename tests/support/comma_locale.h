/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_COMMA_LOCALE_H
#define TESTS_SUPPORT_COMMA_LOCALE_H

/* Enters a locale with a decimal comma and grouped digits, in which strtod and printf without care go wrong. The machine has
 * few locales, so one is compiled in a folder that is gone afterwards. 0: this machine cannot (no localedef, or no sources for
 * it).
 */
int enter_comma_locale(void);

#endif
