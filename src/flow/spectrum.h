/* SPDX-License-Identifier: MIT */
/* Energy spectra, beside the snapshots of a flow in a box. */
#ifndef KOSHU_FLOW_SPECTRUM_H
#define KOSHU_FLOW_SPECTRUM_H

#include <stddef.h>

#include <koshu/status.h>

/* E(k) of the waves with |k| within half of s (2 pi / box), s = 0 ... shells -
 * 1: sum_s E(s) 2 pi / box is the mean of u^2 / 2. Shells beyond n / 2 are not
 * complete. */
struct koshu_flow_spectrum {
    size_t shells;
    double unit;      /* 2 pi / box */
    double *energy;   /* E(k) at k = s unit; to be freed by koshu_free() */
    double enstrophy; /* sum of k^2 |u_k|^2 / 2: the mean of omega^2 / 2 */
};

struct koshu_flow;

/* spectrum_NNNN.csv of the present state: rows of k and E(k), of k above 0. In
 * free space, and in a build without transforms, nothing. */
koshu_status koshu_flow_write_spectrum(struct koshu_flow *flow);

#endif
