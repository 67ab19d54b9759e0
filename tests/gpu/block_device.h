/* SPDX-License-Identifier: MIT */
/* Runs block time steps on a device. */
#ifndef KOSHU_TESTS_BLOCK_DEVICE_H
#define KOSHU_TESTS_BLOCK_DEVICE_H

#include <math.h>

#include "backend/backend.h"
#include "check.h"

/* The longest step is 1/8. */
#define LONGEST ((uint64_t)1 << 40)

static inline struct koshu_block_task
task_of(enum koshu_precision precision, double eps)
{
    return (struct koshu_block_task){.precision = precision,
                                     .eps = eps,
                                     .tick = ldexp(0.125, -40),
                                     .longest = LONGEST,
                                     .eta = 0.02,
                                     .iterations = 1};
}

struct device {
    struct koshu_context *context;
    struct koshu_backend *backend;
    const struct koshu_block_ops *ops;
};

static inline struct device
open_device_in(struct koshu_context *context)
{
    struct device d = {.context = context};
    assert_ok(d.context, koshu_backend_of(d.context, &d.backend));
    d.ops = d.backend->ops->block;
    return d;
}

static inline struct device
open_device(void)
{
    return open_device_in(test_context("cuda", 0));
}

/* The largest difference of any position or velocity component. */
static inline double
deviation(const struct koshu_block_particles *a,
          const struct koshu_block_particles *b)
{
    const double *of_a[] = {a->x, a->y, a->z, a->vx, a->vy, a->vz};
    const double *of_b[] = {b->x, b->y, b->z, b->vx, b->vy, b->vz};
    double max = 0;
    for (int c = 0; c < 6; c++)
        for (size_t i = 0; i < a->n; i++) {
            double off = fabs(of_a[c][i] - of_b[c][i]);
            if (!(off <= max)) max = off;
        }
    return max;
}

#endif
