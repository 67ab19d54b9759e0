/* SPDX-License-Identifier: MIT */
/* Units in the column names of a CSV file: "x [pc]". For csv*.c only. */
#ifndef KOSHU_IO_CSV_UNITS_H
#define KOSHU_IO_CSV_UNITS_H

#include "io/format.h"

/* A unit each of length, mass and velocity, and the column that gives it. */
struct koshu_csv_units {
    double cgs[3]; /* 0: not given */
    const char *column[3];
    /* comments give units too ("# unit_length_cm = 1"); these are exact */
    bool in_comments;
};

/*
 * Cuts the unit off a column's name, and keeps it. KOSHU_ERROR_BAD_INPUT: it is
 * not a unit of the column's quantity, or differs from that of a former column;
 * the message names both.
 */
KOSHU_MUST_CHECK koshu_status koshu_csv_unit_take(struct koshu_reader *reader,
                                                  char *name,
                                                  struct koshu_csv_units *u);

/* After the names have been read: sets info->units, unless comments did.
 * KOSHU_ERROR_BAD_INPUT: both disagree, or a unit is missing. */
KOSHU_MUST_CHECK koshu_status koshu_csv_units_settle(
        struct koshu_reader *reader, const struct koshu_csv_units *u,
        struct koshu_snapshot_info *info);

/* The name of an array's column: "x [pc]", or without units "x". */
void koshu_csv_column_name(const struct koshu_units *units, size_t array,
                           size_t size, char *text);

#endif
