/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "hermite_rig.h"

/* ---- the formulas of a step --------------------------------------------- */

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
            double r2 = rig_softening * rig_softening, rv = 0;
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

/* P(EC)^iterations with a common step h, as defined in the header. */
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
 * hardly amplified over three steps. */
static const double some_roundings = 1e-12;

static void
a_step_is_what_the_header_says(void **state)
{
    (void)state;
    enum { BODIES = 5 };
    for (unsigned n = 1; n <= 3; n++)
        for (int back = 0; back < 2; back++) {
            struct koshu_integrator_options o =
                    fixed(back ? -1.0 / 64 : 1.0 / 64);
            o.iterations = n;
            struct rig r = rig_make(BODIES, 1, &o);
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
            assert_int_equal(clock_of(r.hermite).steps, 3);
            assert_int_equal(clock_of(r.hermite).particle_steps, 3 * BODIES);
            /* the first evaluation, then n per step */
            assert_int_equal(interactions_of(r.hermite),
                             BODIES * BODIES * (1 + 3 * n));
            rig_free(&r);
        }
}

/* ---- block steps -------------------------------------------------------- */

static void
steps_stay_commensurable(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(1);
    struct rig r = rig_make(64, 1, &o);
    uint64_t blocks = 0;
    double shortest = INFINITY, longest = 0;
    while (koshu_integrator_time(r.hermite) != 0.5) {
        assert_ok(r.context, koshu_integrator_advance(r.hermite, 0.5, false));
        assert_int_equal(clock_of(r.hermite).steps, ++blocks);
        assert_commensurable(&r);
        for (size_t i = 0; i < r.v.n; i++) {
            shortest = fmin(shortest, (double)r.v.step[i]);
            longest = fmax(longest, (double)r.v.step[i]);
        }
    }
    /* otherwise this would not test block steps */
    assert_true(longest >= 16 * shortest && blocks > 100);
    rig_free(&r);
}

static void
calls_make_as_many_blocks_as_they_may(void **state)
{
    (void)state;
    struct koshu_integrator_options o = blocks_of(5);
    struct rig r = rig_make(64, 1, &o);
    assert_ok(r.context, koshu_integrator_advance(r.hermite, 0.5, false));
    assert_int_equal(clock_of(r.hermite).steps, 5);
    rig_free(&r);
}

static void
calls_and_threads_change_no_bit(void **state)
{
    (void)state;
    struct koshu_integrator_options one = blocks_of(1), many = blocks_of(0);
    struct rig a = rig_make(100, 1, &one), b = rig_make(100, 2, &many);
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
    struct koshu_integrator_options o = blocks_of(0);
    struct rig a = rig_make(64, 1, &o), b = rig_make(64, 1, &o);
    rig_run(&a, 0.25);
    while (koshu_integrator_time(b.hermite) != 0.25)
        assert_ok(b.context, koshu_integrator_advance(b.hermite, 0.25, true));
    assert_same_state(&a, &b);
    for (size_t i = 0; i < a.v.n; i++) {
        double expected = 0;
        for (size_t j = 0; j < a.v.n; j++) {
            double x = a.v.x[j] - a.v.x[i], y = a.v.y[j] - a.v.y[i],
                   z = a.v.z[j] - a.v.z[i];
            double r2 = x * x + y * y + z * z + rig_softening * rig_softening;
            if (i != j) expected -= a.v.mass[j] / sqrt(r2);
        }
        assert_near(b.v.potential[i], expected, some_roundings);
    }
    rig_free(&a);
    rig_free(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_step_is_what_the_header_says),
            cmocka_unit_test(steps_stay_commensurable),
            cmocka_unit_test(calls_make_as_many_blocks_as_they_may),
            cmocka_unit_test(calls_and_threads_change_no_bit),
            cmocka_unit_test(
                    potentials_are_those_of_the_positions_and_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
