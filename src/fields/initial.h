/* SPDX-License-Identifier: MIT */
/* Gaussian fields, and the displacements of particles that follow from them. */
#ifndef KOSHU_FIELDS_INITIAL_H
#define KOSHU_FIELDS_INITIAL_H

#include <complex.h>
#include <stdint.h>

#include "fields/mesh.h"

/* ---- gaussian.c ---------------------------------------------------------- */

struct koshu_power;

enum koshu_sequence {
    KOSHU_SEQUENCE_PHILOX, /* counter-based, of Random123 */
    KOSHU_SEQUENCE_N_GENIC /* of N-GenIC (Springel 2005) and 2LPTic */
};

/* "philox", "n-genic"; NULL past the last. And back. */
const char *koshu_sequence_name(enum koshu_sequence value);
KOSHU_MUST_CHECK koshu_status koshu_sequence_find(struct koshu_context *context,
                                                  const char *name,
                                                  enum koshu_sequence *value);

/* Random numbers of waves. */
struct koshu_phases {
    uint64_t seed;
    bool fixed;  /* |f_k| is the root of its mean, not of a Rayleigh
                    distribution (Angulo & Pontzen 2016) */
    bool paired; /* the same field with the other sign */
    enum koshu_sequence sequence;
};

/*
 * Waves f_k of a Gaussian field of double with <|f_k|^2> = P(k) / V on a cubic
 * mesh in a cube. The phases of a wave depend on the seed and its three
 * integers alone: a finer mesh has the same large scales. The mean, and waves
 * of the Nyquist frequency of an axis, which have no sign, are 0. By
 * KOSHU_SEQUENCE_N_GENIC the mesh has an even number of cells along an edge,
 * and the seed is below 2^31. KOSHU_ERROR_OUT_OF_MEMORY without a message.
 */
KOSHU_MUST_CHECK koshu_status
koshu_gaussian_waves(const struct koshu_mesh *mesh, int threads,
                     const struct koshu_phases *phases,
                     const struct koshu_power *power, double complex *wave);

/* ---- n_genic.c ----------------------------------------------------------- */

/* A seed for each column of waves of a mesh of n^2 of them, in rows of n; freed
 * by koshu_free(). NULL: out of memory. */
uint32_t *koshu_n_genic_seeds(size_t n, uint32_t seed);

/* Waves 0 ... n / 2 of a column, of <|z|^2> = 1. */
void koshu_n_genic_column(const struct koshu_phases *phases,
                          const uint32_t *seeds, size_t n, size_t i, size_t j,
                          double complex *wave);

/* ---- lattice.c ----------------------------------------------------------- */

/* The square of a wave vector; 0 for waves that displacements leave out: the
 * mean and those of a Nyquist frequency. k gets its components. */
double koshu_wave_vector(const struct koshu_mesh *mesh, size_t i, size_t j,
                         size_t l, double k[3]);

/* to = i k[axis] / k^2 from. */
void koshu_inverse_gradient(const struct koshu_mesh *mesh, int threads,
                            int axis, const double complex *from,
                            double complex *to);

/* to = k[a] k[b] / k^2 from. */
void koshu_tidal_tensor(const struct koshu_mesh *mesh, int threads, int a,
                        int b, const double complex *from, double complex *to);

/* ---- second_order.c ------------------------------------------------------ */

/*
 * 1/2 (delta^2 - sum_ij phi_ij^2), with laplacian phi = delta, as waves: what
 * second-order displacements are the inverse gradient of, times D2 / D1^2.
 * Source: Bouchet et al. 1995 (A&A 296, 575); Scoccimarro 1998 (MNRAS 299,
 * 1097), appendix D.
 */
KOSHU_MUST_CHECK koshu_status
koshu_second_order_source(struct koshu_transform *transform, int threads,
                          const double complex *delta, double complex *source);

#endif
