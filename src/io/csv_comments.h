/* SPDX-License-Identifier: MIT */
/* The comments of a CSV file, "# key = value". For csv*.c only. */
#ifndef KOSHU_IO_CSV_COMMENTS_H
#define KOSHU_IO_CSV_COMMENTS_H

#include <stdio.h>

#include "io/format.h"

/* Bits of koshu_csv_comments.found. */
enum {
    KOSHU_CSV_N = 1,
    KOSHU_CSV_UNITS = 2, /* one of them, or more */
    KOSHU_CSV_OMEGA_M = 4,
    KOSHU_CSV_OMEGA_LAMBDA = 8,
    KOSHU_CSV_HUBBLE = 16
};

struct koshu_csv_comments {
    struct koshu_snapshot_info *info;
    unsigned found;
};

/* Sets the member of info that a comment is about; those with other keys are
 * skipped. Returns NULL, or the key whose *value is not a number. text is
 * changed. */
const char *koshu_csv_comment_take(struct koshu_csv_comments *c, char *text,
                                   const char **value);

/* After all comments have been read. KOSHU_ERROR_BAD_INPUT: they state a part
 * of a universe only. */
KOSHU_MUST_CHECK koshu_status koshu_csv_comments_settle(
        struct koshu_reader *reader, const struct koshu_csv_comments *c);

/* Writes all of them. Failures of the stream are left to the caller. */
void
koshu_csv_comments_write(FILE *out, const struct koshu_snapshot_info *info);

/* Reads a uint64_t or a finite double; false: the text is none. */
bool koshu_csv_parse(const char *text, bool whole, void *value);

#endif
