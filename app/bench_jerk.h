/* SPDX-License-Identifier: MIT */
/* Between the parts of `koshu bench jerk`. */
#ifndef KOSHU_APP_BENCH_JERK_H
#define KOSHU_APP_BENCH_JERK_H

#include <koshu/j_store.h>

#include "bench.h"

struct jerk_options {
    size_t n[BENCH_LIST], n_count;
    size_t ni[BENCH_LIST], ni_count; /* none: ni = N */
    size_t threads[BENCH_LIST], threads_count;
    const char *backend;
    struct bench_problem problem;
    bool nearest;
    size_t repeats;
    enum bench_compared errors;
    bool json;
};

struct jerk_row {
    size_t n, ni;
    int threads;
    char backend[16], device[128];
    struct bench_timing timing;
    struct bench_errors a, jerk; /* of no particles: not requested */
};

/* How many i-particles the errors of a row are taken over. */
size_t jerk_error_particles(const struct jerk_options *options, size_t ni);

/* Sums of N j-particles on ni of them: times, and errors against ref. */
koshu_status
jerk_measure(struct koshu_context *context, struct koshu_context *ref,
             const struct jerk_options *options, struct jerk_row *row);

/* What is measured, and the names of the columns. */
void jerk_print_head(const struct jerk_options *options,
                     const struct jerk_row *first);
void jerk_print_row(const struct jerk_row *row);
void
jerk_print_json(const struct jerk_options *options, const struct jerk_row *row);

#endif
