/* SPDX-License-Identifier: MIT */
/* Gaussian random fields, and the displacement fields derived from them. */
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

/* The names "philox", "n-genic" (NULL beyond the last), and the reverse. */
const char *koshu_sequence_name(enum koshu_sequence value);
KOSHU_MUST_CHECK koshu_status koshu_sequence_find(struct koshu_context *context,
                                                  const char *name,
                                                  enum koshu_sequence *value);

/* How the random numbers of waves are drawn. */
struct koshu_phases {
    uint64_t seed;
    bool fixed;  /* |f_k| is its rms value instead of Rayleigh-distributed
                    (Angulo & Pontzen 2016) */
    bool paired; /* the same field with the opposite sign */
    enum koshu_sequence sequence;
};

/*
 * Waves f_k of a Gaussian field of double with <|f_k|^2> = P(k) / V, on a cubic
 * mesh in a cube. The phase of a wave depends only on the seed and its three
 * integers: a finer mesh has the same large scales. The mean is 0, and so are
 * waves at the Nyquist frequency of an axis, whose sign is undefined.
 * KOSHU_SEQUENCE_N_GENIC needs an even number of cells along an edge and a seed
 * below 2^31. KOSHU_ERROR_OUT_OF_MEMORY without a message.
 */
KOSHU_MUST_CHECK koshu_status
koshu_gaussian_waves(const struct koshu_mesh *mesh, int threads,
                     const struct koshu_phases *phases,
                     const struct koshu_power *power, double complex *wave);

/* ---- n_genic.c ----------------------------------------------------------- */

/* The seeds of the n^2 columns of waves, row by row; freed with koshu_free().
 * NULL: out of memory. */
uint32_t *koshu_n_genic_seeds(size_t n, uint32_t seed);

/* Random waves 0 ... n / 2 of a column, with <|z|^2> = 1. */
void koshu_n_genic_column(const struct koshu_phases *phases,
                          const uint32_t *seeds, size_t n, size_t i, size_t j,
                          double complex *wave);

/* ---- lattice.c ----------------------------------------------------------- */

/* Returns k^2 and the wave vector k. Returns 0 for waves that displacements
 * leave out: the mean and those at a Nyquist frequency. */
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
 * The source of second-order displacements, as waves: 1/2 (delta^2 - sum_ij
 * phi_ij^2), where laplacian phi = delta. Its inverse gradient times D2 / D1^2
 * is the displacement.
 * Source: Bouchet et al. 1995 (A&A 296, 575); Scoccimarro 1998 (MNRAS 299,
 *   1097), appendix D.
 */
KOSHU_MUST_CHECK koshu_status
koshu_second_order_source(struct koshu_transform *transform, int threads,
                          const double complex *delta, double complex *source);

#endif
