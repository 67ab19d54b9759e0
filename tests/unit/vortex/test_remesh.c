/* SPDX-License-Identifier: MIT */
/* New particles conserve the quantities of the old ones. */
#include "support.h"

enum { N = 400 };

static struct koshu_vortices *
random_vortices(double box)
{
    struct koshu_vortices *v = vortices_of(N, 0.1, box);
    for (size_t i = 0; i < KOSHU_VORTEX_STATE * N; i++)
        v->state[i] = i < 3 * N ? uniform() : uniform() - 0.5;
    return v;
}

/* Sums of strengths times 1, x and x^2, at [k][power]. */
static void
find_moments(const struct koshu_vortices *v, double moment[3][3])
{
    memset(moment, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < v->n; i++) {
            const double a = koshu_vortices_strength(v, k)[i],
                         x = koshu_vortices_position(v, (k + 1) % 3)[i];
            moment[k][0] += a;
            moment[k][1] += a * x;
            moment[k][2] += a * x * x;
        }
}

/* M4' and M6* conserve moments up to the second exactly. */
static void
kernels_keep_moments(void **state)
{
    (void)state;
    for (int k = KOSHU_VORTEX_KERNEL_M4; k <= KOSHU_VORTEX_KERNEL_M6; k++) {
        struct koshu_vortices *v = random_vortices(0);
        const struct koshu_vortex_remeshing remeshing = {.context = context,
                                                         .kernel = k,
                                                         .spacing = 0.13,
                                                         .core = 0.2,
                                                         .threshold = 0};
        struct koshu_vortex_fit fit;
        double before[3][3], after[3][3];
        find_moments(v, before);
        assert_ok(context, koshu_vortex_remesh(&remeshing, v, &fit));
        find_moments(v, after);
        for (int i = 0; i < 9; i++)
            assert_near(after[i / 3][i % 3], before[i / 3][i % 3], 1e-11);
        assert_true(v->core == 0.1 && v->spacing == 0.13 && !v->has_rate);
        koshu_vortices_destroy(v);
    }
}

/* The field at the new points, before and after. Gaussians of width 0.1 are 3
 * times the narrow cores: their spectrum, exp(-(3 k)^2 / 2), has nothing that
 * these cores cannot represent. */
static void
a_fit_keeps_the_field(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        struct koshu_vortices *v = random_vortices(periodic),
                              *old = random_vortices(periodic);
        const struct koshu_vortex_remeshing remeshing = {
                .context = context,
                .kernel = KOSHU_VORTEX_KERNEL_RADIAL_BASIS,
                .spacing = 1.0 / 20,
                .core = 1.0 / 20,
                .threshold = 1e-7,
                .tolerance = 1e-6};
        struct koshu_vortex_fit fit;
        memcpy(old->state, v->state, KOSHU_VORTEX_STATE * N * sizeof(double));
        assert_ok(context, koshu_vortex_remesh(&remeshing, v, &fit));
        double *was = calloc(3 * v->n, sizeof *was),
               *is = calloc(3 * v->n, sizeof *is), off = 0, all = 0;
        assert_ok(context, koshu_vortex_vorticity(old, v->n, v->state, was));
        assert_ok(context, koshu_vortex_vorticity(v, v->n, v->state, is));
        for (size_t i = 0; i < 3 * v->n; i++) {
            off += pow(is[i] - was[i], 2);
            all += pow(was[i], 2);
        }
        assert_true(fit.residual <= 1e-6 && fit.iterations > 3);
        assert_true(sqrt(off / all) < 3e-6);
        assert_true(v->core == remeshing.core);
        free(was);
        free(is);
        koshu_vortices_destroy(v);
        koshu_vortices_destroy(old);
    }
}

static double
divergence_of(const struct koshu_vortices *v)
{
    double *d = calloc(v->n, sizeof *d), *omega = calloc(3 * v->n, sizeof *d),
           off = 0, all = 0;
    assert_ok(context, koshu_vortex_divergence(v, v->n, v->state, d));
    assert_ok(context, koshu_vortex_vorticity(v, v->n, v->state, omega));
    for (size_t i = 0; i < v->n; i++) off += d[i] * d[i];
    for (size_t i = 0; i < 3 * v->n; i++) all += omega[i] * omega[i];
    free(d);
    free(omega);
    return v->core * sqrt(off / all);
}

/* Gaussians with random strengths have a large divergence; the curl of their
 * velocity has none, to the tolerance of both, and gives the same velocity. */
static void
the_divergence_is_left_out(void **state)
{
    (void)state;
    enum { M = 60 };
    static double was[3 * M], is[3 * M], place[3 * M];
    struct koshu_vortices *v = random_vortices(1);
    struct koshu_vortex_solver *solver = solver_in(1, 6);
    struct koshu_vortex_remeshing remeshing = {.context = context,
                                               .spacing = 1.0 / 16,
                                               .core = 1.0 / 16,
                                               .tolerance = 1e-6,
                                               .solenoidal = true,
                                               .solver = solver};
    struct koshu_vortex_fit fit;
    double off = 0, all = 0;
    for (size_t k = 0; k < 3 * M; k++) place[k] = uniform();
    assert_ok(context, koshu_vortex_velocities(solver, v, M, place, was, NULL));
    const double before = divergence_of(v);
    assert_ok(context, koshu_vortex_remesh(&remeshing, v, &fit));
    assert_ok(context, koshu_vortex_velocities(solver, v, M, place, is, NULL));
    for (size_t k = 0; k < 3 * M; k++) {
        off += pow(is[k] - was[k], 2);
        all += pow(was[k], 2);
    }
    assert_true(before > 0.3);
    assert_true(divergence_of(v) < 1e-4);
    assert_true(sqrt(off / all) < 1e-4);
    koshu_vortex_solver_destroy(solver);
    koshu_vortices_destroy(v);
}

/* In a uniform field strength is exchanged only at edges, and what one particle
 * loses others gain. */
static void
exchange_keeps_the_sum(void **state)
{
    (void)state;
    static double rate[3 * N];
    struct koshu_vortices *v = random_vortices(1);
    double sum[3] = {0}, largest = 0;
    v->spacing = 0.1;
    memset(rate, 0, sizeof rate);
    assert_ok(context, koshu_vortex_exchange(v, 0.01, rate));
    for (size_t k = 0; k < 3 * N; k++) {
        sum[k / N] += rate[k];
        largest = fmax(largest, fabs(rate[k]));
    }
    assert_true(largest > 1e-3);
    for (int k = 0; k < 3; k++) assert_near(sum[k], 0, 1e-11 * N * largest);
    koshu_vortices_destroy(v);
}

static void
what_is_refused(void **state)
{
    (void)state;
    struct koshu_vortices *v = random_vortices(0);
    struct koshu_vortex_remeshing remeshing = {.context = context,
                                               .kernel = KOSHU_VORTEX_KERNEL_M4,
                                               .spacing = 1e-5,
                                               .core = 1};
    struct koshu_vortex_fit fit;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "spread too far",
                 koshu_vortex_remesh(&remeshing, v, &fit));
    memset(koshu_vortices_strength(v, 0), 0, 3 * N * sizeof(double));
    remeshing.spacing = 0.1;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "no vorticity",
                 koshu_vortex_remesh(&remeshing, v, &fit));
    v->state[3] = NAN;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "vortex particle 3",
                 koshu_vortices_check(v));
    koshu_vortices_destroy(v);
}

/* So many particles that diagnostics use a sample. */
static void
divergence_is_that_of_all(void **state)
{
    (void)state;
    enum { EDGE = 66, MANY = EDGE * EDGE * EDGE };
    const struct koshu_vortex_options options = {
            .tolerance = 1e-2, .reach = 3, .box = EDGE};
    struct koshu_vortices *v = vortices_of(MANY, 0.5, EDGE);
    struct koshu_vortex_solver *solver;
    struct koshu_vortex_diagnostics d;
    double *div = koshu_alloc(MANY, sizeof *div), square = 0;
    assert_ok(context, koshu_vortex_solver_create(context, &options, &solver));
    for (size_t i = 0; i < MANY; i++) {
        const size_t at[3] = {i / EDGE / EDGE, i / EDGE % EDGE, i % EDGE};
        /* stronger in one half of the box */
        for (int k = 0; k < 3; k++) {
            koshu_vortices_position(v, k)[i] = (double)at[k];
            koshu_vortices_strength(v, k)[i] =
                    (uniform() - 0.5) * (at[2] < EDGE / 2 ? 3 : 1);
        }
    }
    assert_ok(context, koshu_vortex_divergence(v, MANY, v->state, div));
    for (size_t i = 0; i < MANY; i++) square += div[i] * div[i] / MANY;
    assert_ok(context, koshu_vortex_diagnose(solver, v, &d));
    assert_near(d.divergence / (v->core * sqrt(square / (2 * d.enstrophy))), 1,
                0.01);
    koshu_free(div);
    koshu_vortex_solver_destroy(solver);
    koshu_vortices_destroy(v);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(kernels_keep_moments),
            cmocka_unit_test(a_fit_keeps_the_field),
            cmocka_unit_test(the_divergence_is_left_out),
            cmocka_unit_test(exchange_keeps_the_sum),
            cmocka_unit_test(divergence_is_that_of_all),
            cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
