/* SPDX-License-Identifier: MIT */
/* The power spectrum of particles in a periodic box. */
#ifndef KOSHU_FIELDS_POWER_SPECTRUM_H
#define KOSHU_FIELDS_POWER_SPECTRUM_H

#include "cosmology/cosmology.h"
#include "fields/assign.h"

enum { KOSHU_FOLD_MAX = 64, KOSHU_SPECTRUM_GRID_MIN = 8 };

struct koshu_measure_options {
    double box;  /* edge of the cube */
    size_t grid; /* cells along it, 8 or more */
    int fold;    /* 1: none; n: waves beyond grid / 4 come from a second mesh,
                    of the particles folded into a box of 1 / n the edge */
    enum koshu_assignment assignment;
    bool single_mesh;                 /* no interlacing */
    const struct koshu_power *linear; /* NULL: none */
    double growth2; /* by which linear spectra of today are multiplied */
};

/* Waves with m - 1/2 <= |k| / (2 pi fold / box) < m + 1/2. */
struct koshu_spectrum_bin {
    double k;      /* mean of the waves */
    double power;  /* of them, with the shot noise */
    double linear; /* of them; 0 where there is none */
    double modes;  /* how many: k and -k are two, of which one is independent */
    int fold;
};

struct koshu_measured_spectrum {
    size_t n;
    struct koshu_spectrum_bin *bin; /* k ascending */
    double shot_noise;              /* the same for all k */
};

/*
 * The power spectrum of the density contrast,
 *
 *     P(k) = V <|delta_k|^2>,  delta_k = sum_i m_i exp(-i k x_i) / sum_i m_i,
 *
 * by mass assignment to two meshes, half a cell apart, whose mean has half of
 * the images of each wave (interlacing), over the window S of the assignment.
 * What is left of the images of the shot noise, V sum m^2 / (sum m)^2, is
 * subtracted wave by wave: its P is the same for all k. Waves go up to the
 * Nyquist frequency of the mesh, less one.
 * On ranks the points are those of each; it is collective, and all get what one
 * rank would, to rounding.
 * Units: box's.
 * Ownership: the caller frees measured->bin by koshu_free().
 * Error: tests/unit/fields/test_power_spectrum.c; by PCS, images of a lattice
 * of particles add 1e-5 of a wave at 1 / 16 of the Nyquist frequency, as f^4.
 * Status: KOSHU_ERROR_BAD_INPUT: an option is out of its range, particles have
 * no mass, the linear spectrum is a table that is too short;
 * KOSHU_ERROR_OUT_OF_MEMORY; as koshu_transform_create().
 * Source: Sefusatti et al. 2016 (MNRAS 460, 3624) eqs 22-29; Jing 2005 (ApJ
 * 620, 559); folding: Jenkins et al. 1998 (ApJ 499, 20).
 */
KOSHU_MUST_CHECK koshu_status koshu_power_spectrum_measure(
        struct koshu_context *context, const struct koshu_points *points,
        const struct koshu_measure_options *options,
        struct koshu_measured_spectrum *measured);

/* The cells along an edge that are taken for n particles where none are given:
 * twice as many, but 32 at least, and at most 1024. */
size_t koshu_spectrum_grid(size_t n);

#endif
