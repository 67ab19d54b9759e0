/* SPDX-License-Identifier: MIT */
/* External fields as integrators see them. */
#ifndef KOSHU_EXTERNAL_EXTERNAL_H
#define KOSHU_EXTERNAL_EXTERNAL_H

#include <koshu/external.h>

#include "kernels/external.h"

struct koshu_external {
    struct koshu_context *context;
    size_t n;
    struct koshu_external_field *field; /* with nothing left to a default */
    double omega;                       /* of the frame; 0: it does not turn */
};

/* Of all fields at a place, at a velocity; without Coriolis' force. */
struct koshu_field_sum koshu_external_at(const struct koshu_external *external,
                                         const double x[3], const double v[3]);

/* Adds to what else acts on a particle: acceleration and jerk, with Coriolis'
 * force of a frame that turns with omega, which is external->omega, or its
 * negative where time runs back. */
void koshu_external_add(const struct koshu_external *external, double omega,
                        const double x[3], const double v[3], double a[3],
                        double jerk[3]);

/* sqrt(nu^2), Omega and the like: of a tide, 4 Omega^2 - kappa^2 and nu^2. */
void koshu_external_tide_of(const struct koshu_external_field *tide,
                            double *outward, double *vertical);

#endif
