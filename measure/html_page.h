/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_HTML_PAGE_H
#define MEASURE_HTML_PAGE_H

/* The page around the record, written by the build from measure/html/. */
extern const char tac_html_page_head[], tac_html_page_tail[];

#endif
