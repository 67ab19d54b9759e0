/* SPDX-License-Identifier: MIT */
/* Tasks and batches of direct sums. */
#ifndef KOSHU_BACKEND_FORCE_H
#define KOSHU_BACKEND_FORCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/force.h>

struct koshu_force_task {
    enum koshu_precision precision;
    double eps; /* >= 0 */
    bool potential;
    bool fast; /* single only */
};

/* i-particles. */
struct koshu_force_targets {
    size_t n;
    const double *x, *y, *z;
    /* self[i]: the index of i-particle i among the j-particles of its set, or
     * KOSHU_NO_SELF. NULL: no i-particle is in the j-set. */
    const uint64_t *self;
};

#define KOSHU_NO_SELF UINT64_MAX

/* j-particles. */
struct koshu_force_sources {
    size_t n;
    const double *x, *y, *z, *mass;
};

/* Results, which are overwritten. */
struct koshu_force_sums {
    double *ax, *ay, *az, *potential;
};

/*
 * The sets of koshu_force_direct_sets(), already validated: only i.self and,
 * without potential, result.potential may be NULL; offsets ascend; self indices
 * are in range.
 */
struct koshu_force_batch {
    size_t n_sets;
    const size_t *i_offset, *j_offset; /* n_sets + 1 each */
    struct koshu_force_targets i;
    struct koshu_force_sources j;
    struct koshu_force_sums result;
};

#endif
