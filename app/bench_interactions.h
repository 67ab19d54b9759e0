/* SPDX-License-Identifier: MIT */
/* Between the parts of `koshu bench interactions`. */
#ifndef KOSHU_APP_BENCH_INTERACTIONS_H
#define KOSHU_APP_BENCH_INTERACTIONS_H

#include <koshu/interaction.h>

#include "bench.h"

struct interactions_options {
    size_t n[BENCH_LIST], n_count;
    char *only; /* names, with commas; NULL: all */
    const char *backend;
    int threads;
    enum koshu_precision precision;
    size_t repeats;
    uint64_t seed;
    enum bench_compared errors;
    bool json;
};

/* n particles that are both sets: rows of numbers by the interaction's names
 * of columns. */
struct interaction_problem {
    size_t n, n_i_fields, n_j_fields, n_outputs;
    double *i, *j, *out;
};

/*
 * A Plummer sphere; numbers that are neither places, velocities nor masses are
 * random, see the table in the file. In single precision all are rounded to
 * float. The caller frees it, whatever the status.
 */
koshu_status
interaction_problem_make(struct koshu_context *context,
                         const struct koshu_interaction *interaction,
                         const char *name, enum koshu_precision precision,
                         uint64_t seed, size_t n,
                         struct interaction_problem *p);
void interaction_problem_free(struct interaction_problem *problem);

struct interactions_row {
    const char *name;
    size_t n;
    int threads;
    char backend[16], device[128];
    struct bench_timing timings[2]; /* own and built in, which may be none */
    /* Seconds from the text to the first results of 64 particles, the compiled
     * object being in the cache. */
    double warm_start;
    struct bench_errors errors; /* of no particles: not requested */
};

/* Of the work; and, in turns with it, of the kernel that koshu itself has for
 * the same: for gravity and gravity-jerk. Else timings[1] is of no repeats. */
koshu_status interactions_time(struct koshu_context *context, const char *name,
                               const struct interactions_options *options,
                               const struct interaction_problem *problem,
                               const struct bench_work *work,
                               struct bench_timing timings[2]);

void interactions_print_head(const struct interactions_options *options,
                             const struct interactions_row *first);
void interactions_print_row(const struct interactions_row *row);
void interactions_print_json(const struct interactions_options *options,
                             const struct interactions_row *row);

#endif
