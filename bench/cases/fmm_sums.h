/* SPDX-License-Identifier: MIT */
/* What `koshu bench fmm` sums. */
#ifndef KOSHU_BENCH_CASES_FMM_SUMS_H
#define KOSHU_BENCH_CASES_FMM_SUMS_H

#include <koshu/laplace.h>

#include "bench/bench.h"

/* Masses as charges and, where there are more right-hand sides, dipoles or
 * vortices, random strengths of their size; hessian: second derivatives, of
 * vortices the gradient of the velocity. */
struct fmm_wanted {
    size_t rhs;
    bool dipoles, hessian, vortices;
};

/* Of particles at each other. */
struct fmm_sums {
    struct fmm_wanted wanted;
    struct koshu_laplace *laplace;
    struct koshu_laplace_points points;
    struct koshu_laplace_result result;
    struct koshu_laplace_velocity velocity;
    double *strengths, *results;
};

/* Of a view's particles, which stay the caller's. The caller frees the sums,
 * whatever the status. */
KOSHU_MUST_CHECK koshu_status fmm_sums_make(
        const struct bench *b, const struct fmm_wanted *wanted,
        const struct koshu_laplace_options *options,
        const struct koshu_particle_const_view *view, struct fmm_sums *sums);
void fmm_sums_free(struct fmm_sums *sums);

/* once() of struct bench_work. */
koshu_status fmm_sums_once(void *sums);

/* Gradients of the first right-hand side, or velocities. */
struct bench_vectors fmm_sums_vectors(const struct fmm_sums *sums);

/* How far these, and the second derivatives (L2; NaN: none), are from direct
 * sums by ref in double precision, or in a box Ewald's sums, of up to 256
 * particles; vortices only in free space. */
KOSHU_MUST_CHECK koshu_status fmm_sums_compare(struct bench *b,
                                               const struct fmm_sums *sums,
                                               struct bench_errors *errors,
                                               double *second);

/* At other places than the particles': |error| of each gradient or velocity
 * there, over the rms of all, against direct sums in double precision, or in a
 * box Ewald's sums. KOSHU_ERROR_OUT_OF_MEMORY, and as koshu_laplace_sums(). */
KOSHU_MUST_CHECK koshu_status
fmm_sums_errors_at(struct bench *b, const struct fmm_sums *sums,
                   const struct koshu_laplace_points *targets, double *error);

#endif
