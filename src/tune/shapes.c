/* SPDX-License-Identifier: MIT */
/* Finds the fastest shape of the kernels (Miki13 section 5.1). */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "particles/particles.h"
#include "tune/study.h"

/* A shape slower than the best so far by this factor is not measured
 * further. */
static const double hopeless = 1.25;

/* From this N on the device is fully used: shapes slower by this factor at half
 * the N are not measured again. */
enum { FULL = 131072 };
static const double behind = 1.03;

/* Shared memory in percent; the driver's choice comes first. */
static const int shared_memory[] = {-1, 0, 100};
enum { N_SHARED = sizeof shared_memory / sizeof shared_memory[0] };

/* Errors are relative to the acceleration, or to this part of the largest one
 * if that is more: where forces cancel, errors do not depend on the shape. */
static const double least_part = 0.1;

/* The accuracy that force.h promises for float sums of at most 131,072
 * particles; larger N may round a little worse. */
static double
bound_of(const struct study *s)
{
    const size_t n = koshu_size_of_class(s->size_class);
    const double more = n > 131072 ? 2 : 1;
    switch (s->set) {
    case KOSHU_SHAPES_FAST: return more * 1e-6;
    case KOSHU_SHAPES_SINGLE:
    case KOSHU_SHAPES_MIXED: return more * 5e-7;
    case KOSHU_SHAPES_DOUBLE: break;
    }
    return 1e-11;
}

/* ---- errors -------------------------------------------------------------- */

/* ax ay az of each particle in double precision, by the backend's own shape;
 * the caller frees it. */
static koshu_status
make_reference(struct study *s, double **reference)
{
    const struct koshu_force_task task = koshu_study_task(KOSHU_SHAPES_DOUBLE);
    double seconds;
    struct koshu_particle_view v;
    s->backend->ops->select_shape(s->backend, KOSHU_SHAPES_DOUBLE,
                                  s->size_class, SIZE_MAX, -1);
    KOSHU_TRY(koshu_study_sum(s, &task, 1, &seconds));
    KOSHU_TRY(koshu_particles_on_host(s->particles, KOSHU_FIELD_ACCELERATION,
                                      KOSHU_ACCESS_READ, &v));
    double *a = *reference = koshu_alloc(3 * v.n, sizeof *a);
    if (!a)
        return koshu_fail_memory(s->context, 3 * v.n * sizeof *a,
                                 "accelerations to compare with");
    for (size_t k = 0; k < 3; k++)
        memcpy(a + k * v.n, koshu_particle_array(&v, KOSHU_ARRAY_AX + k),
               v.n * sizeof *a);
    return KOSHU_OK;
}

static double
length(double x, double y, double z)
{
    return hypot(hypot(x, y), z);
}

static koshu_status
largest_error(struct study *s, const double *reference, double *largest)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(s->particles, KOSHU_FIELD_ACCELERATION,
                                      KOSHU_ACCESS_READ, &v));
    const double *x = reference, *y = x + v.n, *z = y + v.n;
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

/* Judges a shape by its time at half the N. */
static bool
may_win(const struct study *s, const struct koshu_tune_row *new)
{
    const struct koshu_tune_row *before = NULL, *best = NULL;
    if (koshu_size_of_class(s->size_class) < FULL) return true;
    for (size_t r = 0; r < s->table->n_rows; r++) {
        const struct koshu_tune_row *row = &s->table->rows[r];
        if (row->set != s->set || row->size_class + 1 != s->size_class)
            continue;
        if (row->best) best = row;
        if (row->k == new->k && row->shared_memory == new->shared_memory)
            before = row;
    }
    return before && best && before->seconds <= behind * best->seconds;
}

static koshu_status
measure_shape(struct study *s, const double *reference,
              struct koshu_tune_row row)
{
    for (int m = 0; m < N_SHARED; m++) {
        row.shared_memory = shared_memory[m];
        if (!may_win(s, &row)) continue;
        s->backend->ops->select_shape(s->backend, s->set, s->size_class, row.k,
                                      row.shared_memory);
        KOSHU_TRY(koshu_study_time(s, &row.seconds));
        KOSHU_TRY(largest_error(s, reference, &row.error));
        row.right = row.error <= bound_of(s);
        if (row.right && (s->best == 0 || row.seconds < s->best))
            s->best = row.seconds;
        KOSHU_TRY(koshu_study_add(s, row));
        if (s->best > 0 && row.seconds > hopeless * s->best) break;
    }
    return KOSHU_OK;
}

/* Measures all shapes at one size, then restores the backend's own choice. */
static koshu_status
measure_size(struct study *s)
{
    const struct koshu_backend_ops *ops = s->backend->ops;
    struct koshu_tune_row row = {0};
    double *reference = NULL;
    koshu_status status = make_reference(s, &reference);
    for (; status == KOSHU_OK && (row.shape = ops->shape_at(s->set, row.k));
         row.k++)
        status = measure_shape(s, reference, row);
    ops->select_shape(s->backend, s->set, s->size_class, SIZE_MAX, -1);
    koshu_free(reference);
    return status;
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
check_possible(struct koshu_context *context,
               const struct koshu_backend *backend)
{
    if (!backend->ops->shape_at)
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
koshu_tune_shapes(struct koshu_context *context, unsigned sets,
                  koshu_tune_seen *seen, struct koshu_tune_table *table)
{
    struct study s = {.context = context,
                      .table = table,
                      .measure = measure_size,
                      .measured_seconds = 0.004,
                      .long_seconds = 0.05,
                      .max_sums = 200};
    *table = (struct koshu_tune_table){0};
    KOSHU_TRY(koshu_backend_of(context, &s.backend));
    KOSHU_TRY(check_possible(context, s.backend));
    return koshu_study_run(&s, sets, seen);
}
