/* SPDX-License-Identifier: MIT */
/* Dehnen, NFW and EFF spheres: density, distribution function, equilibrium. */
#include "base/base.h"
#include "initial/spherical.h"
#include "sampling.h"

static double
uniform_cdf(double u, double unused)
{
    (void)unused;
    return u;
}

/* ---- densities ----------------------------------------------------------- */

static double
dehnen_mass(double r, double gamma)
{
    return pow(r / (1 + r), 3 - gamma);
}

/* M(r) from the density, by Simpson's rule in ln r from 1e-5. */
static double
nfw_shell(double x, double c)
{
    const double r = exp(x);
    return r * r / ((1 + r) * (1 + r)) / cosh(r / c);
}

static double
nfw_mass(double r, double c)
{
    return integral(log(1e-5), log(r), 200, nfw_shell, c) /
           integral(log(1e-5), log(40 * c), 2000, nfw_shell, c);
}

static double
eff_shell(double x, double gamma)
{
    const double r = exp(x);
    return r * r * r * pow(1 + r * r, -(gamma + 1) / 2);
}

static double
eff_mass(double r, double gamma)
{
    return integral(log(1e-3), log(r), 200, eff_shell, gamma) /
           integral(log(1e-3), log(1e5), 2000, eff_shell, gamma);
}

/* Uses draw() directly, because the shift of the centre would blur a cusp. */
static void
assert_radii(struct koshu_initial_options *o, distribution *mass, double of)
{
    enum { N = 5000 };
    static double r[N], v[3][N];
    void *table = NULL;
    const struct koshu_model_ops *model =
            o->model == KOSHU_MODEL_DEHNEN ? &koshu_model_dehnen
            : o->model == KOSHU_MODEL_NFW  ? &koshu_model_nfw
                                           : &koshu_model_eff;
    assert_ok(context, model->prepare(context, o, &table));
    for (uint64_t i = 0; i < N; i++) {
        struct koshu_body b = koshu_draw_body(o, table, i);
        r[i] = sqrt(b.x[0] * b.x[0] + b.x[1] * b.x[1] + b.x[2] * b.x[2]);
        for (int k = 0; k < 3; k++) v[k][i] = b.v[k];
    }
    assert_distributed(r, N, mass, of);
    assert_isotropic(N, v[0], v[1], v[2]);
    koshu_free(table);
}

static void
radii_follow_the_density(void **state)
{
    (void)state;
    const double gamma[] = {0, 0.5, 1, 1.5, 2};
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_DEHNEN, 5000, 51);
    o.mass_fraction = 1;
    for (int k = 0; k < 5; k++) {
        o.dehnen_gamma = gamma[k];
        assert_radii(&o, dehnen_mass, gamma[k]);
    }
    o.model = KOSHU_MODEL_NFW;
    o.concentration = 10;
    assert_radii(&o, nfw_mass, 10);
    o.model = KOSHU_MODEL_EFF;
    o.eff_gamma = 3;
    assert_radii(&o, eff_mass, 3);
    o.eff_gamma = 2.5;
    assert_radii(&o, eff_mass, 2.5);
}

/* ---- distribution functions ---------------------------------------------- */

static struct koshu_spherical *
table_of(enum koshu_model model, double parameter)
{
    struct koshu_initial_options o = model_options(model, 1, 1);
    void *table = NULL;
    o.dehnen_gamma = o.concentration = o.eff_gamma = parameter;
    assert_ok(context, (model == KOSHU_MODEL_DEHNEN ? koshu_model_dehnen
                        : model == KOSHU_MODEL_NFW  ? koshu_model_nfw
                                                    : koshu_model_eff)
                               .prepare(context, &o, &table));
    return table;
}

/* Hernquist 1990 eq. 17, which is Dehnen's model with gamma = 1. */
static double
hernquist_f(double E)
{
    const double q = sqrt(E);
    return koshu_hernquist_h(q) * pow(1 - q * q, -2.5) /
           (8 * sqrt(2) * M_PI * M_PI * M_PI);
}

static void
f_is_that_of_known_models(void **state)
{
    (void)state;
    struct koshu_spherical *t = table_of(KOSHU_MODEL_DEHNEN, 1);
    for (double E = 0.02; E < 0.995; E += 0.025) {
        const double r = 1 / E - 1; /* psi = 1 / (1 + r) */
        assert_near(koshu_spherical_psi(t, r) / E, 1, 2e-5);
        assert_near(koshu_spherical_f(t, E) / hernquist_f(E), 1, 1e-3);
    }
    koshu_free(t);
    /* EFF with gamma = 4 is Plummer's model, f = 24 sqrt 2 / (7 pi^3)
     * E^(7/2) */
    t = table_of(KOSHU_MODEL_EFF, 4);
    for (double E = 0.02; E < 0.99; E += 0.025) {
        const double r = sqrt(1 / (E * E) - 1);
        assert_near(koshu_spherical_psi(t, r) / E, 1, 2e-5);
        assert_near(
                koshu_spherical_f(t, E) /
                        (24 * sqrt(2) / (7 * M_PI * M_PI * M_PI) * pow(E, 3.5)),
                1, 1e-3);
    }
    koshu_free(t);
}

/* The density from f, 4 pi int f v^2 dv, is that of the model. */
static void
f_gives_the_density_back(void **state)
{
    (void)state;
    static const struct {
        enum koshu_model model;
        double parameter;
    } models[] = {{KOSHU_MODEL_DEHNEN, 0},   {KOSHU_MODEL_DEHNEN, 0.5},
                  {KOSHU_MODEL_DEHNEN, 1.5}, {KOSHU_MODEL_DEHNEN, 2},
                  {KOSHU_MODEL_NFW, 5},      {KOSHU_MODEL_NFW, 20},
                  {KOSHU_MODEL_EFF, 2.2},    {KOSHU_MODEL_EFF, 3},
                  {KOSHU_MODEL_EFF, 5}};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        struct koshu_spherical *t =
                table_of(models[m].model, models[m].parameter);
        for (double x = -2; x < 2; x += 0.5) {
            enum { STEPS = 4000 };
            const double r = exp(x * 2), psi = koshu_spherical_psi(t, r);
            const double escape = sqrt(2 * psi);
            const size_t k = (size_t)((log(r) - t->log_nearest) / t->log_step);
            const double part = (log(r) - log(t->r[k])) / t->log_step;
            const double rho = exp(log(t->density[k]) * (1 - part) +
                                   log(t->density[k + 1]) * part);
            double sum = 0;
            for (int s = 0; s < STEPS; s++) {
                const double v = escape * (s + 0.5) / STEPS;
                sum += v * v * koshu_spherical_f(t, psi - v * v / 2);
            }
            sum *= 4 * M_PI * escape / STEPS;
            if (!(fabs(sum / rho - 1) < 5e-3))
                fail_msg("model %d, %g: density at %g is %g of it",
                         (int)models[m].model, models[m].parameter, r,
                         sum / rho);
        }
        koshu_free(t);
    }
}

/* Speeds drawn for Dehnen's gamma = 1 follow Hernquist's distribution
 * function. */
static double
speed_density(double v, double r)
{
    return v * v * hernquist_f(fmax(0, 1 / (1 + r) - v * v / 2));
}

static void
speeds_follow_the_distribution_function(void **state)
{
    (void)state;
    enum { N = 10000 };
    static double u[N];
    struct koshu_initial_options o = model_options(KOSHU_MODEL_DEHNEN, N, 52);
    struct koshu_spherical *t = table_of(KOSHU_MODEL_DEHNEN, 1);
    o.dehnen_gamma = 1;
    for (uint64_t i = 0; i < N; i++) {
        struct koshu_body b = koshu_draw_body(&o, t, i);
        const double r =
                sqrt(b.x[0] * b.x[0] + b.x[1] * b.x[1] + b.x[2] * b.x[2]);
        const double v =
                sqrt(b.v[0] * b.v[0] + b.v[1] * b.v[1] + b.v[2] * b.v[2]);
        const double escape = sqrt(2 / (1 + r));
        u[i] = integral(0, fmin(v, escape), 100, speed_density, r) /
               integral(0, escape, 100, speed_density, r);
    }
    assert_distributed(u, N, uniform_cdf, 0);
    koshu_free(t);
}

/* ---- all particles ------------------------------------------------------- */

/* W = -1/2 int M dM / r, and T is half of |W|. Dehnen 1993: W = -1 / (10 - 4
 * gamma). */
static void
models_are_in_virial_equilibrium(void **state)
{
    (void)state;
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_DEHNEN, 8192, 53);
    struct koshu_particle_view v;
    o.mass_fraction = 1;
    o.dehnen_gamma = 0.5;
    struct koshu_particles *p = make(&o, &v);
    assert_energies(&v, 1.0 / 16, -1.0 / 8);
    koshu_particles_destroy(p);
    o.dehnen_gamma = 1.5;
    p = make(&o, &v);
    assert_energies(&v, 1.0 / 8, -1.0 / 4);
    koshu_particles_destroy(p);
    o.model = KOSHU_MODEL_NFW;
    p = make(&o, &v);
    struct koshu_spherical *t = table_of(KOSHU_MODEL_NFW, o.concentration);
    double W = 0;
    for (size_t k = 0; k < KOSHU_RADII - 1; k++)
        W -= (t->mass[k + 1] * t->mass[k + 1] - t->mass[k] * t->mass[k]) / 2 /
             sqrt(t->r[k] * t->r[k + 1]);
    assert_energies(&v, -W / 2, W);
    assert_centred(&v);
    koshu_free(t);
    koshu_particles_destroy(p);
    o.model = KOSHU_MODEL_EFF;
    o.eff_gamma = 4; /* Plummer's W = -3 pi / 32 */
    p = make(&o, &v);
    assert_energies(&v, 3 * M_PI / 64, -3 * M_PI / 32);
    koshu_particles_destroy(p);
}

static void
parameters_out_of_range_are_refused(void **state)
{
    (void)state;
    struct koshu_particles *p;
    struct koshu_initial_options o = model_options(KOSHU_MODEL_DEHNEN, 10, 1);
    o.dehnen_gamma = 2.5;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "dehnen_gamma = 2.5: it must be in [0, 2]",
                 koshu_initial_create(context, &o, &p));
    o.model = KOSHU_MODEL_NFW;
    o.concentration = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "concentration = 0",
                 koshu_initial_create(context, &o, &p));
    o.model = KOSHU_MODEL_EFF;
    o.eff_gamma = 2;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "eff_gamma = 2",
                 koshu_initial_create(context, &o, &p));
}

/* A density with a central hole has no isotropic velocity distribution. */
static struct koshu_law_at
hollow(double r, double unused)
{
    (void)unused;
    const double s = 1 + r * r * r * r;
    return (struct koshu_law_at){r / (s * s), 1 - 8 * (s - 1) / s,
                                 -32 * (s - 1) / (s * s)};
}

static void
a_negative_distribution_function_is_refused(void **state)
{
    (void)state;
    void *table = NULL;
    const struct koshu_spherical_law law = {hollow, 0, 1e-3, 1e4};
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "the distribution function is negative",
                 koshu_spherical_prepare(context, &law, &table));
    assert_null(table);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(radii_follow_the_density),
            cmocka_unit_test(f_is_that_of_known_models),
            cmocka_unit_test(f_gives_the_density_back),
            cmocka_unit_test(speeds_follow_the_distribution_function),
            cmocka_unit_test(models_are_in_virial_equilibrium),
            cmocka_unit_test(parameters_out_of_range_are_refused),
            cmocka_unit_test(a_negative_distribution_function_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
