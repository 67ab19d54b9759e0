/* SPDX-License-Identifier: MIT */
/* A disk with bulge and halo: positions, the disk's field, the moments of its
 * velocities, and the velocities of bulge and halo. */
#include "initial/disk.h"
#include "sampling.h"

enum { N = 60000 };
static const double KEPT = 0.95;

static struct koshu_initial_options
galaxy(void)
{
    struct koshu_initial_options o = model_options(KOSHU_MODEL_GALAXY, N, 9);
    o.disk_fraction = 0.3;
    o.bulge_fraction = 0.2;
    o.halo_length = 2;
    o.mass_fraction = KEPT;
    return o;
}

/* A view of particles first ... first + n - 1. */
static struct koshu_particle_view
part_of(const struct koshu_particle_view *v, size_t first, size_t n)
{
    struct koshu_particle_view part = *v;
    part.n = n;
    part.x += first;
    part.y += first;
    part.z += first;
    part.vx += first;
    part.vy += first;
    part.vz += first;
    return part;
}

/* ---- positions ----------------------------------------------------------- */

static double
disk_mass(double R, double kept)
{
    return (1 - (1 + R) * exp(-R)) / kept;
}

static double
layer_mass(double z, double z0)
{
    return (1 + tanh(z / z0)) / 2;
}

static double
hernquist_mass(double r, double a)
{
    return r * r / ((r + a) * (r + a)) / KEPT;
}

/* The first of each pair of opposite particles. */
static void
take_every_second(struct koshu_particle_view *v)
{
    double *const array[] = {v->x, v->y, v->z, v->vx, v->vy, v->vz};
    for (int k = 0; k < 6; k++) {
        const double twice_centre = array[k][0] + array[k][1];
        for (size_t i = 0; i < v->n / 2; i++) {
            assert_near(array[k][2 * i] + array[k][2 * i + 1], twice_centre,
                        1e-11);
            array[k][i] = array[k][2 * i];
        }
    }
    v->n /= 2;
}

/* Positions are relative to the mean of the n disk particles. */
static void
centre_on_disk(const struct koshu_particle_view *v, size_t n)
{
    double *const array[] = {v->x, v->y, v->z, v->vx, v->vy, v->vz};
    for (int k = 0; k < 6; k++) {
        double mean = 0;
        for (size_t i = 0; i < n; i++) mean += array[k][i] / (double)n;
        for (size_t i = 0; i < v->n; i++) array[k][i] -= mean;
    }
}

static void
positions_are_those_of_the_densities(void **state)
{
    (void)state;
    const struct koshu_initial_options o = galaxy();
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    assert_centred(&v);
    const size_t n = (size_t)(0.3 * N), m = (size_t)(0.2 * N);
    struct koshu_particle_view disk = part_of(&v, 0, n),
                               bulge = part_of(&v, n, m),
                               halo = part_of(&v, n + m, N - n - m);
    double *R = calloc(n, sizeof *R);
    assert_non_null(R);
    take_every_second(&halo);
    take_every_second(&bulge);
    assert_isotropic(halo.n, halo.vx, halo.vy, halo.vz);
    assert_isotropic(bulge.n, bulge.vx, bulge.vy, bulge.vz);
    centre_on_disk(&v, n);
    for (size_t i = 0; i < n; i++) R[i] = hypot(disk.x[i], disk.y[i]);
    assert_distributed(R, n, disk_mass, KEPT);
    for (size_t i = 0; i < n; i++) R[i] = disk.z[i];
    assert_distributed(R, n, layer_mass, 0.2);
    free(R);
    double *r = radii(&halo), *b = radii(&bulge);
    assert_distributed(r, halo.n, hernquist_mass, 2);
    assert_distributed(b, bulge.n, hernquist_mass, 0.2);
    free(r);
    free(b);
    koshu_particles_destroy(p);
}

/* ---- the field of the disk ----------------------------------------------- */

/* I_n(y) and K_n(y) from their integral representations. */
static double
of_i(double theta, double y)
{
    return exp(y * cos(theta)) / M_PI;
}

static double
of_i1(double theta, double y)
{
    return exp(y * cos(theta)) * cos(theta) / M_PI;
}

static double
of_k(double t, double y)
{
    return exp(-y * cosh(t));
}

static double
of_k1(double t, double y)
{
    return exp(-y * cosh(t)) * cosh(t);
}

/* R dPhi/dR of a thin disk of mass 1 (Freeman 1970): 2 y^2 (I0 K0 - I1 K1),
 * with y = R / 2. */
static double
freeman(double R)
{
    const double y = R / 2;
    const double I0 = integral(0, M_PI, 200, of_i, y),
                 I1 = integral(0, M_PI, 200, of_i1, y),
                 K0 = integral(0, 12, 2000, of_k, y),
                 K1 = integral(0, 12, 2000, of_k1, y);
    return 2 * y * y * (I0 * K0 - I1 * K1);
}

static double
nothing(const void *user, double r)
{
    (void)user;
    (void)r;
    return 0;
}

static struct koshu_disk *
solved(double height, double q)
{
    const struct koshu_disk_options o = {
            .mass = 1, .height = height, .q = q, .beside = nothing};
    struct koshu_disk *d = malloc(sizeof *d);
    assert_non_null(d);
    koshu_disk_solve(&o, d);
    return d;
}

/* Interpolation and thickness each change this by less than 1 %. */
static void
thin_disks_rotate_as_freeman_says(void **state)
{
    (void)state;
    /* cold, so the mean velocity is v_c */
    struct koshu_disk *d = solved(0.001, 1e-6);
    double largest = 0;
    for (double R = 0.3; R < 15; R *= 1.13) {
        const double v2 = pow(koshu_disk_moments(d, R, 0).mean, 2);
        largest = fmax(largest, fabs(v2 / freeman(R) - 1));
    }
    print_message("v^2 of a thin disk: to %.1e\n", largest);
    assert_true(largest < 0.01);
    free(d);
}

/* sigma_z^2 = pi Sigma z0 in a thin layer (Spitzer 1942), at all z; kappa from
 * differences of the same rotation curve. */
static void
thin_disks_are_isothermal_layers(void **state)
{
    (void)state;
    struct koshu_disk *d = solved(0.02, 1.2);
    for (double R = 1; R < 5; R += 0.5) {
        const double sigma2 = M_PI * exp(-R) / (2 * M_PI) * 0.02;
        for (int k = 0; k < 4; k++) {
            const struct koshu_disk_at at = koshu_disk_moments(d, R, 0.01 * k);
            /* the formula for an infinite layer omits terms of z0 / R */
            assert_near(at.sigma_z * at.sigma_z, sigma2, 0.06 * sigma2);
        }
        const double h = 0.05, slope = log(freeman(R + h) / freeman(R - h)) /
                                       log((R + h) / (R - h));
        const double kappa = sqrt(freeman(R) / (R * R) * (2 + slope));
        assert_near(koshu_disk_moments(d, R, 0).kappa, kappa, 0.01 * kappa);
    }
    const struct koshu_disk_at at = koshu_disk_moments(d, 2.5, 0);
    const double Q = at.sigma_R * at.kappa / (3.36 * exp(-2.5) / (2 * M_PI));
    assert_near(Q, 1.2, 1e-9);
    /* exp(-R / 2), and the epicyclic ratio */
    assert_near(koshu_disk_moments(d, 4.5, 0.1).sigma_R, at.sigma_R * exp(-1),
                1e-12);
    assert_near(at.sigma_phi / at.sigma_R, at.kappa / (2 * at.omega), 1e-12);
    free(d);
}

/* ---- velocities ---------------------------------------------------------- */

static double
normal(double x, double sigma)
{
    return erfc(-x / (sigma * sqrt(2))) / 2;
}

static double
mass_beside(const void *user, double r)
{
    const struct koshu_initial_options *o = user;
    const double b = r / (r + o->bulge_length), h = r / (r + o->halo_length);
    return 0.2 * b * b + 0.5 * h * h;
}

/* Velocities along R, phi and z, less their means, in units of the local
 * dispersion. */
static void
velocities_of_the_disk_are_gaussian(void **state)
{
    (void)state;
    const struct koshu_initial_options o = galaxy();
    const size_t n = (size_t)(0.3 * N);
    struct koshu_particle_view all;
    struct koshu_particles *p = make(&o, &all);
    struct koshu_particle_view v = part_of(&all, 0, n);
    const struct koshu_disk_options options = {.mass = 0.3,
                                               .height = 0.2,
                                               .q = 1.5,
                                               .beside = mass_beside,
                                               .user = &o};
    struct koshu_disk *d = malloc(sizeof *d);
    double *u[3];
    for (int k = 0; k < 3; k++) u[k] = calloc(n, sizeof *u[k]);
    assert_true(d && u[0] && u[1] && u[2]);
    koshu_disk_solve(&options, d);
    centre_on_disk(&v, n);
    for (size_t i = 0; i < n; i++) {
        const double R = hypot(v.x[i], v.y[i]);
        const struct koshu_disk_at at = koshu_disk_moments(d, R, fabs(v.z[i]));
        const double vR = (v.x[i] * v.vx[i] + v.y[i] * v.vy[i]) / R,
                     vphi = (v.x[i] * v.vy[i] - v.y[i] * v.vx[i]) / R;
        u[0][i] = sqrt(KEPT) * vR / at.sigma_R;
        u[1][i] = (sqrt(KEPT) * vphi - at.mean) / at.sigma_phi;
        u[2][i] = sqrt(KEPT) * v.vz[i] / at.sigma_z;
    }
    for (int k = 0; k < 3; k++) {
        assert_distributed(u[k], n, normal, 1);
        free(u[k]);
    }
    free(d);
    koshu_particles_destroy(p);
}

/* In equilibrium 2 T + W = 0, here to 1 %: T and W of 60,000 particles scatter
 * by less. A disk without its pressure would be at 0.47. */
static void
the_virial_theorem_holds(void **state)
{
    (void)state;
    struct koshu_initial_options o = galaxy();
    struct koshu_particle_view v;
    double T, W;
    o.n = 20000;
    struct koshu_particles *p = make(&o, &v);
    assert_ok(context, koshu_initial_kinetic(p, &T));
    assert_ok(context, koshu_initial_potential(p, &W));
    print_message("T / |W| = %.4f\n", T / -W);
    assert_near(T / -W, 0.5, 0.01);
    koshu_particles_destroy(p);
}

/* Distribution functions are positive for all options. */
static void
galaxies_of_all_kinds_are_made(void **state)
{
    (void)state;
    static const double of[][6] = {
            {1, 0, 0.2, 1.5, 0.2, 4},       {0.5, 0.5, 0.2, 1, 0.2, 4},
            {0.2, 0, 0.01, 1.5, 0.2, 100},  {0.07, 0.03, 1, 3, 5, 0.01},
            {0.9, 0.01, 0.2, 1.5, 0.01, 4}, {0.01, 0.9, 0.5, 1.5, 100, 0.3}};
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        struct koshu_initial_options o =
                model_options(KOSHU_MODEL_GALAXY, 500, k);
        struct koshu_particle_view v;
        o.disk_fraction = of[k][0];
        o.bulge_fraction = of[k][1];
        o.disk_height = of[k][2];
        o.toomre_q = of[k][3];
        o.bulge_length = of[k][4];
        o.halo_length = of[k][5];
        struct koshu_particles *p = make(&o, &v);
        assert_ok(context, koshu_particles_check(p));
        koshu_particles_destroy(p);
    }
}

static void
options_out_of_range_are_refused(void **state)
{
    (void)state;
    struct koshu_particles *p;
    struct koshu_initial_options o = galaxy();
    o.disk_fraction = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "disk_fraction = 0: it must be in (0, 1]",
                 koshu_initial_create(context, &o, &p));
    o.disk_fraction = 0.9;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "together they are at most 1",
                 koshu_initial_create(context, &o, &p));
    o = galaxy();
    o.toomre_q = NAN;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "toomre_q",
                 koshu_initial_create(context, &o, &p));
    o = galaxy();
    o.disk_height = 2;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "disk_height = 2: it must be in [0.01, 1]",
                 koshu_initial_create(context, &o, &p));
    o = galaxy();
    o.mass_function = KOSHU_MASS_FUNCTION_KROUPA;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "the model galaxy has masses of its own",
                 koshu_initial_create(context, &o, &p));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(positions_are_those_of_the_densities),
            cmocka_unit_test(thin_disks_rotate_as_freeman_says),
            cmocka_unit_test(thin_disks_are_isothermal_layers),
            cmocka_unit_test(velocities_of_the_disk_are_gaussian),
            cmocka_unit_test(the_virial_theorem_holds),
            cmocka_unit_test(galaxies_of_all_kinds_are_made),
            cmocka_unit_test(options_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
