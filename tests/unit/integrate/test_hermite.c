/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include <koshu/hermite.h>
#include <koshu/initial.h>

#include "backend/backend.h"
#include "base/base.h"
#include "check.h"

/* ---- one system under test ----------------------------------------------- */

struct rig {
    struct koshu_context *context;
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    struct koshu_hermite *hermite;
    struct koshu_particle_view v;
};

static const double softening = 1.0 / 32;

static void
rig_view(struct rig *r)
{
    assert_ok(r->context,
              koshu_particles_acquire(
                      r->particles, KOSHU_ALL_FIELDS | KOSHU_JERK | KOSHU_STEP,
                      KOSHU_READ_WRITE, &r->v));
}

/* A Plummer sphere in double precision, results poisoned. */
static struct rig
rig(size_t n, int threads, const struct koshu_hermite_options *options)
{
    struct rig r = {.context = test_context("ref", threads)};
    struct koshu_initial_options initial = koshu_initial_options_default();
    struct koshu_solver_options solver = koshu_solver_options_default();
    initial.n = n;
    solver.precision = KOSHU_DOUBLE;
    solver.softening = softening;
    assert_ok(r.context,
              koshu_initial_create(r.context, &initial, &r.particles));
    assert_ok(r.context, koshu_solver_create(r.context, &solver, &r.solver));
    rig_view(&r);
    double *const results[] = {r.v.ax, r.v.ay, r.v.az,       r.v.jx,
                               r.v.jy, r.v.jz, r.v.potential};
    for (int k = 0; k < 7; k++)
        for (size_t i = 0; i < n; i++) results[k][i] = NAN;
    assert_ok(r.context, koshu_hermite_create(options, r.solver, r.particles, 0,
                                              &r.hermite));
    return r;
}

static void
rig_free(struct rig *r)
{
    koshu_hermite_destroy(r->hermite);
    koshu_particles_destroy(r->particles);
    koshu_solver_destroy(r->solver);
    koshu_context_destroy(r->context);
}

static void
rig_run(struct rig *r, double until)
{
    while (koshu_hermite_time(r->hermite) != until)
        assert_ok(r->context, koshu_hermite_advance(r->hermite, until, false));
}

/* Block steps of 1/8 at most, each call making `most` of them. */
static struct koshu_hermite_options
blocks_of(uint64_t most)
{
    struct koshu_hermite_options o = koshu_hermite_options_default();
    o.most_blocks = most;
    return o;
}

static struct koshu_hermite_options
fixed(double dt)
{
    struct koshu_hermite_options o = koshu_hermite_options_default();
    o.rule = KOSHU_STEP_FIXED;
    o.dt = dt;
    return o;
}

static void
assert_same_state(const struct rig *a, const struct rig *b)
{
    size_t bytes = a->v.n * sizeof(double);
    assert_memory_equal(a->v.x, b->v.x, bytes);
    assert_memory_equal(a->v.vy, b->v.vy, bytes);
    assert_memory_equal(a->v.az, b->v.az, bytes);
    assert_memory_equal(a->v.jx, b->v.jx, bytes);
    assert_memory_equal(a->v.tick, b->v.tick, bytes);
    assert_memory_equal(a->v.step, b->v.step, bytes);
    struct koshu_hermite_clock c = koshu_hermite_clock_of(a->hermite);
    struct koshu_hermite_clock d = koshu_hermite_clock_of(b->hermite);
    assert_memory_equal(&c, &d, sizeof c);
}

/* ---- the formulas of a step ---------------------------------------------- */

struct body {
    double x[3], v[3], a[3], j[3];
};

/* Accelerations and jerks of bodies of mass 1/n, pair by pair. */
static void
pull(struct body *b, int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) b[i].a[c] = b[i].j[c] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double r2 = softening * softening, rv = 0;
            if (i == k) continue;
            for (int c = 0; c < 3; c++) {
                double r = b[k].x[c] - b[i].x[c];
                r2 += r * r;
                rv += r * (b[k].v[c] - b[i].v[c]);
            }
            for (int c = 0; c < 3; c++) {
                double r = b[k].x[c] - b[i].x[c], v = b[k].v[c] - b[i].v[c];
                b[i].a[c] += r / pow(r2, 1.5) / n;
                b[i].j[c] += (v - 3 * rv / r2 * r) / pow(r2, 1.5) / n;
            }
        }
}

/* P(EC)^iterations of a common step h, as the header has it. */
static void
step_by_hand(struct body *b, int n, double h, int iterations)
{
    struct body old[8];
    memcpy(old, b, (size_t)n * sizeof *b);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            const struct body *o = &old[i];
            b[i].x[c] +=
                    h * o->v[c] + h * h / 2 * o->a[c] + h * h * h / 6 * o->j[c];
            b[i].v[c] += h * o->a[c] + h * h / 2 * o->j[c];
        }
    for (int k = 0; k < iterations; k++) {
        pull(b, n);
        for (int i = 0; i < n; i++)
            for (int c = 0; c < 3; c++) {
                const struct body *o = &old[i];
                b[i].v[c] = o->v[c] + h / 2 * (o->a[c] + b[i].a[c]) +
                            h * h / 12 * (o->j[c] - b[i].j[c]);
                b[i].x[c] = o->x[c] + h / 2 * (o->v[c] + b[i].v[c]) +
                            h * h / 12 * (o->a[c] - b[i].a[c]);
            }
    }
}

static void
bodies_of(const struct koshu_particle_view *v, struct body *b)
{
    for (size_t i = 0; i < v->n; i++)
        b[i] = (struct body){{v->x[i], v->y[i], v->z[i]},
                             {v->vx[i], v->vy[i], v->vz[i]},
                             {v->ax[i], v->ay[i], v->az[i]},
                             {v->jx[i], v->jy[i], v->jz[i]}};
}

/* The sums are taken in another order: some roundings of numbers below 1e3,
 * which three steps hardly enlarge. */
static const double some_roundings = 1e-12;

static void
a_step_is_what_the_header_says(void **state)
{
    (void)state;
    enum { BODIES = 5 };
    for (unsigned n = 1; n <= 3; n++)
        for (int back = 0; back < 2; back++) {
            struct koshu_hermite_options o = fixed(back ? -1.0 / 64 : 1.0 / 64);
            o.iterations = n;
            struct rig r = rig(BODIES, 1, &o);
            struct body hand[BODIES], ours[BODIES];
            bodies_of(&r.v, hand);
            pull(hand, BODIES);
            for (int k = 0; k < 3; k++)
                step_by_hand(hand, BODIES, o.dt, (int)n);
            rig_run(&r, 3 * o.dt);
            bodies_of(&r.v, ours);
            for (size_t i = 0; i < BODIES; i++)
                for (int c = 0; c < 3; c++) {
                    assert_near(ours[i].x[c], hand[i].x[c], some_roundings);
                    assert_near(ours[i].v[c], hand[i].v[c], some_roundings);
                    assert_near(ours[i].a[c], hand[i].a[c],
                                100 * some_roundings);
                }
            assert_int_equal(koshu_hermite_clock_of(r.hermite).blocks, 3);
            assert_int_equal(koshu_hermite_clock_of(r.hermite).steps,
                             3 * BODIES);
            /* the first evaluation, then n per step */
            assert_int_equal(koshu_hermite_interactions(r.hermite),
                             BODIES * BODIES * (1 + 3 * n));
            rig_free(&r);
        }
}

/* ---- block steps --------------------------------------------------------- */

/* After each block: steps are powers of two that divide where they begin, no
 * particle is late, and all are together at multiples of dt (and elsewhere
 * only by chance). */
static void
assert_commensurable(const struct rig *r)
{
    struct koshu_hermite_clock c = koshu_hermite_clock_of(r->hermite);
    size_t together = 0;
    for (size_t i = 0; i < r->v.n; i++) {
        uint64_t tick = r->v.tick[i], step = r->v.step[i];
        assert_true(step > 0 && step <= KOSHU_TICKS);
        assert_int_equal(step & (step - 1), 0);
        assert_int_equal(tick % step, 0);
        assert_true(tick <= c.ticks && tick + step > c.ticks);
        together += tick == c.ticks;
    }
    if (c.ticks % KOSHU_TICKS == 0) assert_int_equal(together, r->v.n);
    assert_int_equal(c.synchronised == c.time, c.ticks % KOSHU_TICKS == 0);
}

static void
steps_stay_commensurable(void **state)
{
    (void)state;
    struct koshu_hermite_options o = blocks_of(1);
    struct rig r = rig(64, 1, &o);
    uint64_t blocks = 0;
    double shortest = INFINITY, longest = 0;
    while (koshu_hermite_time(r.hermite) != 0.5) {
        assert_ok(r.context, koshu_hermite_advance(r.hermite, 0.5, false));
        assert_int_equal(koshu_hermite_clock_of(r.hermite).blocks, ++blocks);
        assert_commensurable(&r);
        for (size_t i = 0; i < r.v.n; i++) {
            shortest = fmin(shortest, (double)r.v.step[i]);
            longest = fmax(longest, (double)r.v.step[i]);
        }
    }
    /* else this is no test of block steps */
    assert_true(longest >= 16 * shortest && blocks > 100);
    rig_free(&r);
}

static void
calls_and_threads_change_no_bit(void **state)
{
    (void)state;
    struct koshu_hermite_options one = blocks_of(1), many = blocks_of(0);
    struct rig a = rig(100, 1, &one), b = rig(100, 2, &many);
    rig_run(&a, 0.25);
    rig_run(&b, 0.125);
    rig_run(&b, 0.25);
    assert_same_state(&a, &b);
    rig_free(&a);
    rig_free(&b);
}

static void
potentials_are_those_of_the_positions_and_change_no_bit(void **state)
{
    (void)state;
    struct koshu_hermite_options o = blocks_of(0);
    struct rig a = rig(64, 1, &o), b = rig(64, 1, &o);
    rig_run(&a, 0.25);
    while (koshu_hermite_time(b.hermite) != 0.25)
        assert_ok(b.context, koshu_hermite_advance(b.hermite, 0.25, true));
    assert_same_state(&a, &b);
    for (size_t i = 0; i < a.v.n; i++) {
        double expected = 0;
        for (size_t j = 0; j < a.v.n; j++) {
            double x = a.v.x[j] - a.v.x[i], y = a.v.y[j] - a.v.y[i],
                   z = a.v.z[j] - a.v.z[i];
            double r2 = x * x + y * y + z * z + softening * softening;
            if (i != j) expected -= a.v.mass[j] / sqrt(r2);
        }
        assert_near(b.v.potential[i], expected, some_roundings);
    }
    rig_free(&a);
    rig_free(&b);
}

/* ---- where a run stops --------------------------------------------------- */

static void
a_stop_on_the_grid_changes_no_bit(void **state)
{
    (void)state;
    struct koshu_hermite_options o = blocks_of(0);
    o.dt = 0.1;
    struct rig a = rig(32, 1, &o), b = rig(32, 1, &o);
    assert_true(0.3 != 3 * 0.1); /* but for rounding */
    for (double t = 1; t <= 3; t++) rig_run(&a, t * 0.1);
    rig_run(&b, 0.3);
    assert_true(koshu_hermite_time(b.hermite) == 0.3);
    assert_memory_equal(a.v.x, b.v.x, a.v.n * sizeof(double));
    assert_memory_equal(a.v.jz, b.v.jz, a.v.n * sizeof(double));
    rig_free(&a);
    rig_free(&b);
}

/* Off the grid each particle makes a partial step; the error of the orbit is
 * that of the steps, some 1e-8 here. */
static void
a_stop_off_the_grid_is_reached_by_all(void **state)
{
    (void)state;
    struct koshu_hermite_options o = blocks_of(3), fine = fixed(1.0 / 4096);
    struct rig a = rig(32, 1, &o), b = rig(32, 1, &fine);
    rig_run(&a, 0.3);
    struct koshu_hermite_clock c = koshu_hermite_clock_of(a.hermite);
    assert_true(c.time == 0.3 && c.synchronised == 0.3 && c.origin_time == 0.3);
    assert_int_equal(c.ticks, 0);
    assert_int_equal(c.origin_rounds, 3); /* 1/8, 1/4, 0.3 */
    assert_commensurable(&a);
    rig_run(&b, 0.3);
    for (size_t i = 0; i < a.v.n; i++) assert_near(a.v.x[i], b.v.x[i], 1e-6);
    rig_run(&a, 0.3 + 0.125);
    assert_int_equal(koshu_hermite_clock_of(a.hermite).ticks, KOSHU_TICKS);
    assert_commensurable(&a);
    rig_free(&a);
    rig_free(&b);
}

static void
time_cannot_go_where_it_is_not(void **state)
{
    (void)state;
    struct koshu_hermite_options o = blocks_of(0);
    struct rig r = rig(8, 1, &o);
    assert_fails(r.context, KOSHU_INVALID_ARGUMENT, "does not lie ahead",
                 koshu_hermite_advance(r.hermite, 0, false));
    assert_fails(r.context, KOSHU_INVALID_ARGUMENT, "does not lie ahead",
                 koshu_hermite_advance(r.hermite, -1, false));
    assert_ok(r.context, koshu_hermite_advance(r.hermite, INFINITY, false));
    struct koshu_hermite_clock clock = koshu_hermite_clock_of(r.hermite);
    clock.time = clock.synchronised = clock.origin_time = 1e18;
    koshu_hermite_resume(r.hermite, &clock);
    assert_fails(r.context, KOSHU_BAD_INPUT, "too small to advance the time",
                 koshu_hermite_advance(r.hermite, INFINITY, false));
    rig_free(&r);
}

/* ---- going on ------------------------------------------------------------ */

/* A second store and integrator that take over what a checkpoint keeps. */
static struct rig
rig_resumed(const struct rig *from, const struct koshu_hermite_options *o)
{
    struct rig r = rig(from->v.n, 1, o);
    const struct koshu_particle_view *a = &from->v, *b = &r.v;
    double *const old[] = {a->x,  a->y,  a->z,  a->vx, a->vy, a->vz,
                           a->ax, a->ay, a->az, a->jx, a->jy, a->jz};
    double *const new[] = {b->x,  b->y,  b->z,  b->vx, b->vy, b->vz,
                           b->ax, b->ay, b->az, b->jx, b->jy, b->jz};
    for (int k = 0; k < 12; k++) memcpy(new[k], old[k], a->n * sizeof(double));
    memcpy(b->tick, a->tick, a->n * sizeof *a->tick);
    memcpy(b->step, a->step, a->n * sizeof *a->step);
    struct koshu_hermite_clock clock = koshu_hermite_clock_of(from->hermite);
    koshu_hermite_resume(r.hermite, &clock);
    return r;
}

static void
a_run_resumes_bit_for_bit_after_any_block(void **state)
{
    (void)state;
    struct koshu_hermite_options o = blocks_of(1);
    o.iterations = 2;
    for (int blocks = 1; blocks < 300; blocks += 37) {
        struct rig a = rig(48, 1, &o);
        for (int k = 0; k < blocks; k++)
            assert_ok(a.context, koshu_hermite_advance(a.hermite, 10, false));
        struct rig b = rig_resumed(&a, &o);
        rig_run(&a, 1);
        rig_run(&b, 1);
        assert_same_state(&a, &b);
        rig_free(&a);
        rig_free(&b);
    }
}

static void
with_another_dt_all_are_brought_together_first(void **state)
{
    (void)state;
    struct koshu_hermite_options o = blocks_of(1), other = blocks_of(1);
    other.dt = 0.07;
    struct rig a = rig(48, 1, &o);
    for (int k = 0; k < 50; k++)
        assert_ok(a.context, koshu_hermite_advance(a.hermite, 10, false));
    double time = koshu_hermite_time(a.hermite);
    assert_true(koshu_hermite_clock_of(a.hermite).synchronised != time);
    struct rig b = rig_resumed(&a, &other);
    assert_ok(b.context, koshu_hermite_evaluate(b.hermite));
    struct koshu_hermite_clock c = koshu_hermite_clock_of(b.hermite);
    assert_true(c.time == time && c.synchronised == time && c.dt == 0.07);
    rig_run(&b, 1);
    rig_run(&a, 1);
    /* the error of the steps */
    for (size_t i = 0; i < a.v.n; i++) assert_near(a.v.x[i], b.v.x[i], 1e-5);
    rig_free(&a);
    rig_free(&b);
}

/* Ticks of 64 bits last for 2^24 rounds; long before, they start again. */
static void
ticks_are_wound_back_and_change_no_bit(void **state)
{
    (void)state;
    struct koshu_hermite_options o = blocks_of(0);
    struct rig a = rig(32, 1, &o), b = rig(32, 1, &o);
    rig_run(&a, 0.125);
    rig_run(&b, 0.125);
    struct koshu_hermite_clock clock = koshu_hermite_clock_of(b.hermite);
    const uint64_t rounds = (UINT64_C(1) << 22) - 1; /* one is left */
    clock.ticks = rounds * KOSHU_TICKS;
    clock.origin_time = 0.125 - (double)rounds * o.dt;
    for (size_t i = 0; i < b.v.n; i++) b.v.tick[i] = clock.ticks;
    koshu_hermite_resume(b.hermite, &clock);
    rig_run(&b, 0.25);
    clock = koshu_hermite_clock_of(b.hermite);
    assert_int_equal(clock.ticks, 0);
    assert_int_equal(clock.origin_rounds, rounds + 1);
    assert_true(clock.origin_time == 0.25);
    rig_run(&a, 0.5);
    rig_run(&b, 0.5);
    assert_memory_equal(a.v.x, b.v.x, a.v.n * sizeof(double));
    assert_memory_equal(a.v.step, b.v.step, a.v.n * sizeof *a.v.step);
    rig_free(&a);
    rig_free(&b);
}

/* ---- failures ------------------------------------------------------------ */

static void
impossible_options_are_refused(void **state)
{
    (void)state;
    struct koshu_hermite_options good = koshu_hermite_options_default(), o;
    struct rig r = rig(4, 1, &good);
    struct koshu_hermite *h;
#define REFUSED(words, member, value)                                     \
    o = good;                                                             \
    o.member = value;                                                     \
    assert_fails(r.context, KOSHU_INVALID_ARGUMENT, words,                \
                 koshu_hermite_create(&o, r.solver, r.particles, 0, &h)); \
    assert_null(h)
    REFUSED("step rule 1", rule, KOSHU_STEP_ACCELERATION);
    REFUSED("dt = 0", dt, 0);
    REFUSED("dt = inf", dt, INFINITY);
    REFUSED("iterations = 0", iterations, 0);
    REFUSED("eta = 0", eta, 0);
    REFUSED("eta = nan", eta, NAN);
    REFUSED("eta_start = -1", eta_start, -1);
    assert_fails(
            r.context, KOSHU_INVALID_ARGUMENT, "time = inf",
            koshu_hermite_create(&good, r.solver, r.particles, INFINITY, &h));
    rig_free(&r);
}

static void
a_backend_without_jerks_is_refused(void **state)
{
    (void)state;
    struct koshu_hermite_options o = koshu_hermite_options_default();
    struct rig r = rig(4, 1, &o);
    struct koshu_backend *backend;
    struct koshu_hermite *h;
    assert_ok(r.context, koshu_backend_of(r.context, &backend));
    const struct koshu_backend_ops *whole = backend->ops;
    struct koshu_backend_ops without = *whole;
    without.j_memory = NULL;
    backend->ops = &without;
    assert_fails(r.context, KOSHU_UNSUPPORTED, "cannot sum jerks",
                 koshu_hermite_create(&o, r.solver, r.particles, 0, &h));
    backend->ops = whole;
    rig_free(&r);
}

/* Two bodies on an orbit without softening, in pericentre near each other; a
 * tick is dt / 2^40. They begin at apocentre with this speed. */
static struct rig
rig_orbit(double speed, double dt)
{
    struct koshu_hermite_options o = blocks_of(0);
    struct rig r = rig(2, 1, &o);
    koshu_hermite_destroy(r.hermite);
    koshu_solver_destroy(r.solver);
    struct koshu_solver_options solver = koshu_solver_options_default();
    solver.precision = KOSHU_DOUBLE;
    o.dt = dt;
    assert_ok(r.context, koshu_solver_create(r.context, &solver, &r.solver));
    assert_ok(r.context,
              koshu_hermite_create(&o, r.solver, r.particles, 0, &r.hermite));
    for (size_t i = 0; i < 2; i++) {
        r.v.id[i] = 7;
        r.v.mass[i] = 1;
        r.v.x[i] = i ? 1 : -1;
        r.v.vy[i] = r.v.x[i] * speed;
        r.v.y[i] = r.v.z[i] = r.v.vx[i] = r.v.vz[i] = 0;
    }
    return r;
}

static void
a_step_below_a_tick_names_the_particle(void **state)
{
    (void)state;
    const char *words = "(id 7) needs a step shorter than dt / 2^40";
    /* at pericentre, after 2.2: ticks of 1e-4 */
    struct rig r = rig_orbit(0.05, 1e-4 * 0x1p40);
    koshu_status status = KOSHU_OK;
    while (status == KOSHU_OK)
        status = koshu_hermite_advance(r.hermite, INFINITY, false);
    assert_int_equal(status, KOSHU_BAD_INPUT);
    assert_non_null(strstr(koshu_context_message(r.context), words));
    assert_non_null(strstr(koshu_context_message(r.context), "after time 2.2"));
    rig_free(&r);
    /* from the beginning */
    r = rig_orbit(0.5, 0x1p40);
    assert_fails(r.context, KOSHU_BAD_INPUT, words,
                 koshu_hermite_evaluate(r.hermite));
    rig_free(&r);
}

static void
a_particle_that_is_not_finite_is_named(void **state)
{
    (void)state;
    struct koshu_hermite_options o = fixed(1);
    struct rig r = rig(4, 1, &o);
    r.v.vy[0] = 1e308; /* beyond the largest double in the second step */
    r.v.id[0] = 42;
    koshu_status status = KOSHU_OK;
    while (status == KOSHU_OK)
        status = koshu_hermite_advance(r.hermite, INFINITY, false);
    assert_int_equal(status, KOSHU_NOT_FINITE);
    assert_non_null(
            strstr(koshu_context_message(r.context), "particle 0 (id 42)"));
    rig_free(&r);
    r = rig(4, 1, &o);
    r.v.x[1] = NAN;
    assert_fails(r.context, KOSHU_NOT_FINITE, "particle 1 (id 1): position",
                 koshu_hermite_evaluate(r.hermite));
    rig_free(&r);
}

static void
count_warnings(void *user, enum koshu_log_level level, const char *message)
{
    int *n = user;
    *n += level == KOSHU_LOG_WARNING && strstr(message, "single precision");
}

static void
single_precision_is_warned_of(void **state)
{
    (void)state;
    int n = 0;
    struct koshu_context_options options = koshu_context_options_default();
    options.backend = "ref";
    options.log = count_warnings;
    options.log_user = &n;
    struct rig r = {0};
    assert_int_equal(koshu_context_create(&options, &r.context), KOSHU_OK);
    struct koshu_solver_options solver = koshu_solver_options_default();
    struct koshu_hermite_options o = koshu_hermite_options_default();
    assert_ok(r.context, koshu_particles_create(r.context, 2, &r.particles));
    for (int p = KOSHU_SINGLE; p <= KOSHU_DOUBLE; p++) {
        solver.precision = (enum koshu_precision)p;
        assert_ok(r.context,
                  koshu_solver_create(r.context, &solver, &r.solver));
        assert_ok(r.context, koshu_hermite_create(&o, r.solver, r.particles, 0,
                                                  &r.hermite));
        assert_int_equal(n, 1); /* of the first */
        koshu_hermite_destroy(r.hermite);
        koshu_solver_destroy(r.solver);
    }
    koshu_particles_destroy(r.particles);
    koshu_context_destroy(r.context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_step_is_what_the_header_says),
            cmocka_unit_test(steps_stay_commensurable),
            cmocka_unit_test(calls_and_threads_change_no_bit),
            cmocka_unit_test(
                    potentials_are_those_of_the_positions_and_change_no_bit),
            cmocka_unit_test(a_stop_on_the_grid_changes_no_bit),
            cmocka_unit_test(a_stop_off_the_grid_is_reached_by_all),
            cmocka_unit_test(time_cannot_go_where_it_is_not),
            cmocka_unit_test(a_run_resumes_bit_for_bit_after_any_block),
            cmocka_unit_test(with_another_dt_all_are_brought_together_first),
            cmocka_unit_test(ticks_are_wound_back_and_change_no_bit),
            cmocka_unit_test(impossible_options_are_refused),
            cmocka_unit_test(a_backend_without_jerks_is_refused),
            cmocka_unit_test(a_step_below_a_tick_names_the_particle),
            cmocka_unit_test(a_particle_that_is_not_finite_is_named),
            cmocka_unit_test(single_precision_is_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
