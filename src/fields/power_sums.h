/* SPDX-License-Identifier: MIT */
/* Sums over the waves of a power spectrum: what the processors' and a device's
 * share. */
#ifndef KOSHU_FIELDS_POWER_SUMS_H
#define KOSHU_FIELDS_POWER_SUMS_H

#include "fields/power_spectrum.h"
#include "kernels/assignment.h"

enum { SUM_K, SUM_POWER, N_SUMS };

/* One mesh, or two, and what is summed over its waves. */
struct power_sums {
    struct koshu_context *context;
    const struct koshu_points *points;
    const struct koshu_measure_options *o;
    struct koshu_mesh mesh; /* of the box, folded so many times */
    int fold;
    struct koshu_wave_axis *axis; /* of each frequency */
    struct koshu_wave_scale scale;
    double (*plane)[N_SUMS]; /* [plane of x][bin], in units of the lowest k */
    size_t n_bins; /* bin b: b + 1/2 <= |k| < b + 3/2 in the same units */
    double mass;   /* of all, over ranks */
};

/* power_host.c: over this rank's waves, by the processors. */
koshu_status koshu_power_sums_by_host(struct power_sums *s);

/* power_device.c: over all waves by a device, where there is one for as many
 * points; *done: it has. */
koshu_status koshu_power_sums_by_device(struct power_sums *s, bool *done);

#endif
