/* SPDX-License-Identifier: MIT */
/* Between the parts of the harness; cases need bench.h alone. */
#ifndef KOSHU_BENCH_HARNESS_H
#define KOSHU_BENCH_HARNESS_H

#include "bench/bench.h"

/* The command line, into a copy of the case's defaults, to be freed. What it
 * cannot be ends the program; NULL: out of memory. */
void *bench_parse(const struct bench_case *which, int argc, char **argv);

/* How good is this machine: a sentence, of a few hundredths of a second's
 * measuring; none with --json, over ranks, of ref. The statuses of
 * koshu_solver_forces(). */
KOSHU_MUST_CHECK koshu_status bench_print_machine(const struct bench *b);

/* Reads the tables of the case. Where koshu's data folder has none, warns, and
 * goes on without them. KOSHU_ERROR_BAD_FORMAT: what one holds is no table. */
KOSHU_MUST_CHECK koshu_status bench_papers_open(struct bench *b);
void bench_papers_close(struct bench *b);
/* What the table is, the first line of its file; "": there is none. */
const char *bench_paper_legend(const struct bench *b, const char *printed);
/* The points (n, number) of a column, of this eps where the table has several,
 * in one array to be freed; how many. */
size_t bench_paper_points(const struct bench *b, const char *printed,
                          double eps, double **points);

/* A table of the case, whole; NULL: it was not found. */
const struct koshu_table *
bench_paper_table(const struct bench *b, const char *name);

/* Rows that were added, one after the other. */
struct bench_output {
    const struct bench_table *table;
    unsigned view;
    bool fresh;         /* no row has been printed in this view */
    size_t n, capacity; /* rows of the table */
    char *rows;
};
const void *bench_row_at(const struct bench *b, size_t k);

/* What a field is in JSON; NULL: nothing. */
struct json_t *
bench_value(const struct bench *b, const struct field *f, const void *row);

/* --plot. */
KOSHU_MUST_CHECK koshu_status bench_draw(struct bench *b);

void bench_reference_free(struct bench_reference *reference);

#endif
