/* SPDX-License-Identifier: MIT */
/*
 * Pairs of gravity that are left out, and pairs at no distance (koshu/force.h:
 * a coincident particle gives the potential -m / eps and no acceleration, and
 * nothing where eps = 0); see kernels.h for how this file is included. For
 * scalars only. `coincident` is 1 / eps, or 0 where eps = 0.
 *
 * No include guard: once per number type.
 */
#include <stdbool.h>

/* 1 / r as gravity_add() is to have it; at_one_place: at no distance, what
 * that adds goes to *mr; self: the two are one particle. */
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

/* 1 / r and 1 / r^3 as gravity_add_both() is to have them. */
KOSHU_HD void
KOSHU_TYPED(gravity_rinv_kept_both)(KOSHU_REAL *rinv, KOSHU_REAL *rinv3,
                                    KOSHU_REAL coincident, bool at_one_place)
{
    if (!at_one_place) return;
    *rinv = coincident;
    *rinv3 = 0;
}
