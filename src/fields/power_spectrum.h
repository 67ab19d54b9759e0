/* SPDX-License-Identifier: MIT */
/* The power spectrum of particles in a periodic box. */
#ifndef KOSHU_FIELDS_POWER_SPECTRUM_H
#define KOSHU_FIELDS_POWER_SPECTRUM_H

#include "cosmology/cosmology.h"
#include "fields/assign.h"

enum { KOSHU_FOLD_MAX = 64, KOSHU_SPECTRUM_GRID_MIN = 8 };

struct koshu_measure_options {
    double box;  /* edge of the cubic box */
    size_t grid; /* mesh cells along the edge, 8 or more */
    int fold;    /* 1: none; n: waves beyond grid / 4 come from a second
                    mesh, with the particles folded into a box of 1 / n the
                    edge */
    enum koshu_assignment assignment;
    bool single_mesh;                 /* true: no interlacing */
    const struct koshu_power *linear; /* for comparison; NULL: none */
    double growth2; /* factor by which today's linear power is multiplied */
};

/* The waves with m - 1/2 <= |k| / (2 pi fold / box) < m + 1/2. */
struct koshu_spectrum_bin {
    double k;      /* mean over the waves */
    double power;  /* mean, including shot noise */
    double linear; /* mean; 0 without a linear spectrum */
    double modes;  /* number of waves; k and -k count as two, only one of
                      which is independent */
    int fold;
};

struct koshu_measured_spectrum {
    size_t n;
    struct koshu_spectrum_bin *bin; /* in ascending order of k */
    double shot_noise;              /* the same for all k */
};

/*
 * The power spectrum of the density contrast,
 *
 *     P(k) = V <|delta_k|^2>,  delta_k = sum_i m_i exp(-i k x_i) / sum_i m_i.
 *
 * Masses are assigned to two meshes half a cell apart, whose mean is free of
 * half of each wave's aliases (interlacing), and divided by the window S of the
 * assignment. What remains of the aliases of the shot noise, V sum m^2 / (sum
 * m)^2, is subtracted wave by wave, so that the shot noise is the same for all
 * k. Waves extend to the Nyquist frequency of the mesh, less one.
 * Collective; each rank passes its own points, and all get the result of one
 * rank, to rounding.
 * Units: those of box.
 * Ownership: the caller frees measured->bin with koshu_free().
 * Error: tests/unit/fields/test_power_spectrum.c; with PCS, aliases of a
 *   lattice of particles add 1e-5 to a wave at 1 / 16 of the Nyquist frequency,
 *   growing as f^4.
 * Status: KOSHU_ERROR_BAD_INPUT: an option is outside its range, the particles
 *   have no mass, or the table of the linear spectrum is too short;
 *   KOSHU_ERROR_OUT_OF_MEMORY; as koshu_transform_create().
 * Source: Sefusatti et al. 2016 (MNRAS 460, 3624) eqs 22-29; Jing 2005 (ApJ
 *   620, 559); folding: Jenkins et al. 1998 (ApJ 499, 20).
 */
KOSHU_MUST_CHECK koshu_status koshu_power_spectrum_measure(
        struct koshu_context *context, const struct koshu_points *points,
        const struct koshu_measure_options *options,
        struct koshu_measured_spectrum *measured);

/* The default number of cells along an edge for n particles: twice the number
 * of particles along an edge, between 32 and 1024. */
size_t koshu_spectrum_grid(size_t n);

#endif
