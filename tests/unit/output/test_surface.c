/* SPDX-License-Identifier: MIT */
#include <koshu/initial.h>
#include <koshu/picture.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "particles/particles.h"

enum { PIXELS = 160, AREA = PIXELS * PIXELS };

static double sigma[AREA], other[AREA];

static struct koshu_particles *
plummer(size_t n)
{
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_particles *p;
    options.n = n;
    assert_ok(context, koshu_initial_create(context, &options, &p));
    return p;
}

static struct koshu_particle_view
view_of(struct koshu_particles *p)
{
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    return v;
}

static void
poison(double *a, size_t n)
{
    for (size_t k = 0; k < n; k++) a[k] = NAN;
}

static double
mass_of_grid(const struct koshu_picture_view *f, const double *grid)
{
    double pixel = 2 * f->half_width / (double)f->pixels, sum = 0;
    for (size_t k = 0; k < f->pixels * f->pixels; k++) {
        assert_true(grid[k] >= 0); /* not NaN */
        sum += grid[k] * pixel * pixel;
    }
    return sum;
}

static double
mass_in_view(const struct koshu_picture_view *f, struct koshu_particles *p)
{
    struct koshu_particle_view v = view_of(p);
    const double *x[3] = {v.x, v.y, v.z};
    double sum = 0;
    for (size_t i = 0; i < v.n; i++) {
        bool inside = true;
        for (unsigned d = 0; d < 3; d++)
            if (d != f->axis)
                inside = inside && fabs(x[d][i] - f->centre[d]) < f->half_width;
        if (inside) sum += v.mass[i];
    }
    return sum;
}

/* Sums of 4096 masses and of 25,600 pixels, each rounded: 3e4 * 1.1e-16. */
static const double rounding = 1e-11;

static void
the_grid_holds_the_mass_in_the_frame(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer(4096);
    struct koshu_particle_view v = view_of(p);
    for (size_t i = 0; i < v.n; i++) v.mass[i] *= 1 + (double)(i % 7);
    static const double half_widths[] = {0.05, 0.3, 1, 5, 1000};
    static const size_t pixels[] = {16, 17, 96, 157, 160};
    for (int a = 0; a < 3; a++)
        for (int w = 0; w < 5; w++) {
            struct koshu_picture_view f = {.size = sizeof f,
                                           .axis = (enum koshu_axis)a,
                                           .centre = {0.1, -0.05, 0.02},
                                           .half_width = half_widths[w],
                                           .pixels = pixels[(a + w) % 5]};
            poison(sigma, AREA);
            assert_ok(context, koshu_surface_density(p, &f, sigma));
            double expected = mass_in_view(&f, p);
            assert_true(expected > 0);
            assert_true(fabs(mass_of_grid(&f, sigma) - expected) <
                        rounding * expected);
        }
    koshu_particles_destroy(p);
}

/* A particle is spread symmetrically about its position, over a small area. */
static void
one_particle_is_a_spot_at_its_place(void **state)
{
    (void)state;
    struct koshu_particles *p;
    assert_ok(context, koshu_particles_create(context, 1, &p));
    struct koshu_particle_view v = view_of(p);
    v.mass[0] = 2;
    v.x[0] = 0.4;
    v.y[0] = -0.2;
    v.z[0] = 77;
    struct koshu_picture_view f = koshu_picture_view_default();
    f.pixels = PIXELS;
    assert_ok(context, koshu_surface_density(p, &f, sigma));
    double pixel = 2.0 / PIXELS, x = 0, y = 0;
    for (int r = 0; r < PIXELS; r++)
        for (int c = 0; c < PIXELS; c++) {
            double m = sigma[PIXELS * r + c] * pixel * pixel;
            double px = (c + 0.5) * pixel - 1, py = (r + 0.5) * pixel - 1;
            x += m * px;
            y += m * py;
            /* cells are at most 1/32 of the view; the kernel reaches 4.5 of
             * them: cloud 1, filter 2, spline 1.5 */
            if (fmax(fabs(px - 0.4), fabs(py + 0.2)) > 4.5 * 2 / 32)
                assert_true(m == 0);
        }
    assert_true(fabs(x / 2 - 0.4) < rounding);
    assert_true(fabs(y / 2 + 0.2) < rounding);
    koshu_particles_destroy(p);
}

/* sigma in rings about the centre, compared with M a^2 / (pi (a^2 + R^2)^2),
 * Plummer 1911. A ring's mass has the Poisson error of its number of particles:
 * 4 sigma are allowed, plus 2 % for smoothing where the profile bends. */
static void
a_plummer_sphere_has_its_profile(void **state)
{
    (void)state;
    enum { RINGS = 8, N = 65536 };
    struct koshu_particles *p = plummer(N);
    struct koshu_picture_view f = koshu_picture_view_default();
    f.half_width = 2;
    f.pixels = PIXELS;
    assert_ok(context, koshu_surface_density(p, &f, sigma));
    const double a = 3 * M_PI / 16, pixel = 4.0 / PIXELS;
    double mass[RINGS] = {0}, expected[RINGS] = {0};
    for (int r = 0; r < PIXELS; r++)
        for (int c = 0; c < PIXELS; c++) {
            double R = hypot((c + 0.5) * pixel - 2, (r + 0.5) * pixel - 2);
            int ring = (int)(R / 0.2);
            if (ring >= RINGS) continue;
            mass[ring] += sigma[PIXELS * r + c];
            expected[ring] += a * a / (M_PI * pow(a * a + R * R, 2));
        }
    for (int k = 0; k < RINGS; k++) {
        double number = expected[k] * pixel * pixel * N;
        double tolerance = 4 / sqrt(number) + 0.02;
        assert_true(tolerance < 0.12);
        assert_true(fabs(mass[k] / expected[k] - 1) < tolerance);
    }
    koshu_particles_destroy(p);
}

/* The header promises a scatter below 10 %. Cloud-in-cell alone would have
 * about 70 %, with 0.9 particles per pixel on average. */
static void
smoothing_takes_the_shot_noise(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer(16384);
    struct koshu_picture_view f = koshu_picture_view_default();
    f.half_width = 2;
    f.pixels = PIXELS;
    assert_ok(context, koshu_surface_density(p, &f, sigma));
    const double a = 3 * M_PI / 16, pixel = 4.0 / PIXELS;
    double squares = 0;
    size_t n = 0;
    for (int r = 0; r < PIXELS; r++)
        for (int c = 0; c < PIXELS; c++) {
            double R = hypot((c + 0.5) * pixel - 2, (r + 0.5) * pixel - 2);
            if (R > 1.2) continue;
            double expected = a * a / (M_PI * pow(a * a + R * R, 2));
            squares += pow(sigma[PIXELS * r + c] / expected - 1, 2);
            n++;
        }
    double scatter = sqrt(squares / (double)n);
    assert_true(scatter < 0.1);
    assert_true(scatter > 0.01); /* an estimate, not the formula itself */
    koshu_particles_destroy(p);
}

/* If x y z are renamed to y z x, the picture along the renamed axis is the
 * same, bit for bit. */
static void
axes_are_cyclic(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer(1000);
    struct koshu_particle_view v = view_of(p);
    struct koshu_picture_view f = {.size = sizeof f,
                                   .axis = KOSHU_AXIS_Z,
                                   .centre = {0.1, 0.2, 0.3},
                                   .half_width = 1,
                                   .pixels = PIXELS};
    assert_ok(context, koshu_surface_density(p, &f, sigma));
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < v.n; i++) {
            double x = v.x[i];
            v.x[i] = v.z[i];
            v.z[i] = v.y[i];
            v.y[i] = x;
        }
        double c = f.centre[0];
        f.centre[0] = f.centre[2];
        f.centre[2] = f.centre[1];
        f.centre[1] = c;
        f.axis = turn == 0 ? KOSHU_AXIS_X : KOSHU_AXIS_Y;
        poison(other, AREA);
        assert_ok(context, koshu_surface_density(p, &f, other));
        assert_memory_equal(sigma, other, sizeof sigma);
    }
    /* another axis gives another picture */
    f.axis = KOSHU_AXIS_X;
    assert_ok(context, koshu_surface_density(p, &f, other));
    assert_memory_not_equal(sigma, other, sizeof sigma);
    koshu_particles_destroy(p);
}

static void
no_view_is_the_default(void **state)
{
    (void)state;
    enum { ALL = 640 * 640 };
    double *grid = calloc(2 * ALL, sizeof *grid);
    assert_non_null(grid);
    struct koshu_particles *p = plummer(1000);
    const struct koshu_picture_view f = koshu_picture_view_default();
    assert_ok(context, koshu_surface_density(p, &f, grid));
    assert_ok(context, koshu_surface_density(p, NULL, grid + ALL));
    assert_memory_equal(grid, grid + ALL, ALL * sizeof *grid);
    koshu_particles_destroy(p);
    free(grid);
}

static void
nonsense_is_refused(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer(10);
    struct koshu_picture_view good = koshu_picture_view_default(), f = good;
    f.half_width = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "half-width",
                 koshu_surface_density(p, &f, sigma));
    f.half_width = NAN;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "half-width",
                 koshu_surface_density(p, &f, sigma));
    f = good;
    f.pixels = 15;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "got 15",
                 koshu_surface_density(p, &f, sigma));
    f.pixels = 4097;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "got 4097",
                 koshu_surface_density(p, &f, sigma));
    f = good;
    f.axis = (enum koshu_axis)3;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "axis number 3",
                 koshu_surface_density(p, &f, sigma));
    f = good;
    f.centre[1] = INFINITY;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "centre",
                 koshu_surface_density(p, &f, sigma));
    koshu_particles_destroy(p);
}

static void
bad_particles_are_named(void **state)
{
    (void)state;
    struct koshu_particles *p = plummer(10);
    struct koshu_particle_view v = view_of(p);
    struct koshu_picture_view f = koshu_picture_view_default();
    f.pixels = PIXELS;
    f.centre[0] = 1e6;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "along the z axis",
                 koshu_surface_density(p, &f, sigma));
    f.centre[0] = 0;
    v.mass[3] = -1;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "3",
                 koshu_surface_density(p, &f, sigma));
    v.mass[3] = 1;
    v.x[7] = NAN;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "7",
                 koshu_surface_density(p, &f, sigma));
    v.x[7] = 0;
    memset(v.mass, 0, v.n * sizeof *v.mass);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "no particle with mass",
                 koshu_surface_density(p, &f, sigma));
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_grid_holds_the_mass_in_the_frame),
            cmocka_unit_test(one_particle_is_a_spot_at_its_place),
            cmocka_unit_test(a_plummer_sphere_has_its_profile),
            cmocka_unit_test(smoothing_takes_the_shot_noise),
            cmocka_unit_test(axes_are_cyclic),
            cmocka_unit_test(no_view_is_the_default),
            cmocka_unit_test(nonsense_is_refused),
            cmocka_unit_test(bad_particles_are_named),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
