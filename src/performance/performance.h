/* SPDX-License-Identifier: MIT */
/*
 * Miki13's model of the time that direct summation takes, that of trees over
 * ranks (trees.h), and the least squares that find their constants.
 * docs/performance-model.md derives them. The energy that is used (energy.h).
 */
#ifndef KOSHU_PERFORMANCE_PERFORMANCE_H
#define KOSHU_PERFORMANCE_PERFORMANCE_H

#include <stdbool.h>

#include "backend/backend.h"
#include "performance/energy.h"
#include "performance/trees.h"

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
 * KOSHU_ERROR_INVALID_ARGUMENT, without a message: no point, a t that is not
 * above 0, p or q below 0 or all zero, or a number that is not finite.
 */
KOSHU_MUST_CHECK koshu_status koshu_least_squares(
        const struct koshu_fit_point *points, size_t n, struct koshu_fit *fit);

/* ---- Miki13 section 6.1 -------------------------------------------------- */

enum { KOSHU_MODEL_KERNELS = 16 };

/*
 * The constants, times in seconds (of a unit's clock: divided by its hertz).
 * calc and latency are of one kernel: kernels differ in what they keep in
 * registers.
 */
struct koshu_time_model {
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
 * Finds calc and latency of each kernel that occurs.
 * KOSHU_ERROR_INVALID_ARGUMENT, without a message: more than
 * KOSHU_MODEL_KERNELS of them, or points that koshu_least_squares() refuses.
 */
KOSHU_MUST_CHECK koshu_status
koshu_model_fit(const struct koshu_model_point *points, size_t n, double launch,
                struct koshu_time_model *model);

/* Seconds; NAN for a kernel that the model was not fitted to. */
double koshu_model_predict(const struct koshu_time_model *model,
                           const struct koshu_force_shape *shape);

/* ---- Miki13 sections 5 and 6.2: ranks ------------------------------------ */

/* What ranks of a machine cost, in seconds. */
struct koshu_rank_costs {
    double pair; /* an interaction, on a rank that has enough i-particles */
    double full; /* how many those are: fewer take the time of so many */
    double call; /* a sum besides its pairs: t_kernel */
    /* t_sync of k ranks is sync + sync_doubling log2(k) (Table 2) */
    double sync, sync_doubling;
    double message, particle; /* a transfer of n: message + n particle */
    int streams;     /* pieces that a rank which is not full sums at once: 2 in
                        Miki13, 1 on CPUs */
    size_t capacity; /* particles of an array of j-particles */
    bool shared;     /* GPUs of one process, which share out all pairs (the
                        exchange "mutual"); a particle is then 16 bytes */
};

/* t_calc of n_i i-particles and n_j j-particles. */
double
koshu_rank_calc(const struct koshu_rank_costs *costs, double n_i, double n_j);
/* t_sync */
double koshu_rank_sync(const struct koshu_rank_costs *costs, int ranks);

/* A sum of n particles on each other, and what it is made of. */
struct koshu_rank_estimate {
    double seconds;
    double sums;     /* of the busiest rank; with two streams, of the busier */
    double waits;    /* for transfers longer than the sums beside them */
    double sync;     /* at the end, or after each pair of streams' stages */
    double alone;    /* one rank, all particles: t_calc(n, n) */
    int group;       /* n_a: ranks that accumulate */
    int stages;      /* of the accumulation phase */
    int rings;       /* transfers round the ring */
    size_t per_rank; /* particles of the rank with most */
};

/*
 * The time of koshu's accumulation and transfer phases, stage by stage: a stage
 * takes as long as its transfer or the sums beside it, whichever is longer.
 * With streams = 2, on ranks that are not full: Miki13 eqs. 6 and 7, where the
 * own and the first piece share a stream and pieces alternate from there.
 *
 * With `shared`: each of K gets the positions of all, computes a K-th of the
 * pairs, and gets the others' parts of the forces on its own, 32 bytes a
 * particle, from all at once, with no sum beside these transfers.
 */
void koshu_rank_predict(const struct koshu_rank_costs *costs, size_t n,
                        int ranks, struct koshu_rank_estimate *estimate);

struct koshu_rank_point {
    size_t n;
    double seconds;
};

/*
 * pair, full and call from sums of n particles on one rank: of a series of
 * values for full, 0 among them, the one that leaves least, with
 * koshu_least_squares(); then pair once more, from the sums of the largest n
 * down to a fourth of it. largest: deviation of a point, relative.
 * KOSHU_ERROR_INVALID_ARGUMENT, without a message: as koshu_least_squares().
 */
KOSHU_MUST_CHECK koshu_status
koshu_rank_fit_sums(const struct koshu_rank_point *points, size_t n,
                    struct koshu_rank_costs *costs, double *largest);

#endif
