/* SPDX-License-Identifier: MIT */
/* Between the parts of `koshu bench hermite`. */
#ifndef KOSHU_APP_BENCH_HERMITE_H
#define KOSHU_APP_BENCH_HERMITE_H

#include <koshu/integrator.h>

#include "bench.h"

/* What Belleman08 prints for an N: seconds and |dE/E|. 0: nothing. */
struct hermite_paper_row {
    size_t n;
    struct hermite_paper {
        double grape_seconds, kirin_seconds, grape_error, kirin_error;
    } tables_1_2,            /* their own code, eps = 1/256 */
            tables_5_6,      /* kira, eps = 1/256 */
            tables_5_6_hard; /* kira, eps = 0 */
};

enum { HERMITE_PAPER_ROWS = 13 };
extern const struct hermite_paper_row hermite_paper[HERMITE_PAPER_ROWS];

/* NULL: the paper has no such N. */
const struct hermite_paper_row *hermite_paper_row(size_t n);

struct hermite_bench_options {
    size_t n[BENCH_LIST], n_count;
    bool n_given;
    double eps[2];
    size_t eps_count;
    const char *backend;
    int threads;
    enum koshu_precision precision;
    struct koshu_integrator_options integrator;
    uint64_t seed;
    bool all, json;
};

/* From t = 1/4 to t = 1/2; the energy error is that from 0 to 1/2. */
struct hermite_row {
    size_t n;
    double eps;
    char backend[16], device[128];
    const char *engine;
    double seconds;
    uint64_t blocks, steps; /* of one particle */
    double interactions;
    double energy_error;  /* (E_start - E_end) / E_start, Belleman08 eq. 2 */
    double whole_seconds; /* from the making of the particles on */
};

void hermite_print_head(const struct hermite_bench_options *options,
                        const struct hermite_row *first);
void hermite_print_row(const struct hermite_row *row);
void hermite_print_skipped(size_t n, double seconds);
void hermite_print_json(const struct hermite_bench_options *options,
                        const struct hermite_row *row);

#endif
