/* SPDX-License-Identifier: MIT */
/* Multiplies each wave of a vector field by a number. */
#include <math.h>

#include "base/base.h"
#include "fields/filter.h"
#include "fields/mesh.h"

struct filter {
    struct koshu_wave_filter base; /* first */
    struct koshu_context *context;
    struct koshu_transform *transform;
    size_t n;
    koshu_wave_factor *factor;
    const void *argument;
    void *waves[3];
    double (*squares)[2]; /* by plane: sums of |u|^2 of all waves, and of
                             what was removed */
};

/* ---- waves -------------------------------------------------------------- */

static double
square_of(const double complex u[3])
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += creal(u[c]) * creal(u[c]) + cimag(u[c]) * cimag(u[c]);
    return sum;
}

/* Filters one wave; squares: its |u|^2, and how much of that is removed. */
static void
filter_wave(const struct filter *f, const long k[3], double complex u[3],
            double squares[2])
{
    const double square = (double)(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
    const double factor = f->factor(f->argument, k);
    double complex along = 0;
    squares[0] = square_of(u);
    for (int c = 0; c < 3; c++) along += (double)k[c] * u[c];
    if (square > 0) along /= square;
    for (int c = 0; c < 3; c++) u[c] -= (double)k[c] * along;
    squares[1] = factor == 0 ? squares[0] : squares[0] - square_of(u);
    for (int c = 0; c < 3; c++) u[c] *= factor;
}

static void
filter_plane(const struct filter *f, size_t i)
{
    const struct koshu_mesh *mesh = koshu_transform_mesh(f->transform);
    const size_t n = f->n, row = koshu_mesh_row(mesh);
    struct koshu_sum all = {0}, left = {0};
    for (size_t m = 0; m < n * koshu_mesh_waves(mesh); m++) {
        const size_t j = m / koshu_mesh_waves(mesh),
                     l = m % koshu_mesh_waves(mesh), at = (i * n + j) * row + l;
        const long k[3] = {koshu_mesh_frequency(n, i),
                           koshu_mesh_frequency(n, j), (long)l};
        double complex u[3];
        double squares[2];
        for (int c = 0; c < 3; c++) u[c] = ((double complex *)f->waves[c])[at];
        filter_wave(f, k, u, squares);
        for (int c = 0; c < 3; c++) ((double complex *)f->waves[c])[at] = u[c];
        koshu_sum_add(&all, koshu_mesh_multiplicity(mesh, l) * squares[0]);
        koshu_sum_add(&left, koshu_mesh_multiplicity(mesh, l) * squares[1]);
    }
    f->squares[i][0] = koshu_sum_value(all);
    f->squares[i][1] = koshu_sum_value(left);
}

/* Returns the relative norm of what was removed. */
static double
filter_planes(const struct filter *f)
{
    const int threads = koshu_region_threads(f->context, f->n > 16);
    struct koshu_sum all = {0}, left = {0};
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < f->n; i++) filter_plane(f, i);
    for (size_t i = 0; i < f->n; i++) {
        koshu_sum_add(&all, f->squares[i][0]);
        koshu_sum_add(&left, f->squares[i][1]);
    }
    const double part = koshu_sum_value(left) / koshu_sum_value(all);
    return part > 0 ? sqrt(part) : 0;
}

/* ---- all ---------------------------------------------------------------- */

static koshu_status
apply(struct koshu_wave_filter *filter, koshu_wave_factor *factor,
      const void *argument, double *field, double *left)
{
    struct filter *f = (struct filter *)filter;
    const size_t n3 = f->n * f->n * f->n;
    f->factor = factor;
    f->argument = argument;
    for (size_t c = 0; c < 3; c++) {
        koshu_field_take(f->transform, field + c * n3, f->waves[c]);
        KOSHU_TRY(koshu_transform_forward(f->transform, f->waves[c]));
    }
    *left = filter_planes(f);
    for (size_t c = 0; c < 3; c++) {
        KOSHU_TRY(koshu_transform_backward(f->transform, f->waves[c]));
        koshu_field_give(f->transform, f->waves[c], field + c * n3);
    }
    return KOSHU_OK;
}

static void
destroy(struct koshu_wave_filter *filter)
{
    struct filter *f = (struct filter *)filter;
    if (!f) return;
    for (int c = 0; c < 3; c++) koshu_free(f->waves[c]);
    koshu_free(f->squares);
    koshu_transform_destroy(f->transform);
    koshu_free(f);
}

static koshu_status
allocate(struct filter *f)
{
    const struct koshu_mesh mesh = koshu_mesh_cube(f->n, 1);
    KOSHU_TRY(koshu_transform_create(f->context, &mesh, KOSHU_PRECISION_DOUBLE,
                                     &f->transform));
    for (int c = 0; c < 3; c++)
        KOSHU_TRY(koshu_field_create(f->transform, "vortices", &f->waves[c]));
    f->squares = koshu_alloc(f->n, sizeof *f->squares);
    return f->squares
                   ? KOSHU_OK
                   : koshu_fail_memory(f->context, 16 * f->n, "sums of waves");
}

koshu_status
koshu_wave_filter_create(struct koshu_context *context, size_t n,
                         struct koshu_wave_filter **filter)
{
    struct filter *f = koshu_alloc(1, sizeof *f);
    *filter = NULL;
    if (!f) return koshu_fail_memory(context, sizeof *f, "a filter");
    f->base = (struct koshu_wave_filter){apply, destroy};
    f->context = context;
    f->n = n;
    const koshu_status status = allocate(f);
    if (status == KOSHU_OK)
        *filter = &f->base;
    else
        destroy(&f->base);
    return status;
}
