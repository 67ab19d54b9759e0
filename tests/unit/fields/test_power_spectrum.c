/* SPDX-License-Identifier: MIT */
/* Power spectra of known fields: a plane wave, random particles, initial
 * conditions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cosmology/cosmology.h"
#include "fields/fields.h"
#include "on_backend.h"

#include "fixture.h" /* its context is no parameter's name before */

enum { EDGE = 16, N = EDGE * EDGE * EDGE };
static const double box = 100;
static double mass[N], place[3][N];
static const struct koshu_points points = {
        N, mass, {place[0], place[1], place[2]}};

static struct koshu_measured_spectrum
measure(const struct koshu_points *p, struct koshu_measure_options o)
{
    struct koshu_measured_spectrum m;
    assert_ok(context, koshu_power_spectrum_measure(context, p, &o, &m));
    return m;
}

static struct koshu_measure_options
options(size_t grid)
{
    return (struct koshu_measure_options){.box = box,
                                          .grid = grid,
                                          .fold = 1,
                                          .assignment = KOSHU_ASSIGNMENT_PCS};
}

/* Uniform numbers of [0, 1) by a Weyl sequence are too even; rand48 is not. */
static void
scatter(unsigned short seed)
{
    unsigned short state[3] = {seed, 2, 3};
    for (size_t i = 0; i < N; i++) {
        mass[i] = 1 + (double)(i % 3);
        for (int a = 0; a < 3; a++) place[a][i] = box * erand48(state);
    }
}

/* P is the shot noise, V sum m^2 / (sum m)^2, at all k: over all bins chi^2
 * must be within five sigma of their number. It would be far off if images were
 * not subtracted, which are 30 % near the Nyquist frequency. */
static void
check_noise(struct koshu_measure_options o)
{
    scatter(1);
    struct koshu_measured_spectrum m = measure(&points, o);
    double chi2 = 0;
    assert_near(m.shot_noise / (1e6 / N * (14. / 12)), 1, 1e-3);
    for (size_t b = 0; b < m.n; b++) {
        const double x = m.bin[b].power / m.shot_noise - 1;
        chi2 += x * x * m.bin[b].modes / 2;
    }
    assert_near(chi2 / (double)m.n, 1, 5 * sqrt(2. / (double)m.n));
    koshu_free(m.bin);
}

static void
test_particles_at_random_have_shot_noise_alone(void **state)
{
    (void)state;
    struct koshu_measure_options o = options(64);
    check_noise(o);
    o.assignment = KOSHU_ASSIGNMENT_TSC;
    check_noise(o);
    o.assignment = KOSHU_ASSIGNMENT_CIC;
    check_noise(o);
    o.single_mesh = true;
    check_noise(o);
    o.fold = 3;
    check_noise(o);
    o.grid = 31; /* an odd number */
    check_noise(o);
}

/* A displaced lattice, x = q + A / k sin(k q): to first order delta is A cos(k
 * q), so |delta_k|^2 = A^2 / 4 for two waves. */
static void
make_wave(double amplitude, const long f[3])
{
    const double k = 2 * M_PI / box,
                 k2 = (double)(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    for (size_t i = 0; i < N; i++) {
        const double q[3] = {(double)(i / 256) * box / EDGE,
                             (double)(i / 16 % 16) * box / EDGE,
                             (double)(i % 16) * box / EDGE};
        const double phase = k * ((double)f[0] * q[0] + (double)f[1] * q[1] +
                                  (double)f[2] * q[2]);
        mass[i] = 2.5;
        for (int a = 0; a < 3; a++)
            place[a][i] =
                    q[a] - amplitude * (double)f[a] / (k * k2) * sin(phase);
    }
}

/* The measured fraction of a plane wave's P; no other bin may have any. */
static void
check_wave(const long f[3], struct koshu_measure_options o, double error)
{
    const double a = 1e-2;
    make_wave(a, f);
    struct koshu_measured_spectrum m = measure(&points, o);
    const double f2 = (double)(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    const size_t at = (size_t)(sqrt(f2) + 0.5) - 1;
    for (size_t b = 0; b < 4; b++) {
        const double all = 1e6 * a * a / 2 / m.bin[at].modes;
        assert_near(m.bin[b].power, b == at ? all : 0, error * all);
    }
    koshu_free(m.bin);
}

/*
 * The lattice's own harmonics are sharp, and interlacing leaves their images at
 * even multiples of the mesh, n = 64. With p = 3 (TSC) they add 2 (f / 2 j n)^2
 * to the amplitude, j = 1, 2, ...; with p = 4 (PCS) both signs cancel except
 * for 6 (f / 2 j n)^4. The second order, A^2 = 1e-4 of the power, is 2e-5 here.
 */
static void
test_a_plane_wave_is_in_its_bin(void **state)
{
    (void)state;
    struct koshu_measure_options o = options(64);
    check_wave((const long[3]){2, 0, 0}, o, 1e-4);
    check_wave((const long[3]){1, -2, 1}, o, 1e-4);
    o.assignment = KOSHU_ASSIGNMENT_TSC;
    check_wave((const long[3]){2, 0, 0}, o, 2e-3);
    o.assignment = KOSHU_ASSIGNMENT_CIC;
    check_wave((const long[3]){0, 1, 3}, o, 5e-3);
}

/* V |delta|^2 of one wave, by direct summation. */
static double
power_of_wave(long i, long j, long l)
{
    double complex sum = 0;
    double m = 0;
    for (size_t p = 0; p < N; p++) {
        sum += mass[p] *
               cexp(-2 * I * M_PI / box *
                    ((double)i * place[0][p] + (double)j * place[1][p] +
                     (double)l * place[2][p]));
        m += mass[p];
    }
    return 1e6 * creal(sum * conj(sum)) / (m * m);
}

/* The mean over waves whose frequencies are multiples of fold and fall into
 * their shell m; returns their number. */
static double
power_of_shell(long m, long fold, double *modes)
{
    double sum = 0, n = 0;
    for (long i = -m; i <= m; i++)
        for (long j = -m; j <= m; j++)
            for (long l = -m; l <= m; l++) {
                const double k = sqrt((double)(i * i + j * j + l * l));
                if ((long)(k + 0.5) != m) continue;
                sum += power_of_wave(fold * i, fold * j, fold * l);
                n++;
            }
    *modes = n;
    return sum / n;
}

/* The images that interlacing leaves are at most (5 / 27)^8 of the noise, and
 * their mean is subtracted. */
static void
test_waves_are_those_of_a_direct_sum(void **state)
{
    (void)state;
    double modes;
    scatter(5);
    struct koshu_measure_options o = options(32);
    o.fold = 3;
    struct koshu_measured_spectrum m = measure(&points, o);
    for (size_t b = 0; b < m.n; b++) {
        const long shell =
                lround(m.bin[b].k * box / (2 * M_PI) / m.bin[b].fold);
        if (shell > 4) continue;
        const double exact = power_of_shell(shell, m.bin[b].fold, &modes);
        assert_near(m.bin[b].power / exact, 1, 1e-3);
        assert_true(m.bin[b].modes == modes);
    }
    koshu_free(m.bin);
}

/* Unfolded up to half of the first Nyquist frequency, folded beyond. */
static void
test_a_folded_box_goes_on_where_the_whole_ends(void **state)
{
    (void)state;
    scatter(5);
    struct koshu_measure_options o = options(32);
    o.fold = 3;
    struct koshu_measured_spectrum m = measure(&points, o);
    assert_int_equal(m.bin[7].fold, 1);
    assert_int_equal(m.bin[8].fold, 3);
    assert_near(m.bin[m.n - 1].k, 15 * 3 * 2 * M_PI / box, 0.02);
    for (size_t b = 1; b < m.n; b++) assert_true(m.bin[b].k > m.bin[b - 1].k);
    koshu_free(m.bin);
}

static void
test_threads_do_not_change_bits(void **state)
{
    (void)state;
    struct koshu_context *other = test_context(on_backend("ref"), 2);
    struct koshu_measured_spectrum b;
    const struct koshu_measure_options o = options(32);
    scatter(9);
    struct koshu_measured_spectrum a = measure(&points, o);
    assert_ok(other, koshu_power_spectrum_measure(other, &points, &o, &b));
    assert_memory_equal(a.bin, b.bin, a.n * sizeof *a.bin);
    koshu_free(a.bin);
    koshu_free(b.bin);
    koshu_context_destroy(other);
}

/* Also on a device, where one is tested: it counts masses as integers, here in
 * units of 1e-15 of a particle. */
static void
check_processors(struct koshu_measure_options o)
{
    struct koshu_context *other = test_context("ref", 1);
    struct koshu_measured_spectrum b, a = measure(&points, o);
    assert_ok(other, koshu_power_spectrum_measure(other, &points, &o, &b));
    assert_int_equal(a.n, b.n);
    for (size_t k = 0; k < a.n; k++) {
        assert_near(a.bin[k].power / b.bin[k].power, 1, 1e-9);
        assert_near(a.bin[k].k / b.bin[k].k, 1, 1e-13);
        assert_true(a.bin[k].modes == b.bin[k].modes);
    }
    koshu_free(a.bin);
    koshu_free(b.bin);
    koshu_context_destroy(other);
}

static void
test_a_device_measures_what_the_processors_do(void **state)
{
    (void)state;
    scatter(3);
    for (size_t i = 0; i < N; i += 7) place[i % 3][i] -= 2 * box;
    for (int a = KOSHU_ASSIGNMENT_CIC; a <= KOSHU_ASSIGNMENT_PCS; a++)
        for (size_t grid = 31; grid < 100; grid += 33)
            for (int single = 0; single < 2; single++) {
                struct koshu_measure_options o = options(grid);
                o.assignment = (enum koshu_assignment)a;
                o.single_mesh = single;
                o.fold = 1 + single;
                check_processors(o);
            }
}

/* Fixed amplitudes: only the second order scatters. */
static void
test_initial_conditions_have_the_linear_spectrum(void **state)
{
    (void)state;
    enum { FINE = 32 };
    struct koshu_power power = {.matter = {0.31, 0.049, 0.68, 0.965, 2.7255}};
    koshu_power_set_sigma_8(&power, 0.81);
    const struct koshu_universe_options u = {
            .cosmology = {0.31, 0.69, 0, -1, 0.68, 100},
            .power = &power,
            .phases = {.seed = 4, .fixed = true},
            .n = FINE,
            .box = 400,
            .a = 0.005,
            .order = 1};
    struct koshu_universe_report r;
    struct koshu_particles *p;
    struct koshu_particle_const_view v = {.size = sizeof v};
    assert_ok(context, koshu_universe_create(context, &u, &p, &r));
    assert_ok(context, koshu_particles_acquire_read(p, KOSHU_FIELD_ALL, &v));
    struct koshu_measure_options o = options(2 * FINE);
    const double d = koshu_growth_at(&u.cosmology, u.a).d1 /
                     koshu_growth_at(&u.cosmology, 1).d1;
    o.box = 400;
    o.linear = &power;
    o.growth2 = d * d;
    struct koshu_measured_spectrum m =
            measure(&(struct koshu_points){v.n, v.mass, {v.x, v.y, v.z}}, o);
    /* the second order is the rms of delta, 0.3 % for single waves, and
     * averages out; a lattice lacks the noise whose images are subtracted, 0.1
     * % in the last bin */
    for (size_t b = 0; b < FINE / 4; b++)
        assert_near(m.bin[b].power / m.bin[b].linear, 1, 0.002);
    koshu_free(m.bin);
    koshu_particles_release_read(p);
    koshu_particles_destroy(p);
}

static void
test_what_cannot_be_measured_is_refused(void **state)
{
    (void)state;
    struct koshu_measured_spectrum m;
    struct koshu_measure_options o = options(4);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "expected 8",
                 koshu_power_spectrum_measure(context, &points, &o, &m));
    o = options(32);
    o.fold = 0;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "folded 0",
                 koshu_power_spectrum_measure(context, &points, &o, &m));
    o.fold = 1;
    o.box = 0;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "periodic box",
                 koshu_power_spectrum_measure(context, &points, &o, &m));
    o.box = box;
    memset(mass, 0, sizeof mass);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "no mass",
                 koshu_power_spectrum_measure(context, &points, &o, &m));
}

static int
begin(void **state)
{
    (void)state;
    context = test_context(on_backend(NULL), 1);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_particles_at_random_have_shot_noise_alone),
            cmocka_unit_test(test_a_plane_wave_is_in_its_bin),
            cmocka_unit_test(test_waves_are_those_of_a_direct_sum),
            cmocka_unit_test(test_a_folded_box_goes_on_where_the_whole_ends),
            cmocka_unit_test(test_threads_do_not_change_bits),
            cmocka_unit_test(test_a_device_measures_what_the_processors_do),
            cmocka_unit_test(test_initial_conditions_have_the_linear_spectrum),
            cmocka_unit_test(test_what_cannot_be_measured_is_refused),
    };
    return cmocka_run_group_tests(tests, begin, context_end);
}
