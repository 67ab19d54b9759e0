/* SPDX-License-Identifier: MIT */
/* The parts of `koshu bench scaling`. */
#ifndef KOSHU_BENCH_CASES_SCALING_H
#define KOSHU_BENCH_CASES_SCALING_H

#include "app/rank_costs.h"
#include "bench/bench.h"

struct scaling_step;

struct scaling_options {
    struct bench_options base;
    enum koshu_method method;
    struct koshu_tree_options tree;
    struct koshu_laplace_options fmm;
    double theta, alpha; /* 0: not given */
    size_t order, n_crit;
    size_t sample;              /* particles whose errors are taken */
    struct count_list per_rank; /* particles */
    struct count_list ranks;    /* none: 1, 2, 4, ... and all */
    struct count_list devices;  /* the ranks are GPUs of this process */
    enum koshu_exchange exchange;
    enum koshu_transport transport;
    size_t alone; /* the largest N that one rank sums */
    size_t capacity;
    const char *save;
};

enum { SCALING_POINTS = 2 * MAX_LIST * MAX_LIST };

/* A sum of n particles on each other; of the slowest rank each. */
struct scaling_point {
    int ranks;
    size_t n;
    struct bench_timing timing;
};

/* What was measured; the first rank has all of it. */
struct scaling {
    bool gpus;
    struct count_list per_rank, ranks; /* in their order */
    struct scaling_point points[SCALING_POINTS];
    size_t n_points;
    struct scaling_step *step; /* of a tree or an FMM, in place of points */
    size_t n_steps;
    struct bench_line sync[MAX_LIST]; /* of ranks[k], k with 2 and more */
    struct bench_line transfer;       /* n = 0: there is one rank */
    double launch;                    /* t_kernel */
    double largest;     /* deviation of a sum of one rank from its fit */
    bool crowded;       /* more threads than processors */
    char transport[96]; /* of the last of these numbers of ranks */
    char exchange[16];  /* of the largest sum of all GPUs; "": of ranks */
    struct rank_costs_file costs;
};

/* Where and how: after the title. */
void scaling_print_machine(const struct scaling *s);
/* Of direct sums. */
void scaling_print_costs(const struct scaling *s);

/* Collective. b->context is that of all ranks. */
koshu_status scaling_measure(const struct bench *b, struct scaling *s);

/* What the ranks of b->context, or so many GPUs, sum; one also sums what
 * others will sum. */
koshu_status
scaling_sums(const struct bench *b, size_t ranks, struct scaling *s);

/* The forces of a tree or an FMM there. */
koshu_status scaling_steps(const struct bench *b, struct scaling *s);

/* The launch of one rank; the synchronisations of s->ranks[k] and transfers
 * between two of them. */
koshu_status scaling_costs(const struct bench *b, struct scaling *s, size_t k);

/* The GPUs that KOSHU_DEVICES names, or all there are: how many. */
size_t
scaling_gpus(struct koshu_context *context, int number[KOSHU_MAX_DEVICES]);

/* What has been measured of these ranks and particles; NULL: nothing. */
const struct scaling_point *
scaling_point_of(const struct scaling *s, int ranks, size_t n);

#endif
