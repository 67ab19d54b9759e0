/* SPDX-License-Identifier: MIT */
/*
 * A client of the GRAPE-6 library: the Hermite scheme with block time steps
 * (Makino & Aarseth 1992) on the host, with forces by the calls of
 * koshu-g6/g6.h, like the code of Belleman08 Tables 5 and 6. P(EC)^1. Only one
 * can exist at a time, as it uses cluster 0.
 */
#ifndef KOSHU_BENCH_CASES_HERMITE_G6_H
#define KOSHU_BENCH_CASES_HERMITE_G6_H

#include "bench/bench.h"

struct hermite_g6;

/* Step sizes, as in koshu/integrator.h. */
struct hermite_g6_options {
    double eps, eta, dt;
};

/* Starts from the particles, at t = 0. The caller frees it, whatever the
 * status. KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_EXTERNAL: a call failed, and
 * the library has printed why. */
KOSHU_MUST_CHECK koshu_status hermite_g6_make(
        const struct bench *b, struct koshu_particles *particles,
        const struct hermite_g6_options *options, struct hermite_g6 **code);
void hermite_g6_free(struct hermite_g6 *code);

/* Makes block steps until all particles are at this time, a multiple of dt.
 * KOSHU_ERROR_EXTERNAL. */
KOSHU_MUST_CHECK koshu_status hermite_g6_advance(struct hermite_g6 *code,
                                                 double until);

/* The energy, when all particles are at the same time. KOSHU_ERROR_EXTERNAL. */
KOSHU_MUST_CHECK koshu_status hermite_g6_energy(struct hermite_g6 *code,
                                                double *energy);

/* Counts since it was made. */
struct hermite_g6_counts {
    size_t blocks, steps;
};
struct hermite_g6_counts hermite_g6_counts(const struct hermite_g6 *code);

#endif
