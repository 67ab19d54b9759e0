/* SPDX-License-Identifier: MIT */
/*
 * Miki13's model of the time that direct summation takes, and the least
 * squares that find its constants. docs/performance-model.md derives it.
 */
#ifndef KOSHU_PERFORMANCE_PERFORMANCE_H
#define KOSHU_PERFORMANCE_PERFORMANCE_H

#include "backend/backend.h"

/* A measured time t > 0, and what it is to be made of: a p + b q + known. */
struct koshu_fit_point {
    double p, q, known, t;
};

/* largest: of |a p + b q + known - t| / t over the points. */
struct koshu_fit {
    double a, b, largest;
};

/*
 * a, b >= 0 that make the sum of ((a p + b q + known) / t - 1)^2 least:
 * relative deviations, so that microseconds count as much as seconds. Where the
 * points cannot tell the two apart, a takes all that it can.
 * KOSHU_INVALID_ARGUMENT, without a message: no point, a t that is not above 0,
 * p or q below 0 or all zero, or a number that is not finite.
 */
KOSHU_MUST_CHECK koshu_status koshu_fit(const struct koshu_fit_point *points,
                                        size_t n, struct koshu_fit *fit);

/* ---- Miki13 section 6.1 -------------------------------------------------- */

enum { KOSHU_MODEL_KERNELS = 16 };

/*
 * The constants, times in seconds (of a unit's clock: divided by its hertz).
 * calc and latency are of one kernel: kernels differ in what they keep in
 * registers.
 */
struct koshu_model {
    double launch; /* C_kernel, measured by itself */
    size_t n_kernels;
    struct koshu_model_kernel {
        char name[32];
        size_t points;
        double calc;    /* C_calc, of one evaluation on one lane */
        double latency; /* L, at the beginning and at the end of blocks */
    } kernels[KOSHU_MODEL_KERNELS];
    double largest; /* deviation of a point, relative */
};

struct koshu_model_point {
    size_t n;
    struct koshu_force_shape shape;
    double seconds; /* measured */
};

/*
 * Finds calc and latency of each kernel that occurs. KOSHU_INVALID_ARGUMENT,
 * without a message: more than KOSHU_MODEL_KERNELS of them, or points that
 * koshu_fit() refuses.
 */
KOSHU_MUST_CHECK koshu_status
koshu_model_fit(const struct koshu_model_point *points, size_t n, double launch,
                struct koshu_model *model);

/* Seconds; NAN for a kernel that the model was not fitted to. */
double koshu_model_predict(const struct koshu_model *model,
                           const struct koshu_force_shape *shape);

#endif
