/* SPDX-License-Identifier: MIT */
/* Runs a study: measures choices for each set and size, and marks the best. */
#include "tune/study.h"

#include <math.h>
#include <stdlib.h>

#include <koshu/initial.h>

#include "base/base.h"
#include "particles/particles.h"

/* A choice slower than the best so far by this factor is measured only once. */
static const double hopeless = 1.25;
enum { TRIALS = 3 };

/* The backend's own choice comes first: another must be faster by more than the
 * noise of a measurement. */
static const double worth = 0.99;

static const double softening = 0.1;

struct koshu_force_task
koshu_study_task(enum koshu_shape_set set)
{
    struct koshu_force_task task = {.eps = softening, .potential = true};
    switch (set) {
    case KOSHU_SHAPES_FAST: task.fast = true; break;
    case KOSHU_SHAPES_SINGLE: break;
    case KOSHU_SHAPES_MIXED: task.precision = KOSHU_PRECISION_MIXED; break;
    case KOSHU_SHAPES_DOUBLE: task.precision = KOSHU_PRECISION_DOUBLE; break;
    }
    return task;
}

/* With few particles, mixed precision is computed in double, so smaller classes
 * are skipped. */
static unsigned
first_class(enum koshu_shape_set set)
{
    return set == KOSHU_SHAPES_MIXED ? 4 : 0;
}

koshu_status
koshu_study_sum(struct study *s, const struct koshu_force_task *task,
                size_t sums, double *seconds)
{
    const unsigned fields = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    const struct koshu_backend_ops *ops = s->backend->ops;
    KOSHU_TRY(ops->wait(s->backend));
    const double start = koshu_now();
    for (size_t k = 0; k < sums; k++)
        KOSHU_TRY(ops->force_store(s->backend, task, s->particles, fields));
    KOSHU_TRY(ops->wait(s->backend));
    *seconds = (koshu_now() - start) / (double)sums;
    return KOSHU_OK;
}

koshu_status
koshu_study_time(struct study *s, double *seconds)
{
    double t;
    KOSHU_TRY(koshu_study_sum(s, &s->task, 1, &t)); /* loads the kernel */
    if (t < s->long_seconds) KOSHU_TRY(koshu_study_sum(s, &s->task, 1, &t));
    const double wanted = s->measured_seconds / fmax(t, 1e-6);
    const size_t sums = (size_t)fmin(s->max_sums, fmax(1, wanted));
    /* for a short sum the wait dominates */
    *seconds = t < s->long_seconds ? INFINITY : t;
    for (int trial = 0; trial < TRIALS; trial++) {
        KOSHU_TRY(koshu_study_sum(s, &s->task, sums, &t));
        *seconds = fmin(*seconds, t);
        if (t * (double)sums > s->long_seconds ||
            (s->best > 0 && t > hopeless * s->best))
            break;
    }
    return KOSHU_OK;
}

koshu_status
koshu_study_add(struct study *s, struct koshu_tune_row row)
{
    struct koshu_tune_table *t = s->table;
    row.set = s->set;
    row.size_class = s->size_class;
    row.n = koshu_size_of_class(s->size_class);
    if (t->n_rows == t->capacity) {
        const size_t capacity = 2 * t->capacity + 64;
        void *rows = reallocarray(t->rows, capacity, sizeof *t->rows);
        if (!rows)
            return koshu_fail_memory(s->context, capacity * sizeof *t->rows,
                                     "table of shapes");
        t->rows = rows;
        t->capacity = capacity;
    }
    t->rows[t->n_rows++] = row;
    return KOSHU_OK;
}

/* Positions are rounded to float, so that they are the same in each
 * precision. */
static koshu_status
make_particles(struct study *s)
{
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_particle_view v;
    model.n = koshu_size_of_class(s->size_class);
    KOSHU_TRY(koshu_initial_create(s->context, &model, &s->particles));
    KOSHU_TRY(koshu_particles_on_host(s->particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        v.x[i] = (float)v.x[i];
        v.y[i] = (float)v.y[i];
        v.z[i] = (float)v.z[i];
    }
    return KOSHU_OK;
}

/* Marks the best of the rows from `first` on. */
static const struct koshu_tune_row *
mark_best(const struct study *s, size_t first)
{
    struct koshu_tune_table *t = s->table;
    struct koshu_tune_row *best = s->own < t->n_rows ? &t->rows[s->own] : NULL;
    for (size_t r = first; r < t->n_rows; r++) {
        struct koshu_tune_row *row = &t->rows[r];
        if (row->right && (!best || row->seconds < worth * best->seconds))
            best = row;
    }
    if (best) best->best = true;
    return best;
}

static koshu_status
run_size(struct study *s, koshu_tune_seen *seen)
{
    const size_t first = s->table->n_rows;
    s->best = 0;
    s->own = SIZE_MAX;
    koshu_status status = make_particles(s);
    if (status == KOSHU_OK) status = s->measure(s);
    koshu_particles_destroy(s->particles);
    s->particles = NULL;
    KOSHU_TRY(status);
    const struct koshu_tune_row *best = mark_best(s, first);
    if (seen && best) seen(best);
    return KOSHU_OK;
}

koshu_status
koshu_study_run(struct study *s, unsigned sets, koshu_tune_seen *seen)
{
    for (s->set = 0; (unsigned)s->set < KOSHU_SHAPE_SETS; s->set++) {
        if (!(sets >> s->set & 1)) continue;
        s->task = koshu_study_task(s->set);
        s->size_class = first_class(s->set);
        for (; s->size_class < KOSHU_SIZE_CLASSES; s->size_class++)
            KOSHU_TRY(run_size(s, seen));
    }
    return KOSHU_OK;
}

void
koshu_tune_free(struct koshu_tune_table *table)
{
    free(table->rows);
    *table = (struct koshu_tune_table){0};
}
