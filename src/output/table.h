/* SPDX-License-Identifier: MIT */
/* A table of numbers with named columns, as a run's log is one. */
#ifndef KOSHU_OUTPUT_TABLE_H
#define KOSHU_OUTPUT_TABLE_H

#include <stddef.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

struct koshu_table {
    const char *path;                   /* the reader's, for messages */
    size_t n_columns, n_rows, capacity; /* capacity: rows there is room for */
    char **names;                       /* into text */
    double *values;                     /* values[row * n_columns + column] */
    char *text;                         /* of the file, cut into words */
};

/*
 * Reads CSV: names in the first line, numbers in the others; empty lines
 * and those that begin with # are skipped, and so is a last line without an
 * end, which a run may be about to write. path must outlive the table.
 * KOSHU_BAD_FORMAT names the line: no names, no rows, too few or too many
 * fields, a field that is no number; KOSHU_NOT_FOUND, KOSHU_BAD_INPUT,
 * KOSHU_IO, KOSHU_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_table_read(struct koshu_context *context,
                                               const char *path,
                                               struct koshu_table *table);

void koshu_table_free(struct koshu_table *table);

/* The place of the column of this name. KOSHU_BAD_FORMAT lists the columns
 * that there are. */
KOSHU_MUST_CHECK koshu_status koshu_table_find(struct koshu_context *context,
                                               const struct koshu_table *table,
                                               const char *name,
                                               size_t *column);

#endif
