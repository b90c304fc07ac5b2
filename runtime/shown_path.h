/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_SHOWN_PATH_H
#define RUNTIME_SHOWN_PATH_H

/* No part of libtactus, as replace_file.h. Of a struct tac_error's text this leaves half to what is said of the path. */
#define TAC_SHOWN_PATH_BYTES 101

/* The path itself where it is shorter, else `shown` with its begin and its end, and an ellipsis between, no letter of UTF-8 cut
 * in two: so that the reason behind it has room in an error's text. */
const char *tac_shown_path(char shown[TAC_SHOWN_PATH_BYTES], const char *path);

#endif
