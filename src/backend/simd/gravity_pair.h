/* SPDX-License-Identifier: MIT */
/*
 * Gravity of a vector of j-particles on an i-particle, for direct sums and sums
 * over lists. Included between real_*.h and real_end.h, after
 *
 *     struct variant   compile-time options: root, potential, and zero_safe if
 *                      the distance may be zero
 */
#include "kernels/gravity.h"
#include "backend/simd/scale.h"

struct OF(point) {
    KOSHU_REAL x, y, z;
};

/* Adds the gravity of j-particles at displacement d. Only the lanes `kept`
 * count (NULL: all). mr_coincident: mr / m of a pair at zero distance. */
VECTOR_FN void
OF(gravity_pair)(struct OF(gravity_sum) * s, struct OF(point) d,
                 KOSHU_REAL mass, const MASK *kept, KOSHU_REAL eps2,
                 KOSHU_REAL mr_coincident, const struct variant v)
{
    if (kept) { /* clears the other lanes, even NaN */
        d.x = OF(keep)(d.x, *kept);
        d.y = OF(keep)(d.y, *kept);
        d.z = OF(keep)(d.z, *kept);
        mass = OF(keep)(mass, *kept);
    }
    KOSHU_REAL r2 = OF(gravity_r2)(d.x, d.y, d.z, eps2);
    KOSHU_REAL y = OF(root_begin)(r2, v.root);
    if (v.zero_safe) {
        MASK apart = (d.x != 0) | (d.y != 0) | (d.z != 0);
        y = OF(keep)(y, apart);
        if (v.potential) s->mr += mr_coincident * OF(keep)(mass, ~apart);
    }
    if (v.root == ROOT_CUBED)
        OF(gravity_add_estimate)(s, d.x, d.y, d.z, r2, mass, y);
    else
        OF(gravity_add)
    (s, d.x, d.y, d.z, mass, OF(root_refine)(r2, y, v.root));
}

/* Adds the lanes of a tile's sums to sums in double. */
VECTOR_FN void
OF(add_sums)(struct lane_sums *to, const struct OF(gravity_sum) * s,
             const struct variant v)
{
    KOSHU_REAL mr = v.potential ? s->mr : (KOSHU_REAL){0};
    OF(add_lanes)(to, s->ax, s->ay, s->az, mr);
}
