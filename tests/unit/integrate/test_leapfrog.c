/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include <koshu/leapfrog.h>

#include "backend/backend.h"
#include "base/base.h"
#include "check.h"

/* ---- one system under test ----------------------------------------------- */

struct rig {
    struct koshu_context *context;
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    struct koshu_leapfrog *leapfrog;
    struct koshu_particle_view v; /* the ref backend works on the host */
};

/* The particles of a rig, n of them, of mass 1, with no speed, on the x axis
 * at 1, -1, 2, -2, ...; the accelerations and potentials are poisoned. */
static void
fill(struct koshu_particle_view *v)
{
    for (size_t i = 0; i < v->n; i++) {
        double r = (double)(i / 2 + 1);
        v->mass[i] = 1;
        v->x[i] = i % 2 ? -r : r;
        v->ax[i] = v->ay[i] = v->az[i] = v->potential[i] = NAN;
    }
}

static struct rig
rig_on(struct koshu_context *context, size_t n, double eps,
       const struct koshu_leapfrog_options *options, double time)
{
    struct rig r = {.context = context};
    struct koshu_solver_options solver = koshu_solver_options_default();
    solver.precision = KOSHU_DOUBLE;
    solver.softening = eps;
    assert_ok(context, koshu_solver_create(context, &solver, &r.solver));
    assert_ok(context, koshu_particles_create(context, n, &r.particles));
    assert_ok(context, koshu_particles_acquire(r.particles, KOSHU_ALL_FIELDS,
                                               KOSHU_READ_WRITE, &r.v));
    fill(&r.v);
    assert_ok(context, koshu_leapfrog_create(options, r.solver, r.particles,
                                             time, &r.leapfrog));
    return r;
}

static struct rig
rig(size_t n, double eps, const struct koshu_leapfrog_options *options,
    double time)
{
    return rig_on(test_context("ref", 2), n, eps, options, time);
}

static struct rig
rig_fixed(size_t n, double dt)
{
    struct koshu_leapfrog_options options = {KOSHU_STEP_FIXED, dt, 0};
    return rig(n, 0, &options, 0);
}

static void
rig_free(struct rig *r)
{
    koshu_leapfrog_destroy(r->leapfrog);
    koshu_particles_destroy(r->particles);
    koshu_solver_destroy(r->solver);
    koshu_context_destroy(r->context);
}

static void
rig_step(struct rig *r, double until)
{
    assert_ok(r->context, koshu_leapfrog_step(r->leapfrog, until, false));
}

static double
rig_time(const struct rig *r)
{
    return koshu_leapfrog_time(r->leapfrog);
}

static void
assert_same_state(const struct rig *a, const struct rig *b)
{
    size_t bytes = a->v.n * sizeof(double);
    assert_memory_equal(a->v.x, b->v.x, bytes);
    assert_memory_equal(a->v.y, b->v.y, bytes);
    assert_memory_equal(a->v.z, b->v.z, bytes);
    assert_memory_equal(a->v.vx, b->v.vx, bytes);
    assert_memory_equal(a->v.vy, b->v.vy, bytes);
    assert_memory_equal(a->v.vz, b->v.vz, bytes);
    assert_memory_equal(a->v.ax, b->v.ax, bytes);
    assert_true(rig_time(a) == rig_time(b));
    assert_true(koshu_leapfrog_steps(a->leapfrog) ==
                koshu_leapfrog_steps(b->leapfrog));
}

/* ---- options ------------------------------------------------------------- */

static void
impossible_options_are_refused(void **state)
{
    (void)state;
    const double inf = INFINITY;
    const struct {
        struct koshu_leapfrog_options options;
        double eps, time;
        const char *words;
    } wrong[] = {
            {{KOSHU_STEP_FIXED, 0, 1}, 0, 0, "dt = 0"},
            {{KOSHU_STEP_FIXED, NAN, 1}, 0, 0, "dt = nan"},
            {{KOSHU_STEP_FIXED, inf, 1}, 0, 0, "dt = inf"},
            {{KOSHU_STEP_FIXED, 0.1, 1}, 0, inf, "time = inf"},
            {{KOSHU_STEP_ACCELERATION, -0.1, 1}, 1, 0, "go back in time"},
            {{KOSHU_STEP_ACCELERATION, 0.1, 0}, 1, 0, "eta = 0"},
            {{KOSHU_STEP_ACCELERATION, 0.1, -1}, 1, 0, "eta = -1"},
            {{KOSHU_STEP_ACCELERATION, 0.1, NAN}, 1, 0, "eta = nan"},
            {{KOSHU_STEP_ACCELERATION, 0.1, 0.1}, 0, 0, "softening = 0"},
            {{(enum koshu_step_rule)7, 0.1, 0.1}, 1, 0, "step rule 7"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        struct koshu_leapfrog_options options =
                koshu_leapfrog_options_default();
        struct rig r = rig(2, wrong[k].eps, &options, 0);
        struct koshu_leapfrog *l = r.leapfrog;
        assert_fails(r.context, KOSHU_INVALID_ARGUMENT, wrong[k].words,
                     koshu_leapfrog_create(&wrong[k].options, r.solver,
                                           r.particles, wrong[k].time, &l));
        assert_null(l);
        rig_free(&r);
    }
    koshu_leapfrog_destroy(NULL);
}

/* ---- the scheme ---------------------------------------------------------- */

/* Two unit masses at x = +-1 at rest, h = 1/2: a = 1/4 towards each other, so
 * v = 1/16 after the half kick and x = 1 - 1/32 = 31/32 after the drift (both
 * exact); then a = 1 / (31/16)^2 = 256/961. */
static void
one_step_is_what_the_formula_says(void **state)
{
    (void)state;
    struct rig r = rig_fixed(2, 0.5);
    assert_ok(r.context, koshu_leapfrog_step(r.leapfrog, INFINITY, true));
    double a = 256.0 / 961.0;
    assert_true(r.v.x[0] == 31.0 / 32.0 && r.v.x[1] == -r.v.x[0]);
    /* 1 / sqrt and three products round: 4 roundings, below 1 each */
    assert_near(r.v.ax[0], -a, 4 * DBL_EPSILON);
    assert_near(r.v.vx[0], -(1.0 / 16 + a / 4), 4 * DBL_EPSILON);
    assert_true(r.v.vx[1] == -r.v.vx[0]);
    assert_near(r.v.potential[0], -16.0 / 31.0, 4 * DBL_EPSILON);
    assert_true(rig_time(&r) == 0.5);
    rig_free(&r);
}

static void
a_step_costs_one_force_evaluation(void **state)
{
    (void)state;
    struct rig r = rig_fixed(2, 0.01);
    assert_ok(r.context, koshu_leapfrog_evaluate(r.leapfrog));
    for (int k = 0; k < 10; k++) rig_step(&r, INFINITY);
    assert_int_equal(koshu_solver_interactions(r.solver), 11 * 2 * 2);
    rig_free(&r);
}

static void
the_potential_is_computed_on_request_and_changes_nothing(void **state)
{
    (void)state;
    struct rig with = rig_fixed(5, 0.01), without = rig_fixed(5, 0.01);
    rig_step(&with, INFINITY);
    rig_step(&without, INFINITY);
    for (size_t i = 0; i < 5; i++)
        with.v.potential[i] = without.v.potential[i] = NAN;
    for (int k = 0; k < 3; k++) {
        assert_ok(with.context,
                  koshu_leapfrog_step(with.leapfrog, INFINITY, true));
        rig_step(&without, INFINITY);
    }
    for (size_t i = 0; i < 5; i++) {
        assert_true(with.v.potential[i] < 0);
        assert_true(isnan(without.v.potential[i]));
    }
    assert_same_state(&with, &without);
    rig_free(&with);
    rig_free(&without);
}

static void
any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    struct koshu_leapfrog_options options = {KOSHU_STEP_ACCELERATION, 0.01,
                                             0.1};
    struct rig one = rig_on(test_context("ref", 1), 4999, 0.1, &options, 0);
    struct rig three = rig_on(test_context("ref", 3), 4999, 0.1, &options, 0);
    for (int k = 0; k < 2; k++) {
        rig_step(&one, INFINITY);
        rig_step(&three, INFINITY);
    }
    assert_same_state(&one, &three);
    rig_free(&one);
    rig_free(&three);
}

/* ---- time ---------------------------------------------------------------- */

static void
time_is_a_product_not_a_sum(void **state)
{
    (void)state;
    struct koshu_leapfrog_options options = {KOSHU_STEP_FIXED, 0.1, 0};
    struct rig r = rig(1, 0, &options, 3);
    double sum = 3;
    for (int k = 0; k < 1000; k++) {
        rig_step(&r, INFINITY);
        sum += 0.1;
    }
    assert_true(rig_time(&r) == 3 + 1000 * 0.1);
    assert_true(rig_time(&r) != sum);
    assert_int_equal(koshu_leapfrog_steps(r.leapfrog), 1000);
    rig_free(&r);
}

static void
the_last_step_ends_at_until(void **state)
{
    (void)state;
    struct rig r = rig_fixed(1, 0.125);
    r.v.vx[0] = 1;
    const double expected[] = {0.125, 0.25, 0.3125, 0.4375};
    for (size_t k = 0; k < 4; k++) {
        rig_step(&r, k < 3 ? 0.3125 : 10.0);
        assert_true(rig_time(&r) == expected[k]);
        /* no force on a lone particle: it has gone as far as the time has */
        assert_true(r.v.x[0] == 1 + expected[k]);
    }
    /* 1/2000 of a step short of until is no place to stop ... */
    double until = 0.5625 + 0.125 / 2000;
    rig_step(&r, until);
    assert_true(rig_time(&r) == until);
    /* ... 1/500 is */
    rig_step(&r, until + 0.125 + 0.125 / 500);
    assert_true(rig_time(&r) == until + 0.125);
    assert_int_equal(koshu_leapfrog_steps(r.leapfrog), 6);
    rig_free(&r);
}

/* 3 * 0.1 is 0.30000000000000004: a caller who stops at 0.3, 0.6, ... must
 * not disturb the orbit by steps that differ in the last bit. */
static void
stops_on_the_grid_do_not_change_the_orbit(void **state)
{
    (void)state;
    struct rig stops = rig_fixed(3, 0.1), straight = rig_fixed(3, 0.1);
    const double until[] = {0.3, 0.6, 0.9};
    for (size_t k = 0; k < 3; k++) {
        while (rig_time(&stops) < until[k]) rig_step(&stops, until[k]);
        assert_true(rig_time(&stops) == until[k]);
    }
    rig_step(&stops, INFINITY);
    for (int k = 0; k < 10; k++) rig_step(&straight, INFINITY);
    assert_true(rig_time(&straight) == 10 * 0.1);
    assert_same_state(&stops, &straight);
    rig_free(&stops);
    rig_free(&straight);
}

static void
a_negative_step_goes_back(void **state)
{
    (void)state;
    struct koshu_leapfrog_options options = {KOSHU_STEP_FIXED, -0.25, 0};
    struct rig r = rig(1, 0, &options, 1);
    r.v.vx[0] = 1;
    for (int k = 0; k < 3; k++) rig_step(&r, 0.375);
    assert_true(rig_time(&r) == 0.375 && r.v.x[0] == 1 - 0.625);
    rig_step(&r, -INFINITY);
    assert_true(rig_time(&r) == 0.125);
    assert_fails(r.context, KOSHU_INVALID_ARGUMENT, "does not lie ahead",
                 koshu_leapfrog_step(r.leapfrog, 1, false));
    rig_free(&r);
}

static void
until_must_lie_ahead(void **state)
{
    (void)state;
    struct rig r = rig_fixed(1, 0.25);
    const double wrong[] = {0, -1, -INFINITY, NAN};
    for (size_t k = 0; k < 4; k++)
        assert_fails(r.context, KOSHU_INVALID_ARGUMENT, "does not lie ahead",
                     koshu_leapfrog_step(r.leapfrog, wrong[k], false));
    assert_true(rig_time(&r) == 0);
    rig_free(&r);
}

static void
a_step_below_the_rounding_of_time_is_refused(void **state)
{
    (void)state;
    struct koshu_leapfrog_options options = {KOSHU_STEP_FIXED, 1e-20, 0};
    struct rig r = rig(1, 0, &options, 1);
    assert_fails(r.context, KOSHU_BAD_INPUT, "too small to advance the time",
                 koshu_leapfrog_step(r.leapfrog, 2, false));
    rig_free(&r);
}

/* The particles next to the heaviest, in the middle, feel it most. */
static void
the_acceleration_rule_takes_the_largest_acceleration(void **state)
{
    (void)state;
    double eps = 0.75, eta = 0.125, a = 0;
    struct koshu_leapfrog_options options = {KOSHU_STEP_ACCELERATION, 1, eta};
    struct rig r = rig(101, eps, &options, 0);
    r.v.mass[50] = 1000;
    assert_ok(r.context, koshu_leapfrog_evaluate(r.leapfrog));
    for (size_t i = 0; i < r.v.n; i++) a = fmax(a, fabs(r.v.ax[i]));
    assert_true(a > 2 * fabs(r.v.ax[0]) && a > 2 * fabs(r.v.ax[100]));
    rig_step(&r, INFINITY);
    /* two square roots, a division, two products: a few roundings */
    assert_near(rig_time(&r), eta * sqrt(eps / a), 8 * DBL_EPSILON);
    double before = rig_time(&r);
    rig_step(&r, before + 1e-3); /* until is nearer than the step */
    assert_true(rig_time(&r) == before + 1e-3);
    rig_free(&r);

    options.dt = 1.0 / 64; /* the largest step allowed */
    r = rig(2, eps, &options, 0);
    rig_step(&r, INFINITY);
    assert_true(rig_time(&r) == 1.0 / 64);
    rig_free(&r);

    r = rig(1, eps, &options, 0); /* a lone particle is not accelerated */
    rig_step(&r, INFINITY);
    assert_true(rig_time(&r) == 1.0 / 64);
    rig_free(&r);
}

/* ---- restart ------------------------------------------------------------- */

static void
copy_state(struct rig *to, const struct rig *from)
{
    double *const target[] = {to->v.x,  to->v.y,  to->v.z,  to->v.vx, to->v.vy,
                              to->v.vz, to->v.ax, to->v.ay, to->v.az};
    double *const source[] = {from->v.x,  from->v.y,  from->v.z,
                              from->v.vx, from->v.vy, from->v.vz,
                              from->v.ax, from->v.ay, from->v.az};
    for (size_t k = 0; k < sizeof target / sizeof target[0]; k++)
        memcpy(target[k], source[k], from->v.n * sizeof(double));
}

/* Stopped at 0.25 off the grid, and again some steps later, where the time is
 * a multiple of dt past 0.25 and not past 0. */
static void
a_resumed_run_goes_on_bit_for_bit(void **state)
{
    (void)state;
    const double until = 0.95;
    for (int rule = KOSHU_STEP_FIXED; rule <= KOSHU_STEP_ACCELERATION; rule++) {
        struct koshu_leapfrog_options options = {(enum koshu_step_rule)rule,
                                                 0.1, 0.1};
        struct rig whole = rig(7, 0.1, &options, 0);
        while (rig_time(&whole) < 0.25) rig_step(&whole, 0.25);
        for (int k = 0; k < 3; k++) rig_step(&whole, until);

        struct rig resumed = rig(7, 0.1, &options, 0);
        struct koshu_leapfrog_clock clock =
                koshu_leapfrog_clock_of(whole.leapfrog);
        copy_state(&resumed, &whole);
        koshu_leapfrog_resume(resumed.leapfrog, &clock);
        while (rig_time(&whole) < until) {
            rig_step(&whole, until);
            rig_step(&resumed, until);
            assert_same_state(&whole, &resumed);
        }
        /* and no evaluation was spent on starting again */
        assert_int_equal(
                koshu_solver_interactions(resumed.solver),
                7 * 7 * (koshu_leapfrog_steps(resumed.leapfrog) - clock.steps));
        rig_free(&whole);
        rig_free(&resumed);
    }
}

/* ---- what is not finite -------------------------------------------------- */

static void
a_bad_particle_is_named(void **state)
{
    (void)state;
    const double far = 1e308;
    struct rig r = rig_fixed(5, 4.0);
    r.v.id[3] = 77;

    r.v.z[3] = NAN; /* makes every acceleration NaN: the cause is named */
    assert_fails(r.context, KOSHU_NOT_FINITE,
                 "particle 3 (id 77): position = (-2, 0, nan) at step 0",
                 koshu_leapfrog_evaluate(r.leapfrog));
    r.v.z[3] = 0;
    double *const speed[] = {&r.v.vx[3], &r.v.vy[3], &r.v.vz[3]};
    for (int k = 0; k < 3; k++) {
        assert_ok(r.context, koshu_leapfrog_evaluate(r.leapfrog));
        *speed[k] = INFINITY; /* seen in the first kick */
        assert_fails(r.context, KOSHU_NOT_FINITE,
                     "particle 3 (id 77): velocity = (",
                     koshu_leapfrog_step(r.leapfrog, INFINITY, false));
        *speed[k] = far; /* overflows in the drift */
        assert_fails(r.context, KOSHU_NOT_FINITE,
                     "particle 3 (id 77): position = (",
                     koshu_leapfrog_step(r.leapfrog, INFINITY, false));
        assert_non_null(
                strstr(koshu_context_message(r.context), "at step 1, time 4;"));
        r.v.x[3] = -2;
        r.v.y[3] = r.v.z[3] = *speed[k] = 0;
    }
    assert_true(rig_time(&r) == 0 && koshu_leapfrog_steps(r.leapfrog) == 0);
    rig_free(&r);
}

/* 1e-150 apart without softening: 1 / r^3 is beyond double. */
static void
an_infinite_acceleration_is_named(void **state)
{
    (void)state;
    struct rig r = rig_fixed(2, 0.1);
    r.v.x[0] = 1e-150;
    r.v.x[1] = 0;
    assert_fails(r.context, KOSHU_NOT_FINITE,
                 "particle 0 (id 0): acceleration = (-inf",
                 koshu_leapfrog_step(r.leapfrog, INFINITY, false));
    rig_free(&r);
}

/* ---- a backend that keeps the particles -----------------------------------
 */

static struct {
    int forces, kicks, drifts;
    double kicked, drifted;
    int bad_force;   /* the evaluation that gives NaN; 0: none */
    bool cries_wolf; /* drift reports a bad particle where there is none */
} toy;

static koshu_status
toy_forces(struct koshu_backend *backend, const struct koshu_force_task *task,
           struct koshu_particles *particles, unsigned fields)
{
    (void)backend;
    (void)task;
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_acquire(particles, fields, KOSHU_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) v.ax[i] = v.ay[i] = v.az[i] = 0;
    if (++toy.forces == toy.bad_force) v.ay[1] = NAN;
    return KOSHU_OK;
}

static koshu_status
toy_kick(struct koshu_backend *backend, struct koshu_particles *particles,
         double dt)
{
    (void)backend;
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_acquire(particles, KOSHU_ALL_FIELDS,
                                      KOSHU_READ_WRITE, &v));
    toy.kicks++;
    toy.kicked += dt;
    return isnan(v.ay[1]) ? KOSHU_NOT_FINITE : KOSHU_OK;
}

static koshu_status
toy_drift(struct koshu_backend *backend, struct koshu_particles *particles,
          double dt)
{
    (void)backend;
    (void)particles;
    toy.drifts++;
    toy.drifted += dt;
    return toy.cries_wolf ? KOSHU_NOT_FINITE : KOSHU_OK;
}

static bool
toy_can(const struct koshu_backend *backend,
        const struct koshu_force_task *task)
{
    (void)backend;
    (void)task;
    return true;
}

static void
keep_toy(void *backend)
{
    (void)backend;
}

static struct rig
rig_on_toy(void)
{
    static const struct koshu_backend_ops ops = {.name = "toy",
                                                 .can = toy_can,
                                                 .force_store = toy_forces,
                                                 .kick = toy_kick,
                                                 .drift = toy_drift};
    static struct koshu_backend backend = {.ops = &ops};
    struct koshu_leapfrog_options options = {KOSHU_STEP_FIXED, 0.25, 0};
    struct koshu_context *context = test_context(NULL, 1);
    backend.context = context;
    koshu_context_keep(context, &backend, keep_toy);
    memset(&toy, 0, sizeof toy);
    return rig_on(context, 2, 0, &options, 0);
}

static void
the_backend_kicks_and_drifts_where_it_can(void **state)
{
    (void)state;
    struct rig r = rig_on_toy();
    for (int k = 0; k < 4; k++) rig_step(&r, INFINITY);
    assert_int_equal(toy.forces, 5);
    assert_int_equal(toy.kicks, 8);
    assert_int_equal(toy.drifts, 4);
    assert_true(toy.kicked == 1 && toy.drifted == 1);
    rig_free(&r);
}

static void
a_bad_particle_on_the_backend_is_named(void **state)
{
    (void)state;
    struct rig r = rig_on_toy();
    toy.bad_force = 3; /* that of the second step */
    rig_step(&r, INFINITY);
    assert_fails(r.context, KOSHU_NOT_FINITE,
                 "particle 1 (id 1): acceleration = (0, nan, 0) at step 2, "
                 "time 0.5",
                 koshu_leapfrog_step(r.leapfrog, INFINITY, false));
    rig_free(&r);

    r = rig_on_toy();
    toy.cries_wolf = true;
    assert_fails(r.context, KOSHU_INTERNAL, "toy",
                 koshu_leapfrog_step(r.leapfrog, INFINITY, false));
    rig_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(impossible_options_are_refused),
            cmocka_unit_test(one_step_is_what_the_formula_says),
            cmocka_unit_test(a_step_costs_one_force_evaluation),
            cmocka_unit_test(
                    the_potential_is_computed_on_request_and_changes_nothing),
            cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
            cmocka_unit_test(time_is_a_product_not_a_sum),
            cmocka_unit_test(the_last_step_ends_at_until),
            cmocka_unit_test(stops_on_the_grid_do_not_change_the_orbit),
            cmocka_unit_test(a_negative_step_goes_back),
            cmocka_unit_test(until_must_lie_ahead),
            cmocka_unit_test(a_step_below_the_rounding_of_time_is_refused),
            cmocka_unit_test(
                    the_acceleration_rule_takes_the_largest_acceleration),
            cmocka_unit_test(a_resumed_run_goes_on_bit_for_bit),
            cmocka_unit_test(a_bad_particle_is_named),
            cmocka_unit_test(an_infinite_acceleration_is_named),
            cmocka_unit_test(the_backend_kicks_and_drifts_where_it_can),
            cmocka_unit_test(a_bad_particle_on_the_backend_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
