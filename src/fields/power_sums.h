/* SPDX-License-Identifier: MIT */
/* Sums over the waves of a power spectrum; shared by host and device code. */
#ifndef KOSHU_FIELDS_POWER_SUMS_H
#define KOSHU_FIELDS_POWER_SUMS_H

#include "fields/power_spectrum.h"
#include "kernels/assignment.h"

enum { SUM_K, SUM_POWER, N_SUMS };

/* One or two meshes, and the sums over their waves. */
struct power_sums {
    struct koshu_context *context;
    const struct koshu_points *points;
    const struct koshu_measure_options *o;
    struct koshu_mesh mesh; /* of the box, after folding */
    int fold;
    struct koshu_wave_axis *axis; /* by frequency */
    struct koshu_wave_scale scale;
    double (*plane)[N_SUMS]; /* [plane of x][bin], k in units of the lowest */
    size_t n_bins; /* bin b: b + 1/2 <= |k| < b + 3/2 in the same units */
    double mass;   /* of all ranks */
};

/* power_host.c: sums this rank's waves on the host. */
koshu_status koshu_power_sums_by_host(struct power_sums *s);

/* power_device.c: sums all waves on a device, if one is worth using for that
 * many points and has the memory; *done: whether it did. */
koshu_status koshu_power_sums_by_device(struct power_sums *s, bool *done);

#endif
