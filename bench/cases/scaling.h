/* SPDX-License-Identifier: MIT */
/* The parts of `koshu bench scaling`. */
#ifndef KOSHU_BENCH_CASES_SCALING_H
#define KOSHU_BENCH_CASES_SCALING_H

#include "app/rank_costs.h"
#include "bench/bench.h"
#include "bench/internal.h"

struct scaling_options {
    struct bench_options base;
    struct count_list per_rank; /* particles */
    struct count_list ranks;    /* none: 1, 2, 4, ... and all */
    struct count_list devices;  /* the ranks are GPUs of this process */
    enum koshu_exchange exchange;
    enum koshu_transport transport;
    size_t alone; /* the largest N that one rank sums */
    size_t capacity;
    const char *save;
};

enum { SCALING_POINTS = 2 * MAX_LIST * MAX_LIST, SCALING_SIZES = 12 };

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
    bool gpus;
    struct count_list per_rank, ranks; /* in their order */
    struct scaling_point points[SCALING_POINTS];
    size_t n_points;
    struct scaling_line sync[MAX_LIST]; /* of ranks[k], k with 2 and more */
    struct scaling_line transfer;       /* n = 0: there is one rank */
    double launch;                      /* t_kernel */
    double largest;     /* deviation of a sum of one rank from its fit */
    bool crowded;       /* more threads than processors */
    char transport[96]; /* of the last of these numbers of ranks */
    char exchange[16];  /* of the largest sum of all GPUs; "": of ranks */
    struct rank_costs_file costs;
};

/* Collective. b->context is that of all ranks. */
koshu_status scaling_measure(const struct bench *b, struct scaling *s);

/* ---- parts of it --------------------------------------------------------- */

/* The median of so many repeats (0: as many as tell something), which is what
 * it becomes; all ranks of the context make the same number. */
koshu_status scaling_time(struct koshu_context *context,
                          koshu_status (*once)(void *), void *user,
                          size_t *repeats, double *seconds);

/* Of once(user) for n = first, 4 first, ... last, which it reads in *n. */
koshu_status scaling_time_line(struct koshu_context *context,
                               koshu_status (*once)(void *), void *user,
                               size_t *n, size_t first, size_t last,
                               struct scaling_line *line);

/* What the ranks of b->context, or so many GPUs, sum; one also sums what
 * others will sum. */
koshu_status
scaling_sums(const struct bench *b, size_t ranks, struct scaling *s);

/* ---- GPUs of this process ------------------------------------------------ */

/* Those that KOSHU_DEVICES names, or all there are: how many. */
size_t
scaling_gpus(struct koshu_context *context, int number[KOSHU_MAX_DEVICES]);
/* On s->ranks[k] of them. */
koshu_status
scaling_measure_gpus(const struct bench *b, struct scaling *s, size_t k);

#endif
