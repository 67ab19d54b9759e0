/* SPDX-License-Identifier: MIT */
/* The parts of `koshu bench scaling`. */
#ifndef KOSHU_APP_BENCH_SCALING_H
#define KOSHU_APP_BENCH_SCALING_H

#include "bench.h"
#include "internal.h"
#include "rank_costs.h"

enum { SCALING_POINTS = 2 * BENCH_LIST * BENCH_LIST, SCALING_SIZES = 12 };

struct scaling_options {
    size_t per_rank[BENCH_LIST], n_sizes; /* particles */
    size_t ranks[BENCH_LIST], n_ranks;    /* 0: 1, 2, 4, ... and all */
    bool gpus;    /* the ranks are GPUs of this process */
    size_t alone; /* the largest N that one rank sums */
    struct bench_problem problem;
    const char *backend, *save, *plot, *exchange;
    bool force;
    int threads;
    size_t repeats, capacity;
    enum koshu_transport transport;
    bool json;
};

/* A sum of n particles on each other. */
struct scaling_point {
    int ranks;
    size_t n, repeats;
    double seconds; /* median; of the slowest rank each */
};

/* A series of n and t, and the line t = a n + b through it. */
struct scaling_line {
    size_t n;
    double x[SCALING_SIZES], t[SCALING_SIZES];
    struct koshu_fit fit;
};

/* What was measured; the first rank has all of it. */
struct scaling {
    struct koshu_context *whole; /* all ranks */
    struct scaling_point points[SCALING_POINTS];
    size_t n_points;
    struct scaling_line sync[BENCH_LIST]; /* of ranks[k], k with 2 and more */
    struct scaling_line transfer;         /* n = 0: there is one rank */
    double launch;                        /* t_kernel */
    double largest;     /* deviation of a sum of one rank from its fit */
    bool crowded;       /* more threads than processors */
    char transport[96]; /* of the last of these numbers of ranks */
    char exchange[16];  /* of the largest sum of all GPUs; "": of ranks */
    struct rank_costs_file costs;
};

/* ---- time ---------------------------------------------------------------- */

/* The median of so many repeats (0: as many as tell something), which is what
 * it becomes; all ranks of the context make the same number. */
koshu_status scaling_time(struct koshu_context *context,
                          koshu_status (*once)(void *), void *user,
                          size_t *repeats, double *seconds);
koshu_status scaling_fit_line(struct scaling_line *line);

/* What ranks of the context, or so many GPUs, sum together; one also sums what
 * others will sum together. */
koshu_status scaling_sums(struct koshu_context *context, size_t ranks,
                          const struct scaling_options *options,
                          struct scaling *s);

/* ---- GPUs of this process ------------------------------------------------ */

/* Those that KOSHU_DEVICES names, or all there are: how many. */
size_t
scaling_gpus(struct koshu_context *context, int number[KOSHU_MAX_DEVICES]);
/* On options->ranks[k] of them. */
koshu_status scaling_measure_gpus(const struct scaling_options *options,
                                  struct scaling *s, size_t k);

/* ---- all of it ----------------------------------------------------------- */

/* Collective. */
koshu_status
scaling_measure(const struct scaling_options *options, struct scaling *s);

/* The time of n particles on so many ranks; beyond what one rank has summed, at
 * the rate of its largest sum (as the paper does). NAN: not measured. */
double scaling_seconds(const struct scaling *s, int ranks, size_t n);

void
scaling_print(const struct scaling_options *options, const struct scaling *s);
koshu_status
scaling_plot(const struct scaling_options *options, const struct scaling *s);

#endif
