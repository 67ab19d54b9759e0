/* SPDX-License-Identifier: MIT */
/* Errors of forces, compared with sums by ref in double precision. */
#include <math.h>
#include <stdlib.h>

#include <koshu/ewald.h>

#include "bench/harness.h"

/* A sample is halved until the host can sum its pairs in some seconds. */
enum { MIN_SAMPLE = 64 };
static const size_t sample_pairs = (size_t)1 << 35;

size_t
bench_compared_count(const struct bench *b, size_t n)
{
    const enum bench_compared compared = b->options->errors;
    const size_t max = b->box > 0 ? BENCH_SAMPLE : BENCH_MAX_COMPARED;
    const bool all = compared == COMPARED_ALL ||
                     (compared == COMPARED_DEFAULT && n <= max);
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
        if (!(error[k] <= HUGE_VAL)) error[k] = HUGE_VAL; /* NaN, too */
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

/* The error of one vector; *size: its length. */
static double
error_of(const struct bench_vectors *reference, const struct bench_vectors *all,
         size_t k, double *size)
{
    const size_t at = k * reference->step,
                 of = (size_t)koshu_sample_particle(k, reference->n, all->n) *
                      all->step;
    double off = 0;
    *size = 0;
    for (int c = 0; c < 3; c++) {
        off = hypot(off, all->at[c][of] - reference->at[c][at]);
        *size = hypot(*size, reference->at[c][at]);
    }
    return off;
}

koshu_status
bench_errors_between(const struct bench *b,
                     const struct bench_vectors *reference,
                     const struct bench_vectors *all,
                     struct bench_errors *errors)
{
    const size_t n = reference->n;
    double *error = calloc(n, sizeof *error), off2 = 0, size2 = 0;
    if (!error)
        return koshu_fail_memory(b->context, n * sizeof *error, "errors");
    for (size_t k = 0; k < n; k++) {
        double size;
        error[k] = error_of(reference, all, k, &size);
        off2 += error[k] * error[k];
        size2 += size * size;
        error[k] /= size;
    }
    bench_errors_sort(n, error, errors);
    errors->l2 = sqrt(off2 / size2);
    free(error);
    return KOSHU_OK;
}

/* ---- the reference ------------------------------------------------------- */

/* Reference accelerations of some of `all` particles. */
struct bench_reference {
    size_t all;
    struct bench_sums sums;
};

void
bench_reference_free(struct bench_reference *reference)
{
    if (!reference) return;
    bench_sums_free(&reference->sums);
    free(reference);
}

static koshu_status
sum_in_box(const struct bench *b, const struct bench_sums *sums)
{
    struct koshu_ewald_options options = koshu_ewald_options_default();
    struct koshu_laplace_points from = koshu_laplace_points_default(),
                                to = koshu_laplace_points_default();
    struct koshu_laplace_result result = koshu_laplace_result_default();
    options.box = b->box;
    options.softening = sqrt(b->options->eps2);
    from.n = sums->j.n;
    from.x = sums->j.x, from.y = sums->j.y, from.z = sums->j.z;
    from.charge = sums->j.mass;
    to.n = sums->i.n;
    to.x = sums->i.x, to.y = sums->i.y, to.z = sums->i.z;
    result.gradient_x = sums->result.ax;
    result.gradient_y = sums->result.ay;
    result.gradient_z = sums->result.az;
    return koshu_ewald_sums(b->context, &from, &to, &options, &result);
}

static koshu_status
sum(struct bench *b, struct bench_sums *sums)
{
    struct koshu_force_options options = koshu_force_options_default();
    struct koshu_context *ref;
    if (b->box > 0) return sum_in_box(b, sums);
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = sqrt(b->options->eps2);
    KOSHU_TRY(bench_ref(b, &ref));
    return bench_status_of(b, ref,
                           koshu_force_direct(ref, &sums->i, &sums->j, &options,
                                              &sums->result));
}

static koshu_status
make_reference(struct bench *b, const struct koshu_particle_const_view *all)
{
    if (b->reference && b->reference->all == all->n) return KOSHU_OK;
    bench_reference_free(b->reference);
    struct bench_reference *r = b->reference = calloc(1, sizeof *r);
    if (!r) return koshu_fail_memory(b->context, sizeof *r, "errors");
    KOSHU_TRY(bench_sums_make(b, all, all->n, bench_compared_count(b, all->n),
                              0, &r->sums));
    KOSHU_TRY(sum(b, &r->sums));
    r->all = all->n;
    return KOSHU_OK;
}

koshu_status
bench_compare(struct bench *b, struct koshu_particles *particles,
              const struct bench_vectors *a, struct bench_errors *errors)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    if (bench_compared_count(b, koshu_particles_count(particles)) == 0)
        return KOSHU_OK;
    KOSHU_TRY(koshu_particles_acquire_read(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_ACCELERATION,
            &v));
    const struct bench_vectors own = {{v.ax, v.ay, v.az}, v.n, 1};
    koshu_status status = make_reference(b, &v);
    if (status == KOSHU_OK) {
        const struct bench_sums *s = &b->reference->sums;
        const struct bench_vectors reference = {
                {s->result.ax, s->result.ay, s->result.az}, s->i.n, 1};
        status = bench_errors_between(b, &reference, a ? a : &own, errors);
    }
    koshu_particles_release_read(particles);
    return status;
}
