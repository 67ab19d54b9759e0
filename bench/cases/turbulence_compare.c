/* SPDX-License-Identifier: MIT */
/* Compares both methods: Hamada09 Figs. 13, 14 and 15. */
#include <math.h>
#include <stdio.h>

#include "bench/cases/turbulence.h"

/* ---- energies ----------------------------------------------------------- */

struct energy_row {
    struct bench_row base;
    double time, spectral, vortex, difference;
};

#define OF(member) BENCH_ROW(struct energy_row, member)

static const struct bench_column energy_columns[] = {
        {"t_over_T", "t/T", "%6.2f", OF(time)},
        {"spectral", "K spectral", "%12.6g", OF(spectral)},
        {"vortex", "K vortex", "%12.6g", OF(vortex)},
        {"difference", "difference", "%+9.2f%%", OF(difference), 0, 100},
        {0}};
#undef OF

static const struct bench_table energies = {
        .name = "turbulence_energy",
        .row_size = sizeof(struct energy_row),
        .columns = energy_columns,
};

static koshu_status
compare_energies(struct bench *b, const struct turbulence_run r[2])
{
    bench_start(b, &energies, 0);
    for (size_t k = 0; k < r[0].rows; k++) {
        struct energy_row row = {.base = bench_row(b, r[0].n * r[0].n * r[0].n),
                                 .time = r[0].time[k],
                                 .spectral = r[0].energy[k],
                                 .vortex = r[1].energy[k]};
        row.base.interactions = NAN;
        row.difference = row.vortex / row.spectral - 1;
        KOSHU_TRY(bench_add(b, &row));
    }
    return KOSHU_OK;
}

/* ---- spectra ------------------------------------------------------------ */

struct spectrum_row {
    struct bench_row base;
    double wave, spectral, vortex, difference;
};

#define OF(member) BENCH_ROW(struct spectrum_row, member)

static const struct bench_column spectrum_columns[] = {
        {"k", "k", "%6.3g", OF(wave)},
        {"spectral", "E spectral", "%12.4e", OF(spectral)},
        {"vortex", "E vortex", "%12.4e", OF(vortex)},
        {"difference", "difference", "%+9.2f%%", OF(difference), 0, 100},
        {0}};
#undef OF

static const struct bench_table spectra = {
        .name = "turbulence_spectrum",
        .row_size = sizeof(struct spectrum_row),
        .columns = spectrum_columns,
};

/* Only shells that are complete. */
static koshu_status
compare_spectra(struct bench *b, const struct turbulence_run r[2])
{
    bench_start(b, &spectra, 0);
    for (size_t k = 1; k < r[0].n / 2; k++) {
        struct spectrum_row row = {
                .base = bench_row(b, r[0].n * r[0].n * r[0].n),
                .wave = (double)k * r[0].spectrum.unit,
                .spectral = r[0].spectrum.energy[k],
                .vortex = r[1].spectrum.energy[k]};
        row.base.interactions = NAN;
        row.difference = row.vortex / row.spectral - 1;
        KOSHU_TRY(bench_add(b, &row));
    }
    return KOSHU_OK;
}

/* ---- the second invariant ----------------------------------------------- */

struct invariant_row {
    struct bench_row base;
    /* level in rms; fractions of the volume below it */
    double level, spectral, vortex;
    double rms[2], correlation;
};

#define OF(member) BENCH_ROW(struct invariant_row, member)

static const struct bench_column invariant_columns[] = {
        {"level", "II / rms", "%8.3g", OF(level)},
        {"spectral", "spectral", "%9.3f%%", OF(spectral), 0, 100},
        {"vortex", "vortex", "%9.3f%%", OF(vortex), 0, 100},
        {"rms_spectral", .field = OF(rms[0])},
        {"rms_vortex", .field = OF(rms[1])},
        {"correlation", .field = OF(correlation)},
        {0}};
#undef OF

static const struct bench_table invariants = {
        .name = "turbulence_invariant",
        .row_size = sizeof(struct invariant_row),
        .columns = invariant_columns,
};

/* The mean product of two invariants, whose means are 0. */
static double
mean_product(const struct turbulence_run *a, const struct turbulence_run *b)
{
    const size_t n3 = a->n * a->n * a->n;
    struct koshu_sum sum = {0};
    for (size_t p = 0; p < n3; p++)
        koshu_sum_add(&sum, a->invariant[p] * b->invariant[p]);
    return koshu_sum_value(sum) / (double)n3;
}

double
turbulence_invariant_rms(const struct turbulence_run *run)
{
    return sqrt(mean_product(run, run));
}

static double
part_below(const struct turbulence_run *r, double level)
{
    const size_t n3 = r->n * r->n * r->n;
    size_t below = 0;
    for (size_t p = 0; p < n3; p++) below += r->invariant[p] < level;
    return (double)below / (double)n3;
}

static koshu_status
compare_invariants(struct bench *b, const struct turbulence_run r[2])
{
    struct invariant_row row = {.base = bench_row(b, r[0].n * r[0].n * r[0].n)};
    row.base.interactions = NAN;
    for (int k = 0; k < 2; k++) row.rms[k] = turbulence_invariant_rms(&r[k]);
    row.correlation = mean_product(&r[0], &r[1]) / (row.rms[0] * row.rms[1]);
    bench_start(b, &invariants, 0);
    if (!b->options->json)
        printf("II = u_i,j u_j,i at t/T = %g: rms %.4g spectral, %.4g vortex, "
               "correlation %.4f\n",
               r[0].time[r[0].rows - 1], row.rms[0], row.rms[1],
               row.correlation);
    for (int level = -1; level >= -4; level--) {
        row.level = level;
        row.spectral = part_below(&r[0], level * row.rms[0]);
        row.vortex = part_below(&r[1], level * row.rms[0]);
        KOSHU_TRY(bench_add(b, &row));
    }
    return KOSHU_OK;
}

/* ---- all ---------------------------------------------------------------- */

static void
print_head(const struct turbulence_run r[2])
{
    printf("\nturbulence of %zu^3 points or particles, Re_lambda = %.3g, "
           "k_max eta = %.3g, T = %.4g\n",
           r[0].n, r[0].reynolds, r[0].resolution, r[0].turnover);
    for (int k = 0; k < 2; k++)
        printf("%s: %zu steps, %.4g s a step\n", r[k].name, r[k].steps,
               r[k].seconds / (double)r[k].steps);
}

koshu_status
turbulence_compare(struct bench *b, const struct turbulence_run runs[2])
{
    if (!b->options->json) print_head(runs);
    KOSHU_TRY(compare_energies(b, runs));
    KOSHU_TRY(compare_spectra(b, runs));
    return compare_invariants(b, runs);
}
