/* SPDX-License-Identifier: MIT */
/* Shared by the parts of `koshu bench scaling`. */
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
    size_t sample;              /* particles to compare */
    struct count_list per_rank; /* particles */
    struct count_list ranks;    /* none given: 1, 2, 4, ... and all */
    /* given: the "ranks" are GPUs of this process */
    struct count_list devices;
    enum koshu_exchange exchange;
    enum koshu_transport transport;
    size_t alone; /* the largest N for one rank */
    bool apart;   /* particles begin in the domains */
    size_t capacity;
    const char *save;
};

enum { SCALING_POINTS = 2 * MAX_LIST * MAX_LIST };

/* A sum of n particles on each other; times are those of the slowest rank. */
struct scaling_point {
    int ranks;
    size_t n;
    struct bench_timing timing;
};

/* The results; complete on the first rank. */
struct scaling {
    bool gpus;
    struct count_list per_rank, ranks; /* ascending */
    struct scaling_point points[SCALING_POINTS];
    size_t n_points;
    struct scaling_step *step; /* for a tree or an FMM, instead of points */
    size_t n_steps;
    struct bench_line sync[MAX_LIST]; /* for ranks[k], if that is 2 or more */
    struct bench_line transfer;       /* n = 0: there is only one rank */
    double launch;                    /* t_kernel */
    double largest;     /* deviation of a one-rank sum from the fit */
    bool crowded;       /* more threads than processors */
    char transport[96]; /* for the last number of ranks */
    /* for the largest sum of all GPUs; "": there are ranks */
    char exchange[16];
    struct rank_costs_file costs;
};

/* Prints where and how was measured; comes after the title. */
void scaling_print_machine(const struct scaling *s);
/* Prints the costs of direct sums. */
void scaling_print_costs(const struct scaling *s);

/* Measures everything. Collective; b->context has all ranks. */
koshu_status scaling_measure(const struct bench *b, struct scaling *s);

/* Times sums on the ranks of b->context, or on so many GPUs. A single one also
 * sums what several will sum. */
koshu_status
scaling_sums(const struct bench *b, size_t ranks, struct scaling *s);

/* Times the forces of a tree or an FMM on the ranks of b->context. */
koshu_status scaling_steps(const struct bench *b, struct scaling *s);

/* Measures launches on one rank; synchronisation of s->ranks[k] ranks, and
 * transfers between two of them. */
koshu_status scaling_costs(const struct bench *b, struct scaling *s, size_t k);

/* The GPUs that KOSHU_DEVICES names, or all there are; returns how many. */
size_t
scaling_gpus(struct koshu_context *context, int number[KOSHU_MAX_DEVICES]);

/* The measurement for these ranks and particles; NULL: none. */
const struct scaling_point *
scaling_point_of(const struct scaling *s, int ranks, size_t n);

#endif
