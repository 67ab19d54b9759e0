/* SPDX-License-Identifier: MIT */
#include "fields/power_spectrum.h"

#include <math.h>

#include "base/base.h"
#include "devices/devices.h"
#include "fields/mesh_ranks.h"

/* What one frequency of a wave's three contributes. */
struct axis {
    long f;
    double window, images, alternating;
    double complex turn; /* back from half a cell away */
};

/* One mesh, or two, and what is summed over its waves. */
struct work {
    struct koshu_context *context;
    const struct koshu_points *points;
    const struct koshu_measure_options *o;
    struct koshu_mesh mesh;
    struct koshu_mesh_ranks ranks;
    double *field, *shifted; /* shifted: by half a cell; NULL: no interlacing */
    struct axis *axis;       /* of each frequency */
    double *sums;            /* [plane][bin][2]: k, power */
    uint64_t *count;         /* of waves by |k|^2 in units of the lowest */
    size_t n_bins;
    double mass, shot_noise;
    int fold, threads;
};

enum { SUM_K, SUM_POWER, N_SUMS };

/* ---- checks -------------------------------------------------------------- */

static koshu_status
check(struct koshu_context *context, const struct koshu_measure_options *o)
{
    if (!(o->box > 0 && isfinite(o->box)))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "box = %g: a power spectrum is of a periodic box, "
                          "with an edge > 0",
                          o->box);
    if (o->grid < KOSHU_SPECTRUM_GRID_MIN || o->grid > KOSHU_MESH_MAX)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "a grid of %zu^3: expected %d to %d cells along an "
                          "edge",
                          o->grid, KOSHU_SPECTRUM_GRID_MIN, KOSHU_MESH_MAX);
    if (o->fold >= 1 && o->fold <= KOSHU_FOLD_MAX) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "a box folded %d times: expected 1 to %d", o->fold,
                      KOSHU_FOLD_MAX);
}

/* Two numbers, in the order of ranks. */
static koshu_status
add_over_ranks(struct koshu_context *context, const double mine[2],
               double sum[2])
{
    const size_t n = (size_t)koshu_context_ranks(context);
    struct koshu_sum total[2] = {{0}};
    void *memory;
    const koshu_status status =
            koshu_gather_ranks(context, KOSHU_OK, mine, 2 * sizeof *mine,
                               "sums of ranks", &memory);
    const double(*const all)[2] = memory;
    for (size_t r = 0; r < n && status == KOSHU_OK; r++)
        for (int k = 0; k < 2; k++) koshu_sum_add(&total[k], all[r][k]);
    for (int k = 0; k < 2; k++) sum[k] = koshu_sum_value(total[k]);
    koshu_free(memory);
    return status;
}

/* Mass and its square, of this rank: part by part, and then in their order. */
static void
weigh_here(const struct work *w, double sums[2])
{
    enum { PARTS = 64 };
    struct koshu_sum m = {0}, m2 = {0};
    double part[PARTS][2];
    const size_t n = w->points->n, size = n / PARTS + 1;
#pragma omp parallel for num_threads(koshu_region_threads(w->context, true))
    for (size_t p = 0; p < PARTS; p++) {
        struct koshu_sum mass = {0}, square = {0};
        for (size_t i = p * size; i < (p + 1) * size && i < n; i++) {
            koshu_sum_add(&mass, w->points->mass[i]);
            koshu_sum_add(&square, w->points->mass[i] * w->points->mass[i]);
        }
        part[p][0] = koshu_sum_value(mass);
        part[p][1] = koshu_sum_value(square);
    }
    for (size_t p = 0; p < PARTS; p++) {
        koshu_sum_add(&m, part[p][0]);
        koshu_sum_add(&m2, part[p][1]);
    }
    sums[0] = koshu_sum_value(m);
    sums[1] = koshu_sum_value(m2);
}

static koshu_status
weigh(struct work *w)
{
    double mine[2], sums[2];
    weigh_here(w, mine);
    KOSHU_TRY(add_over_ranks(w->context, mine, sums));
    w->mass = sums[0];
    if (!(w->mass > 0))
        return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                          "the particles have no mass, so their density has no "
                          "contrast");
    w->shot_noise =
            w->o->box * w->o->box * w->o->box * sums[1] / (w->mass * w->mass);
    return KOSHU_OK;
}

/* ---- meshes -------------------------------------------------------------- */

static koshu_status
fill(struct work *w, double shift, double **field)
{
    KOSHU_TRY(koshu_mesh_ranks_field(&w->ranks, field));
    KOSHU_TRY(koshu_mesh_ranks_assign(&w->ranks, w->points, w->o->assignment,
                                      shift, *field));
    return koshu_mesh_ranks_forward(&w->ranks, field);
}

static void
set_axes(struct work *w)
{
    const size_t n = w->o->grid;
    const enum koshu_assignment a = w->o->assignment;
    for (size_t i = 0; i < n; i++) {
        const long f = koshu_mesh_frequency(n, i);
        w->axis[i] = (struct axis){f, koshu_assignment_window(a, n, f),
                                   koshu_assignment_images(a, n, f, false),
                                   koshu_assignment_images(a, n, f, true),
                                   cexp(-I * M_PI * (double)f / (double)n)};
    }
}

static koshu_status
make_sums(struct work *w)
{
    const size_t n = w->o->grid, squares = w->n_bins * (w->n_bins + 1) + 1;
    w->axis = koshu_alloc(n, sizeof *w->axis);
    w->sums = koshu_alloc(n * w->n_bins, N_SUMS * sizeof *w->sums);
    w->count = koshu_alloc(squares, sizeof *w->count);
    if (w->axis && w->sums && w->count) return KOSHU_OK;
    return koshu_fail_memory(w->context, 8 * (n * w->n_bins * N_SUMS + squares),
                             "the sums of a power spectrum");
}

static koshu_status
prepare(struct work *w)
{
    const size_t n = w->o->grid;
    w->mesh = koshu_mesh_cube(n, w->o->box / w->fold);
    w->threads = koshu_region_threads(w->context, true);
    KOSHU_TRY(koshu_mesh_ranks_create(w->context, &w->mesh, &w->ranks));
    KOSHU_TRY(koshu_ranks_collective_status(w->context, make_sums(w)));
    set_axes(w);
    KOSHU_TRY(fill(w, 0, &w->field));
    return w->o->single_mesh ? KOSHU_OK : fill(w, 0.5, &w->shifted);
}

static void
release(struct work *w)
{
    koshu_free(w->axis);
    koshu_free(w->sums);
    koshu_free(w->count);
    koshu_free(w->field);
    koshu_free(w->shifted);
    koshu_mesh_ranks_destroy(&w->ranks);
}

/* ---- waves --------------------------------------------------------------- */

/* Of white noise, the power that images add to the wave's own. */
static double
images_of(const struct work *w, const struct axis a[3], double window)
{
    double all = a[0].images * a[1].images * a[2].images;
    const double odd = a[0].alternating * a[1].alternating * a[2].alternating;
    if (w->shifted) all = 0.5 * (all + odd);
    return all / (window * window) - 1;
}

static double
power_of(const struct work *w, const struct axis a[3], size_t at)
{
    const double volume = w->o->box * w->o->box * w->o->box;
    const double window = a[0].window * a[1].window * a[2].window;
    double complex wave = ((const double complex *)w->field)[at];
    if (w->shifted)
        wave = 0.5 * (wave + ((const double complex *)w->shifted)[at] *
                                     (a[0].turn * a[1].turn * a[2].turn));
    const double size = (double)koshu_mesh_cells(&w->mesh) / (w->mass * window),
                 square = creal(wave) * creal(wave) + cimag(wave) * cimag(wave);
    return volume * size * size * square -
           w->shot_noise * images_of(w, a, window);
}

/* The bin of a wave; n_bins: none. */
static size_t
bin_of(const struct work *w, const struct axis a[3], double *k)
{
    *k = sqrt((double)(a[0].f * a[0].f + a[1].f * a[1].f + a[2].f * a[2].f));
    const size_t m = (size_t)(*k + 0.5);
    return m >= 1 && m <= w->n_bins ? m - 1 : w->n_bins;
}

static void
sum_plane(struct work *w, size_t i)
{
    const size_t row = koshu_mesh_row(&w->mesh);
    double *sums = w->sums + i * w->n_bins * N_SUMS, k;
    struct axis a[3] = {w->axis[i]};
    for (size_t j = 0; j < w->ranks.n_rows; j++) {
        a[1] = w->axis[w->ranks.first_row + j];
        for (size_t l = 0; l < koshu_mesh_waves(&w->mesh); l++) {
            a[2] = w->axis[l];
            const size_t b = bin_of(w, a, &k);
            if (b == w->n_bins) continue;
            const double m = koshu_mesh_multiplicity(&w->mesh, l);
            sums[b * N_SUMS + SUM_K] += m * k;
            sums[b * N_SUMS + SUM_POWER] +=
                    m * power_of(w, a, (i * w->ranks.rows + j) * row + l);
        }
    }
}

/* By their squares, which few waves have to themselves: a linear spectrum is
 * computed once for each. Those of two axes are counted first. */
static koshu_status
count_waves(struct work *w)
{
    const size_t max = w->n_bins, all = max * (max + 1);
    uint64_t *two = koshu_alloc(all + 1, sizeof *two);
    if (!two)
        return koshu_fail_memory(w->context, 8 * all,
                                 "the waves of a power spectrum");
    for (size_t i = 0; i <= max; i++)
        for (size_t j = 0; j <= max && i * i + j * j <= all; j++)
            two[i * i + j * j] += (i ? 2 : 1) * (j ? 2 : 1);
    for (size_t l = 0; l <= max; l++)
        for (size_t k2 = 0; k2 + l * l <= all; k2++)
            w->count[k2 + l * l] += (l ? 2 : 1) * two[k2];
    koshu_free(two);
    return KOSHU_OK;
}

static void
add_squares(struct work *w, struct koshu_spectrum_bin *bin)
{
    const double lowest = 2 * M_PI / w->mesh.box[0];
    const size_t max = w->n_bins * (w->n_bins + 1);
    for (size_t k2 = 1; k2 <= max; k2++) {
        const double k = sqrt((double)k2), n = (double)w->count[k2];
        const size_t b = (size_t)(k + 0.5) - 1;
        if (n == 0) continue;
        bin[b].modes += n;
        if (w->o->linear)
            bin[b].linear += n * w->o->growth2 *
                             koshu_power_at(w->o->linear, lowest * k);
    }
}

static koshu_status
average(const struct work *w, struct koshu_spectrum_bin *bin)
{
    for (size_t b = 0; b < w->n_bins; b++) {
        struct koshu_sum k = {0}, power = {0};
        double sums[2];
        for (size_t i = 0; i < w->o->grid; i++) {
            const double *s = w->sums + (i * w->n_bins + b) * N_SUMS;
            koshu_sum_add(&k, s[SUM_K]);
            koshu_sum_add(&power, s[SUM_POWER]);
        }
        KOSHU_TRY(add_over_ranks(
                w->context,
                (double[]){koshu_sum_value(k), koshu_sum_value(power)}, sums));
        bin[b].fold = w->fold;
        bin[b].linear /= bin[b].modes;
        bin[b].power = sums[1] / bin[b].modes;
        bin[b].k = sums[0] / bin[b].modes * 2 * M_PI / w->mesh.box[0];
    }
    return KOSHU_OK;
}

/* All bins of the box, folded so many times. */
static koshu_status
measure(struct work *w, int fold, struct koshu_spectrum_bin *bin)
{
    w->fold = fold;
    koshu_status status = prepare(w);
    if (status == KOSHU_OK) {
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
        for (size_t i = 0; i < w->o->grid; i++) sum_plane(w, i);
        status = koshu_ranks_collective_status(w->context, count_waves(w));
    }
    if (status == KOSHU_OK) {
        add_squares(w, bin);
        status = average(w, bin);
    }
    release(w);
    return status;
}

/* Those of the folded box, where they begin beyond half the Nyquist frequency
 * of the first mesh. */
static koshu_status
measure_folded(struct work w, struct koshu_measured_spectrum *measured)
{
    const size_t kept = w.o->grid / 4;
    const double fold = w.o->fold;
    struct koshu_spectrum_bin *bin = measured->bin + measured->n;
    KOSHU_TRY(measure(&w, w.o->fold, bin));
    const size_t bins = measured->n;
    measured->n = kept;
    for (size_t b = 0; b < bins; b++)
        if (((double)b + 0.5) * fold >= (double)kept + 0.5)
            measured->bin[measured->n++] = bin[b];
    return KOSHU_OK;
}

static koshu_status
check_linear(const struct work *w)
{
    const double k = 2 * M_PI / w->o->box;
    if (!w->o->linear) return KOSHU_OK;
    return koshu_power_covers(w->context, w->o->linear, k,
                              k * w->o->fold * (double)w->o->grid / 2);
}

koshu_status
koshu_power_spectrum_measure(struct koshu_context *context,
                             const struct koshu_points *points,
                             const struct koshu_measure_options *options,
                             struct koshu_measured_spectrum *measured)
{
    struct work w = {.context = context, .points = points, .o = options};
    *measured = (struct koshu_measured_spectrum){0};
    KOSHU_TRY(check(context, options));
    KOSHU_TRY(weigh(&w));
    KOSHU_TRY(check_linear(&w));
    w.n_bins = (options->grid + 1) / 2 - 1;
    measured->bin = koshu_alloc(2 * w.n_bins, sizeof *measured->bin);
    KOSHU_TRY(koshu_ranks_collective_status(
            context,
            measured->bin
                    ? KOSHU_OK
                    : koshu_fail_memory(context,
                                        2 * w.n_bins * sizeof *measured->bin,
                                        "a power spectrum")));
    measured->n = w.n_bins;
    measured->shot_noise = w.shot_noise;
    struct work first = w;
    KOSHU_TRY(measure(&first, 1, measured->bin));
    return options->fold > 1 ? measure_folded(w, measured) : KOSHU_OK;
}

size_t
koshu_spectrum_grid(size_t n)
{
    const size_t min = 32, max = 1024,
                 twice = 2 * (size_t)ceil(cbrt((double)n) - 1e-6);
    return twice < min ? min : twice > max ? max : twice;
}
