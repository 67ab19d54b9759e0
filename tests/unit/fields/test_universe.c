/* SPDX-License-Identifier: MIT */
/* Gaussian random fields, and cosmological initial particles. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "cosmology/cosmology.h"
#include "fields/fields.h"
#include "fields/ranlux.h"
#include "fixture.h"

static const struct koshu_power power = {
        .matter = {0.31, 0.049, 0.68, 0.965, 2.7255}, .amplitude = 1e6};

static double complex *
waves(size_t n, struct koshu_phases phases)
{
    const struct koshu_mesh mesh = koshu_mesh_cube(n, 100);
    double complex *w = koshu_alloc(n * n, 16 * koshu_mesh_row(&mesh));
    assert_ok(NULL, koshu_gaussian_waves(&mesh, 1, &phases, &power, w));
    return w;
}

static double complex
at(const double complex *w, size_t n, size_t i, size_t j, size_t l)
{
    const struct koshu_mesh mesh = koshu_mesh_cube(n, 100);
    return w[(i * n + j) * koshu_mesh_row(&mesh) + l];
}

/* Frequencies -3 ... 3 on meshes of 8 and of n cells must agree. */
static void
compare_meshes(const struct koshu_phases *phases, size_t n)
{
    double complex *a = waves(8, *phases), *b = waves(n, *phases);
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++)
            for (size_t l = 0; l < 4 && i != 4 && j != 4; l++)
                assert_true(at(a, 8, i, j, l) == at(b, n, i < 4 ? i : i + n - 8,
                                                    j < 4 ? j : j + n - 8, l));
    assert_true(at(a, 8, 1, 7, 2) != at(a, 8, 7, 1, 2));
    koshu_free(a);
    koshu_free(b);
}

static void
test_large_scales_do_not_depend_on_the_mesh(void **state)
{
    (void)state;
    compare_meshes(&(struct koshu_phases){.seed = 7}, 13);
    compare_meshes(&(struct koshu_phases){.seed = 7,
                                          .sequence = KOSHU_SEQUENCE_N_GENIC},
                   16);
}

/* The test of GSL 2.7 (rng/test.c): number 10000 from seed 1. */
static void
test_ranlxd1_has_its_published_number(void **state)
{
    (void)state;
    struct koshu_ranlux r = koshu_ranlux_seeded(1);
    double x = 0;
    for (int k = 0; k < 10000; k++) x = koshu_ranlux_next(&r);
    assert_near(x, 0.465248546261094020, 1e-15);
}

/* Seeds are assigned in growing squares: first 4, then 12, from the numbers 1,
 * 2, ... 16. */
static void
test_seeds_of_n_genic(void **state)
{
    (void)state;
    static const int order[16] = {1, 6,  12, 3,  5, 7, 13, 11,
                                  8, 10, 16, 14, 2, 9, 15, 4};
    struct koshu_ranlux r = koshu_ranlux_seeded(42);
    uint32_t *seeds = koshu_n_genic_seeds(4, 42), number[16];
    for (int k = 0; k < 16; k++)
        number[k] = (uint32_t)(2147483647 * koshu_ranlux_next(&r));
    for (int k = 0; k < 16; k++)
        assert_int_equal(seeds[k], number[order[k] - 1]);
    koshu_free(seeds);
}

/* Waves (1, 2, 0), (-1, -2, 0) and (1, 2, 1) take two numbers each, the phase
 * first, after the seed of their column. */
static void
test_waves_of_n_genic(void **state)
{
    (void)state;
    const struct koshu_phases phases = {.seed = 42,
                                        .sequence = KOSHU_SEQUENCE_N_GENIC};
    uint32_t *seeds = koshu_n_genic_seeds(8, 42);
    struct koshu_ranlux r = koshu_ranlux_seeded(seeds[1 * 8 + 2]);
    double complex *w = waves(8, phases);
    for (size_t l = 0; l < 2; l++) {
        const double k = 2 * M_PI / 100 * sqrt(5 + (double)l);
        const double angle = 2 * M_PI * koshu_ranlux_next(&r),
                     size = sqrt(-log(koshu_ranlux_next(&r)) *
                                 koshu_power_at(&power, k) / 1e6);
        assert_near(creal(at(w, 8, 1, 2, l)), size * cos(angle), 1e-12 * size);
        assert_near(cimag(at(w, 8, 1, 2, l)), size * sin(angle), 1e-12 * size);
    }
    assert_true(at(w, 8, 7, 6, 0) == conj(at(w, 8, 1, 2, 0)));
    koshu_free(seeds);
    koshu_free(w);
}

static void
check_real(struct koshu_phases phases)
{
    double complex *w = waves(8, phases);
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++)
            assert_true(at(w, 8, i, j, 0) ==
                        conj(at(w, 8, (8 - i) % 8, (8 - j) % 8, 0)));
    koshu_free(w);
}

static void
test_fields_are_real(void **state)
{
    (void)state;
    check_real((struct koshu_phases){.seed = 3});
    check_real((struct koshu_phases){.seed = 3,
                                     .sequence = KOSHU_SEQUENCE_N_GENIC});
}

static void
test_fixed_and_paired(void **state)
{
    (void)state;
    const double k = 2 * acos(-1) / 100;
    double complex *a =
            waves(8, (struct koshu_phases){.seed = 3, .fixed = true});
    double complex *b = waves(8, (struct koshu_phases){3, true, true, 0});
    const double size = sqrt(koshu_power_at(&power, k) / 1e6);
    assert_near(cabs(at(a, 8, 1, 0, 0)) / size, 1, 1e-14);
    assert_true(at(a, 8, 1, 2, 3) == -at(b, 8, 1, 2, 3));
    koshu_free(a);
    koshu_free(b);
}

/* <|f_k|^2> = P / V: the mean over 15^3 / 2 waves scatters by 2.4 %. */
static void
test_power_of_random_waves(void **state)
{
    (void)state;
    enum { N = 16 };
    const struct koshu_mesh mesh = koshu_mesh_cube(N, 100);
    double complex *w = waves(N, (struct koshu_phases){.seed = 5});
    double sum = 0, count = 0;
    for (size_t m = 0; m < N * N * 8; m++) {
        double k[3];
        const size_t i = m / (N * 8), j = m / 8 % N, l = m % 8;
        const double k2 = koshu_wave_vector(&mesh, i, j, l, k);
        if (k2 == 0) continue;
        const double size = cabs(at(w, N, i, j, l));
        sum += size * size * 1e6 / koshu_power_at(&power, sqrt(k2));
        count++;
    }
    assert_near(sum / count, 1, 0.1); /* four sigma */
    koshu_free(w);
}

static struct koshu_universe_options
options(void)
{
    return (struct koshu_universe_options){
            .cosmology = {0.31, 0.69, 0, -1, 0.68, 100},
            .power = &power,
            .phases = {.seed = 1},
            .n = 16,
            .box = 100,
            .a = 0.02,
            .order = 2};
}

/* The mean density, and velocities that grow with the displacements: to first
 * order at early times u = sqrt(a) H Psi. */
static void
test_particles_of_a_box(void **state)
{
    (void)state;
    struct koshu_universe_options o = options();
    struct koshu_universe_report r;
    struct koshu_particles *p;
    struct koshu_particle_const_view v = {.size = sizeof v};
    assert_ok(context, koshu_universe_create(context, &o, &p, &r));
    assert_ok(context, koshu_particles_acquire_read(p, KOSHU_FIELD_ALL, &v));
    assert_int_equal(v.n, 4096);
    /* 27.7536627 is the critical density, 1e10 h^2 Msun / Mpc^3 */
    assert_near(v.mass[0] * 4096 / 1e6 / 27.7536627 / 0.31, 1, 1e-4);
    const double rate = sqrt(o.a) * koshu_hubble(&o.cosmology, o.a);
    double worst = 0;
    for (size_t i = 0; i < v.n; i++) {
        double d = v.x[i] - (double)(v.id[i] / 256) * 6.25;
        d -= 100 * round(d / 100);
        worst = fmax(worst, fabs(v.vx[i] / rate - d));
    }
    /* the second order counts twice */
    assert_true(worst < 0.05 * r.rms * 6.25);
    assert_true(r.rms > 0 && r.crossed == 0);
    koshu_particles_release_read(p);
    koshu_particles_destroy(p);
}

static void
test_a_sphere_is_what_is_inside(void **state)
{
    (void)state;
    struct koshu_universe_options o = options();
    struct koshu_universe_report r;
    struct koshu_particles *p;
    o.radius = 50;
    assert_ok(context, koshu_universe_create(context, &o, &p, &r));
    /* pi / 6 of the cube, up to the lattice points at the surface */
    assert_near((double)koshu_particles_total(p) / 4096, 0.5236, 0.02);
    koshu_particles_destroy(p);
}

static void
test_bad_universes_are_refused(void **state)
{
    (void)state;
    struct koshu_universe_options o = options(), bad = o;
    struct koshu_universe_report r;
    struct koshu_particles *p;
    bad.n = 1;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "n = 1",
                 koshu_universe_create(context, &bad, &p, &r));
    bad = o;
    bad.radius = 60;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "radius",
                 koshu_universe_create(context, &bad, &p, &r));
    bad = o;
    bad.a = 2;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "z =", koshu_universe_create(context, &bad, &p, &r));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_large_scales_do_not_depend_on_the_mesh),
            cmocka_unit_test(test_ranlxd1_has_its_published_number),
            cmocka_unit_test(test_seeds_of_n_genic),
            cmocka_unit_test(test_waves_of_n_genic),
            cmocka_unit_test(test_fields_are_real),
            cmocka_unit_test(test_fixed_and_paired),
            cmocka_unit_test(test_power_of_random_waves),
            cmocka_unit_test(test_particles_of_a_box),
            cmocka_unit_test(test_a_sphere_is_what_is_inside),
            cmocka_unit_test(test_bad_universes_are_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
