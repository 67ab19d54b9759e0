/* SPDX-License-Identifier: MIT */
/* Energy spectra, written beside the snapshots of a flow in a box. */
#ifndef KOSHU_FLOW_SPECTRUM_H
#define KOSHU_FLOW_SPECTRUM_H

#include <stddef.h>

#include <koshu/status.h>

/* E(k), k in shells: shell s = 0 ... shells - 1 holds the waves with |k| within
 * half a unit of s, in units of 2 pi / box. sum_s E(s) 2 pi / box is the mean
 * of u^2 / 2. Shells beyond n / 2 are incomplete. */
struct koshu_flow_spectrum {
    size_t shells;
    double unit;      /* 2 pi / box */
    double *energy;   /* E(k) at k = s unit; freed with koshu_free() */
    double enstrophy; /* sum of k^2 |u_k|^2 / 2, the mean of omega^2 / 2 */
};

struct koshu_flow;

/* Writes spectrum_NNNN.csv of the present state, rows of k > 0 and E(k). Does
 * nothing in free space or in a build without transforms. */
koshu_status koshu_flow_write_spectrum(struct koshu_flow *flow);

#endif
