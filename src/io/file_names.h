/* SPDX-License-Identifier: MIT */
/*
 * Names of the files of one snapshot, following GADGET: STEM.K.ENDING, or
 * STEM.K without an ending, K = 0, 1, ... The file of a one-file snapshot has
 * no number: STEM.ENDING. For src/io only.
 */
#ifndef KOSHU_IO_FILE_NAMES_H
#define KOSHU_IO_FILE_NAMES_H

#include "base/base.h"

/* The parts of a path; they point into it. */
struct koshu_file_name {
    const char *path;
    size_t stem;        /* its length, without the dot of the number */
    bool numbered;      /* the path has a number */
    const char *ending; /* with its dot; "": none */
};

struct koshu_file_name koshu_file_name_of(const char *path);

/* The path of the k-th file, to be freed. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_file_name_make(
        struct koshu_context *context, const struct koshu_file_name *name,
        uint64_t k, char **path);

#endif
