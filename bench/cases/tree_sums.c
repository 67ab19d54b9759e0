/* SPDX-License-Identifier: MIT */
#include "bench/cases/tree_sums.h"

#include <omp.h>
#include <string.h>

/* ---- sums of one walk, or a part of it ----------------------------------- */

struct span {
    size_t first, last;
};

static struct span
part_of(size_t n, size_t part, size_t parts)
{
    return (struct span){n * part / parts, n * (part + 1) / parts};
}

/* i-particles `i` of a list against its j-particles `j`; monopoles, so there
 * are no other cells. Particles are at their own place: with a softening they
 * do not pull themselves. */
static koshu_status
sum_span(const struct tree_schemes *c, const struct koshu_list *l,
         struct span i, struct span j, double *const to[4])
{
    size_t i_offset[2] = {0, i.last - i.first},
           j_offset[2] = {0, j.last - j.first}, cell_offset[2] = {0, 0};
    float *const *r = l->j;
    const struct koshu_walks walk = {
            .i_offset = i_offset,
            .j_offset = j_offset,
            .cell_offset = cell_offset,
            .i = {r[0] + i.first, r[1] + i.first, r[2] + i.first, c->eps2},
            .j = {r[0] + j.first, r[1] + j.first, r[2] + j.first,
                  r[3] + j.first},
            .result = {to[0], to[1], to[2], to[3]},
    };
    return c->backend->ops->walks(c->backend, &c->task, 1, &walk);
}

static void
sums_at(const struct tree_schemes *c, size_t first, double *to[4])
{
    for (int k = 0; k < 4; k++) to[k] = c->sum[k] + first;
}

/* Sums of part p of a walk of n particles. */
static void
part_at(const struct tree_schemes *c, size_t p, size_t n, double *to[4])
{
    for (size_t k = 0; k < 4; k++) to[k] = c->part + k * c->parts * n + p * n;
}

static void
add_parts(struct tree_schemes *c, struct tree_target t, size_t parts)
{
#pragma omp parallel for num_threads(c->threads) if (t.n > 1 << 12)
    for (size_t i = 0; i < t.n; i++)
        for (size_t k = 0; k < 3; k++) {
            double sum = 0;
            for (size_t p = 0; p < parts; p++)
                sum += c->part[k * c->parts * t.n + p * t.n + i];
            c->sum[k][t.first + i] = sum;
        }
}

koshu_status
tree_sum_whole(struct tree_schemes *schemes, struct tree_target t,
               const struct koshu_list *l)
{
    struct tree_schemes *c = schemes;
    double *to[4];
    sums_at(c, t.first, to);
    return sum_span(c, l, (struct span){0, t.n}, (struct span){0, l->n_j}, to);
}

/* ---- by the threads of the host ------------------------------------------ */

static koshu_status
threads_by_i(struct tree_schemes *c, struct tree_target t,
             const struct koshu_list *l)
{
    koshu_status status = KOSHU_OK;
#pragma omp parallel num_threads(c->threads)
    {
        const struct span i = part_of(t.n, (size_t)omp_get_thread_num(),
                                      (size_t)omp_get_num_threads());
        double *to[4];
        sums_at(c, t.first + i.first, to);
        const koshu_status one =
                sum_span(c, l, i, (struct span){0, l->n_j}, to);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

static koshu_status
threads_by_j(struct tree_schemes *c, struct tree_target t,
             const struct koshu_list *l)
{
    koshu_status status = KOSHU_OK;
    size_t parts = 1;
#pragma omp parallel num_threads(c->threads)
    {
        const size_t p = (size_t)omp_get_thread_num();
        double *to[4];
        part_at(c, p, t.n, to);
        const koshu_status one =
                sum_span(c, l, (struct span){0, t.n},
                         part_of(l->n_j, p, (size_t)omp_get_num_threads()), to);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
#pragma omp single
        parts = (size_t)omp_get_num_threads();
    }
    add_parts(c, t, parts);
    return status;
}

/* ---- by a device --------------------------------------------------------- */

/* One call: the parts of the list are walks of the same i-particles. */
static koshu_status
device_by_j(struct tree_schemes *c, struct tree_target t,
            const struct koshu_list *l)
{
    size_t i_offset[DEVICE_PARTS + 1], j_offset[DEVICE_PARTS + 1];
    size_t cell_offset[DEVICE_PARTS + 1] = {0};
    float *const *r = l->j;
    for (size_t p = 0; p <= c->parts; p++) {
        i_offset[p] = p * t.n;
        j_offset[p] = part_of(l->n_j, p, c->parts).first;
    }
    for (size_t p = 0; p < c->parts; p++)
        for (size_t k = 0; k < 3; k++)
            memcpy(c->i[k] + p * t.n, r[k], t.n * sizeof(float));
    double *to[4];
    part_at(c, 0, t.n, to);
    const struct koshu_walks walks = {
            .i_offset = i_offset,
            .j_offset = j_offset,
            .cell_offset = cell_offset,
            .i = {c->i[0], c->i[1], c->i[2], c->eps2},
            .j = {r[0], r[1], r[2], r[3]},
            .result = {to[0], to[1], to[2], to[3]},
    };
    KOSHU_TRY(c->backend->ops->walks(c->backend, &c->task, c->parts, &walks));
    add_parts(c, t, c->parts);
    return KOSHU_OK;
}

koshu_status
tree_sum_shared(struct tree_schemes *schemes, enum tree_scheme scheme,
                struct tree_target t, const struct koshu_list *l)
{
    struct tree_schemes *c = schemes;
    const bool threads = c->backend->ops->walks_in_caller;
    if (scheme == TREE_I_PARALLEL)
        return threads ? threads_by_i(c, t, l) : tree_sum_whole(c, t, l);
    return threads ? threads_by_j(c, t, l) : device_by_j(c, t, l);
}
