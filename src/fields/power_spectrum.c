/* SPDX-License-Identifier: MIT */
/* Measures the power spectrum of particles in a periodic box. */
#include <math.h>

#include "base/base.h"
#include "devices/devices.h"
#include "fields/power_sums.h"

/* ---- checks -------------------------------------------------------------- */

static koshu_status
check(struct koshu_context *context, const struct koshu_measure_options *o)
{
    if (!(o->box > 0 && isfinite(o->box)))
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "box = %g: a power spectrum needs a periodic box, "
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

/* Adds two numbers over the ranks, in rank order. */
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

/* This rank's sums of mass and mass squared, by parts added in order, so that
 * they do not depend on threads. */
static void
weigh_here(const struct power_sums *s, double sums[2])
{
    enum { PARTS = 64 };
    struct koshu_sum m = {0}, m2 = {0};
    double part[PARTS][2];
    const size_t n = s->points->n, size = n / PARTS + 1;
#pragma omp parallel for num_threads(koshu_region_threads(s->context, true))
    for (size_t p = 0; p < PARTS; p++) {
        struct koshu_sum mass = {0}, square = {0};
        for (size_t i = p * size; i < (p + 1) * size && i < n; i++) {
            koshu_sum_add(&mass, s->points->mass[i]);
            koshu_sum_add(&square, s->points->mass[i] * s->points->mass[i]);
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
weigh(struct power_sums *s)
{
    double mine[2], sums[2];
    weigh_here(s, mine);
    KOSHU_TRY(add_over_ranks(s->context, mine, sums));
    s->mass = sums[0];
    if (!(s->mass > 0))
        return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                          "the particles have no mass, so their density has no "
                          "contrast");
    s->scale.shot_noise =
            s->o->box * s->o->box * s->o->box * sums[1] / (s->mass * s->mass);
    return KOSHU_OK;
}

/* ---- bins ---------------------------------------------------------------- */

static void
set_axes(struct power_sums *s)
{
    const size_t n = s->o->grid;
    const enum koshu_assignment a = s->o->assignment;
    for (size_t i = 0; i < n; i++) {
        const long f = koshu_mesh_frequency(n, i);
        const double angle = -M_PI * (double)f / (double)n;
        s->axis[i] = (struct koshu_wave_axis){
                (double)f,
                koshu_assignment_window(a, n, f),
                koshu_assignment_images(a, n, f, false),
                koshu_assignment_images(a, n, f, true),
                {cos(angle), sin(angle)}};
    }
}

static koshu_status
allocate(struct power_sums *s)
{
    const size_t n = s->o->grid;
    s->axis = koshu_alloc(n, sizeof *s->axis);
    s->plane = koshu_alloc(n * s->n_bins, sizeof *s->plane);
    if (s->axis && s->plane) return KOSHU_OK;
    return koshu_fail_memory(
            s->context, n * (sizeof *s->axis + s->n_bins * sizeof *s->plane),
            "the sums of a power spectrum");
}

/* Counts the waves of each k^2: many waves have the same, so the linear
 * spectrum is computed once for each k^2. Waves of two axes are counted
 * first. */
static void
count_waves(size_t max, uint64_t *two, uint64_t *count)
{
    const size_t all = max * (max + 1);
    for (size_t i = 0; i <= max; i++)
        for (size_t j = 0; j <= max && i * i + j * j <= all; j++)
            two[i * i + j * j] += (i ? 2 : 1) * (j ? 2 : 1);
    for (size_t l = 0; l <= max; l++)
        for (size_t k2 = 0; k2 + l * l <= all; k2++)
            count[k2 + l * l] += (l ? 2 : 1) * two[k2];
}

static void
add_squares(const struct power_sums *s, const uint64_t *count,
            struct koshu_spectrum_bin *bin)
{
    const double lowest = 2 * M_PI / s->mesh.box[0];
    const size_t max = s->n_bins * (s->n_bins + 1);
    for (size_t k2 = 1; k2 <= max; k2++) {
        const double k = sqrt((double)k2), n = (double)count[k2];
        const size_t b = (size_t)(k + 0.5) - 1;
        if (n == 0) continue;
        bin[b].modes += n;
        if (s->o->linear)
            bin[b].linear += n * s->o->growth2 *
                             koshu_power_at(s->o->linear, lowest * k);
    }
}

/* Fills what does not depend on the particles: number of waves, linear
 * power. */
static koshu_status
add_waves(const struct power_sums *s, struct koshu_spectrum_bin *bin)
{
    const size_t all = s->n_bins * (s->n_bins + 1) + 1;
    uint64_t *const two = koshu_alloc(all, sizeof *two),
                    *const count = koshu_alloc(all, sizeof *count);
    koshu_status status = KOSHU_OK;
    if (two && count) {
        count_waves(s->n_bins, two, count);
        add_squares(s, count, bin);
    } else
        status = koshu_fail_memory(s->context, 16 * all,
                                   "the waves of a power spectrum");
    koshu_free(two);
    koshu_free(count);
    return koshu_ranks_collective_status(s->context, status);
}

static koshu_status
average(const struct power_sums *s, struct koshu_spectrum_bin *bin)
{
    for (size_t b = 0; b < s->n_bins; b++) {
        struct koshu_sum k = {0}, power = {0};
        double sums[2];
        for (size_t i = 0; i < s->o->grid; i++) {
            koshu_sum_add(&k, s->plane[i * s->n_bins + b][SUM_K]);
            koshu_sum_add(&power, s->plane[i * s->n_bins + b][SUM_POWER]);
        }
        KOSHU_TRY(add_over_ranks(
                s->context,
                (double[]){koshu_sum_value(k), koshu_sum_value(power)}, sums));
        bin[b].fold = s->fold;
        bin[b].linear /= bin[b].modes;
        bin[b].power = sums[1] / bin[b].modes;
        bin[b].k = sums[0] / bin[b].modes * 2 * M_PI / s->mesh.box[0];
    }
    return KOSHU_OK;
}

static koshu_status
sum_waves(struct power_sums *s)
{
    bool done;
    set_axes(s);
    KOSHU_TRY(koshu_power_sums_by_device(s, &done));
    return done ? KOSHU_OK : koshu_power_sums_by_host(s);
}

/* Measures all bins of the box folded `fold` times. */
static koshu_status
measure(struct power_sums s, int fold, struct koshu_spectrum_bin *bin)
{
    const double volume = s.o->box * s.o->box * s.o->box;
    s.fold = fold;
    s.mesh = koshu_mesh_cube(s.o->grid, s.o->box / fold);
    s.scale.scale = sqrt(volume) * (double)koshu_mesh_cells(&s.mesh) / s.mass;
    koshu_status status =
            koshu_ranks_collective_status(s.context, allocate(&s));
    if (status == KOSHU_OK) status = sum_waves(&s);
    if (status == KOSHU_OK) status = add_waves(&s, bin);
    if (status == KOSHU_OK) status = average(&s, bin);
    koshu_free(s.axis);
    koshu_free(s.plane);
    return status;
}

/* Measures the folded box and keeps the bins beyond half the Nyquist frequency
 * of the first mesh. */
static koshu_status
measure_folded(const struct power_sums *s,
               struct koshu_measured_spectrum *measured)
{
    const size_t kept = s->o->grid / 4;
    const double fold = s->o->fold;
    struct koshu_spectrum_bin *bin = measured->bin + measured->n;
    KOSHU_TRY(measure(*s, s->o->fold, bin));
    const size_t bins = measured->n;
    measured->n = kept;
    for (size_t b = 0; b < bins; b++)
        if (((double)b + 0.5) * fold >= (double)kept + 0.5)
            measured->bin[measured->n++] = bin[b];
    return KOSHU_OK;
}

static koshu_status
check_linear(const struct power_sums *s)
{
    const double k = 2 * M_PI / s->o->box;
    if (!s->o->linear) return KOSHU_OK;
    return koshu_power_covers(s->context, s->o->linear, k,
                              k * s->o->fold * (double)s->o->grid / 2);
}

koshu_status
koshu_power_spectrum_measure(struct koshu_context *context,
                             const struct koshu_points *points,
                             const struct koshu_measure_options *options,
                             struct koshu_measured_spectrum *measured)
{
    struct power_sums s = {.context = context, .points = points, .o = options};
    *measured = (struct koshu_measured_spectrum){0};
    KOSHU_TRY(check(context, options));
    KOSHU_TRY(weigh(&s));
    KOSHU_TRY(check_linear(&s));
    s.n_bins = (options->grid + 1) / 2 - 1;
    measured->bin = koshu_alloc(2 * s.n_bins, sizeof *measured->bin);
    KOSHU_TRY(koshu_ranks_collective_status(
            context,
            measured->bin
                    ? KOSHU_OK
                    : koshu_fail_memory(context,
                                        2 * s.n_bins * sizeof *measured->bin,
                                        "a power spectrum")));
    measured->n = s.n_bins;
    measured->shot_noise = s.scale.shot_noise;
    KOSHU_TRY(measure(s, 1, measured->bin));
    return options->fold > 1 ? measure_folded(&s, measured) : KOSHU_OK;
}

size_t
koshu_spectrum_grid(size_t n)
{
    const size_t min = 32, max = 1024,
                 twice = 2 * (size_t)ceil(cbrt((double)n) - 1e-6);
    return twice < min ? min : twice > max ? max : twice;
}
