/* SPDX-License-Identifier: MIT */
/* Which exchange between several devices is the fastest (Miki13 Fig. 5). */
#include <math.h>
#include <stdlib.h>

#include <koshu/initial.h>

#include "base/base.h"
#include "tune/tune.h"

/* A measurement takes so long, or MAX_SUMS sums; the least of TRIALS counts,
 * of sums that take long, that of one. */
static const double measured_seconds = 0.01, long_seconds = 0.2;
enum { MAX_SUMS = 100, TRIALS = 3 };

/* The backend's own choice stays where no other is faster by more than a
 * measurement's noise. */
static const double worth = 0.99;

static koshu_status
time_sums(struct koshu_backend *backend, const struct koshu_force_task *task,
          struct koshu_particles *particles, double *seconds)
{
    double t;
    KOSHU_TRY(koshu_tune_sum(backend, task, particles, 1, &t)); /* allocates */
    KOSHU_TRY(koshu_tune_sum(backend, task, particles, 1, &t));
    const size_t sums = (size_t)fmin(MAX_SUMS, fmax(1, measured_seconds / t));
    *seconds = INFINITY;
    for (int trial = 0; trial < TRIALS; trial++) {
        KOSHU_TRY(koshu_tune_sum(backend, task, particles, sums, &t));
        *seconds = fmin(*seconds, t);
        if (t > long_seconds) break;
    }
    return KOSHU_OK;
}

static enum koshu_exchange
fastest(const double seconds[KOSHU_EXCHANGES], enum koshu_exchange otherwise)
{
    unsigned best = otherwise;
    for (unsigned e = KOSHU_EXCHANGE_AUTO + 1; e < KOSHU_EXCHANGES; e++)
        if (seconds[e] < worth * seconds[best]) best = e;
    return (enum koshu_exchange)best;
}

static koshu_status
time_exchanges(struct koshu_backend *backend, struct koshu_particles *particles,
               struct koshu_exchange_row *row)
{
    const struct koshu_force_task task = koshu_tune_task(row->set);
    for (unsigned e = KOSHU_EXCHANGE_AUTO + 1; e < KOSHU_EXCHANGES; e++) {
        backend->ops->select_exchange(backend, row->set, row->size_class,
                                      (enum koshu_exchange)e);
        KOSHU_TRY(time_sums(backend, &task, particles, &row->seconds[e]));
    }
    return KOSHU_OK;
}

/* All exchanges at one size; the backend has its own choice afterwards. */
static koshu_status
measure_size(struct koshu_backend *backend, struct koshu_exchange_row *row)
{
    const struct koshu_force_task task = koshu_tune_task(row->set);
    const struct koshu_backend_ops *ops = backend->ops;
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_particles *particles = NULL;
    model.n = row->n;
    ops->select_exchange(backend, row->set, row->size_class,
                         KOSHU_EXCHANGE_AUTO);
    const enum koshu_exchange own = ops->exchange(backend, &task, row->n);
    koshu_status status =
            koshu_initial_create(backend->context, &model, &particles);
    if (status == KOSHU_OK) status = time_exchanges(backend, particles, row);
    if (status == KOSHU_OK) row->best = fastest(row->seconds, own);
    ops->select_exchange(backend, row->set, row->size_class,
                         KOSHU_EXCHANGE_AUTO);
    koshu_particles_destroy(particles);
    return status;
}

static koshu_status
measure_set(struct koshu_backend *backend, enum koshu_shape_set set,
            koshu_exchange_seen *seen, void *user,
            struct koshu_exchange_table *table)
{
    for (unsigned c = koshu_tune_first_class(set); c < KOSHU_SIZE_CLASSES;
         c++) {
        struct koshu_exchange_row *row = &table->rows[table->n_rows];
        *row = (struct koshu_exchange_row){
                .set = set, .size_class = c, .n = koshu_size_of_class(c)};
        KOSHU_TRY(measure_size(backend, row));
        table->n_rows++;
        if (seen) seen(user, row);
    }
    return KOSHU_OK;
}

koshu_status
koshu_tune_exchanges(struct koshu_context *context, unsigned sets,
                     koshu_exchange_seen *seen, void *user,
                     struct koshu_exchange_table *table)
{
    struct koshu_backend *backend;
    *table = (struct koshu_exchange_table){0};
    KOSHU_TRY(koshu_backend_of(context, &backend));
    if (!backend->group_model[0])
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "exchanges are between several GPUs: name two or "
                          "more");
    for (unsigned set = 0; set < KOSHU_SHAPE_SETS; set++)
        if (sets >> set & 1)
            KOSHU_TRY(measure_set(backend, (enum koshu_shape_set)set, seen,
                                  user, table));
    return KOSHU_OK;
}
