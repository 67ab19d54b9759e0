/* SPDX-License-Identifier: MIT */
/*
 * The j-particle store for CPUs: predicts particles into vectors, finds the
 * j-particles that each i-particle leaves out, and distributes the sums over
 * threads.
 */
#include <math.h>

#include "backend/simd/ids.h"
#include "backend/simd/simd.h"
#include "base/base.h"

struct simd_j_store {
    struct host_store host; /* first: pointers are cast */
    const struct simd_jerk *kernels;
    struct simd_ids ids;

    void *predicted;
    size_t capacity_predicted;
    struct simd_extent extent;
    struct simd_units units; /* of predicted particles */
    double eps;              /* for which the units were chosen */

    /* Indices with i-particle k's own id: excluded[excluded_first[k]] ... */
    size_t *excluded_first, *excluded;
    size_t capacity_excluded_first, capacity_excluded;

    struct koshu_jerk_result *partial; /* sums of chunks: [chunk][i-particle] */
    size_t capacity_partial;
};

/* ---- life ---------------------------------------------------------------- */

static struct simd_j_store *
own(struct koshu_backend_j_store *store)
{
    return (struct simd_j_store *)store;
}

static koshu_status
open_store(struct koshu_backend_j_store *store)
{
    struct simd_j_store *m = own(store);
    m->units = SIMD_NO_UNITS;
    m->kernels = ((struct simd_backend *)store->backend)
                         ->isa->jerk(store->precision);
    return KOSHU_OK;
}

static void
close_store(struct koshu_backend_j_store *store)
{
    struct simd_j_store *m = own(store);
    koshu_simd_ids_free(&m->ids);
    koshu_free(m->predicted);
    koshu_free(m->excluded_first);
    koshu_free(m->excluded);
    koshu_free(m->partial);
    koshu_host_store_close(store);
}

static koshu_status
reserve(struct koshu_backend_j_store *store, size_t capacity)
{
    KOSHU_TRY(koshu_simd_ids_reserve(&own(store)->ids, store->backend->context,
                                     capacity));
    return koshu_host_store_reserve(store, capacity);
}

/* Not inlined, because most calls set one particle: in the loop all pointers
 * would be loaded at the start. */
static __attribute__((noinline)) void
note(struct simd_j_store *m, size_t index, const struct koshu_j_particles *p,
     size_t at)
{
    koshu_simd_ids_set(&m->ids, index, koshu_j_id(p, at, index));
    /* massless particles do not count: some callers move removed ones far
     * away */
    if (!m->kernels->scales || p->mass[at] == 0) return;
    double x[3], v[3];
    koshu_j_vector(x, p->x, p->y, p->z, at);
    koshu_j_vector(v, p->vx, p->vy, p->vz, at);
    koshu_simd_extent_add(&m->extent, x, v, p->mass[at]);
}

static koshu_status
set(struct koshu_backend_j_store *store, const uint64_t *index,
    const struct koshu_j_particles *particles, size_t stride)
{
    for (size_t k = 0; k < particles->n; k++)
        note(own(store), koshu_j_index(index, k), particles, k * stride);
    return koshu_host_store_set(store, index, particles, stride);
}

/* ---- excluded particles -------------------------------------------------- */

static koshu_status
exclude(struct simd_j_store *m, size_t n_j, size_t n_i,
        const struct koshu_i_particle *i)
{
    struct koshu_context *context = m->host.base.backend->context;
    KOSHU_TRY(KOSHU_GROW(m, excluded_first, n_i + 1, context,
                         "lists of equal ids"));
    size_t n = 0;
    for (size_t k = 0; k < n_i; k++) {
        m->excluded_first[k] = n;
        n += koshu_simd_ids_find(&m->ids, i[k].id, n_j, NULL);
    }
    m->excluded_first[n_i] = n;
    KOSHU_TRY(KOSHU_GROW(m, excluded, n + 1, context, "lists of equal ids"));
    for (size_t k = 0; k < n_i; k++)
        koshu_simd_ids_find(&m->ids, i[k].id, n_j,
                            m->excluded + m->excluded_first[k]);
    return KOSHU_OK;
}

/* ---- division of the work ------------------------------------------------ */

/* The work is divided into items of about equal size: groups of i-particles
 * and, if these are few, chunks of j-particles. The division depends on sizes
 * only, never on the number of threads. */
struct cut {
    size_t group, groups; /* i-particles of each */
    size_t chunk, chunks; /* j-particles of each */
    bool alone; /* so little work that one thread finishes before others wake
                 * up */
};

enum {
    ENOUGH_ITEMS = 64,   /* to keep many cores busy to the end */
    SMALLEST_GROUP = 16, /* enough i-particles to make loading a tile into the
                          * first-level cache cheap */
    PREDICTION = 4       /* a prediction takes as long as this many pairs */
};
static const size_t smallest_item = 1 << 14; /* pairs */
static const double pairs_alone = 1 << 17;

static struct cut
cut_of(size_t n_i, size_t n_j)
{
    struct cut c = {.group = simd_divide_up(n_i, 4 * ENOUGH_ITEMS)};
    if (c.group < SMALLEST_GROUP) c.group = SMALLEST_GROUP;
    if (c.group > SIMD_JERK_I) c.group = SIMD_JERK_I;
    c.groups = simd_divide_up(n_i, c.group);
    size_t width = n_i < c.group ? n_i : c.group;
    c.chunk = simd_divide_up(n_j, simd_divide_up(ENOUGH_ITEMS, c.groups));
    if (c.groups >= ENOUGH_ITEMS) c.chunk = n_j;
    if (c.chunk < smallest_item / width) c.chunk = smallest_item / width;
    c.chunk = simd_divide_up(c.chunk, SIMD_JERK_GRAIN) * SIMD_JERK_GRAIN;
    c.chunks = simd_divide_up(n_j, c.chunk);
    c.alone = (double)(n_i + PREDICTION) * (double)n_j < pairs_alone;
    return c;
}

/* ---- sums ---------------------------------------------------------------- */

enum { PREDICTED_AT_ONCE = 8 * SIMD_JERK_GRAIN };

static void
predict(const struct simd_j_store *m, size_t first, double time)
{
    size_t n_j = m->host.n_j, last = first + PREDICTED_AT_ONCE;
    const struct simd_prediction p = {.predicted = m->predicted,
                                      .from = &m->host,
                                      .first = first,
                                      .last = last < n_j ? last : n_j,
                                      .time = time,
                                      .units = m->units};
    m->kernels->predict(&p);
}

/* The job of n i-particles from the k-th on, with all j-particles. */
static struct simd_jerk_job
job_of(const struct simd_j_store *m, size_t k, size_t n)
{
    return (struct simd_jerk_job){.predicted = m->predicted,
                                  .is_set = m->host.was_set,
                                  .j_last = m->host.n_j,
                                  .n = n,
                                  .i = m->host.i + k,
                                  .excluded_first = m->excluded_first + k,
                                  .excluded = m->excluded};
}

static void
do_item(const struct simd_j_store *m, const struct cut *c, size_t item,
        double eps, simd_jerk_kernel *kernel)
{
    size_t chunk = item % c->chunks, i_first = item / c->chunks * c->group;
    size_t j_first = chunk * c->chunk, j_last = j_first + c->chunk;
    size_t n = m->host.n_i - i_first;
    struct koshu_jerk_result *to =
            c->chunks > 1 ? m->partial + chunk * m->host.n_i : m->host.result;
    struct simd_jerk_job job = job_of(m, i_first, n < c->group ? n : c->group);
    job.j_first = j_first;
    if (j_last < job.j_last) job.j_last = j_last;
    job.eps = eps;
    job.result = to + i_first;
    kernel(&job);
}

/* Adds up the chunks' sums for i-particle k. */
static void
add_chunks(const struct simd_j_store *m, const struct cut *c, size_t k)
{
    struct koshu_jerk_result sum = m->partial[k];
    for (size_t chunk = 1; chunk < c->chunks; chunk++) {
        const struct koshu_jerk_result *p =
                &m->partial[chunk * m->host.n_i + k];
        for (int axis = 0; axis < 3; axis++) {
            sum.a[axis] += p->a[axis];
            sum.jerk[axis] += p->jerk[axis];
        }
        sum.potential += p->potential;
        if (!m->host.nearest || !(p->nearest_r2 < sum.nearest_r2)) continue;
        sum.nearest_r2 = p->nearest_r2;
        sum.nearest = p->nearest;
    }
    m->host.result[k] = sum;
}

static simd_jerk_kernel *
kernel_for(const struct simd_j_store *m, double eps)
{
    enum simd_guard guard = SIMD_UNGUARDED;
    if (eps < m->kernels->tiny) guard = SIMD_GUARD_TINY;
    if (eps == 0) guard = SIMD_GUARD_ZERO;
    return m->kernels->sum[m->host.nearest][guard];
}

static void
run(struct simd_j_store *m, double eps, double time, bool moves)
{
    const struct cut c = cut_of(m->host.n_i, m->host.n_j);
    simd_jerk_kernel *kernel = kernel_for(m, eps);
    int threads = koshu_region_threads(m->host.base.backend->context, !c.alone);
#pragma omp parallel num_threads(threads)
    {
        if (moves) {
#pragma omp for schedule(static)
            for (size_t j = 0; j < m->host.n_j; j += PREDICTED_AT_ONCE)
                predict(m, j, time);
        }
#pragma omp for schedule(dynamic)
        for (size_t p = 0; p < c.groups * c.chunks; p++)
            do_item(m, &c, p, eps, kernel);
        if (c.chunks > 1) {
#pragma omp for schedule(static)
            for (size_t k = 0; k < m->host.n_i; k++) add_chunks(m, &c, k);
        }
    }
}

static koshu_status
reserve_sums(struct simd_j_store *m, size_t n_j, size_t n_i)
{
    struct koshu_context *context = m->host.base.backend->context;
    const struct cut c = cut_of(n_i, n_j);
    if (c.chunks > 1)
        KOSHU_TRY(KOSHU_GROW(m, partial, n_i * c.chunks, context,
                             "partial sums"));
    if (m->host.base.capacity <= m->capacity_predicted) return KOSHU_OK;
    size_t rounds = simd_divide_up(m->host.base.capacity, SIMD_JERK_ROUND),
           none = 0;
    KOSHU_TRY(koshu_grow(context, &m->predicted, &none,
                         rounds * (SIMD_JERK_ROUND / m->kernels->lanes),
                         m->kernels->vector_size, "predicted j-particles"));
    m->capacity_predicted = m->host.base.capacity;
    m->host.predicted_n = 0;
    return KOSHU_OK;
}

/* ---- units --------------------------------------------------------------- */

/* Is the square of the distance from the origin no normal float? */
static bool
is_near(const double x[3], double near)
{
    return fabs(x[0]) < near && fabs(x[1]) < near && fabs(x[2]) < near;
}

/* Does a float lack the range for the smallest distances of pairs beside the
 * largest? */
static bool
spans_too_much(const struct simd_j_store *m, size_t n_j, size_t n_i,
               const struct koshu_i_particle *i)
{
    const double near = SIMD_SMALLEST_REACH * m->units.length;
    if (!m->kernels->scales || m->extent.least_reach >= near) return false;
    size_t n = 0, index = 0;
    for (size_t j = 0; j < n_j; j++) {
        const struct host_block *b = &m->host.blocks[j / HOST_LANES];
        const size_t k = j % HOST_LANES;
        if (b->mass[k] == 0) continue;
        if (!is_near((double[]){b->x[0][k], b->x[1][k], b->x[2][k]}, near))
            continue;
        n++;
        index = j;
    }
    for (size_t k = 0; k < n_i && n == 1; k++)
        if (is_near(i[k].x, near) && i[k].id != m->host.id[index]) n++;
    return n > 1;
}

/* Is the softening so long that squares of distances underflow floats in its
 * units? */
static bool
is_soft_beyond(const struct simd_j_store *m, double eps)
{
    return m->host.base.precision == KOSHU_PRECISION_SINGLE &&
           m->extent.reach > 0 && m->extent.reach < eps * SIMD_SMALLEST_SYSTEM;
}

/* Chooses the units of the sums. */
static koshu_status
choose_units(struct simd_j_store *m, const struct koshu_jerk_task *task,
             size_t n_j, size_t n_i, const struct koshu_i_particle *i)
{
    if (!m->kernels->scales) return KOSHU_OK;
    for (size_t k = 0; k < n_i; k++)
        koshu_simd_extent_add(&m->extent, i[k].x, i[k].v, 0);
    if (m->extent.grown || m->eps != task->eps) {
        m->units = koshu_simd_units_of(&m->extent, task->eps);
        m->eps = task->eps;
        m->host.predicted_n = 0;
        m->extent.grown = false;
    }
    if (!simd_can_soften(m->host.base.precision, task->eps / m->units.length) ||
        is_soft_beyond(m, task->eps) || spans_too_much(m, n_j, n_i, i))
        return koshu_fail(m->host.base.backend->context,
                          KOSHU_ERROR_UNSUPPORTED,
                          "softening %g, or pairs as close as some are, are "
                          "too small beside positions up to %g; take double "
                          "precision (solver.precision: double)",
                          task->eps, m->extent.reach);
    return KOSHU_OK;
}

static koshu_status
start(struct koshu_backend_j_store *store, const struct koshu_jerk_task *task,
      double time, size_t n_j, size_t n_i, const struct koshu_i_particle *i)
{
    struct simd_j_store *m = own(store);
    KOSHU_TRY(reserve_sums(m, n_j, n_i));
    KOSHU_TRY(exclude(m, n_j, n_i, i));
    KOSHU_TRY(choose_units(m, task, n_j, n_i, i));
    KOSHU_TRY(koshu_host_store_start(&m->host, task, n_j, n_i, i));
    if (m->kernels->scales) koshu_simd_scale_i(m->host.i, n_i, &m->units);
    run(m, task->eps / m->units.length, time,
        koshu_host_store_moves(&m->host, time, n_j));
    return KOSHU_OK;
}

static koshu_status
wait_for(struct koshu_backend_j_store *store, struct koshu_jerk_result *result)
{
    const struct simd_j_store *m = own(store);
    KOSHU_TRY(koshu_host_store_wait(store, result));
    if (m->kernels->scales)
        koshu_simd_scale_results(result, m->host.n_i, &m->units,
                                 m->host.nearest);
    return KOSHU_OK;
}

/* ---- neighbours ---------------------------------------------------------- */

static koshu_status
neighbours(struct koshu_backend_j_store *store, size_t max, uint64_t *count,
           uint64_t *index)
{
    const struct simd_j_store *m = own(store);
    const double pairs = (double)m->host.n_i * (double)m->host.n_j;
    int threads = koshu_region_threads(m->host.base.backend->context,
                                       m->host.n_i > 1 && pairs >= pairs_alone);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t k = 0; k < m->host.n_i; k++) {
        const struct simd_jerk_job job = job_of(m, k, 1);
        count[k] =
                m->kernels->neighbours(&job, max, max ? index + k * max : NULL);
    }
    return KOSHU_OK;
}

const struct koshu_j_store_ops koshu_simd_j_store = {
        .size = sizeof(struct simd_j_store),
        .bytes_per_particle = HOST_STORE_BYTES_PER_PARTICLE +
                              7 * sizeof(double) + /* predicted */
                              6 * sizeof(size_t),  /* ids, and their buckets */
        .open = open_store,
        .close = close_store,
        .reserve = reserve,
        .set = set,
        .id = koshu_host_store_id,
        .start = start,
        .wait = wait_for,
        .neighbours = neighbours,
};
