/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the harness; cases only need bench.h. */
#ifndef KOSHU_BENCH_HARNESS_H
#define KOSHU_BENCH_HARNESS_H

#include "bench/bench.h"

/* Parses the command line into a copy of the case's defaults, to be freed.
 * Invalid arguments end the program; NULL: out of memory. */
void *bench_parse(const struct bench_case *which, int argc, char **argv);

/* Prints a sentence about the speed of this machine, measured in a few
 * hundredths of a second; nothing with --json, on several ranks, or for ref.
 * Statuses of koshu_solver_forces(). */
KOSHU_MUST_CHECK koshu_status bench_print_machine(const struct bench *b);

/* Reads the tables of the case. If koshu's data folder does not have them,
 * warns and continues without. KOSHU_ERROR_BAD_FORMAT: a file is not a
 * table. */
KOSHU_MUST_CHECK koshu_status bench_papers_open(struct bench *b);
void bench_papers_close(struct bench *b);
/* What the table is, from the first line of its file; "": there is none. */
const char *bench_paper_legend(const struct bench *b, const char *printed);
/* The points (n, number) of a column, for this eps if the table has several, in
 * one array to be freed; returns how many. */
size_t bench_paper_points(const struct bench *b, const char *printed,
                          double eps, double **points);

/* A whole table of the case; NULL: it was not found. */
const struct koshu_table *
bench_paper_table(const struct bench *b, const char *name);

/* The rows added so far. */
struct bench_output {
    const struct bench_table *table;
    unsigned view;
    bool fresh;         /* no row has been printed in this view */
    size_t n, capacity; /* rows of the table */
    char *rows;
};
const void *bench_row_at(const struct bench *b, size_t k);

/* The JSON value of a field; NULL: none. */
struct json_t *
bench_value(const struct bench *b, const struct field *f, const void *row);

/* Draws the picture of --plot. */
KOSHU_MUST_CHECK koshu_status bench_draw(struct bench *b);

void bench_reference_free(struct bench_reference *reference);

#endif
