/* SPDX-License-Identifier: MIT */
/* Leapfrog and Hermite over ranks, compared with one rank; and the error that
 * all ranks get where one fails. */
#include <math.h>
#include <stdlib.h>

#include <koshu/diagnostics.h>
#include <koshu/integrator.h>
#include <koshu/initial.h>

#include "backend/backend.h"
#include "integrate/block_step.h"
#include "integrator.h"
#include "particles/particles.h"
#include "small_models.h"

static const double softening = 1.0 / 32;

static struct koshu_solver *
solver(struct koshu_context *c)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *made;
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = softening;
    assert_ok(c, koshu_solver_create(c, &options, &made));
    return made;
}

/* ---- models and diagnostics ---------------------------------------------- */

static void
test_models(void **state)
{
    (void)state;
    struct koshu_initial_options options = koshu_initial_options_default();
    for (int m = KOSHU_MODEL_PLUMMER; m <= KOSHU_MODEL_HERNQUIST; m++) {
        struct koshu_particles *p, *whole;
        options.model = (enum koshu_model)m;
        options.n = 301;
        options.virial_ratio = 0.5;
        options.exact_virial = m == KOSHU_MODEL_KING;
        assert_ok(context, koshu_initial_create(context, &options, &p));
        assert_ok(alone, koshu_initial_create(alone, &options, &whole));
        assert_near(difference(p, whole), 0, 0);
        koshu_particles_destroy(p);
        koshu_particles_destroy(whole);
    }
}

/* The same positions, velocities and potentials give the same bits. */
static void
test_diagnostics(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 5, 1023, 3000};
    for (int s = 0; s < 5; s++) {
        struct koshu_particles *p = model(context, sizes[s]);
        struct koshu_particles *whole = model(alone, sizes[s]);
        struct koshu_diagnostics d, e;
        struct koshu_particles *const both[] = {p, whole};
        for (int k = 0; k < 2; k++) {
            struct koshu_particle_view v;
            assert_ok(context,
                      koshu_particles_on_host(both[k], KOSHU_FIELD_ALL,
                                              KOSHU_ACCESS_READ_WRITE, &v));
            for (size_t i = 0; i < v.n; i++)
                v.potential[i] = -1.0 / (1 + v.x[i] * v.x[i]);
        }
        memset(&d, 0xff, sizeof d);
        memset(&e, 0xee, sizeof e);
        d.size = e.size = sizeof d;
        assert_ok(context, koshu_diagnostics_compute(p, &d));
        assert_ok(alone, koshu_diagnostics_compute(whole, &e));
        assert_memory_equal(&d, &e, sizeof d);
        koshu_particles_destroy(p);
        koshu_particles_destroy(whole);
    }
}

/* ---- integrators --------------------------------------------------------- */

static void
leap(struct koshu_context *c, struct koshu_particles *p,
     enum koshu_step_rule rule, double end)
{
    struct koshu_integrator_options options =
            koshu_integrator_options_default();
    struct koshu_integrator *leapfrog;
    struct koshu_solver *s = solver(c);
    options.step_rule = rule;
    options.dt = 1.0 / 32;
    assert_ok(c, koshu_integrator_create(s, p, 0, &options, &leapfrog));
    while (koshu_integrator_time(leapfrog) != end)
        assert_ok(c, koshu_integrator_advance(leapfrog, end, false));
    koshu_integrator_destroy(leapfrog);
    koshu_solver_destroy(s);
}

/* Forces differ by rounding, 1e-16, which grows by at most a thousand over a
 * short time. */
static void
test_leapfrog(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 5, 100};
    for (int s = 0; s < 3; s++)
        for (int rule = KOSHU_STEP_RULE_FIXED;
             rule <= KOSHU_STEP_RULE_ACCELERATION; rule++) {
            struct koshu_particles *p = model(context, sizes[s]);
            struct koshu_particles *whole = model(alone, sizes[s]);
            leap(context, p, (enum koshu_step_rule)rule, 0.25);
            leap(alone, whole, (enum koshu_step_rule)rule, 0.25);
            assert_near(difference(p, whole), 0, 1e-13);
            koshu_particles_destroy(p);
            koshu_particles_destroy(whole);
        }
}

struct way {
    enum koshu_step_rule rule;
    unsigned iterations;
    double dt, end;
};

static struct koshu_integrator_clock
blocks(struct koshu_context *c, struct koshu_particles *p,
       const struct way *way)
{
    struct koshu_integrator_options options = hermite_options();
    struct koshu_integrator *hermite;
    struct koshu_solver *s = solver(c);
    options.step_rule = way->rule;
    options.dt = way->dt;
    options.iterations = way->iterations;
    options.eta = 0.02;
    options.max_block_steps = 7; /* no result depends on it */
    assert_ok(c, koshu_integrator_create(s, p, 0, &options, &hermite));
    while (koshu_integrator_time(hermite) != way->end)
        assert_ok(c, koshu_integrator_advance(hermite, way->end, true));
    struct koshu_integrator_clock clock = clock_of(hermite);
    uint64_t n = koshu_particles_total(p);
    /* every rank counts all sums: the first ones, those of steps and those of
     * partial steps */
    assert_true(interactions_of(hermite) >= clock.particle_steps * n);
    koshu_integrator_destroy(hermite);
    koshu_solver_destroy(s);
    return clock;
}

static const struct way ways[] = {
        {KOSHU_STEP_RULE_BLOCK, 1, 1.0 / 16, 0.125},
        {KOSHU_STEP_RULE_BLOCK, 2, 1.0 / 16,
         0.1}, /* ends with a partial step */
        {KOSHU_STEP_RULE_BLOCK, 1, -1.0 / 16, -0.0625},
        {KOSHU_STEP_RULE_FIXED, 3, 1.0 / 64, 0.0625},
};

/* The blocks are the same. Orbits differ by rounding, a little more than with
 * the leapfrog, because the fourth-order scheme takes differences of
 * accelerations. */
static void
test_hermite(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 30};
    for (int s = 0; s < 2; s++)
        for (int w = 0; w < 4; w++) {
            struct koshu_particles *p = model(context, sizes[s]);
            struct koshu_particles *whole = model(alone, sizes[s]);
            struct koshu_integrator_clock a = blocks(context, p, &ways[w]);
            struct koshu_integrator_clock b = blocks(alone, whole, &ways[w]);
            assert_same_way(&a, &b, p, whole, 1e-12);
        }
}

static void
test_hermite_same_bits(void **state)
{
    (void)state;
    struct koshu_particles *p = model(context, 21), *q = model(context, 21);
    struct koshu_particle_view v, w;
    blocks(context, p, &ways[1]);
    blocks(context, q, &ways[1]);
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    assert_ok(context, koshu_particles_on_host(q, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &w));
    assert_memory_equal(v.x, w.x, v.n * sizeof *v.x);
    assert_memory_equal(v.vz, w.vz, v.n * sizeof *v.vz);
    assert_memory_equal(v.potential, w.potential, v.n * sizeof *v.potential);
    koshu_particles_destroy(p);
    koshu_particles_destroy(q);
}

/* ---- failures ------------------------------------------------------------ */

/* A particle that escapes: every rank names it and its position, although only
 * its own rank sees it, and the others only the consequences. */
static void
test_names_the_particle(void **state)
{
    (void)state;
    enum { N = 20 };
    for (size_t k = 0; k < N; k += N - 1) {
        char words[64];
        struct koshu_particles *p = model(context, N);
        struct koshu_integrator_options options =
                koshu_integrator_options_default();
        struct koshu_integrator *leapfrog;
        struct koshu_solver *s = solver(context);
        double *v = coordinate_of(p, k, KOSHU_FIELD_VELOCITY);
        if (v) *v = 1e307;
        options.dt = 1e3;
        snprintf(words, sizeof words, "particle %zu (id %zu): position", k, k);
        assert_ok(context,
                  koshu_integrator_create(s, p, 0, &options, &leapfrog));
        assert_fails(context, KOSHU_ERROR_NOT_FINITE, words,
                     koshu_integrator_advance(leapfrog, INFINITY, true));
        koshu_integrator_destroy(leapfrog);
        /* the particles are in the middle of a step */
        koshu_particles_destroy(p);
        p = model(context, N);

        struct koshu_integrator_options o = hermite_options();
        struct koshu_integrator *hermite;
        double *x = coordinate_of(p, k, KOSHU_FIELD_POSITION);
        if (x) *x = NAN;
        assert_ok(context, koshu_integrator_create(s, p, 0, &o, &hermite));
        assert_fails(context, KOSHU_ERROR_NOT_FINITE, words,
                     koshu_integrator_evaluate(hermite));
        koshu_integrator_destroy(hermite);

        struct koshu_diagnostics d = {.size = sizeof d};
        snprintf(words, sizeof words, "particle %zu (id %zu): x = nan", k, k);
        assert_fails(context, KOSHU_ERROR_NOT_FINITE, words,
                     koshu_diagnostics_compute(p, &d));
        koshu_solver_destroy(s);
        koshu_particles_destroy(p);
    }
}

/* Two bodies that almost touch, on the last ranks. */
static void
test_short_steps(void **state)
{
    (void)state;
    enum { N = 12 };
    struct koshu_particles *p = model(context, N);
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *s;
    struct koshu_integrator_options o = hermite_options();
    struct koshu_integrator *hermite;
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        size_t k = koshu_particles_first(p) + i;
        if (k < N - 2) continue;
        v.x[i] = 1 + (k == N - 1 ? 1e-11 : 0);
        v.y[i] = v.z[i] = 0;
    }
    options.precision = KOSHU_PRECISION_DOUBLE;
    assert_ok(context, koshu_solver_create(context, &options, &s));
    assert_ok(context, koshu_integrator_create(s, p, 0, &o, &hermite));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "needs a step shorter",
                 koshu_integrator_evaluate(hermite));
    assert_non_null(strstr(koshu_context_message(context), "particle 1"));
    koshu_integrator_destroy(hermite);
    koshu_solver_destroy(s);
    koshu_particles_destroy(p);
}

/* A block with more members than are exchanged at a time, in nearly equal
 * numbers on each rank. All members get their sums, here over no particles. */
static void
test_large_blocks(void **state)
{
    (void)state;
    const size_t ranks = (size_t)koshu_context_ranks(context),
                 rank = (size_t)koshu_context_rank(context);
    struct koshu_block_ranks *all;
    struct koshu_block_step step = {
            .members_of = calloc(ranks, sizeof *step.members_of)};
    assert_non_null(step.members_of);
    for (size_t r = 0; r < ranks; r++)
        step.members_of[r] = (1 << 16) / ranks + 10 * r;
    step.n = step.members_of[rank];
    step.end = calloc(step.n, sizeof *step.end);
    step.result = malloc(step.n * sizeof *step.result);
    assert_true(step.end && step.result);
    for (size_t m = 0; m < step.n; m++)
        step.result[m].a[2] = step.result[m].potential = NAN;
    assert_ok(context, koshu_backend_of(context, &step.backend));
    assert_ok(context, koshu_block_ranks_create(context, &all));
    assert_ok(context, koshu_block_ranks_sum(all, &step, 0, 0));
    for (size_t m = 0; m < step.n; m++)
        assert_true(step.result[m].a[2] == 0 && step.result[m].potential == 0);
    koshu_block_ranks_destroy(all);
    free(step.members_of);
    free(step.end);
    free(step.result);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_diagnostics),
        cmocka_unit_test(test_leapfrog),
        cmocka_unit_test(test_hermite),
        cmocka_unit_test(test_hermite_same_bits),
        cmocka_unit_test(test_names_the_particle),
        cmocka_unit_test(test_short_steps),
        cmocka_unit_test(test_large_blocks),
};
RANKS_MAIN(tests)
