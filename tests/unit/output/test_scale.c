/* SPDX-License-Identifier: MIT */
#include "output/scale.h"

#include <math.h>
#include <string.h>

#include "fixture.h"

/* A panel of 16 x 16 pixels: half of them 1, one 1000, the rest 1e-5. */
static double panel_sigma[256];

static koshu_status
range(double min, double max, struct koshu_scale *s)
{
    struct koshu_density_options o = koshu_density_options_default();
    const struct koshu_density_panel panel = {.sigma = panel_sigma};
    struct koshu_picture_view view = koshu_picture_view_default();
    view.pixels = 16;
    o.view = &view;
    o.min = min;
    o.max = max;
    return koshu_density_range(context, 1, &panel, &o, s);
}

static void
colours_reach_from_the_mass_to_the_peak(void **state)
{
    (void)state;
    struct koshu_scale s;
    for (int k = 0; k < 256; k++) panel_sigma[k] = k < 128 ? 1 : 1e-5;
    panel_sigma[200] = 1000;
    assert_ok(context, range(NAN, NAN, &s));
    /* three decades, plus less than a bin and a rounding of 0.1 */
    assert_true(s.max == 3);
    assert_true(s.min <= 0 && s.min > -0.15);
    assert_ok(context, range(-2, NAN, &s));
    assert_true(s.min == -2 && s.max == 3);
    assert_ok(context, range(-2, 4.5, &s));
    assert_true(s.min == -2 && s.max == 4.5);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "--min",
                 range(5, NAN, &s));

    for (int k = 0; k < 256; k++) panel_sigma[k] = 1;
    assert_ok(context, range(NAN, NAN, &s)); /* equal values: a factor of 2 */
    assert_true(s.max == 0 && s.min == -0.3);
    panel_sigma[9] = 0; /* an empty pixel: at least two decades */
    assert_ok(context, range(NAN, NAN, &s));
    assert_true(s.max == 0 && s.min == -2);
    panel_sigma[9] = 0.11;
    assert_ok(context, range(NAN, NAN, &s));
    assert_true(s.max == 0 && s.min == -1);
    for (int k = 0; k < 256; k++) panel_sigma[k] = pow(10, -k);
    assert_ok(context, range(NAN, NAN, &s));
    assert_true(s.max == 0 && s.min >= -6);
    panel_sigma[3] = INFINITY;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "inf", range(NAN, NAN, &s));
}

static void
assert_axis(const struct koshu_density_options *o, double first, double second,
            const char *name, double low)
{
    const double centres[2][3] = {{first, 0, 0}, {second, 0, 0}};
    struct koshu_plane plane;
    koshu_place_plane(2, centres[0], sizeof centres[0], o, &plane);
    assert_string_equal(plane.x.name, name);
    assert_string_equal(plane.y.name, "{/:Italic y}");
    assert_true(plane.x.low == low && plane.x.high == low + 2);
}

/* Positions where panels have a common centre, without long numbers. */
static void
axes_have_names(void **state)
{
    (void)state;
    struct koshu_density_options o = koshu_density_options_default();
    const struct koshu_picture_view view = koshu_picture_view_default();
    o.view = &view;
    assert_axis(&o, 0, 0, "{/:Italic x}", -1);
    /* half a pixel off */
    assert_axis(&o, 0.5, 0.5 - 1e-4, "{/:Italic x}", -0.5);
    assert_axis(&o, 3, 3, "{/:Italic x}", 2);
    assert_axis(&o, -3, -3, "{/:Italic x}", -4);
    assert_axis(&o, 3e6, 3e6, "{/:Italic x} − 3e+06", -1);
    assert_axis(&o, -3e6, -3e6, "{/:Italic x} + 3e+06", -1);
    assert_axis(&o, 3, 4, "{/:Italic x} from the centre", -1);
}

static void
axes_have_units(void **state)
{
    (void)state;
    struct koshu_density_options o = koshu_density_options_default();
    const struct koshu_picture_view view = koshu_picture_view_default();
    const double centre[3] = {0};
    struct koshu_plane plane;
    char unit[KOSHU_AXIS_TEXT];
    o.view = &view;
    koshu_place_plane(1, centre, sizeof centre, &o, &plane);
    assert_string_equal(plane.x.unit, "");
    koshu_surface_unit(&o.units, KOSHU_WEIGHT_MASS, unit, sizeof unit);
    assert_string_equal(unit, "");
    o.units = (struct koshu_units){3.085678e18, 1.989e33, 1e5};
    koshu_place_plane(1, centre, sizeof centre, &o, &plane);
    assert_string_equal(plane.x.unit, "pc");
    koshu_surface_unit(&o.units, KOSHU_WEIGHT_MASS, unit, sizeof unit);
    assert_string_equal(unit, "M_☉ pc^{-2}");
    o.units.mass_g = 1.989e43;
    o.units.length_cm = 3.085678e21;
    koshu_surface_unit(&o.units, KOSHU_WEIGHT_MASS, unit, sizeof unit);
    assert_string_equal(unit, "10^{10} M_☉ kpc^{-2}");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(colours_reach_from_the_mass_to_the_peak),
            cmocka_unit_test(axes_have_names),
            cmocka_unit_test(axes_have_units),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
