/* SPDX-License-Identifier: MIT */
/* Errors of forces, against sums by ref in double precision. */
#include <math.h>
#include <stdlib.h>

#include "bench/harness.h"

/* A sample is halved while its sums are more pairs than a host sums in some
 * seconds. */
enum { MIN_SAMPLE = 64 };
static const size_t sample_pairs = (size_t)1 << 35;

size_t
bench_compared_count(const struct bench *b, size_t n)
{
    const enum bench_compared compared = b->options->errors;
    const bool all = compared == COMPARED_ALL ||
                     (compared == COMPARED_DEFAULT && n <= BENCH_MAX_COMPARED);
    size_t sample = BENCH_SAMPLE;
    if (compared == COMPARED_NONE) return 0;
    while (sample > MIN_SAMPLE && sample * n > sample_pairs) sample /= 2;
    return all || n < sample ? n : sample;
}

/* ---- numbers ------------------------------------------------------------- */

void
bench_errors_sort(size_t n, double *error, struct bench_errors *errors)
{
    double squares = 0;
    for (size_t k = 0; k < n; k++) {
        if (!(error[k] <= HUGE_VAL)) error[k] = HUGE_VAL; /* a NaN */
        squares += error[k] * error[k];
    }
    qsort(error, n, sizeof *error, bench_ascending);
    *errors = (struct bench_errors){
            .particles = n,
            .median = error[n / 2],
            .p99 = error[(size_t)(0.99 * (double)(n - 1))],
            .max = error[n - 1],
            .rms = sqrt(squares / (double)n),
    };
}

bool
bench_errors_between(size_t n, const double *const reference[3],
                     const double *const value[3], struct bench_errors *errors)
{
    double *error = calloc(n, sizeof *error);
    if (!error) return false;
    for (size_t k = 0; k < n; k++) {
        double off = hypot(hypot(value[0][k] - reference[0][k],
                                 value[1][k] - reference[1][k]),
                           value[2][k] - reference[2][k]);
        double size =
                hypot(hypot(reference[0][k], reference[1][k]), reference[2][k]);
        error[k] = off / size;
    }
    bench_errors_sort(n, error, errors);
    free(error);
    return true;
}

/* ---- the reference ------------------------------------------------------- */

/* Accelerations of the particles index[0 ... n-1] of `all`, and what is
 * compared with them. */
struct bench_reference {
    size_t all, n;
    int64_t *index;
    double *x[3], *a[3], *compared[3]; /* one memory, at x[0] */
};

void
bench_reference_free(struct bench_reference *reference)
{
    if (!reference) return;
    free(reference->index);
    free(reference->x[0]);
    free(reference);
}

/* Those of the particles that are evenly distributed over the store. */
static koshu_status
choose(struct bench *b, const struct koshu_particle_const_view *all, size_t n)
{
    struct bench_reference *r = calloc(1, sizeof *r);
    const double *const x[3] = {all->x, all->y, all->z};
    bench_reference_free(b->reference);
    b->reference = r;
    if (r) r->index = calloc(n, sizeof *r->index);
    if (r) r->x[0] = calloc(n, 9 * sizeof *r->x[0]);
    if (!r || !r->index || !r->x[0])
        return koshu_fail_memory(b->context, 80 * n, "errors");
    for (size_t c = 0; c < 3; c++) {
        r->x[c] = r->x[0] + c * n;
        r->a[c] = r->x[0] + (c + 3) * n;
        r->compared[c] = r->x[0] + (c + 6) * n;
        for (size_t k = 0; k < n; k++) r->x[c][k] = x[c][k * all->n / n];
    }
    for (size_t k = 0; k < n; k++) r->index[k] = (int64_t)(k * all->n / n);
    r->n = n;
    return KOSHU_OK;
}

static koshu_status
sum(struct koshu_context *ref, double eps,
    const struct koshu_particle_const_view *all,
    const struct bench_reference *r)
{
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = eps;
    const struct koshu_i_particles i = {.n = r->n,
                                        .x = r->x[0],
                                        .y = r->x[1],
                                        .z = r->x[2],
                                        .id = r->index};
    const struct koshu_j_particles j = {.n = all->n,
                                        .x = all->x,
                                        .y = all->y,
                                        .z = all->z,
                                        .mass = all->mass};
    const struct koshu_force_result result = {
            .ax = r->a[0], .ay = r->a[1], .az = r->a[2]};
    return koshu_force_direct(ref, &i, &j, &options, &result);
}

static koshu_status
make_reference(struct bench *b, const struct koshu_particle_const_view *all)
{
    if (b->reference && b->reference->all == all->n) return KOSHU_OK;
    KOSHU_TRY(choose(b, all, bench_compared_count(b, all->n)));
    struct koshu_context *ref;
    KOSHU_TRY(bench_ref(b, &ref));
    KOSHU_TRY(bench_ref_status(
            b, sum(ref, sqrt(b->options->eps2), all, b->reference)));
    b->reference->all = all->n;
    return KOSHU_OK;
}

koshu_status
bench_compare(struct bench *b, struct koshu_particles *particles,
              const double *const a[3], struct bench_errors *errors)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    if (bench_compared_count(b, koshu_particles_count(particles)) == 0)
        return KOSHU_OK;
    KOSHU_TRY(koshu_particles_acquire_read(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_ACCELERATION,
            &v));
    const double *const own[3] = {v.ax, v.ay, v.az};
    const double *const *from = a ? a : own;
    koshu_status status = make_reference(b, &v);
    if (status == KOSHU_OK) {
        const struct bench_reference *r = b->reference;
        for (size_t c = 0; c < 3; c++)
            for (size_t k = 0; k < r->n; k++)
                r->compared[c][k] = from[c][r->index[k]];
        if (!bench_errors_between(r->n, (const double *const *)r->a,
                                  (const double *const *)r->compared, errors))
            status = koshu_fail_memory(b->context, 8 * r->n, "errors");
    }
    koshu_particles_release_read(particles);
    return status;
}
