/* SPDX-License-Identifier: MIT */
/* A solver, for the files that make up its functions. */
#ifndef KOSHU_SOLVE_SOLVER_H
#define KOSHU_SOLVE_SOLVER_H

#include <koshu/solver.h>

#include "backend/backend.h"
#include "solve/exchange.h"
#include "solve/treecode.h"

struct koshu_solver {
    struct koshu_context *context;
    struct koshu_solver_options options; /* whose tree is: */
    struct koshu_tree_options tree;
    struct koshu_backend *backend;         /* the context's */
    struct koshu_rank_exchange *exchange;  /* NULL: there is one rank */
    struct koshu_device_exchange *devices; /* NULL: ranks without */
    struct koshu_treecode *treecode;       /* of that method; else NULL */
    uint64_t *self;                        /* 0 ... n_self - 1 */
    size_t n_self;
    uint64_t interactions;
    double seconds;       /* in calls of the backend */
    double device_before; /* the backend's own count, at the beginning */
};

/* A backend that goes on by itself counts its own time. */
static inline double
koshu_solver_device_seconds(const struct koshu_backend *backend,
                            double otherwise)
{
    return backend->ops->seconds ? backend->ops->seconds(backend) : otherwise;
}

#endif
