/* SPDX-License-Identifier: MIT */
/* Sums over the waves of a power spectrum (fields/power_spectrum.h) by a
 * device: particles to meshes, transforms, and bins. */
#ifndef KOSHU_BACKEND_POWER_H
#define KOSHU_BACKEND_POWER_H

#include <stddef.h>

struct koshu_wave_axis;
struct koshu_wave_scale;

struct koshu_power_task {
    size_t n;                           /* particles, on the host */
    const double *mass, *x[3];          /* anywhere: the box is periodic */
    double total_mass;                  /* of all; each is 0 or more */
    double box;                         /* edge of the mesh's */
    size_t grid;                        /* cells along it */
    int points;                         /* of the assignment: 2 to 4 */
    bool interlaced;                    /* a second mesh, half a cell away */
    const struct koshu_wave_axis *axis; /* of each frequency: grid of them */
    const struct koshu_wave_scale
            *scale;     /* of waves that are sums over cells */
    size_t n_bins;      /* b + 1/2 <= |k| < b + 3/2, in units of 2 pi / box */
    double (*plane)[2]; /* results: [plane of x][bin], sums of k and of P */
};

#endif
