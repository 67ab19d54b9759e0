/* SPDX-License-Identifier: MIT */
/* Structure functions of a velocity in a periodic box. */
#include "flow/structure.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Sums over one plane of constant x. */
enum { LONGITUDINAL, TRANSVERSE, THIRD, SUMS };

/* How much component c grows over `steps` points along the axis, from point
 * `at`. */
static inline double
difference(const double *u, size_t n, const size_t at[3], size_t axis,
           size_t steps)
{
    size_t to[3] = {at[0], at[1], at[2]};
    to[axis] = (to[axis] + steps) % n;
    return u[(to[0] * n + to[1]) * n + to[2]] -
           u[(at[0] * n + at[1]) * n + at[2]];
}

static void
add_point(const double *u, size_t n, const size_t at[3], size_t steps,
          double sums[SUMS])
{
    for (size_t c = 0; c < 3; c++)
        for (size_t axis = 0; axis < 3; axis++) {
            const double d = difference(u + c * n * n * n, n, at, axis, steps);
            if (c == axis) {
                sums[LONGITUDINAL] += d * d;
                sums[THIRD] += d * d * d;
            } else {
                sums[TRANSVERSE] += d * d;
            }
        }
}

static void
add_plane(const double *u, size_t n, size_t x, size_t steps, double sums[SUMS])
{
    memset(sums, 0, SUMS * sizeof *sums);
    for (size_t y = 0; y < n; y++)
        for (size_t z = 0; z < n; z++)
            add_point(u, n, (const size_t[]){x, y, z}, steps, sums);
}

/* Planes are summed in order, so that the result does not depend on threads. */
static void
find(struct koshu_context *context, size_t n, const double *u, size_t steps,
     double (*planes)[SUMS], struct koshu_structure *s)
{
    const int threads = koshu_region_threads(context, n > 16);
    const double n3 = (double)n * (double)n * (double)n;
    struct koshu_sum total[SUMS] = {{0}};
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t x = 0; x < n; x++) add_plane(u, n, x, steps, planes[x]);
    for (size_t x = 0; x < n; x++)
        for (size_t k = 0; k < SUMS; k++)
            koshu_sum_add(&total[k], planes[x][k]);
    s->longitudinal = koshu_sum_value(total[LONGITUDINAL]) / (3 * n3);
    s->transverse = koshu_sum_value(total[TRANSVERSE]) / (6 * n3);
    s->third = koshu_sum_value(total[THIRD]) / (3 * n3);
}

/* 1, 2, 3, 4, 6, 8, 12, 16 ... */
static size_t
next_steps(size_t steps)
{
    const size_t power = steps & (steps - 1);
    if (steps == 1) return 2;
    return power == 0 ? steps + steps / 2 : steps / 3 * 4;
}

koshu_status
koshu_flow_structure(struct koshu_context *context, size_t n, double box,
                     const double *velocity,
                     struct koshu_structure s[KOSHU_STRUCTURE_MAX],
                     size_t *count)
{
    double(*planes)[SUMS] = koshu_alloc(n, sizeof *planes);
    *count = 0;
    if (!planes)
        return koshu_fail_memory(context, n * sizeof *planes,
                                 "structure functions");
    for (size_t steps = 1; steps <= n / 2 && *count < KOSHU_STRUCTURE_MAX;
         steps = next_steps(steps)) {
        struct koshu_structure *to = &s[(*count)++];
        to->r = box * (double)steps / (double)n;
        find(context, n, velocity, steps, planes, to);
    }
    koshu_free(planes);
    return KOSHU_OK;
}
