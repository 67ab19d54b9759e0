/* SPDX-License-Identifier: MIT */
/*
 * Miki13's model of the time of direct summation, the model of trees over ranks
 * (trees.h), the least squares that fit their constants, and the energy used
 * (energy.h). docs/performance-model.md derives the models.
 */
#ifndef KOSHU_PERFORMANCE_PERFORMANCE_H
#define KOSHU_PERFORMANCE_PERFORMANCE_H

#include <stdbool.h>

#include "backend/backend.h"
#include "performance/energy.h"
#include "performance/trees.h"

/* A measured time t > 0 that is to be fitted by a p + b q + known. */
struct koshu_fit_point {
    double p, q, known, t;
};

/* largest: the largest |a p + b q + known - t| / t over the points. */
struct koshu_fit {
    double a, b, largest;
};

/*
 * Finds a, b >= 0 that minimise the sum of ((a p + b q + known) / t - 1)^2.
 * Deviations are relative, so that microseconds count as much as seconds. If
 * the points cannot distinguish the two, a is made as large as possible.
 * KOSHU_ERROR_INVALID_ARGUMENT, without a message: no points, t not above 0, p
 * or q below 0 or all zero, or a number is not finite.
 */
KOSHU_MUST_CHECK koshu_status koshu_least_squares(
        const struct koshu_fit_point *points, size_t n, struct koshu_fit *fit);

/* ---- Miki13 section 6.1 -------------------------------------------------- */

enum { KOSHU_MODEL_KERNELS = 16 };

/*
 * The constants; times are in seconds (those in clock cycles of a unit, divided
 * by its frequency). calc and latency are constants of one kernel, because
 * kernels differ in what they keep in registers.
 */
struct koshu_time_model {
    double launch; /* C_kernel, measured separately */
    size_t n_kernels;
    struct koshu_model_kernel {
        char name[32];
        size_t points;
        double calc;    /* C_calc, of one evaluation in one lane */
        double latency; /* L, at the beginning and at the end of blocks */
    } kernels[KOSHU_MODEL_KERNELS];
    double largest; /* largest relative deviation of a point */
};

struct koshu_model_point {
    size_t n;
    struct koshu_force_shape shape;
    double seconds; /* measured */
};

/*
 * Fits calc and latency of each kernel among the points.
 * KOSHU_ERROR_INVALID_ARGUMENT, without a message: there are more than
 * KOSHU_MODEL_KERNELS of them, or koshu_least_squares() refuses the points.
 */
KOSHU_MUST_CHECK koshu_status
koshu_model_fit(const struct koshu_model_point *points, size_t n, double launch,
                struct koshu_time_model *model);

/* Seconds; NAN for a kernel that was not among the fitted points. */
double koshu_model_predict(const struct koshu_time_model *model,
                           const struct koshu_force_shape *shape);

/* ---- Miki13 sections 5 and 6.2: ranks ------------------------------------ */

/* The costs of the ranks of a machine, in seconds. */
struct koshu_rank_costs {
    /* an interaction on a full rank, i.e. with enough i-particles */
    double pair;
    double full; /* number of i-particles of a full rank; fewer take as long */
    double call; /* t_kernel, of a sum without its pairs */
    /* t_sync of k ranks is sync + sync_doubling log2(k) (Table 2) */
    double sync, sync_doubling;
    double message, particle; /* a transfer of n takes message + n particle */
    /* sums that a rank which is not full does at the same time: 2 in Miki13, 1
     * on CPUs */
    int streams;
    size_t capacity; /* of an array of j-particles */
    /* GPUs of one process that divide all pairs (the exchange "mutual"); a
     * particle is then 16 bytes */
    bool shared;
};

/* t_calc of n_i i-particles and n_j j-particles. */
double
koshu_rank_calc(const struct koshu_rank_costs *costs, double n_i, double n_j);
/* t_sync */
double koshu_rank_sync(const struct koshu_rank_costs *costs, int ranks);

/* The time of a sum of n particles on each other, and its parts. */
struct koshu_rank_estimate {
    double seconds;
    double sums;  /* on the busiest rank; with two streams, of the busier one */
    double waits; /* for transfers that take longer than the sums meanwhile */
    double sync;  /* at the end, or after each pair of stages in two streams */
    double alone; /* t_calc(n, n) of one rank */
    int group;    /* n_a: ranks that accumulate */
    int stages;   /* of the accumulation phase */
    int rings;    /* transfers around the ring */
    size_t per_rank; /* particles of the rank with the most */
};

/*
 * Predicts koshu's accumulation and transfer phases, stage by stage. A stage
 * takes as long as its transfer or the sums meanwhile, whichever is longer.
 * With streams = 2, on ranks that are not full: Miki13 eqs. 6 and 7, where the
 * own and the first chunk are in the same stream and chunks alternate from then
 * on.
 *
 * With `shared`: each of K GPUs gets the positions of all, computes 1/K of the
 * pairs, and gets the others' parts of the forces on its own particles, 32
 * bytes each, from all at once. No sums run during these transfers.
 */
void koshu_rank_predict(const struct koshu_rank_costs *costs, size_t n,
                        int ranks, struct koshu_rank_estimate *estimate);

struct koshu_rank_point {
    size_t n;
    double seconds;
};

/*
 * Fits pair, full and call to sums of n particles on one rank. Of a series of
 * values for full, including 0, takes the one with the smallest deviation by
 * koshu_least_squares(). Then fits pair once more to the sums from a fourth of
 * the largest n upwards. largest: the largest relative deviation of a point.
 * KOSHU_ERROR_INVALID_ARGUMENT, without a message: as koshu_least_squares().
 */
KOSHU_MUST_CHECK koshu_status
koshu_rank_fit_sums(const struct koshu_rank_point *points, size_t n,
                    struct koshu_rank_costs *costs, double *largest);

#endif
