/* SPDX-License-Identifier: MIT */
/* Sums over the waves of a power spectrum (fields/power_spectrum.h) on a
 * device: assignment of particles to meshes, transforms, and bins. */
#ifndef KOSHU_BACKEND_POWER_H
#define KOSHU_BACKEND_POWER_H

#include <stddef.h>

struct koshu_wave_axis;
struct koshu_wave_scale;

struct koshu_power_task {
    size_t n;                           /* particles, on the host */
    const double *mass, *x[3];          /* need not be in the box: it is
                                         * periodic */
    double total_mass;                  /* of all; each mass is >= 0 */
    double box;                         /* edge of the mesh */
    size_t grid;                        /* cells along the edge */
    int points;                         /* of the assignment: 2 to 4 */
    bool interlaced;                    /* a second mesh is displaced by half a
                                         * cell */
    const struct koshu_wave_axis *axis; /* of each frequency: grid of them */
    const struct koshu_wave_scale
            *scale;     /* of waves that are sums over cells */
    size_t n_bins;      /* b + 1/2 <= |k| < b + 3/2, in units of 2 pi / box */
    double (*plane)[2]; /* results: [plane of x][bin], sums of k and of P */
};

#endif
