/* SPDX-License-Identifier: MIT */
#include "output/stars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "png.h"

/* Masses 1, 2, 3, 4 at x = -2, 0, 0.5, 0.9, y = 0.25 x, with speed 3. */
static struct koshu_particles *
four_stars(void)
{
    static const double x[] = {-2, 0, 0.5, 0.9};
    struct koshu_particles *particles;
    struct koshu_particle_view v = {.size = sizeof v};
    assert_ok(context, koshu_particles_create(context, 4, &particles));
    assert_ok(context,
              koshu_particles_acquire_write(particles, KOSHU_FIELD_ALL,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    for (int k = 0; k < 4; k++) {
        v.mass[k] = k + 1;
        v.x[k] = x[k];
        v.y[k] = 0.25 * x[k];
        v.vx[k] = 1;
        v.vy[k] = v.vz[k] = 2;
    }
    koshu_particles_release_write(particles);
    return particles;
}

static void
those_in_the_view_are_collected(void **state)
{
    (void)state;
    struct koshu_particles *particles = four_stars();
    struct koshu_star_panel panel = {0};
    struct koshu_picture_view view = koshu_picture_view_default();
    view.centre[0] = 0.25;
    view.half_width = 0.75;
    assert_ok(context, koshu_stars_collect(particles, &view, &panel));
    /* from the heaviest on, relative to the centre */
    assert_int_equal(panel.n, 3);
    for (int k = 0; k < 3; k++) {
        assert_true(panel.star[k].mass == 4 - k);
        assert_true(panel.star[k].speed == 3);
    }
    assert_true(panel.star[1].x == 0.25 && panel.star[1].y == 0.125);
    free(panel.star);
    view.axis = KOSHU_AXIS_Y; /* then z points right and x up */
    assert_ok(context, koshu_stars_collect(particles, &view, &panel));
    assert_true(panel.n == 3 && panel.star[1].y == 0.25);
    free(panel.star);
    view.centre[0] = 50;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "no particle lies within",
                 koshu_stars_collect(particles, &view, &panel));
    free(panel.star);
    koshu_particles_destroy(particles);
}

static void
draw(const struct koshu_star_panel *panel, const char *path)
{
    struct koshu_density_options o = koshu_density_options_default();
    struct koshu_picture_view view = koshu_picture_view_default();
    view.pixels = 64;
    o.view = &view;
    assert_ok(context, koshu_picture_stars(context, 1, panel, path, &o, NULL));
    assert_png(path, 0, 0);
}

/* A single star, one at rest, massless stars: nothing to divide by. */
static void
any_stars_are_drawn(void **state)
{
    (void)state;
    struct koshu_star star[2] = {{0, 0, 1, 1}, {0.5, 0.5, 1, 2}};
    struct koshu_star_panel panel = {.n = 2, .star = star};
    draw(&panel, "two.png");
    panel.n = 1;
    draw(&panel, "one.png");
    star[0].speed = 0;
    draw(&panel, "rest.png");
    star[0].mass = 0;
    draw(&panel, "massless.png");
    panel.n = 2;
    draw(&panel, "test-particle.png");
    star[1].mass = 1e300;
    draw(&panel, "heavy.png");
}

static void
an_empty_range_is_refused(void **state)
{
    (void)state;
    struct koshu_star star = {0, 0, 1, 1};
    const struct koshu_star_panel panel = {.n = 1, .star = &star};
    struct koshu_density_options o = koshu_density_options_default();
    o.min = o.max = 4;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "from 4 to 4",
                 koshu_picture_stars(context, 1, &panel, "x.png", &o, NULL));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(those_in_the_view_are_collected),
            cmocka_unit_test(any_stars_are_drawn),
            cmocka_unit_test(an_empty_range_is_refused),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
