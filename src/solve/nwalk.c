/* SPDX-License-Identifier: MIT */
/*
 * koshu_force_nwalk: checks the arguments, separates coordinates into arrays,
 * and calls the backend, once for many walks or for each walk from the host's
 * threads.
 */
#include <koshu/nwalk.h>

#include <float.h>
#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "tree/tree.h"

/* Largest number of i-particles that a thread takes at once. */
enum { CHUNK = 256 };

/* A part of a walk, for one thread. */
struct chunk {
    size_t walk, first, n;
};

/* The arrays by coordinate, and the work. */
struct nwalk {
    struct koshu_context *context;
    struct koshu_backend *backend;
    struct koshu_walk_task task;
    struct koshu_tree_units units;
    size_t n_walks, n_i, n_j, n_chunks;
    struct koshu_walks walks; /* without cells */
    struct chunk *chunk;
};

/* ---- checks -------------------------------------------------------------- */

static koshu_status
check_offsets(struct koshu_context *context, const char *name,
              const int *offset, int nwalk)
{
    if (!offset)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT, "%s is NULL",
                          name);
    if (offset[0] != 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%s[0] = %d: it must be 0", name, offset[0]);
    for (int w = 0; w < nwalk; w++)
        if (offset[w] > offset[w + 1])
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "%s[%d] = %d is larger than the next, %d", name,
                              w, offset[w], offset[w + 1]);
    return KOSHU_OK;
}

static koshu_status
check_arrays(struct koshu_context *context, const float *xi, const float *xj,
             const float *accp, const int *ioff, const int *joff, int nwalk)
{
    if (nwalk < 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "nwalk = %d: it must not be negative", nwalk);
    KOSHU_TRY(check_offsets(context, "ioff", ioff, nwalk));
    KOSHU_TRY(check_offsets(context, "joff", joff, nwalk));
    if ((ioff[nwalk] > 0 && (!xi || !accp)) || (joff[nwalk] > 0 && !xj))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "xi, xj or accp is NULL");
    return KOSHU_OK;
}

/* Finds the smallest eps, which decides the kernel, and the largest. */
static koshu_status
find_softening(struct nwalk *n, const float *xi, double *largest)
{
    double eps2 = INFINITY, max = 0;
    for (size_t i = 0; i < n->n_i; i++) {
        const double e = (double)xi[4 * i + 3];
        if (!(e >= 0) || !isfinite(e))
            return koshu_fail(n->context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "xi[%zu]: eps^2 = %g: it must be finite and not "
                              "negative",
                              i, e);
        eps2 = fmin(eps2, e);
        max = fmax(max, e);
    }
    *largest = sqrt(max);
    n->task = (struct koshu_walk_task){.eps = sqrt(eps2), .potential = true};
    return KOSHU_OK;
}

/* ---- units --------------------------------------------------------------- */

/* Extremes of vectors of four numbers: of the coordinates, and of the
 * fourth. */
struct extremes {
    /* least: other than 0; infinite: there is none */
    float reach, largest, least;
};

static struct extremes
extremes_of(const float *x, size_t n)
{
    struct extremes e = {0, 0, INFINITY};
    for (size_t k = 0; k < 4 * n; k += 4) {
        for (size_t c = k; c < k + 3; c++) {
            const float size = fabsf(x[c]);
            e.reach = size > e.reach ? size : e.reach;
        }
        const float size = fabsf(x[k + 3]), some = size > 0 ? size : INFINITY;
        e.largest = size > e.largest ? size : e.largest;
        e.least = some < e.least ? some : e.least;
    }
    return e;
}

/* Chooses units of length and mass: 1, unless sums in the caller's units would
 * leave the range of a float. */
static koshu_status
find_units(struct nwalk *n, const float *xi, const float *xj, double eps)
{
    const struct extremes i = extremes_of(xi, n->n_i),
                          j = extremes_of(xj, n->n_j);
    const double reach = (double)fmaxf(i.reach, j.reach);
    const double least = (double)j.least;
    n->units = (struct koshu_tree_units){1, 1};
    if (!isfinite(reach) || !isfinite(j.largest)) return KOSHU_OK;
    struct koshu_float_range r = {
            koshu_float_range_of(reach), koshu_float_range_of(eps),
            koshu_float_range_of(j.largest > 0 ? least : 0)};
    if (reach > 0) r.length++; /* distances across the whole */
    const int all = koshu_float_range_of((double)j.largest) +
                    (n->n_j > 0 ? ilogb((double)n->n_j) : 0);
    const bool fits = koshu_tree_units_in(&r, all, &n->units);
    const double per = 1 / n->units.length, small = n->task.eps * per;
    n->task.eps = small;
    if (fits && (small == 0 || small * small >= FLT_MIN)) return KOSHU_OK;
    return koshu_fail(n->context, KOSHU_ERROR_UNSUPPORTED,
                      "walks over %g lengths, masses from %g to %g and "
                      "softening %g: floats hold no such range; take "
                      "koshu_force_direct_sets() in double precision",
                      reach, least, (double)j.largest, eps);
}

/* ---- arrays -------------------------------------------------------------- */

static koshu_status
allocate(struct nwalk *n)
{
    struct koshu_walks *w = &n->walks;
    const size_t n_offsets = n->n_walks + 1;
    w->i_offset = koshu_alloc(3 * n_offsets, sizeof *w->i_offset);
    w->i[0] = koshu_alloc(4 * n->n_i, sizeof(float));
    w->j[0] = koshu_alloc(4 * n->n_j + 1, sizeof(float));
    w->result[0] = koshu_alloc(4 * n->n_i, sizeof(double));
    n->chunk = koshu_alloc(n->n_chunks, sizeof *n->chunk);
    if (!w->i_offset || !w->i[0] || !w->j[0] || !w->result[0] || !n->chunk)
        return koshu_fail_memory(n->context,
                                 48 * n->n_i + 16 * n->n_j + 24 * n_offsets,
                                 "walks");
    w->j_offset = w->i_offset + n_offsets;
    w->cell_offset = w->j_offset + n_offsets;
    for (size_t c = 1; c < 4; c++) {
        w->i[c] = w->i[0] + c * n->n_i;
        w->j[c] = w->j[0] + c * n->n_j;
        w->result[c] = w->result[0] + c * n->n_i;
    }
    return KOSHU_OK;
}

static void
free_walks(struct nwalk *n)
{
    koshu_free(n->walks.i_offset);
    koshu_free(n->walks.i[0]);
    koshu_free(n->walks.j[0]);
    koshu_free(n->walks.result[0]);
    koshu_free(n->chunk);
}

/* Separates vectors of four into arrays, converted to the units, if any: x y z
 * by one factor, the fourth by the other. */
static void
separate(const struct nwalk *nwalk, float *const to[4], const float *from,
         size_t n, double fourth)
{
    const int threads = koshu_region_threads(nwalk->context, n > 1 << 16);
    const double length = 1 / nwalk->units.length;
    const double per[4] = {length, length, length, fourth};
    if (length == 1 && fourth == 1) {
#pragma omp parallel for num_threads(threads)
        for (size_t k = 0; k < n; k++)
            for (size_t c = 0; c < 4; c++) to[c][k] = from[4 * k + c];
        return;
    }
    for (size_t k = 0; k < n; k++)
        for (size_t c = 0; c < 4; c++)
            to[c][k] = (float)((double)from[4 * k + c] * per[c]);
}

/* Writes the forces as floats in the caller's units. */
static koshu_status
give(const struct nwalk *n, float *accp)
{
    const double l = n->units.length, m = n->units.mass;
    const double a = m / (l * l), per[4] = {a, a, a, m / l};
    double *const *result = n->walks.result;
    for (size_t i = 0; i < n->n_i; i++) {
        float *to = accp + 4 * i, max = 0;
        for (size_t c = 0; c < 4; c++) {
            to[c] = (float)(result[c][i] * per[c]);
            if (!isfinite(to[c])) max = INFINITY;
            if (c < 3) max = fmaxf(max, fabsf(to[c]));
        }
        const double sum =
                fabs(result[0][i]) + fabs(result[1][i]) + fabs(result[2][i]);
        if (max <= FLT_MAX && (max >= FLT_MIN || sum == 0)) continue;
        return koshu_fail(n->context, KOSHU_ERROR_UNSUPPORTED,
                          "the acceleration of i-particle %zu, %g, or its "
                          "potential, does not fit into a float; take "
                          "koshu_force_direct_sets(), or other units",
                          i, sum * a);
    }
    return KOSHU_OK;
}

static void
cut(struct nwalk *n, const int *ioff, const int *joff)
{
    size_t p = 0;
    for (size_t w = 0; w <= n->n_walks; w++) {
        n->walks.i_offset[w] = (size_t)ioff[w];
        n->walks.j_offset[w] = (size_t)joff[w];
    }
    for (size_t w = 0; w < n->n_walks; w++) {
        const size_t end = (size_t)ioff[w + 1];
        for (size_t i = (size_t)ioff[w]; i < end; i += CHUNK)
            n->chunk[p++] =
                    (struct chunk){w, i, end - i < CHUNK ? end - i : CHUNK};
    }
}

/* ---- sums ---------------------------------------------------------------- */

static koshu_status
sum_chunk(const struct nwalk *n, const struct chunk *p)
{
    size_t i_offset[2] = {p->first, p->first + p->n};
    struct koshu_walks one = n->walks;
    one.i_offset = i_offset;
    one.j_offset += p->walk;
    return n->backend->ops->walks(n->backend, &n->task, 1, &one);
}

/* Pairs that one thread sums in the time that a second takes to wake up. */
static const double pairs_alone = 1 << 18;

static double
pairs_of(const struct nwalk *n)
{
    const size_t *joff = n->walks.j_offset;
    double pairs = 0;
    for (size_t p = 0; p < n->n_chunks && pairs < pairs_alone; p++) {
        const size_t w = n->chunk[p].walk;
        pairs += (double)n->chunk[p].n * (double)(joff[w + 1] - joff[w]);
    }
    return pairs;
}

static koshu_status
sum_chunks(struct nwalk *n)
{
    const int threads = koshu_region_threads(
            n->context, n->n_chunks > 1 && pairs_of(n) >= pairs_alone);
    koshu_status status = KOSHU_OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t p = 0; p < n->n_chunks; p++) {
        const koshu_status one = sum_chunk(n, &n->chunk[p]);
        if (one != KOSHU_OK) {
#pragma omp atomic write
            status = one;
        }
    }
    return status;
}

static koshu_status
sum(struct nwalk *n)
{
    const struct koshu_backend_ops *ops = n->backend->ops;
    return ops->walks_in_caller
                   ? sum_chunks(n)
                   : ops->walks(n->backend, &n->task, n->n_walks, &n->walks);
}

static koshu_status
open_backend(struct nwalk *n)
{
    KOSHU_TRY(koshu_backend_of(n->context, &n->backend));
    const struct koshu_backend_ops *ops = n->backend->ops;
    if (ops->walks) return KOSHU_OK;
    return koshu_fail(n->context, KOSHU_ERROR_UNSUPPORTED,
                      "backend %s has no sums over the lists of walks; make "
                      "the context with backend cpu",
                      ops->name);
}

koshu_status
koshu_force_nwalk(struct koshu_context *context, const float *xi,
                  const float *xj, float *accp, const int *ioff,
                  const int *joff, int nwalk)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_TRY(check_arrays(context, xi, xj, accp, ioff, joff, nwalk));
    struct nwalk n = {.context = context,
                      .n_walks = (size_t)nwalk,
                      .n_i = (size_t)ioff[nwalk],
                      .n_j = (size_t)joff[nwalk]};
    koshu_status status;
    if (n.n_i == 0) return KOSHU_OK;
    double eps = 0; /* the largest */
    KOSHU_TRY(find_softening(&n, xi, &eps));
    KOSHU_TRY(find_units(&n, xi, xj, eps));
    KOSHU_TRY(open_backend(&n));
    for (int w = 0; w < nwalk; w++)
        n.n_chunks += ((size_t)(ioff[w + 1] - ioff[w]) + CHUNK - 1) / CHUNK;
    KOSHU_TRY_CLEANUP(allocate(&n));
    const double l = n.units.length;
    separate(&n, n.walks.i, xi, n.n_i, 1 / (l * l));
    separate(&n, n.walks.j, xj, n.n_j, 1 / n.units.mass);
    cut(&n, ioff, joff);
    KOSHU_TRY_CLEANUP(sum(&n));
    status = give(&n, accp);
cleanup:
    free_walks(&n);
    return status;
}
