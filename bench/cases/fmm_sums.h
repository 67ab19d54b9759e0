/* SPDX-License-Identifier: MIT */
/* The sums that `koshu bench fmm` computes. */
#ifndef KOSHU_BENCH_CASES_FMM_SUMS_H
#define KOSHU_BENCH_CASES_FMM_SUMS_H

#include <koshu/laplace.h>

#include "bench/bench.h"

/* What is summed: masses as charges and further right-hand sides with random
 * charges of their size; dipoles or vortices of random strength. hessian: also
 * second derivatives; for vortices the gradient of the velocity. */
struct fmm_wanted {
    size_t rhs;
    bool dipoles, hessian, vortices;
};

/* The sums of particles on each other. */
struct fmm_sums {
    struct fmm_wanted wanted;
    struct koshu_laplace *laplace;
    struct koshu_laplace_points points;
    struct koshu_laplace_result result;
    struct koshu_laplace_velocity velocity;
    double *strengths, *results;
};

/* For the particles of a view, which belong to the caller. The caller frees the
 * sums, whatever the status. */
KOSHU_MUST_CHECK koshu_status fmm_sums_make(
        const struct bench *b, const struct fmm_wanted *wanted,
        const struct koshu_laplace_options *options,
        const struct koshu_particle_const_view *view, struct fmm_sums *sums);
void fmm_sums_free(struct fmm_sums *sums);

/* once() of struct bench_work. */
koshu_status fmm_sums_once(void *sums);

/* Gradients for the first right-hand side, or velocities. */
struct bench_vectors fmm_sums_vectors(const struct fmm_sums *sums);

/* Compares these, and the second derivatives (L2 error; NaN: none), with direct
 * sums by ref in double precision (in a box with Ewald sums) for up to 256
 * particles; vortices only in free space. */
KOSHU_MUST_CHECK koshu_status fmm_sums_compare(struct bench *b,
                                               const struct fmm_sums *sums,
                                               struct bench_errors *errors,
                                               double *second);

/* Errors at other places than those of the particles: |error| of each gradient
 * or velocity there, divided by the rms of all, compared with direct sums in
 * double precision, or in a box with Ewald sums. KOSHU_ERROR_OUT_OF_MEMORY, and
 * the statuses of koshu_laplace_sums(). */
KOSHU_MUST_CHECK koshu_status
fmm_sums_errors_at(struct bench *b, const struct fmm_sums *sums,
                   const struct koshu_laplace_points *targets, double *error);

#endif
