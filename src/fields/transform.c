/* SPDX-License-Identifier: MIT */
/* Fourier transforms of fields: checks, parallel loops and scaling. */
#include "fields/transform.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

struct koshu_transform {
    struct koshu_context *context;
    struct koshu_mesh mesh;
    bool in_double;
    void *engine;
};

koshu_status
koshu_transform_create(struct koshu_context *context,
                       const struct koshu_mesh *mesh,
                       enum koshu_precision precision,
                       struct koshu_transform **transform)
{
    KOSHU_REQUIRE(context, transform);
    *transform = NULL;
    KOSHU_TRY(koshu_mesh_check(context, mesh));
    if (precision == KOSHU_PRECISION_MIXED)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "fields are in single or double precision");
    struct koshu_transform *t = koshu_alloc(1, sizeof *t);
    if (!t) return koshu_fail_memory(context, sizeof *t, "a transform");
    *t = (struct koshu_transform){context, *mesh,
                                  precision == KOSHU_PRECISION_DOUBLE, NULL};
    koshu_status status = koshu_transform_engine_create(
            context, mesh, t->in_double, &t->engine);
    if (status == KOSHU_OK)
        *transform = t;
    else
        koshu_free(t);
    return status;
}

void
koshu_transform_destroy(struct koshu_transform *transform)
{
    if (!transform) return;
    koshu_transform_engine_destroy(transform->engine);
    koshu_free(transform);
}

const struct koshu_mesh *
koshu_transform_mesh(const struct koshu_transform *transform)
{
    return &transform->mesh;
}

double
koshu_transform_error(const struct koshu_transform *t)
{
    return koshu_transform_engine_error(t->in_double) *
           fmax(1, log2((double)koshu_mesh_cells(&t->mesh)));
}

static size_t
bytes_of_wave(const struct koshu_transform *t)
{
    return t->in_double ? sizeof(double complex) : sizeof(float complex);
}

static size_t
bytes_of_plane(const struct koshu_transform *t)
{
    return t->mesh.n[1] * koshu_mesh_row(&t->mesh) * bytes_of_wave(t);
}

size_t
koshu_field_bytes(const struct koshu_transform *t)
{
    return t->mesh.n[0] * bytes_of_plane(t);
}

koshu_status
koshu_field_create(const struct koshu_transform *t, const char *what,
                   void **field)
{
    KOSHU_TRY(koshu_require_memory(t->context, koshu_field_bytes(t), what,
                                   "take a smaller mesh"));
    *field = koshu_alloc(t->mesh.n[0], bytes_of_plane(t));
    return *field ? KOSHU_OK
                  : koshu_fail_memory(t->context, koshu_field_bytes(t), what);
}

static int
threads_of(const struct koshu_transform *t)
{
    return koshu_region_threads(t->context, koshu_mesh_cells(&t->mesh) > 4096);
}

/* Copies all rows; from_row, to_row: distances between rows. */
static void
copy_rows(const struct koshu_transform *t, const double *from, size_t from_row,
          double *to, size_t to_row)
{
    const size_t rows = t->mesh.n[0] * t->mesh.n[1], n = t->mesh.n[2];
#pragma omp parallel for num_threads(threads_of(t))
    for (size_t r = 0; r < rows; r++)
        memcpy(to + r * to_row, from + r * from_row, n * sizeof *to);
}

void
koshu_field_take(const struct koshu_transform *t, const double *values,
                 double *field)
{
    copy_rows(t, values, t->mesh.n[2], field, 2 * koshu_mesh_row(&t->mesh));
}

void
koshu_field_give(const struct koshu_transform *t, const double *field,
                 double *values)
{
    copy_rows(t, field, 2 * koshu_mesh_row(&t->mesh), values, t->mesh.n[2]);
}

static bool
all_planes(const struct koshu_transform *t,
           enum koshu_transform_direction direction, char *field)
{
    bool fine = true;
    size_t bytes = bytes_of_plane(t);
#pragma omp parallel for num_threads(threads_of(t)) reduction(&& : fine)
    for (size_t i = 0; i < t->mesh.n[0]; i++)
        fine = koshu_transform_plane(t->engine, direction, field + i * bytes) &&
               fine;
    return fine;
}

static bool
all_columns(const struct koshu_transform *t,
            enum koshu_transform_direction direction, char *field)
{
    bool fine = true;
    size_t bytes = koshu_mesh_row(&t->mesh) * bytes_of_wave(t);
#pragma omp parallel for num_threads(threads_of(t)) reduction(&& : fine)
    for (size_t j = 0; j < t->mesh.n[1]; j++)
        fine = koshu_transform_columns(t->engine, direction,
                                       field + j * bytes) &&
               fine;
    return fine;
}

static void
scale(const struct koshu_transform *t, void *field)
{
    double factor = 1 / (double)koshu_mesh_cells(&t->mesh);
    size_t n = koshu_field_bytes(t) / bytes_of_wave(t) * 2;
    double *d = field;
    float *f = field;
#pragma omp parallel for num_threads(threads_of(t))
    for (size_t k = 0; k < n; k++) {
        if (t->in_double)
            d[k] *= factor;
        else
            f[k] *= (float)factor;
    }
}

static koshu_status
status_of(const struct koshu_transform *t, bool fine)
{
    if (fine) return KOSHU_OK;
    return koshu_fail(t->context, KOSHU_ERROR_OUT_OF_MEMORY,
                      "out of memory for the work space of a transform");
}

koshu_status
koshu_transform_forward(struct koshu_transform *t, void *field)
{
    bool fine = all_planes(t, KOSHU_TRANSFORM_FORWARD, field) &&
                all_columns(t, KOSHU_TRANSFORM_FORWARD, field);
    scale(t, field);
    return status_of(t, fine);
}

koshu_status
koshu_transform_backward(struct koshu_transform *t, void *field)
{
    return status_of(t, all_columns(t, KOSHU_TRANSFORM_BACKWARD, field) &&
                                all_planes(t, KOSHU_TRANSFORM_BACKWARD, field));
}
