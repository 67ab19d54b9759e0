/* SPDX-License-Identifier: MIT */
/* The state of the spectral solver: get and set it as numbers, waves or
 * values. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fields/flow_spectrum.h"
#include "fields/spectral_work.h"

size_t
koshu_spectral_size(const struct koshu_spectral *s)
{
    return 6 * s->m * s->m * s->k;
}

double
koshu_spectral_at(const struct koshu_spectral *s, size_t i)
{
    return koshu_spectral_bytes_of(s) == 16 ? ((const double *)s->state)[i]
                                            : ((const float *)s->state)[i];
}

static void
put(struct koshu_spectral *s, size_t i, double value)
{
    if (koshu_spectral_bytes_of(s) == 16)
        ((double *)s->state)[i] = value;
    else
        ((float *)s->state)[i] = (float)value;
}

koshu_status
koshu_spectral_get(const struct koshu_spectral *s, double *state)
{
    struct koshu_spectral whole;
    const koshu_status status = koshu_spectral_make_whole(s, &whole);
    for (size_t i = 0; status == KOSHU_OK && i < koshu_spectral_size(s) &&
                       koshu_is_first_rank(s->context);
         i++)
        state[i] = koshu_spectral_at(&whole, i);
    koshu_spectral_free_whole(s, &whole);
    return status;
}

koshu_status
koshu_spectral_set(struct koshu_spectral *s, const double *state)
{
    const size_t slab = 6 * s->m * s->k;
    for (size_t i = 0; i < s->n_slabs * slab; i++)
        put(s, i, state[s->first_slab * slab + i]);
    return koshu_spectral_ready(s);
}

/* ---- waves -------------------------------------------------------------- */

/* The index in the state of the real part of component c of wave (i, j, l); j
 * counts from this rank's first slab. */
static size_t
index_of(const struct koshu_spectral *s, int c, size_t i, size_t j, size_t l)
{
    return 2 * (((j * 3 + (size_t)c) * s->m + i) * s->k + l);
}

static double complex
wave_at(const struct koshu_spectral *s, int c, size_t i, size_t j, size_t l)
{
    const size_t at = index_of(s, c, i, j, l);
    return CMPLX(koshu_spectral_at(s, at), koshu_spectral_at(s, at + 1));
}

static void
put_wave(struct koshu_spectral *s, int c, size_t i, size_t j, size_t l,
         double complex value)
{
    const size_t at = index_of(s, c, i, j, l);
    put(s, at, creal(value));
    put(s, at + 1, cimag(value));
}

/* The index of wave (i, j, l) on a mesh of n^3 points. */
static size_t
index_on_mesh(const struct koshu_spectral *s, size_t i, size_t j, size_t l)
{
    const size_t n = s->options.n;
    const struct koshu_mesh mesh = koshu_mesh_cube(n, s->options.box);
    const size_t x = i < s->k ? i : i + n - s->m,
                 y = j < s->k ? j : j + n - s->m;
    return (x * n + y) * koshu_mesh_row(&mesh) + l;
}

/* Stores a wave of one of this rank's slabs, without its divergence. */
static void
take_wave(struct koshu_spectral *s, size_t i, size_t j, size_t l,
          const double complex u[3])
{
    const double k[3] = {s->frequency[i], s->frequency[s->first_slab + j],
                         s->frequency[l]};
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const double complex along = k[0] * u[0] + k[1] * u[1] + k[2] * u[2];
    for (int c = 0; c < 3; c++)
        put_wave(s, c, i, j, l, k2 > 0 ? u[c] - k[c] / k2 * along : u[c]);
}

/* Gathers the waves of l = 0 of all slabs: element (j 3 + c) m + i. */
static koshu_status
gather_bottom(const struct koshu_spectral *s, double complex *mine,
              double complex *all)
{
    size_t n[KOSHU_SPECTRAL_RANKS];
    for (size_t j = 0; j < s->n_slabs; j++)
        for (size_t c = 0; c < 3; c++)
            for (size_t i = 0; i < s->m; i++)
                mine[(j * 3 + c) * s->m + i] = wave_at(s, (int)c, i, j, 0);
    for (size_t r = 0; r < s->ranks; r++) {
        const size_t first = r * s->slabs < s->m ? r * s->slabs : s->m;
        n[r] = s->m - first < s->slabs ? s->m - first : s->slabs;
    }
    return koshu_all_gather_parts(s->context, mine, 3 * s->m * sizeof *mine, n,
                                  all);
}

static void
average(struct koshu_spectral *s, const double complex *all)
{
    for (size_t j = 0; j < s->n_slabs; j++)
        for (size_t c = 0; c < 3; c++)
            for (size_t i = 0; i < s->m; i++) {
                const size_t p = (s->m - i) % s->m, y = s->first_slab + j,
                             q = (s->m - y) % s->m;
                const double complex a = all[(y * 3 + c) * s->m + i],
                                     b = all[(q * 3 + c) * s->m + p];
                put_wave(s, (int)c, i, j, 0, (a + conj(b)) / 2);
            }
}

koshu_status
koshu_spectral_make_real(struct koshu_spectral *s)
{
    const size_t row = 3 * s->m;
    double complex *mine = koshu_alloc(s->slabs * row, sizeof *mine),
                   *all = koshu_alloc(s->m * row, sizeof *all);
    koshu_status status =
            mine && all ? KOSHU_OK
                        : koshu_fail_memory(s->context, 32 * s->m * row,
                                            "waves of a spectral method");
    status = koshu_ranks_collective_status(s->context, status);
    if (status == KOSHU_OK) status = gather_bottom(s, mine, all);
    if (status == KOSHU_OK) average(s, all);
    koshu_free(mine);
    koshu_free(all);
    return status;
}

koshu_status
koshu_spectral_set_waves(struct koshu_spectral *s,
                         const double complex *const velocity[3])
{
#pragma omp parallel for num_threads(s->threads)
    for (size_t j = 0; j < s->n_slabs; j++)
        for (size_t i = 0; i < s->m; i++)
            for (size_t l = 0; l < s->k; l++) {
                const size_t at = index_on_mesh(s, i, s->first_slab + j, l);
                const double complex u[3] = {velocity[0][at], velocity[1][at],
                                             velocity[2][at]};
                take_wave(s, i, j, l, u);
            }
    KOSHU_TRY(koshu_spectral_make_real(s));
    return koshu_spectral_ready(s);
}

/* ---- values ------------------------------------------------------------- */

static koshu_status
make_transform(const struct koshu_spectral *s,
               struct koshu_transform **transform)
{
    const struct koshu_mesh mesh =
            koshu_mesh_cube(s->options.n, s->options.box);
    return koshu_transform_create(s->context, &mesh, KOSHU_PRECISION_DOUBLE,
                                  transform);
}

static koshu_status
take_values(const struct koshu_spectral *s, struct koshu_transform *t,
            const double *values, void *field[3])
{
    const size_t n = s->options.n;
    for (size_t c = 0; c < 3; c++) {
        KOSHU_TRY(koshu_field_create(t, "a velocity", &field[c]));
        koshu_field_take(t, values + c * n * n * n, field[c]);
        KOSHU_TRY(koshu_transform_forward(t, field[c]));
    }
    return KOSHU_OK;
}

koshu_status
koshu_spectral_set_values(struct koshu_spectral *s, const double *velocity)
{
    struct koshu_transform *t = NULL;
    void *field[3] = {NULL};
    koshu_status status = make_transform(s, &t);
    if (status == KOSHU_OK) status = take_values(s, t, velocity, field);
    status = koshu_ranks_collective_status(s->context, status);
    if (status == KOSHU_OK) {
        const double complex *const waves[3] = {field[0], field[1], field[2]};
        status = koshu_spectral_set_waves(s, waves);
    }
    for (int c = 0; c < 3; c++) koshu_free(field[c]);
    koshu_transform_destroy(t);
    return status;
}

double complex
koshu_spectral_wave(const struct koshu_spectral *s,
                    enum koshu_spectral_part part, int c, size_t i, size_t j,
                    size_t l)
{
    const double k[3] = {s->frequency[i], s->frequency[s->first_slab + j],
                         s->frequency[l]};
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    if (part == KOSHU_SPECTRAL_VELOCITY) return wave_at(s, c, i, j, l);
    if (part == KOSHU_SPECTRAL_SLOPE) return I * k[c] * wave_at(s, c, i, j, l);
    return I * (k[a] * wave_at(s, b, i, j, l) - k[b] * wave_at(s, a, i, j, l));
}

static void
fill(const struct koshu_spectral *s, enum koshu_spectral_part part, int c,
     double complex *field)
{
#pragma omp parallel for num_threads(s->threads)
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            for (size_t l = 0; l < s->k; l++)
                field[index_on_mesh(s, i, j, l)] =
                        koshu_spectral_wave(s, part, c, i, j, l);
}

/* Component c of the field at the points of the mesh. */
static koshu_status
find_field(const struct koshu_spectral *s, struct koshu_transform *t,
           enum koshu_spectral_part part, int c, void *field)
{
    memset(field, 0, koshu_field_bytes(t));
    fill(s, part, c, field);
    return koshu_transform_backward(t, field);
}

static koshu_status
find_values(const struct koshu_spectral *s, struct koshu_transform *t,
            enum koshu_spectral_part part, void *field, double *values)
{
    const size_t n = s->options.n;
    for (int c = 0; values && c < 3; c++) {
        KOSHU_TRY(find_field(s, t, part, c, field));
        koshu_field_give(t, field, values + (size_t)c * n * n * n);
    }
    return KOSHU_OK;
}

static koshu_status
find_all_values(const struct koshu_spectral *whole, double *velocity,
                double *vorticity)
{
    struct koshu_transform *t = NULL;
    void *field = NULL;
    koshu_status status = make_transform(whole, &t);
    if (status == KOSHU_OK) status = koshu_field_create(t, "a flow", &field);
    if (status == KOSHU_OK)
        status =
                find_values(whole, t, KOSHU_SPECTRAL_VELOCITY, field, velocity);
    if (status == KOSHU_OK)
        status = find_values(whole, t, KOSHU_SPECTRAL_CURL, field, vorticity);
    koshu_free(field);
    koshu_transform_destroy(t);
    return status;
}

koshu_status
koshu_spectral_values(const struct koshu_spectral *s, double *velocity,
                      double *vorticity)
{
    struct koshu_spectral whole;
    koshu_status status = koshu_spectral_make_whole(s, &whole);
    if (status == KOSHU_OK && koshu_is_first_rank(s->context))
        status = find_all_values(&whole, velocity, vorticity);
    koshu_spectral_free_whole(s, &whole);
    return koshu_ranks_collective_status(s->context, status);
}

static koshu_status
find_skewness(const struct koshu_spectral *whole, double *skewness)
{
    struct koshu_transform *t = NULL;
    void *field = NULL;
    koshu_status status = make_transform(whole, &t);
    if (status == KOSHU_OK) status = koshu_field_create(t, "a flow", &field);
    for (int c = 0; c < 3 && status == KOSHU_OK; c++) {
        double part = 0;
        status = find_field(whole, t, KOSHU_SPECTRAL_SLOPE, c, field);
        if (status == KOSHU_OK)
            status = koshu_field_skewness(
                    whole->context, koshu_transform_mesh(t), field, &part);
        *skewness += part / 3;
    }
    koshu_free(field);
    koshu_transform_destroy(t);
    return status;
}

koshu_status
koshu_spectral_skewness(const struct koshu_spectral *s, double *skewness)
{
    struct koshu_spectral whole;
    koshu_status status = koshu_spectral_make_whole(s, &whole);
    *skewness = 0;
    if (status == KOSHU_OK && koshu_is_first_rank(s->context))
        status = find_skewness(&whole, skewness);
    koshu_spectral_free_whole(s, &whole);
    return koshu_ranks_collective_status(s->context, status);
}
