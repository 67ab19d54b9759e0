/* SPDX-License-Identifier: MIT */
/* Direct sums: what is asked of a backend. */
#ifndef KOSHU_BACKEND_FORCE_H
#define KOSHU_BACKEND_FORCE_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/force.h>

/* What is asked of a force operation. */
struct koshu_force_task {
    enum koshu_precision precision;
    double eps; /* >= 0 */
    bool potential;
    bool fast; /* single only */
};

/*
 * The sets of koshu_force_direct_sets(), checked: no array is NULL but
 * i.self and, without potential, result.potential; offsets are in order; self
 * indices are in range.
 */
struct koshu_force_batch {
    size_t n_sets;
    const size_t *i_offset, *j_offset; /* n_sets + 1 each */
    struct koshu_i_particles i;
    struct koshu_j_particles j;
    struct koshu_force_result result;
};

#endif
