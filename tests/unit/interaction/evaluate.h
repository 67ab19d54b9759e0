/* SPDX-License-Identifier: MIT */
/* Evaluates interactions on random numbers, in each backend and precision. */
#ifndef KOSHU_TESTS_INTERACTION_EVALUATE_H
#define KOSHU_TESTS_INTERACTION_EVALUATE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <koshu/interaction.h>

#include "check.h"

static const char *const backends[] = {"simd", "ref"};
static const enum koshu_precision precisions[] = {KOSHU_PRECISION_SINGLE,
                                                  KOSHU_PRECISION_DOUBLE};

static inline double
uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Random numbers in [0, 1). */
static inline double *
random_rows(size_t n, size_t numbers, uint64_t seed)
{
    double *rows = calloc(n * numbers + 1, sizeof *rows);
    for (size_t k = 0; k < n * numbers; k++) rows[k] = uniform(&seed);
    return rows;
}

/* Evaluates a kernel source that declares its inputs; the caller frees the
 * results. */
static inline double *
evaluate(struct koshu_context *context, const char *text,
         enum koshu_precision precision, size_t n_i, const double *i,
         size_t n_j, const double *j)
{
    struct koshu_interaction_options o = koshu_interaction_options_default();
    struct koshu_interaction *a;
    o.precision = precision;
    assert_ok(context, koshu_interaction_create(context, text, &o, &a));
    const size_t n = n_i * koshu_interaction_n_outputs(a);
    double *out = calloc(n + 1, sizeof *out);
    for (size_t k = 0; k < n; k++) out[k] = NAN;
    assert_ok(context, koshu_interaction_evaluate(a, n_i, n_j, i, j, out));
    koshu_interaction_destroy(a);
    return out;
}

#endif
