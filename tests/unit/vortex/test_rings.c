/* SPDX-License-Identifier: MIT */
/* Rings of particles, in motion. */
#include "support.h"

static const struct koshu_vortex_rings ring = {
        .n = 1, .radius = 1, .circulation = 1, .core = 0.1};

/* A filament's particles alone, with the ring's core. */
static struct koshu_vortices *
ring_of(const struct koshu_vortex_rings *rings)
{
    struct koshu_vortices *v = vortices_of(1, 1, 0);
    assert_ok(context, koshu_vortex_make_rings(rings, v));
    return v;
}

static double
centre_of(const struct koshu_vortices *v, struct koshu_vortex_solver *solver,
          struct koshu_vortex_diagnostics *d)
{
    assert_ok(context, koshu_vortex_diagnose(solver, v, d));
    return d->centre[2];
}

/* A ring's impulse is pi R^2 Gamma along its axis, its energy 1/2 Gamma^2 R
 * (ln(8 R / a) - 2.05 + ...) (Saffman 1970), its speed that of the formula: for
 * a / R = 0.14 the next terms are (a / R)^2 ln(...) of it, some 2 %. As one
 * filament of Gaussians it moves without a change of shape. */
static void
a_ring_has_the_speed_of_saffmans_formula(void **state)
{
    (void)state;
    struct koshu_vortices *v = ring_of(&ring);
    struct koshu_vortex_solver *solver = solver_in(0, 6);
    struct koshu_vortex_diagnostics before, after;
    const struct koshu_vortex_flow flow = {.scheme = KOSHU_VORTEX_SCHEME_RK4};
    const double from = centre_of(v, solver, &before);
    for (int k = 0; k < 4; k++)
        assert_ok(context, koshu_vortex_step(solver, &flow, 0.1, v));
    const double to = centre_of(v, solver, &after);
    const double speed = (to - from) / v->time;
    const double expected = koshu_vortex_ring_speed(&ring);
    assert_near(before.impulse[2], pi, 1e-3);
    assert_near(after.impulse[2], before.impulse[2], 1e-9);
    assert_near(after.energy, before.energy, 1e-6 * before.energy);
    assert_near(hypot(after.centre[0], after.centre[1]), 0, 1e-9);
    assert_near(speed / expected, 1, 0.1);
    koshu_vortex_solver_destroy(solver);
    koshu_vortices_destroy(v);
}

/* Of two perturbed rings, positions at time 0.4, by n steps. */
static void
end_of(enum koshu_vortex_scheme scheme, int n, double *state, size_t size)
{
    const struct koshu_vortex_rings two = {.n = 2,
                                           .radius = 1,
                                           .circulation = 2,
                                           .core = 0.3,
                                           .separation = 0.5,
                                           .perturbation = 0.05,
                                           .waves = 3};
    struct koshu_vortices *v = ring_of(&two);
    struct koshu_vortex_solver *solver = solver_in(0, 6);
    const struct koshu_vortex_flow flow = {.scheme = scheme, .viscosity = 0.01};
    for (int k = 0; k < n; k++)
        assert_ok(context, koshu_vortex_step(solver, &flow, 0.4 / n, v));
    assert_near(v->core, sqrt(0.3 * 0.3 + 2 * 0.01 * 0.4), 1e-14);
    memcpy(state, v->state, size * sizeof *state);
    koshu_vortex_solver_destroy(solver);
    koshu_vortices_destroy(v);
}

static double
distance(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Twice as many steps, a quarter of the error, or a sixteenth. */
static void
schemes_have_their_orders(void **state)
{
    (void)state;
    enum { SIZE = 300 };
    static double exact[SIZE], coarse[SIZE], fine[SIZE];
    end_of(KOSHU_VORTEX_SCHEME_RK4, 16, exact, SIZE);
    for (int k = KOSHU_VORTEX_SCHEME_AB2; k <= KOSHU_VORTEX_SCHEME_RK4; k++) {
        const int n = k == KOSHU_VORTEX_SCHEME_RK4 ? 1 : 4;
        end_of(k, n, coarse, SIZE);
        end_of(k, 2 * n, fine, SIZE);
        const double order = log2(distance(coarse, exact, SIZE) /
                                  distance(fine, exact, SIZE));
        const double expected = k == KOSHU_VORTEX_SCHEME_RK4 ? 4 : 2;
        assert_near(order, expected, 0.5);
    }
}

/* The transpose form keeps the sum of all strengths to rounding and the far
 * field's error, 1e-9. */
static void
transposed_stretching_keeps_the_sum(void **state)
{
    (void)state;
    const struct koshu_vortex_rings wavy = {.n = 1,
                                            .radius = 1,
                                            .circulation = 1,
                                            .core = 0.3,
                                            .perturbation = 0.1,
                                            .waves = 3};
    struct koshu_vortices *v = ring_of(&wavy);
    struct koshu_vortex_solver *solver = solver_in(0, 6);
    struct koshu_vortex_diagnostics d;
    const struct koshu_vortex_flow flow = {
            .scheme = KOSHU_VORTEX_SCHEME_RK2,
            .stretching = KOSHU_VORTEX_STRETCHING_TRANSPOSE};
    koshu_vortices_strength(v, 0)[3] += 0.1; /* no closed filament */
    assert_ok(context, koshu_vortex_step(solver, &flow, 0.1, v));
    assert_ok(context, koshu_vortex_diagnose(solver, v, &d));
    assert_near(d.strength[0], 0.1, 1e-8);
    assert_near(d.strength[1], 0, 1e-8);
    koshu_vortex_solver_destroy(solver);
    koshu_vortices_destroy(v);
}

/* A closed filament's field has no divergence, an open one's has. */
static void
divergence_is_seen(void **state)
{
    (void)state;
    struct koshu_vortices *v = ring_of(&ring);
    struct koshu_vortex_solver *solver = solver_in(0, 6);
    struct koshu_vortex_diagnostics d;
    assert_ok(context, koshu_vortex_diagnose(solver, v, &d));
    assert_true(d.divergence < 1e-6);
    memset(koshu_vortices_strength(v, 0), 0, v->n * sizeof(double));
    assert_ok(context, koshu_vortex_diagnose(solver, v, &d));
    assert_true(d.divergence > 0.01);
    koshu_vortex_solver_destroy(solver);
    koshu_vortices_destroy(v);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_ring_has_the_speed_of_saffmans_formula),
            cmocka_unit_test(schemes_have_their_orders),
            cmocka_unit_test(transposed_stretching_keeps_the_sum),
            cmocka_unit_test(divergence_is_seen),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
