/* SPDX-License-Identifier: MIT */
#include "sampling.h"

static struct koshu_initial_options
orbit(double eccentricity, double q)
{
    struct koshu_initial_options o = model_options(KOSHU_MODEL_TWO_BODY, 2, 1);
    o.eccentricity = eccentricity;
    o.two_body_mass = q;
    return o;
}

static void
energy_and_angular_momentum_are_keplers(void **state)
{
    (void)state;
    static const struct {
        double e, q;
    } c[] = {{0, 0.5}, {0.9, 0.5}, {0.3, 0.01}, {0.99, 0.999}};
    for (int k = 0; k < 4; k++) {
        struct koshu_initial_options o = orbit(c[k].e, c[k].q);
        struct koshu_particle_view v;
        struct koshu_particles *p = make(&o, &v);
        double mu = c[k].q * (1 - c[k].q);
        double d = fabs(v.x[1] - v.x[0]);
        double T;
        assert_ok(context, koshu_initial_kinetic(p, &T));
        double E = T - mu / d;
        double L = v.mass[0] * v.x[0] * v.vy[0] + v.mass[1] * v.x[1] * v.vy[1];
        assert_centred(&v);
        assert_true(v.mass[1] == c[k].q);
        assert_true(v.x[1] > 0 && fabs(d - (1 + c[k].e)) < 1e-15 * d);
        /* E = -m1 m2 / (2 a), L = m1 m2 sqrt(1 - e^2); a few roundings */
        assert_true(fabs(E + mu / 2) < 1e-15);
        assert_true(fabs(L - mu * sqrt((1 - c[k].e) * (1 + c[k].e))) < 1e-15);
        for (int i = 0; i < 2; i++)
            assert_true(v.y[i] == 0 && v.z[i] == 0 && v.vx[i] == 0 &&
                        v.vz[i] == 0);
        koshu_particles_destroy(p);
    }
}

/* One classical Runge-Kutta step of the relative orbit (x, y, vx, vy). */
static void
slope(const double s[4], double ds[4])
{
    double r2 = s[0] * s[0] + s[1] * s[1], r3 = r2 * sqrt(r2);
    ds[0] = s[2];
    ds[1] = s[3];
    ds[2] = -s[0] / r3;
    ds[3] = -s[1] / r3;
}

static void
step(double s[4], double h)
{
    double k[4][4], at[4];
    const double part[4] = {0, h / 2, h / 2, h};
    memset(k, 0, sizeof k);
    for (int stage = 0; stage < 4; stage++) {
        for (int c = 0; c < 4; c++)
            at[c] = s[c] + part[stage] * (stage ? k[stage - 1][c] : 0);
        slope(at, k[stage]);
    }
    for (int c = 0; c < 4; c++)
        s[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
}

static void
the_period_is_two_pi(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    struct koshu_initial_options o = orbit(0.5, 0.25);
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    double start[4] = {v.x[1] - v.x[0], v.y[1] - v.y[0], v.vx[1] - v.vx[0],
                       v.vy[1] - v.vy[0]};
    double s[4], half[4];
    memcpy(s, start, sizeof s);
    for (int k = 0; k < STEPS / 2; k++) step(s, 2 * M_PI / STEPS);
    memcpy(half, s, sizeof half);
    for (int k = 0; k < STEPS / 2; k++) step(s, 2 * M_PI / STEPS);
    /* fourth order with h = 1.6e-3: 1e-10 is a hundred times the error */
    for (int c = 0; c < 4; c++) assert_true(fabs(s[c] - start[c]) < 1e-10);
    /* after half a period at pericentre, 1 - e, on the other side */
    assert_true(fabs(half[0] + 0.5) < 1e-10 && fabs(half[1]) < 1e-10);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(energy_and_angular_momentum_are_keplers),
            cmocka_unit_test(the_period_is_two_pi),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
