/* SPDX-License-Identifier: MIT */
/* Compares the sums of a j-particle store with their definition. */
#ifndef KOSHU_TESTS_JERK_SUMS_H
#define KOSHU_TESTS_JERK_SUMS_H

#include "cluster.h"
#include "rows.h"
#include "subject.h"
#include "system.h"

/* Stores have every variant but "fast". */
enum { N_PRECISIONS = 3 };

/* Compares the backend in one variant with the definition. */
static inline void
expect(struct cluster *c, const struct variant *variant)
{
    struct sums *expected = cluster_definition(c, variant_rounds(variant));
    for (int nearest = 0; nearest < 2; nearest++) {
        c->nearest = nearest;
        struct sums *s = cluster_sums(subject_context(), c, variant->precision);
        size_t wrong = sums_wrong(s, expected, c, variant_rounds(variant),
                                  variant->tolerance);
        if (wrong)
            fail_msg("%s, n_i = %zu, n_j = %zu, eps = %g, %s nearest: %zu "
                     "are wrong",
                     variant->name, c->n_i, c->n_j, c->eps,
                     nearest ? "with" : "without", wrong);
        sums_destroy(s);
    }
    sums_destroy(expected);
}

/* In every precision, with each softening. */
static inline void
expect_all(struct cluster *c, size_t n, const double *eps)
{
    for (int w = 0; w < N_PRECISIONS; w++)
        for (size_t k = 0; k < n; k++) {
            c->eps = eps[k];
            expect(c, &variants[w]);
        }
}

static const double usual[] = {0.05, 0};
enum { N_USUAL = 2 };

#endif
