/* SPDX-License-Identifier: MIT */
/* Units behind the names of a CSV file's columns: "x [pc]". For csv*.c only. */
#ifndef KOSHU_IO_CSV_UNITS_H
#define KOSHU_IO_CSV_UNITS_H

#include "io/format.h"

/* One unit each of length, mass and velocity, and where it stands. */
struct koshu_csv_units {
    double cgs[3]; /* 0: not given */
    const char *column[3];
    bool in_comments; /* "# unit_length_cm = 1": these are exact */
};

/*
 * Cuts the unit off a column's name, and keeps it. KOSHU_ERROR_BAD_INPUT: it
 * is none of what the column holds, or another than that of a column before;
 * both are named.
 */
KOSHU_MUST_CHECK koshu_status koshu_csv_unit_take(struct koshu_reader *reader,
                                                  char *name,
                                                  struct koshu_csv_units *u);

/* Of the whole file: into info->units, where comments have no other.
 * KOSHU_ERROR_BAD_INPUT: they have, or a unit is missing. */
KOSHU_MUST_CHECK koshu_status koshu_csv_units_settle(
        struct koshu_reader *reader, const struct koshu_csv_units *u,
        struct koshu_snapshot_info *info);

/* The name of an array's column: "x [pc]"; without units, "x". */
void koshu_csv_column_name(const struct koshu_units *units, size_t array,
                           size_t size, char *text);

#endif
