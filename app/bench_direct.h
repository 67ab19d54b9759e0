/* SPDX-License-Identifier: MIT */
/* Between the parts of `koshu bench direct`. */
#ifndef KOSHU_APP_BENCH_DIRECT_H
#define KOSHU_APP_BENCH_DIRECT_H

#include "bench.h"
#include "bench_papers.h"

struct direct_options {
    size_t n[BENCH_LIST], n_count;
    size_t threads[BENCH_LIST], threads_count;
    const char *backend;
    struct bench_problem problem;
    size_t repeats;
    enum bench_compared errors;
    bool json;
    const struct bench_paper *paper; /* its table instead; NULL: all papers */
    bool styles; /* Hamada07 Table 2 instead of the usual columns */
};

struct direct_row {
    size_t n;
    int threads;
    char backend[16], device[128];
    struct bench_timing timing; /* particles stay where they are */
    struct bench_timing copied; /* positions from the host, forces back */
    bool keeps;        /* the device keeps particles; else the two are one */
    double efficiency; /* rate per thread, the first row's being 1 */
    struct bench_errors errors; /* of no particles: not requested */
    /* Largest errors of the two styles of bench_styles.h. */
    double direct_style, chamomile_style;
};

/* What is measured, and the names of the columns. */
void direct_print_head(const struct direct_options *options,
                       const struct direct_row *first);
void direct_print_row(const struct direct_options *options,
                      const struct direct_row *row);
void direct_print_json(const struct direct_options *options,
                       const struct direct_row *row);

/* How many of n particles the errors are taken over. */
size_t direct_error_particles(const struct direct_options *options, size_t n);

#endif
