/* SPDX-License-Identifier: MIT */
/* Stumpff's functions (1959), c_k(z) = sum (-z)^j / (k + 2 j)!. */
#ifndef KOSHU_FEWBODY_STUMPFF_H
#define KOSHU_FEWBODY_STUMPFF_H

#include <math.h>

/* A series of nine coefficients, in two independent halves to shorten the chain
 * of dependent products. */
static inline double
koshu_stumpff_series(const double c[9], double w)
{
    const double w2 = w * w, w4 = w2 * w2;
    return ((c[0] + w * c[1]) + w2 * (c[2] + w * c[3])) +
           w4 * ((c[4] + w * c[5]) + w2 * (c[6] + w * c[7])) + w4 * w4 * c[8];
}

/* c0 ... c3: by series up to |z| = 1, where the remainder is 4e-19, and beyond
 * by doubling the angle. */
static inline void
koshu_stumpff(double z, double c[4])
{
    enum { MANY = 600 }; /* more halvings than any finite z needs */
    static const double even[9] = {1.0 / 2,
                                   1.0 / 24,
                                   1.0 / 720,
                                   1.0 / 40320,
                                   1.0 / 3628800,
                                   1.0 / 479001600,
                                   1.0 / 87178291200.0,
                                   1.0 / 20922789888000.0,
                                   1.0 / 6402373705728000.0},
                        odd[9] = {1.0 / 6,
                                  1.0 / 120,
                                  1.0 / 5040,
                                  1.0 / 362880,
                                  1.0 / 39916800,
                                  1.0 / 6227020800.0,
                                  1.0 / 1307674368000.0,
                                  1.0 / 355687428096000.0,
                                  1.0 / 121645100408832000.0};
    int halvings = 0;
    for (; fabs(z) > 1 && halvings < MANY; z /= 4) halvings++;
    double c2 = koshu_stumpff_series(even, -z),
           c3 = koshu_stumpff_series(odd, -z), c0 = 1 - z * c2, c1 = 1 - z * c3;
    for (; halvings > 0; halvings--) {
        c3 = (c2 + c0 * c3) / 4;
        c2 = c1 * c1 / 2;
        c1 = c0 * c1;
        c0 = 2 * c0 * c0 - 1;
    }
    c[0] = c0;
    c[1] = c1;
    c[2] = c2;
    c[3] = c3;
}

#endif
