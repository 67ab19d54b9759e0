/* SPDX-License-Identifier: MIT */
/*
 * The reference j-particle store: particles are predicted one by one and summed
 * pair by pair, always in double precision.
 */
#include <math.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "backend/host_store.h"
#include "backend/ref/ref.h"
#include "base/base.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/gravity.h"
#include "kernels/hermite.h"
#include "kernels/jerk.h"

/* A j-particle at the common time. */
struct predicted {
    int64_t id;
    double mass, x[3], v[3];
};

struct ref_j_store {
    struct host_store host; /* first: pointers are cast */
    struct predicted *j;
    size_t capacity_j;
};

static void
close_store(struct koshu_backend_j_store *store)
{
    koshu_free(((struct ref_j_store *)store)->j);
    koshu_host_store_close(store);
}

/* ---- prediction ---------------------------------------------------------- */

static struct predicted
predict(const struct host_store *host, size_t index, double time)
{
    const struct host_block *b = &host->blocks[index / HOST_LANES];
    size_t k = index % HOST_LANES;
    double dt = time - b->time[k];
    struct predicted p = {.id = host->id[index], .mass = b->mass[k]};
    for (int c = 0; c < 3; c++) {
        p.x[c] = hermite_predict_x_snap_f64(b->x[c][k], b->v[c][k], b->a[c][k],
                                            b->jerk[c][k], b->snap[c][k], dt);
        p.v[c] = hermite_predict_v_snap_f64(b->v[c][k], b->a[c][k],
                                            b->jerk[c][k], b->snap[c][k], dt);
    }
    return p;
}

static koshu_status
predict_all(struct ref_j_store *m, double time, size_t n_j)
{
    struct koshu_context *context = m->host.base.backend->context;
    KOSHU_TRY(KOSHU_GROW(m, j, n_j, context, "predicted j-particles"));
    if (!koshu_host_store_moves(&m->host, time, n_j)) return KOSHU_OK;
    int threads = koshu_region_threads(context, n_j > 1 << 13);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t j = 0; j < n_j; j++) m->j[j] = predict(&m->host, j, time);
    return KOSHU_OK;
}

/* ---- sums ---------------------------------------------------------------- */

/* Computes x_j - x_i; returns its square. */
static double
difference(double d[3], const struct predicted *j,
           const struct koshu_i_particle *i)
{
    for (int c = 0; c < 3; c++) d[c] = j->x[c] - i->x[c];
    return gravity_distance2_f64(d[0], d[1], d[2]);
}

/* A pair at zero distance is treated separately: 1 / eps^3 may be infinite
 * while w is zero. */
static void
add_coincident(struct jerk_sum_f64 *sum, const struct predicted *j,
               const struct koshu_i_particle *i, double eps)
{
    double mr = j->mass / eps;
    sum->mr += mr;
    sum->jx += (j->v[0] - i->v[0]) * mr / eps / eps;
    sum->jy += (j->v[1] - i->v[1]) * mr / eps / eps;
    sum->jz += (j->v[2] - i->v[2]) * mr / eps / eps;
}

/* Sums all j-particles on one i-particle. */
static struct koshu_jerk_result
sum_on(const struct ref_j_store *m, double eps,
       const struct koshu_i_particle *i)
{
    struct jerk_sum_f64 sum = {0};
    double nearest_r2 = INFINITY;
    uint64_t nearest = KOSHU_NO_INDEX;
    for (size_t k = 0; k < m->host.n_j; k++) {
        const struct predicted *j = &m->j[k];
        if (j->id == i->id || !m->host.was_set[k]) continue;
        double d[3], bare = difference(d, j, i), r2 = bare + eps * eps;
        if (bare < nearest_r2) {
            nearest_r2 = bare;
            nearest = k;
        }
        if (d[0] == 0 && d[1] == 0 && d[2] == 0) {
            if (eps > 0) add_coincident(&sum, j, i, eps);
            continue;
        }
        if (r2 == 0.0) continue;
        jerk_add_f64(&sum, d[0], d[1], d[2], j->v[0] - i->v[0],
                     j->v[1] - i->v[1], j->v[2] - i->v[2], j->mass,
                     1.0 / sqrt(r2));
    }
    return (struct koshu_jerk_result){.a = {sum.ax, sum.ay, sum.az},
                                      .jerk = {sum.jx, sum.jy, sum.jz},
                                      .potential = -sum.mr,
                                      .nearest_r2 = nearest_r2,
                                      .nearest = nearest};
}

static koshu_status
start(struct koshu_backend_j_store *store, const struct koshu_jerk_task *task,
      double time, size_t n_j, size_t n_i, const struct koshu_i_particle *i)
{
    struct ref_j_store *m = (struct ref_j_store *)store;
    KOSHU_TRY(koshu_host_store_start(&m->host, task, n_j, n_i, i));
    KOSHU_TRY(predict_all(m, time, n_j));
    int threads = koshu_ref_threads(store->backend->context, n_i, n_j);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t k = 0; k < n_i; k++)
        m->host.result[k] = sum_on(m, task->eps, &m->host.i[k]);
    return KOSHU_OK;
}

/* ---- neighbours ---------------------------------------------------------- */

/* Returns the number of neighbours, and writes the indices of the first
 * `max`. */
static uint64_t
neighbours_of(const struct ref_j_store *m, const struct koshu_i_particle *i,
              size_t max, uint64_t *index)
{
    uint64_t count = 0;
    for (size_t k = 0; k < m->host.n_j; k++) {
        double d[3];
        if (m->j[k].id == i->id || !m->host.was_set[k]) continue;
        if (!(difference(d, &m->j[k], i) <= i->h2)) continue;
        if (count < max) index[count] = k;
        count++;
    }
    return count;
}

static koshu_status
neighbours(struct koshu_backend_j_store *store, size_t max, uint64_t *count,
           uint64_t *index)
{
    const struct ref_j_store *m = (const struct ref_j_store *)store;
    const struct host_store *host = &m->host;
    int threads =
            koshu_ref_threads(store->backend->context, host->n_i, host->n_j);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t k = 0; k < host->n_i; k++)
        count[k] = neighbours_of(m, &host->i[k], max,
                                 max ? index + k * max : NULL);
    return KOSHU_OK;
}

const struct koshu_j_store_ops koshu_ref_j_store = {
        .size = sizeof(struct ref_j_store),
        .bytes_per_particle =
                HOST_STORE_BYTES_PER_PARTICLE + sizeof(struct predicted),
        .close = close_store,
        .reserve = koshu_host_store_reserve,
        .set = koshu_host_store_set,
        .id = koshu_host_store_id,
        .start = start,
        .wait = koshu_host_store_wait,
        .neighbours = neighbours,
};
