/* SPDX-License-Identifier: MIT */
#include "initial/king.h"

#include "sampling.h"

struct concentration {
    double w0, c;
};

static void
assert_concentrations(const struct concentration *expected, size_t n,
                      double tolerance)
{
    static struct koshu_king king;
    for (size_t k = 0; k < n; k++) {
        koshu_king_solve(expected[k].w0, &king);
        assert_true(fabs(king.concentration - expected[k].c) < tolerance);
    }
}

static void
concentrations_are_the_published_ones(void **state)
{
    (void)state;
    /* King 1966, three decimals; the exact last value is 2.1185 */
    const struct concentration published[] = {
            {3, 0.672}, {6, 1.255}, {9, 2.120}};
    assert_concentrations(published, 3, 2e-3);
}

static void
concentrations_do_not_depend_on_the_method(void **state)
{
    (void)state;
    /* From Poisson's equation in ln r instead, from r = 1e-4 with the closed
     * form of the density: Runge-Kutta steps of 5e-3, accurate to 1e-9. */
    const struct concentration other[] = {
            {0.5, 0.12144703075}, {3, 0.67204309947},  {6, 1.25507002181},
            {9, 2.11853155699},   {12, 2.73893829136}, {15, 3.35632238104}};
    assert_concentrations(other, 6, 1e-8);
}

static void
density_is_the_closed_form(void **state)
{
    (void)state;
    for (double W = 0.5; W <= 15; W += 0.5) {
        double closed =
                exp(W) * erf(sqrt(W)) - sqrt(4 * W / M_PI) * (1 + 2 * W / 3);
        /* the closed form cancels to about 1/6 of its terms at W = 0.5 */
        assert_true(fabs(koshu_king_density(W) / closed - 1) < 1e-13);
    }
    assert_true(koshu_king_density(0) == 0);
    /* leading term of the series; the next is 2/7 W of it */
    double tiny = 1e-8;
    double leading = 8 / (15 * sqrt(M_PI)) * pow(tiny, 2.5);
    assert_true(fabs(koshu_king_density(tiny) / leading - 1) < 1e-8);
}

static void
the_profile_obeys_poissons_equation(void **state)
{
    (void)state;
    static struct koshu_king king;
    const double w0[] = {0.5, 6, 15};
    for (int m = 0; m < 3; m++) {
        koshu_king_solve(w0[m], &king);
        double rho0 = koshu_king_density(w0[m]), mass = 0;
        for (int k = 2; k <= KOSHU_KING_STEPS; k += 2) {
            struct koshu_king_point *q = &king.point[k - 2];
            double f[3];
            for (int s = 0; s < 3; s++) {
                double t = (k - 2 + s) * king.step;
                double rho = koshu_king_density(fmax(0, w0[m] - t * t)) / rho0;
                f[s] = rho * q[s].r * q[s].r * q[s].r_slope;
                /* dW/dr = -2 t / r_slope = -9 mu / r^2 */
                double pull = 9 * q[s].mu * q[s].r_slope;
                double slope = 2 * t * q[s].r * q[s].r;
                assert_true(fabs(pull - slope) <= 1e-12 * slope);
            }
            mass += king.step / 3 * (f[0] + 4 * f[1] + f[2]);
        }
        /* the errors of Simpson's rule with steps of 1e-3, and of the
         * profile */
        assert_true(fabs(mass / king.point[KOSHU_KING_STEPS].mu - 1) < 1e-8);
    }
}

static struct koshu_king model;

/* The interval of the table that contains r (Hénon units), and the position in
 * it. */
static int
locate(double r, double *part)
{
    const struct koshu_king_point *p = model.point;
    int low = 0, high = KOSHU_KING_STEPS;
    r /= model.length;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (p[middle].r <= r)
            low = middle;
        else
            high = middle;
    }
    *part = fmin(1, (r - p[low].r) / (p[high].r - p[low].r));
    return low;
}

/* mu(r) / mu(edge), interpolated linearly. */
static double
mass_inside(double r, double unused)
{
    (void)unused;
    double part;
    const struct koshu_king_point *p = model.point + locate(r, &part);
    return (p[0].mu + part * (p[1].mu - p[0].mu)) /
           model.point[KOSHU_KING_STEPS].mu;
}

/* W(r), interpolating t linearly. */
static double
potential_at(double r)
{
    double part;
    int k = locate(r, &part);
    double t = (k + part) * model.step;
    return fmax(0, model.w0 - t * t);
}

static double
speed_density(double v, double W)
{
    return v * v * expm1(fmax(0, W - v * v / 2));
}

static double
uniform_cdf(double u, double unused)
{
    (void)unused;
    return u;
}

static double
length_of(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Uses the model's draw() directly, before the centre is shifted: the core of
 * W0 = 15 is smaller than the shift. */
static void
radii_and_speeds_follow_the_model(void **state)
{
    (void)state;
    enum { N = 20000 };
    static double r[N], u[N], x[3][N], v[3][N];
    const double w0[] = {0.5, 3, 6, 9, 15};
    for (int k = 0; k < 5; k++) {
        struct koshu_initial_options o = model_options(KOSHU_MODEL_KING, N, 32);
        koshu_king_solve(w0[k], &model);
        for (uint64_t i = 0; i < N; i++) {
            struct koshu_body b = koshu_draw_body(&o, &model, i);
            r[i] = length_of(b.x);
            for (int c = 0; c < 3; c++) {
                x[c][i] = b.x[c];
                v[c][i] = b.v[c];
            }
            double speed = length_of(b.v) / model.velocity;
            double W = potential_at(r[i]), escape = sqrt(2 * W);
            assert_true(speed < escape * (1 + 1e-4)); /* the table is linear */
            u[i] = integral(0, fmin(speed, escape), 100, speed_density, W) /
                   integral(0, escape, 100, speed_density, W);
        }
        assert_distributed(r, N, mass_inside, 0);
        assert_distributed(u, N, uniform_cdf, 0);
        assert_isotropic(N, x[0], x[1], x[2]);
        assert_isotropic(N, v[0], v[1], v[2]);
    }
}

static void
energies_are_those_of_henon_units(void **state)
{
    (void)state;
    const double w0[] = {0.5, 6, 15};
    for (int k = 0; k < 3; k++) {
        struct koshu_initial_options o =
                model_options(KOSHU_MODEL_KING, 8192, 31);
        o.king_w0 = w0[k];
        struct koshu_particle_view v;
        struct koshu_particles *p = make(&o, &v);
        assert_centred(&v);
        assert_energies(&v, 0.25, -0.5);
        koshu_particles_destroy(p);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(concentrations_are_the_published_ones),
            cmocka_unit_test(concentrations_do_not_depend_on_the_method),
            cmocka_unit_test(density_is_the_closed_form),
            cmocka_unit_test(the_profile_obeys_poissons_equation),
            cmocka_unit_test(radii_and_speeds_follow_the_model),
            cmocka_unit_test(energies_are_those_of_henon_units),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
