/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "apps/volume_fmm/formats/npy_header.h"
#include "apps/volume_fmm/formats/text_file.h"

enum { BLOCK_BYTES = 1 << 16, MOST_HEADER_BYTES = 1 << 16 };

/* Where a file is read and what is said about it. */
struct source {
  FILE *file;
  const char *path;
  uint64_t at; /* bytes read */
  struct tac_error *error;
};

static enum tac_status refuse(const struct source *source, uint64_t at, const char *reason) {
  char name[TAC_NAME_BYTES];
  tac_file_name(name, source->path);
  return tac_error_set(source->error, TAC_STATUS_INVALID, "file", "%s, byte %llu: %s", name, (unsigned long long)at, reason);
}

static enum tac_status no_memory(const struct source *source, size_t bytes) {
  char name[TAC_NAME_BYTES];
  tac_file_name(name, source->path);
  return tac_error_set(source->error, TAC_STATUS_MEMORY, "file", "%s: no memory for %zu bytes of its array", name, bytes);
}

/* Reads exactly `bytes` bytes. */
static enum tac_status take(struct source *source, void *out, size_t bytes, const char *what) {
  const size_t got = fread(out, 1, bytes, source->file);
  source->at += got;
  if (got == bytes)
    return TAC_STATUS_OK;
  if (ferror(source->file))
    return tac_file_fail(source->path, source->error);
  char reason[96];
  snprintf(reason, sizeof reason, "the file ends inside %s", what);
  return refuse(source, source->at, reason);
}

static enum tac_status read_preamble(struct source *source, size_t *header_bytes) {
  unsigned char bytes[8], length[4] = {0};
  enum tac_status status = take(source, bytes, sizeof bytes, "the first 8 bytes, which say that it is a NumPy array");
  if (status != TAC_STATUS_OK)
    return status;
  if (memcmp(bytes, "\x93NUMPY", 6) != 0)
    return refuse(source, 0, "this is no NumPy array: it does not begin with \\x93NUMPY");
  if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
    return refuse(source, 6, "the format version is none of 1.0, 2.0 and 3.0");
  const uint64_t at = source->at;
  status = take(source, length, bytes[6] == 1 ? 2 : 4, "the length of the header");
  if (status != TAC_STATUS_OK)
    return status;
  *header_bytes = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
  return *header_bytes <= MOST_HEADER_BYTES ? TAC_STATUS_OK
                                            : refuse(source, at, "the header claims to be longer than 65536 bytes");
}

static enum tac_status read_header(struct source *source, struct tac_npy_header *header, int rank) {
  size_t bytes = 0, at = 0;
  char reason[96];
  enum tac_status status = read_preamble(source, &bytes);
  if (status != TAC_STATUS_OK)
    return status;
  char *text = malloc(bytes + 1);
  if (!text)
    return no_memory(source, bytes);
  const uint64_t begin = source->at;
  status = take(source, text, bytes, "the header");
  if (status == TAC_STATUS_OK) {
    const char *refusal = tac_npy_header_parse(header, text, bytes, &at);
    if (refusal)
      status = refuse(source, begin + at, refusal);
  }
  free(text);
  if (status != TAC_STATUS_OK || header->rank == rank)
    return status;
  snprintf(reason, sizeof reason, "the array has %d dimension%s where %d are needed", header->rank,
           header->rank == 1 ? "" : "s", rank);
  return refuse(source, begin + header->shape_at, reason);
}

static enum tac_status count_elements(const struct source *source, const struct tac_npy_header *header, size_t *count) {
  *count = 1;
  for (int axis = 0; axis < TAC_NPY_MAX_RANK; axis++) {
    if (header->shape[axis] == 0)
      return refuse(source, source->at, "the array is empty");
    if (*count > SIZE_MAX / sizeof(double) / header->shape[axis])
      return refuse(source, source->at, "the shape is too large for this machine");
    *count *= header->shape[axis];
  }
  return TAC_STATUS_OK;
}

static double element(const unsigned char *bytes, const struct tac_npy_header *header) {
  unsigned char turned[8];
  for (size_t i = 0; i < header->element_bytes; i++)
    turned[i] = bytes[header->swapped ? header->element_bytes - 1 - i : i];
  double wide;
  float narrow;
  if (header->element_bytes == 4) {
    memcpy(&narrow, turned, sizeof narrow);
    return (double)narrow;
  }
  memcpy(&wide, turned, sizeof wide);
  return wide;
}

/* The array grows with what is there: a header that lies about its shape allocates nothing. */
static enum tac_status read_elements(struct source *source, const struct tac_npy_header *header, size_t count, double **out) {
  unsigned char block[BLOCK_BYTES];
  const size_t block_count = sizeof block / (header->element_bytes == 4 ? 4 : 8);
  size_t capacity = 0;
  for (size_t done = 0; done < count;) {
    const size_t now = count - done < block_count ? count - done : block_count;
    const uint64_t begin = source->at;
    enum tac_status status = take(source, block, now * header->element_bytes, "the elements that its shape promises");
    if (status != TAC_STATUS_OK)
      return status;
    if (!tac_grow((void **)out, &capacity, done + now, count, sizeof **out))
      return no_memory(source, count * sizeof **out);
    for (size_t i = 0; i < now; i++) {
      const double value = (*out)[done + i] = element(block + i * header->element_bytes, header);
      if (!isfinite(value))
        return refuse(source, begin + i * header->element_bytes, "an element that is not finite");
    }
    done += now;
  }
  if (getc(source->file) != EOF)
    return refuse(source, source->at, "more bytes than the elements that its shape promises");
  return ferror(source->file) ? tac_file_fail(source->path, source->error) : TAC_STATUS_OK;
}

/* From the first index fastest to the last index fastest. */
static double *turn(const double *values, const size_t *shape, size_t count) {
  double *out = malloc(count * sizeof *out);
  size_t index[TAC_NPY_MAX_RANK] = {0}, strides[TAC_NPY_MAX_RANK], at = 0;
  for (size_t axis = 0, stride = 1; axis < TAC_NPY_MAX_RANK; stride *= shape[axis++])
    strides[axis] = stride;
  for (size_t i = 0; out && i < count; i++) {
    out[i] = values[at];
    for (int axis = TAC_NPY_MAX_RANK - 1; axis >= 0; axis--) {
      at += strides[axis];
      if (++index[axis] < shape[axis])
        break;
      at -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

static enum tac_status read_array(struct source *source, int rank, struct tac_npy_header *header, double **values) {
  size_t count = 0;
  enum tac_status status = read_header(source, header, rank);
  if (status == TAC_STATUS_OK)
    status = count_elements(source, header, &count);
  if (status == TAC_STATUS_OK)
    status = read_elements(source, header, count, values);
  if (status != TAC_STATUS_OK || !header->columns_first)
    return status;
  double *turned = turn(*values, header->shape, count);
  if (!turned)
    return no_memory(source, count * sizeof *turned);
  free(*values);
  *values = turned;
  return TAC_STATUS_OK;
}

enum tac_status tac_npy_read(struct tac_npy *out, const char *path, int rank, struct tac_error *error) {
  struct source source = {tac_file_open(path, error), path, 0, error};
  struct tac_npy_header header = {0};
  double *values = NULL;
  if (!source.file)
    return TAC_STATUS_IO;
  enum tac_status status = read_array(&source, rank, &header, &values);
  tac_file_close(source.file);
  if (status != TAC_STATUS_OK) {
    free(values);
    return status;
  }
  out->rank = header.rank;
  memcpy(out->shape, header.shape, sizeof out->shape);
  out->values = values;
  return TAC_STATUS_OK;
}

void tac_npy_free(struct tac_npy *array) {
  free(array->values);
  memset(array, 0, sizeof *array);
}
