/* SPDX-License-Identifier: MIT */
/* Pages with several panels, and images of surfaces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIXTURE_BACKEND "cpu"
#include "fixture.h"
#include "output/output.h"
#include "png.h"

enum { N = 32, PIXELS = 100 };

static double points[] = {1, 10, 2, 40, 4, 160};
static const struct koshu_curve curve = {"time", KOSHU_CURVE_LINE, 3, points};

static void
panels_stand_in_rows_of_three(void **state)
{
    (void)state;
    static double image[3 * 8 * 8];
    struct koshu_page_panel panels[5] = {{0}};
    for (int k = 0; k < 5; k++)
        panels[k] = (struct koshu_page_panel){.name = "t^2",
                                              .abscissa = "N",
                                              .ordinate = "s",
                                              .n_curves = 1,
                                              .curves = &curve};
    panels[1].pixels = 8;
    panels[1].image = image;
    assert_ok(context, koshu_picture_page(context, "a", panels, 1, "p.png"));
    assert_png("p.png", 90 + 380 + 30, 70 + 380 + 60);
    assert_ok(context, koshu_picture_page(context, "a", panels, 5, "p.png"));
    assert_png("p.png", 90 + 3 * 480 - 100 + 30, 70 + 2 * 480 - 100 + 60);
}

/* A linear ordinate with numbers of either sign; a single point; and a narrow
 * range whose ticks are 1, 2 and 5. */
static void
axes_are_those_of_their_numbers(void **state)
{
    (void)state;
    static double signs[] = {1, -0.5, 2, 0, 4, 0.3}, one[] = {3, -2};
    const struct koshu_curve curves[2] = {{"a", KOSHU_CURVE_LINE, 3, signs},
                                          {"b", KOSHU_CURVE_LINE, 1, one}};
    struct koshu_page_panel panel = {.name = "anisotropy",
                                     .abscissa = "r",
                                     .ordinate = "beta",
                                     .n_curves = 1,
                                     .curves = curves,
                                     .linear = true};
    size_t n[2];
    unsigned char *png[2];
    assert_ok(context, koshu_picture_page(context, "a", &panel, 1, "l.png"));
    assert_png("l.png", 90 + 380 + 30, 70 + 380 + 60);
    png[0] = scratch_read("l.png", &n[0]);
    panel.curves = curves + 1;
    assert_ok(context, koshu_picture_page(context, "a", &panel, 1, "o.png"));
    png[1] = scratch_read("o.png", &n[1]);
    assert_true(n[0] != n[1] || memcmp(png[0], png[1], n[0]) != 0);
    for (int k = 0; k < 2; k++) free(png[k]);
}

/* A ball of radius 0.3 at the centre of the box: negative inside. */
static void
make_ball(double *field)
{
    for (size_t p = 0; p < N * N * N; p++) {
        const double x = (double)(p / N / N) / N - 0.5,
                     y = (double)(p / N % N) / N - 0.5,
                     z = (double)(p % N) / N - 0.5;
        field[p] = sqrt(x * x + y * y + z * z) - 0.3;
    }
}

/* Orange pixels, which have more red than blue; edges are grey, the rest
 * white. */
static size_t
count_coloured(const double *image)
{
    size_t n = 0;
    for (size_t p = 0; p < PIXELS * PIXELS; p++)
        n += image[3 * p] > 1.5 * image[3 * p + 2];
    return n;
}

/* The ball covers pi 0.3^2 of 1.74^2, except behind edges, and the centre. */
static void
a_ball_is_a_disk(void **state)
{
    (void)state;
    static double field[N * N * N], image[3 * PIXELS * PIXELS];
    make_ball(field);
    koshu_isosurface(N, field, 0, PIXELS, image);
    const double part = count_coloured(image) / (double)(PIXELS * PIXELS);
    const double expected = 3.14159265 * 0.09 / (1.74 * 1.74);
    assert_true(fabs(part / expected - 1) < 0.05);
    const size_t middle = PIXELS / 2 * PIXELS + PIXELS / 2;
    assert_true(image[3 * (middle + 5)] > 1.5 * image[3 * (middle + 5) + 2]);
    assert_true(image[0] == 255 && image[1] == 255 && image[2] == 255);
    koshu_isosurface(N, field, -0.31, PIXELS, image);
    assert_int_equal(count_coloured(image), 0);
}

/* Below the level everywhere: the box's faces appear, in one colour. */
static void
what_fills_the_box_is_cut_at_its_faces(void **state)
{
    (void)state;
    static double field[N * N * N], image[3 * PIXELS * PIXELS];
    make_ball(field);
    koshu_isosurface(N, field, 10, PIXELS, image);
    const double part = count_coloured(image) / (double)(PIXELS * PIXELS);
    assert_true(part > 0.3 && part < 0.6);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(panels_stand_in_rows_of_three),
            cmocka_unit_test(axes_are_those_of_their_numbers),
            cmocka_unit_test(a_ball_is_a_disk),
            cmocka_unit_test(what_fills_the_box_is_cut_at_its_faces),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
