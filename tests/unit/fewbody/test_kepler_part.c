/* SPDX-License-Identifier: MIT */
/* Kepler motion over a small part of a revolution. */
#include "fewbody/fewbody.h"
#include "few_bodies.h"

static void
compare(const double *x, const double *v, double mu, double dt, double bound)
{
    double y[3], w[3], z[3], u[3], r = 0;
    for (int d = 0; d < 3; d++) {
        y[d] = z[d] = x[d];
        w[d] = u[d] = v[d];
    }
    koshu_kepler_move(mu, dt, y, w);
    koshu_kepler_move_for(mu, dt, z, u);
    for (int d = 0; d < 3; d++) r += y[d] * y[d];
    for (int d = 0; d < 3; d++) {
        assert_near(z[d], y[d], bound * sqrt(r));
        assert_near(u[d], w[d], bound * sqrt(2 * mu / sqrt(r)) * 2);
    }
}

static void
a_time_leads_where_the_whole_orbit_does(void **state)
{
    (void)state;
    for (int e = 0; e < 10; e++)
        for (int k = 0; k < 12; k++) {
            const struct elements o = {1.5, 2, 0.1 * e, 0.3, 1, 0.5 * k};
            const double period = 2 * acos(-1) * sqrt(8 / 1.5);
            double x[3], v[3];
            few_orbit(&o, x, v);
            for (double part = 1e-6; part < 0.2; part *= 4) {
                compare(x, v, 1.5, part * period, 2e-14);
                compare(x, v, 1.5, -part * period, 2e-14);
            }
            for (int d = 0; d < 3; d++) v[d] *= 2; /* most are unbound */
            compare(x, v, 1.5, 0.01, 2e-14);
            compare(x, v, 1.5, 3, 1e-13);
        }
}

/* Advancing by X equals advancing by the time of X, and a revolution has the
 * right length. */
static void
x_is_a_time(void **state)
{
    (void)state;
    const struct elements o = {1.5, 2, 0.7, 0.3, 1, 4};
    const double turn = 2 * acos(-1) / sqrt(1.5 / 2),
                 period = 2 * acos(-1) * sqrt(8 / 1.5);
    double x[3], v[3], y[3], w[3], t = 0;
    few_orbit(&o, x, v);
    few_orbit(&o, y, w);
    for (int k = 0; k < 10; k++) {
        const double from[3] = {x[0], x[1], x[2]}, at[3] = {v[0], v[1], v[2]},
                     dt = koshu_kepler_move_by(1.5, turn / 10, x, v);
        assert_near(koshu_kepler_find(1.5, dt + k * period, from, at),
                    turn / 10 + k * turn, 1e-12 * (1 + k));
        koshu_kepler_move_for(1.5, dt, y, w);
        for (int d = 0; d < 3; d++) assert_near(y[d], x[d], 1e-13);
        t += dt;
    }
    assert_near(t, period, 1e-13 * period);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_time_leads_where_the_whole_orbit_does),
            cmocka_unit_test(x_is_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
