/* SPDX-License-Identifier: MIT */
/* The density of particles in any two coordinates. */
#ifndef KOSHU_OUTPUT_SURFACE_H
#define KOSHU_OUTPUT_SURFACE_H

#include <stdbool.h>

#include <koshu/picture.h>

/* What is projected: two coordinates and the mass. */
struct koshu_projection {
    size_t n;
    const double *right, *up, *mass;
    enum koshu_weight weight;
    double corner[2]; /* the lower left corner, and */
    double width[2];  /* the width of what is shown */
};

/* The same as koshu_surface_density(). *empty: there is no particle with weight
 * in the picture, and sigma is not written. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_projected_density(struct koshu_context *context,
                        const struct koshu_projection *projection,
                        size_t pixels, double *sigma, bool *empty);

#endif
