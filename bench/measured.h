/* SPDX-License-Identifier: MIT */
/*
 * The last measurements: share/koshu/papers/measured.tsv, to which
 * scripts/record-speed appends.
 */
#ifndef KOSHU_BENCH_MEASURED_H
#define KOSHU_BENCH_MEASURED_H

#include <stddef.h>

#include "app/app.h"

/* A line; its texts are valid as long as the list. */
struct bench_measurement {
    const char *date, *version, *device, *n, *seconds, *rate, *command;
};
enum { MEASURED_COLUMNS = 7 };

struct bench_measured {
    char *text;
    size_t n;
    struct bench_measurement *lines;
};

/* Reads the file; without it the list is empty. To be freed, whatever the
 * status. KOSHU_ERROR_BAD_FORMAT: a line has another number of columns;
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status bench_measured_read(struct bench_measured *m);
void bench_measured_free(struct bench_measured *m);

/* The last line of this command, disregarding --plot; NULL: there is none. */
const struct bench_measurement *
bench_measured_last(const struct bench_measured *m, const char *command);

#endif
