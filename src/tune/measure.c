/* SPDX-License-Identifier: MIT */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/initial.h>

#include "base/base.h"
#include "particles/particles.h"

/* A shape this much slower than the best so far is measured once only. */
static const double hopeless = 1.25;

/* Sums of a measurement take so many seconds together, and are so many; there
 * are TRIALS of them, fewer of those that take long. */
static const double measured_seconds = 0.004, long_seconds = 0.05;
enum { MAX_SUMS = 200, TRIALS = 3 };

/* From this N on the device is full: what was slower by so much at half the N
 * is not measured again. */
enum { FULL = 131072 };
static const double behind = 1.03;

/* The backend's own shapes come first, and the driver's cache: another must
 * be faster by more than a measurement's noise. */
static const double worth = 0.99;

static const double softening = 0.1;

static const int shared_memory[] = {-1, 0, 100};
enum { N_SHARED = sizeof shared_memory / sizeof shared_memory[0] };

struct study {
    struct koshu_context *context;
    struct koshu_backend *backend;
    struct koshu_force_task task;
    enum koshu_shape_set set;
    unsigned size_class;
    struct koshu_particles *particles;
    double *reference; /* ax ay az of each */
    struct koshu_tune_table *table;
    double best; /* seconds */
};

struct koshu_force_task
koshu_tune_task(enum koshu_shape_set set)
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

/* With few particles, mixed precision is computed in double. */
unsigned
koshu_tune_first_class(enum koshu_shape_set set)
{
    return set == KOSHU_SHAPES_MIXED ? 4 : 0;
}

/* Errors are relative to this part of the largest acceleration at least: where
 * forces cancel, what is left says nothing of a shape. */
static const double least_part = 0.1;

/* Float sums of at most 131,072 particles, as force.h promises; larger N may
 * round a little worse. */
static double
bound_of(enum koshu_shape_set set, size_t n)
{
    const double more = n > 131072 ? 2 : 1;
    switch (set) {
    case KOSHU_SHAPES_FAST: return more * 1e-6;
    case KOSHU_SHAPES_SINGLE:
    case KOSHU_SHAPES_MIXED: return more * 5e-7;
    case KOSHU_SHAPES_DOUBLE: break;
    }
    return 1e-11;
}

/* ---- sums ---------------------------------------------------------------- */

koshu_status
koshu_tune_sum(struct koshu_backend *backend,
               const struct koshu_force_task *task,
               struct koshu_particles *particles, size_t sums, double *seconds)
{
    const unsigned fields = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    const struct koshu_backend_ops *ops = backend->ops;
    KOSHU_TRY(ops->wait(backend));
    const double start = koshu_now();
    for (size_t k = 0; k < sums; k++)
        KOSHU_TRY(ops->force_store(backend, task, particles, fields));
    KOSHU_TRY(ops->wait(backend));
    *seconds = (koshu_now() - start) / (double)sums;
    return KOSHU_OK;
}

static koshu_status
sum(struct study *s, size_t sums, double *seconds)
{
    return koshu_tune_sum(s->backend, &s->task, s->particles, sums, seconds);
}

/* In double precision, by the backend's own shape. */
static koshu_status
keep_reference(struct study *s)
{
    const struct koshu_force_task task = koshu_tune_task(KOSHU_SHAPES_DOUBLE);
    double seconds;
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_tune_sum(s->backend, &task, s->particles, 1, &seconds));
    KOSHU_TRY(koshu_particles_on_host(s->particles, KOSHU_FIELD_ACCELERATION,
                                      KOSHU_ACCESS_READ, &v));
    s->reference = koshu_alloc(3 * v.n, sizeof *s->reference);
    if (!s->reference)
        return koshu_fail_memory(s->context, 3 * v.n * sizeof *s->reference,
                                 "accelerations to compare with");
    for (size_t k = 0; k < 3; k++)
        memcpy(s->reference + k * v.n,
               koshu_particle_array(&v, KOSHU_ARRAY_AX + k),
               v.n * sizeof *s->reference);
    return KOSHU_OK;
}

static double
length(double x, double y, double z)
{
    return hypot(hypot(x, y), z);
}

static koshu_status
largest_error(struct study *s, double *largest)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(s->particles, KOSHU_FIELD_ACCELERATION,
                                      KOSHU_ACCESS_READ, &v));
    const double *x = s->reference, *y = x + v.n, *z = y + v.n;
    double strongest = 0;
    for (size_t i = 0; i < v.n; i++)
        strongest = fmax(strongest, length(x[i], y[i], z[i]));
    *largest = 0;
    for (size_t i = 0; i < v.n && !isnan(*largest); i++) {
        const double off =
                length(v.ax[i] - x[i], v.ay[i] - y[i], v.az[i] - z[i]);
        const double error =
                off / fmax(length(x[i], y[i], z[i]), least_part * strongest);
        if (!(error <= *largest)) *largest = error; /* NaN too */
    }
    return KOSHU_OK;
}

/* ---- one shape ----------------------------------------------------------- */

static koshu_status
add_row(struct study *s, const struct koshu_tune_row *row)
{
    struct koshu_tune_table *t = s->table;
    if (t->n_rows == t->capacity) {
        const size_t capacity = 2 * t->capacity + 64;
        void *rows = reallocarray(t->rows, capacity, sizeof *t->rows);
        if (!rows)
            return koshu_fail_memory(s->context, capacity * sizeof *t->rows,
                                     "table of shapes");
        t->rows = rows;
        t->capacity = capacity;
    }
    t->rows[t->n_rows++] = *row;
    return KOSHU_OK;
}

/* The least of a few trials; a hopeless shape has one. */
static koshu_status
time_shape(struct study *s, double *seconds)
{
    double t;
    KOSHU_TRY(sum(s, 1, &t)); /* loads the kernel */
    if (t < long_seconds) KOSHU_TRY(sum(s, 1, &t));
    const double wanted = measured_seconds / fmax(t, 1e-6);
    const size_t sums = (size_t)fmin(MAX_SUMS, fmax(1, wanted));
    /* of a short one by itself, the wait is much */
    *seconds = t < long_seconds ? INFINITY : t;
    for (int trial = 0; trial < TRIALS; trial++) {
        KOSHU_TRY(sum(s, sums, &t));
        *seconds = fmin(*seconds, t);
        if (t * (double)sums > long_seconds ||
            (s->best > 0 && t > hopeless * s->best))
            break;
    }
    return KOSHU_OK;
}

/* By what it did at half the N. */
static bool
may_win(const struct study *s, size_t k, int with_shared_memory)
{
    const struct koshu_tune_row *before = NULL, *best = NULL;
    if (koshu_size_of_class(s->size_class) < FULL) return true;
    for (size_t r = 0; r < s->table->n_rows; r++) {
        const struct koshu_tune_row *row = &s->table->rows[r];
        if (row->set != s->set || row->size_class + 1 != s->size_class)
            continue;
        if (row->best) best = row;
        if (row->k == k && row->shared_memory == with_shared_memory)
            before = row;
    }
    return before && best && before->seconds <= behind * best->seconds;
}

/* With that much shared memory, into the row and the table. */
static koshu_status
measure_with(struct study *s, struct koshu_tune_row *row, int percent)
{
    row->shared_memory = percent;
    s->backend->ops->select_shape(s->backend, s->set, s->size_class, row->k,
                                  percent);
    KOSHU_TRY(time_shape(s, &row->seconds));
    KOSHU_TRY(largest_error(s, &row->error));
    row->right = row->error <= bound_of(s->set, row->n);
    if (row->right && (s->best == 0 || row->seconds < s->best))
        s->best = row->seconds;
    return add_row(s, row);
}

static koshu_status
measure_shape(struct study *s, size_t k, const struct koshu_shape *shape)
{
    struct koshu_tune_row row = {.set = s->set,
                                 .size_class = s->size_class,
                                 .n = koshu_particles_count(s->particles),
                                 .shape = shape,
                                 .k = k};
    for (int m = 0; m < N_SHARED; m++) {
        if (!may_win(s, k, shared_memory[m])) continue;
        KOSHU_TRY(measure_with(s, &row, shared_memory[m]));
        if (s->best > 0 && row.seconds > hopeless * s->best) break;
    }
    return KOSHU_OK;
}

/* ---- all ----------------------------------------------------------------- */

/* Positions as floats, so that each precision sees the same. */
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

static struct koshu_tune_row *
mark_best(struct koshu_tune_table *t, size_t first)
{
    struct koshu_tune_row *best = NULL;
    for (size_t r = first; r < t->n_rows; r++) {
        struct koshu_tune_row *row = &t->rows[r];
        if (row->right && (!best || row->seconds < worth * best->seconds))
            best = row;
    }
    if (best) best->best = true;
    return best;
}

static koshu_status
measure_size(struct study *s)
{
    const struct koshu_backend_ops *ops = s->backend->ops;
    const struct koshu_shape *shape;
    koshu_status status;
    s->best = 0;
    KOSHU_TRY_CLEANUP(make_particles(s));
    /* the reference of the set itself is in the backend's own shape */
    ops->select_shape(s->backend, KOSHU_SHAPES_DOUBLE, s->size_class, SIZE_MAX,
                      -1);
    KOSHU_TRY_CLEANUP(keep_reference(s));
    for (size_t k = 0; (shape = ops->shape_at(s->set, k)); k++)
        KOSHU_TRY_CLEANUP(measure_shape(s, k, shape));
cleanup:
    ops->select_shape(s->backend, s->set, s->size_class, SIZE_MAX, -1);
    koshu_free(s->reference);
    koshu_particles_destroy(s->particles);
    s->reference = NULL;
    s->particles = NULL;
    return status;
}

bool
koshu_tune_possible(const struct koshu_backend *backend)
{
    return backend->ops->shape_at != NULL;
}

static koshu_status
check_possible(struct koshu_context *context,
               const struct koshu_backend *backend)
{
    if (!koshu_tune_possible(backend))
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s needs no tuning: its kernels have one "
                          "shape each; `koshu tune` is for CUDA devices",
                          backend->ops->name);
    if (!backend->group_model[0]) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "shapes are tuned on one GPU, and devices %s are "
                      "several: name one, or tune their exchange with "
                      "--devices",
                      koshu_context_devices(context));
}

koshu_status
koshu_tune_measure(struct koshu_context *context, unsigned sets,
                   void (*seen)(void *user, const struct koshu_tune_row *best),
                   void *user, struct koshu_tune_table *table)
{
    struct study s = {.context = context, .table = table};
    *table = (struct koshu_tune_table){0};
    KOSHU_TRY(koshu_backend_of(context, &s.backend));
    KOSHU_TRY(check_possible(context, s.backend));
    for (s.set = 0; (unsigned)s.set < KOSHU_SHAPE_SETS; s.set++) {
        if (!(sets >> s.set & 1)) continue;
        s.task = koshu_tune_task(s.set);
        s.size_class = koshu_tune_first_class(s.set);
        for (; s.size_class < KOSHU_SIZE_CLASSES; s.size_class++) {
            const size_t first = table->n_rows;
            KOSHU_TRY(measure_size(&s));
            const struct koshu_tune_row *best = mark_best(table, first);
            if (seen && best) seen(user, best);
        }
    }
    return KOSHU_OK;
}

void
koshu_tune_free(struct koshu_tune_table *table)
{
    free(table->rows);
    *table = (struct koshu_tune_table){0};
}
