/* SPDX-License-Identifier: MIT */
/* Spectra, skewness and the second invariant of a velocity on a mesh. */
#include "fields/flow_spectrum.h"

#include <math.h>
#include <string.h>

#include <koshu-fields/flow.h>

#include "base/base.h"

/* A transform on n^3 points, the waves of one component, and a derivative. */
struct work {
    size_t n;
    struct koshu_mesh mesh;
    struct koshu_transform *transform;
    void *waves, *slope;
    int threads;
};

static koshu_status
begin(struct koshu_context *context, size_t n, double box, struct work *w)
{
    *w = (struct work){.n = n,
                       .mesh = koshu_mesh_cube(n, box),
                       .threads = koshu_region_threads(context, n > 16)};
    KOSHU_TRY(koshu_transform_create(context, &w->mesh, KOSHU_PRECISION_DOUBLE,
                                     &w->transform));
    KOSHU_TRY(koshu_field_create(w->transform, "a velocity", &w->waves));
    return koshu_field_create(w->transform, "a slope", &w->slope);
}

static void
end(struct work *w)
{
    koshu_free(w->waves);
    koshu_free(w->slope);
    koshu_transform_destroy(w->transform);
}

static koshu_status
find_waves(struct work *w, const double *values)
{
    koshu_field_take(w->transform, values, w->waves);
    return koshu_transform_forward(w->transform, w->waves);
}

/* ---- energies ----------------------------------------------------------- */

static double
half_square(const struct work *w, size_t l, double complex u)
{
    return koshu_mesh_multiplicity(&w->mesh, l) * creal(u * conj(u)) / 2;
}

/* Adds component c, whose divergence goes to the slope. At the Nyquist
 * frequency all waves are cosines and derivatives sines: those count by
 * themselves, as their products with others vanish. */
static void
add_wave(const struct work *w, size_t c, const size_t index[3],
         double complex u, double complex *slope, struct koshu_flow_spectrum *s)
{
    double k[3], k2 = 0;
    for (size_t a = 0; a < 3; a++) {
        k[a] = (double)koshu_mesh_frequency(w->n, index[a]);
        k2 += k[a] * k[a];
    }
    const double energy = half_square(w, index[2], u);
    const bool is_nyquist = 2 * index[c] == w->n;
    s->energy[lround(sqrt(k2))] += energy;
    s->enstrophy += (is_nyquist ? k2 - k[c] * k[c] : k2) * energy;
    if (!is_nyquist) *slope += k[c] * u;
}

static void
add_energies(const struct work *w, size_t c, struct koshu_flow_spectrum *s)
{
    const size_t n = w->n, row = koshu_mesh_row(&w->mesh),
                 waves = koshu_mesh_waves(&w->mesh);
    const double complex *const u = w->waves;
    double complex *const slope = w->slope;
    for (size_t r = 0; r < n * n; r++)
        for (size_t l = 0; l < waves; l++) {
            const size_t index[3] = {r / n, r % n, l}, at = r * row + l;
            add_wave(w, c, index, u[at], &slope[at], s);
        }
}

/* |k x u|^2 = k^2 |u|^2 - |k . u|^2; rounding must not make it negative. */
static void
subtract_divergence(const struct work *w, struct koshu_flow_spectrum *s)
{
    const size_t n = w->n, row = koshu_mesh_row(&w->mesh),
                 waves = koshu_mesh_waves(&w->mesh);
    const double complex *const slope = w->slope;
    double sum = 0;
    for (size_t r = 0; r < n * n; r++)
        for (size_t l = 0; l < waves; l++)
            sum += half_square(w, l, slope[r * row + l]);
    s->enstrophy = fmax(0, s->enstrophy - sum) * s->unit * s->unit;
}

static koshu_status
add_components(struct work *w, const double *velocity,
               struct koshu_flow_spectrum *s)
{
    memset(w->slope, 0, koshu_field_bytes(w->transform));
    for (size_t c = 0; c < 3; c++) {
        KOSHU_TRY(find_waves(w, velocity + c * w->n * w->n * w->n));
        add_energies(w, c, s);
    }
    subtract_divergence(w, s);
    return KOSHU_OK;
}

size_t
koshu_flow_shells(size_t n)
{
    return 1 + (size_t)lround(sqrt(3) * (double)(n / 2));
}

koshu_status
koshu_flow_spectrum_find(struct koshu_context *context, size_t n, double box,
                         const double *velocity, struct koshu_flow_spectrum *s)
{
    struct work w;
    const size_t shells = koshu_flow_shells(n);
    *s = (struct koshu_flow_spectrum){
            .shells = shells,
            .unit = 2 * M_PI / box,
            .energy = koshu_alloc(shells, sizeof(double))};
    if (!s->energy) return koshu_fail_memory(context, 8 * shells, "a spectrum");
    koshu_status status = begin(context, n, box, &w);
    if (status == KOSHU_OK) status = add_components(&w, velocity, s);
    end(&w);
    for (size_t k = 0; k < shells; k++) s->energy[k] /= s->unit;
    return status;
}

/* ---- slopes ------------------------------------------------------------- */

/* i k; 0 at the Nyquist frequency, where an odd derivative is not real. */
static double complex
factor(const struct koshu_mesh *mesh, int axis, size_t index)
{
    const size_t n = mesh->n[axis];
    return 2 * index == n ? 0
                          : CMPLX(0, koshu_mesh_wave_number(mesh, axis, index));
}

/* d / dx_axis of the field, at the points, from its waves. */
static koshu_status
find_slope(struct work *w, int axis)
{
    const size_t n = w->n, row = koshu_mesh_row(&w->mesh),
                 waves = koshu_mesh_waves(&w->mesh);
    const double complex *const from = w->waves;
    double complex *const to = w->slope;
#pragma omp parallel for num_threads(w->threads)
    for (size_t r = 0; r < n * n; r++)
        for (size_t l = 0; l < waves; l++) {
            const size_t index[3] = {r / n, r % n, l};
            to[r * row + l] =
                    from[r * row + l] * factor(&w->mesh, axis, index[axis]);
        }
    return koshu_transform_backward(w->transform, w->slope);
}

/* Sums of squares and cubes of a row of n numbers. */
static void
sum_row(const double *row, size_t n, double sums[2])
{
    struct koshu_sum squares = {0}, cubes = {0};
    for (size_t p = 0; p < n; p++) {
        const double d = row[p];
        koshu_sum_add(&squares, d * d);
        koshu_sum_add(&cubes, d * d * d);
    }
    sums[0] = koshu_sum_value(squares);
    sums[1] = koshu_sum_value(cubes);
}

koshu_status
koshu_field_skewness(struct koshu_context *context,
                     const struct koshu_mesh *mesh, const double *field,
                     double *skewness)
{
    const size_t n = mesh->n[0], rows = n * n, row = 2 * koshu_mesh_row(mesh);
    const int threads = koshu_region_threads(context, n > 16);
    struct koshu_sum squares = {0}, cubes = {0};
    double(*const sums)[2] = koshu_alloc(rows, sizeof *sums);
    if (!sums) return koshu_fail_memory(context, 16 * rows, "a velocity");
#pragma omp parallel for num_threads(threads)
    for (size_t r = 0; r < rows; r++) sum_row(field + r * row, n, sums[r]);
    for (size_t r = 0; r < rows; r++) {
        koshu_sum_add(&squares, sums[r][0]);
        koshu_sum_add(&cubes, sums[r][1]);
    }
    koshu_free(sums);
    const double square = koshu_sum_value(squares) / (double)(rows * n),
                 cube = koshu_sum_value(cubes) / (double)(rows * n);
    *skewness = square > 0 ? cube / (square * sqrt(square)) : 0;
    return KOSHU_OK;
}

koshu_status
koshu_flow_skewness(struct koshu_context *context, size_t n, double box,
                    const double *velocity, double *skewness)
{
    struct work w;
    koshu_status status = begin(context, n, box, &w);
    *skewness = 0;
    for (int c = 0; c < 3 && status == KOSHU_OK; c++) {
        status = find_waves(&w, velocity + (size_t)c * n * n * n);
        if (status == KOSHU_OK) status = find_slope(&w, c);
        double part = 0;
        if (status == KOSHU_OK)
            status = koshu_field_skewness(context, &w.mesh, w.slope, &part);
        *skewness += part / 3;
    }
    end(&w);
    return status;
}

/* ---- the second invariant ----------------------------------------------- */

/* All nine derivatives: du_i / dx_j is field 3 i + j. */
static koshu_status
find_slopes(struct work *w, const double *velocity, double *slopes)
{
    const size_t n3 = w->n * w->n * w->n;
    for (size_t i = 0; i < 3; i++) {
        KOSHU_TRY(find_waves(w, velocity + i * n3));
        for (size_t j = 0; j < 3; j++) {
            KOSHU_TRY(find_slope(w, (int)j));
            koshu_field_give(w->transform, w->slope, slopes + (3 * i + j) * n3);
        }
    }
    return KOSHU_OK;
}

static void
contract(size_t n3, const double *slopes, double *invariant)
{
    memset(invariant, 0, n3 * sizeof *invariant);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            for (size_t p = 0; p < n3; p++)
                invariant[p] += slopes[(3 * i + j) * n3 + p] *
                                slopes[(3 * j + i) * n3 + p];
}

koshu_status
koshu_flow_invariant(struct koshu_context *context, size_t n, double box,
                     const double *velocity, double *invariant)
{
    struct work w;
    const size_t n3 = n * n * n;
    double *slopes = koshu_alloc(9 * n3, sizeof *slopes);
    if (!slopes) return koshu_fail_memory(context, 72 * n3, "slopes");
    koshu_status status = begin(context, n, box, &w);
    if (status == KOSHU_OK) status = find_slopes(&w, velocity, slopes);
    if (status == KOSHU_OK) contract(n3, slopes, invariant);
    end(&w);
    koshu_free(slopes);
    return status;
}
