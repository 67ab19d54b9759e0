/* SPDX-License-Identifier: MIT */
/*
 * Gravity pairs that are left out, and pairs at distance 0 (koshu/force.h: a
 * coincident particle gives the potential -m / eps and no acceleration, and
 * nothing if eps = 0); see kernels.h for how this file is included. For scalars
 * only. `coincident` is 1 / eps, or 0 if eps = 0.
 *
 * No include guard: once per number type.
 */
#include <stdbool.h>

/* The 1 / r to pass to gravity_add(). at_one_place: the pair is at distance 0,
 * and its contribution is added to *mr here. self: i and j are the same
 * particle. */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(gravity_rinv_kept)(KOSHU_REAL *mr, KOSHU_REAL mass, KOSHU_REAL rinv,
                               KOSHU_REAL coincident, bool at_one_place,
                               bool self)
{
    if (at_one_place) {
        *mr += self ? 0 : mass * coincident;
        rinv = 0;
    }
    return self ? 0 : rinv;
}

/* The 1 / r and 1 / r^3 to pass to gravity_add_both(). */
KOSHU_HD void
KOSHU_TYPED(gravity_rinv_kept_both)(KOSHU_REAL *rinv, KOSHU_REAL *rinv3,
                                    KOSHU_REAL coincident, bool at_one_place)
{
    if (!at_one_place) return;
    *rinv = coincident;
    *rinv3 = 0;
}
