/* SPDX-License-Identifier: MIT */
/* The errors of a tree on the device, and input that is not finite. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"
#include "particles/particles.h"
#include "reports.h"
#include "solve/solve.h"
#include "tree_system.h"

enum odd { LINE, POINT, PAIRS, ODD };

/* Particles on a line; all but one in a point; pairs 1e-12 apart. */
static void
put_in(enum odd which, struct system *s)
{
    struct koshu_particle_view v;
    assert_ok(s->context,
              koshu_particles_on_host(s->particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        if (which == LINE) v.y[i] = v.z[i] = 0.1;
        if (which == POINT && i > 0) v.x[i] = v.y[i] = v.z[i] = 0.25;
        if (which != PAIRS || i % 2 == 0) continue;
        v.x[i] = v.x[i - 1] + 1e-12;
        v.y[i] = v.y[i - 1];
        v.z[i] = v.z[i - 1];
    }
}

/* The largest error of some particles against their direct sums, relative to
 * the largest force among them, since on a line forces cancel. */
static double
error_of_some(struct system *s, const struct koshu_particle_view *v)
{
    enum { SOME = 40 };
    struct koshu_force_options o = koshu_force_options_default();
    double place[3][SOME], a[3][SOME], worst = 0, largest = 0;
    int64_t id[SOME];
    for (size_t k = 0; k < SOME; k++) {
        const size_t i = k * (v->n - 1) / (SOME - 1);
        id[k] = (int64_t)i;
        place[0][k] = v->x[i];
        place[1][k] = v->y[i];
        place[2][k] = v->z[i];
    }
    o.precision = KOSHU_PRECISION_DOUBLE;
    o.softening = 0.02;
    const struct koshu_i_particles to = {
            .n = SOME, .x = place[0], .y = place[1], .z = place[2], .id = id};
    const struct koshu_j_particles from = {
            .n = v->n, .x = v->x, .y = v->y, .z = v->z, .mass = v->mass};
    const struct koshu_force_result result = {
            .ax = a[0], .ay = a[1], .az = a[2]};
    assert_ok(s->context,
              koshu_force_direct(s->context, &to, &from, &o, &result));
    for (size_t k = 0; k < SOME; k++) {
        const size_t i = (size_t)id[k];
        const double off[3] = {v->ax[i] - a[0][k], v->ay[i] - a[1][k],
                               v->az[i] - a[2][k]};
        worst = fmax(worst, hypot(hypot(off[0], off[1]), off[2]));
        largest = fmax(largest, hypot(hypot(a[0][k], a[1][k]), a[2][k]));
    }
    return worst / largest;
}

/* At theta = 0.3 a force is right to 1e-3, even on a line, where a cell lies in
 * one direction, and takes at most some thousand interactions. */
static void
a_million_in_odd_places(void **state)
{
    (void)state;
    for (int which = 0; which < ODD; which++) {
        struct system s =
                begin(1 << 20, 0.3, KOSHU_OPENING_CRITERION_GEOMETRIC);
        put_in((enum odd)which, &s);
        const struct koshu_particle_view v = forces(&s);
        const struct koshu_tree_report r = tree_report_of(s.solver);
        const double error = error_of_some(&s, &v);
        if (!(error < 1e-3 && r.interactions < 30000 * r.particles))
            fail_msg("case %d: error %g, %g interactions of a particle", which,
                     error, (double)r.interactions / (double)r.particles);
        end(&s);
    }
}

static int
ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The errors of `sample` particles against double sums on the CPU,
 * ascending. */
static double *
errors_on_host(struct system *s, double eps, size_t sample)
{
    struct koshu_force_options options = koshu_force_options_default();
    struct koshu_context *ref = test_context("ref", 0);
    struct koshu_particle_view v;
    double *m = calloc(7 * sample, sizeof *m), *error = m + 3 * sample;
    assert_non_null(m);
    int64_t *index = (int64_t *)(m + 6 * sample);
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = eps;
    assert_ok(s->context,
              koshu_particles_on_host(s->particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_ACCELERATION,
                                      KOSHU_ACCESS_READ, &v));
    for (size_t k = 0; k < sample; k++) {
        index[k] = (int64_t)(k * v.n / sample);
        m[k] = v.x[index[k]];
        m[sample + k] = v.y[index[k]];
        m[2 * sample + k] = v.z[index[k]];
    }
    double *const ax = m + 3 * sample, *const ay = m + 4 * sample,
                  *const az = m + 5 * sample;
    assert_ok(ref, koshu_force_direct(
                           ref,
                           &(struct koshu_i_particles){.n = sample,
                                                       .x = m,
                                                       .y = m + sample,
                                                       .z = m + 2 * sample,
                                                       .id = index},
                           &(struct koshu_j_particles){.n = v.n,
                                                       .x = v.x,
                                                       .y = v.y,
                                                       .z = v.z,
                                                       .mass = v.mass},
                           &options,
                           &(struct koshu_force_result){
                                   .ax = ax, .ay = ay, .az = az}));
    for (size_t k = 0; k < sample; k++) {
        const size_t i = (size_t)index[k];
        const double off =
                hypot(hypot(v.ax[i] - ax[k], v.ay[i] - ay[k]), v.az[i] - az[k]);
        error[k] = off / hypot(hypot(ax[k], ay[k]), az[k]);
    }
    qsort(error, sample, sizeof *error, ascending);
    koshu_context_destroy(ref);
    memmove(m, error, sample * sizeof *m);
    return m;
}

/* Errors of about 1e-4 of forces that are summed in double in another order
 * agree to 1e-13 / 1e-4, or to 1e-6 where forces cancel to a hundredth. No
 * field is copied, only a few numbers. */
static void
errors_are_measured_on_the_device(void **state)
{
    (void)state;
    const size_t samples[] = {1, 2, 127, 128, 129, 256, 1000, N};
    struct system s = begin(N, 0.5, KOSHU_OPENING_CRITERION_RELATIVE);
    pair_up(&s);
    for (int k = 0; k < 2; k++)
        assert_ok(s.context, koshu_solver_forces(s.solver, s.particles,
                                                 KOSHU_FIELD_ACCELERATION));
    struct koshu_tree_errors e[8];
    const uint64_t before = koshu_particles_bytes_copied(s.particles);
    for (int k = 0; k < 8; k++)
        assert_ok(s.context,
                  koshu_solver_tree_errors_of(s.solver, s.particles, samples[k],
                                              false, &e[k]));
    assert_int_equal(koshu_particles_bytes_copied(s.particles), before);
    for (int k = 0; k < 8; k++) {
        const size_t n = samples[k];
        double *error = errors_on_host(&s, 0.02, n);
        const double last = (double)(n - 1);
        assert_int_equal(e[k].sample, n);
        assert_near(e[k].median / error[(size_t)(0.5 * last)], 1, 1e-6);
        assert_near(e[k].p90 / error[(size_t)(0.9 * last)], 1, 1e-6);
        assert_near(e[k].p99 / error[(size_t)(0.99 * last)], 1, 1e-6);
        assert_near(e[k].max / error[n - 1], 1, 1e-6);
        free(error);
    }
    end(&s);
}

static void
what_is_not_finite_is_named(void **state)
{
    (void)state;
    struct system s = begin(1000, 0.5, KOSHU_OPENING_CRITERION_RELATIVE);
    struct koshu_particle_view v = forces(&s);
    double *const a = copy_of(v.ax, 1000);
    const double z = v.z[123];
    assert_ok(s.context,
              koshu_particles_on_host(s.particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    v.z[123] = NAN;
    assert_fails(s.context, KOSHU_ERROR_NOT_FINITE, "particle 123",
                 koshu_solver_forces(s.solver, s.particles,
                                     KOSHU_FIELD_ACCELERATION));
    /* accelerations are gone, so the criterion is that of a first step */
    assert_ok(s.context,
              koshu_particles_on_host(s.particles, KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    v.z[123] = z;
    v = forces(&s);
    assert_memory_equal(v.ax, a, 1000 * sizeof *a);
    free(a);
    end(&s);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_in_odd_places),
        cmocka_unit_test(errors_are_measured_on_the_device),
        cmocka_unit_test(what_is_not_finite_is_named),
};

CUDA_MAIN(tests)
