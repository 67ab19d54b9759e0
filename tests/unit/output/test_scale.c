/* SPDX-License-Identifier: MIT */
#include "output/scale.h"

#include <math.h>
#include <string.h>

#include "fixture.h"

static void
steps_are_round(void **state)
{
    (void)state;
    for (double length = 1e-5; length < 1e5; length *= 1.01) {
        double step = koshu_tick_step(length, 5), power;
        assert_true(length / step > 5 / 1.6 && length / step < 5 * 1.8);
        power = pow(10, floor(log10(step * (1 + 1e-9))));
        int digit = (int)lround(step / power);
        assert_true(digit == 1 || digit == 2 || digit == 5);
        /* a product of two rounded numbers */
        assert_true(fabs(step - digit * power) < 1e-14 * step);
    }
}

static void
ticks_stay_inside(void **state)
{
    (void)state;
    static const size_t pixels[] = {64, 320, 640};
    for (double half = 0.01; half < 100; half *= 1.01)
        for (int k = 0; k < 3; k++) {
            struct koshu_scale s = koshu_scale_about_zero(half, pixels[k]);
            double ticks = s.max / s.step;
            assert_true(s.max < half && s.min == -s.max);
            int whole = (int)lround(ticks);
            /* a quotient of two rounded numbers */
            assert_true(fabs(ticks - whole) < 1e-14);
            assert_true(whole >= 1 && whole <= (pixels[k] < 400 ? 2 : 3));
        }
}

/* A panel of 16 x 16 pixels: half of it 1, one pixel 1000, the rest 1e-5. */
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
    /* three decades, and less than a bin and a rounding of 0.1 beyond */
    assert_true(s.max == 3);
    assert_true(s.min <= 0 && s.min > -0.15);
    assert_ok(context, range(-2, NAN, &s));
    assert_true(s.min == -2 && s.max == 3);
    assert_ok(context, range(-2, 4.5, &s));
    assert_true(s.min == -2 && s.max == 4.5);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "--min",
                 range(5, NAN, &s));

    for (int k = 0; k < 256; k++) panel_sigma[k] = 1;
    assert_ok(context, range(NAN, NAN, &s)); /* even: two decades at least */
    assert_true(s.max == 0 && s.min == -2);
    for (int k = 0; k < 256; k++) panel_sigma[k] = pow(10, -k);
    assert_ok(context, range(NAN, NAN, &s));
    assert_true(s.max == 0 && s.min >= -6);
    panel_sigma[3] = INFINITY;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "inf", range(NAN, NAN, &s));
}

static void
assert_label(const struct koshu_density_options *o, double first, double second,
             const char *expected)
{
    const struct koshu_density_panel panels[2] = {{.centre = {first, 0, 0}},
                                                  {.centre = {second, 0, 0}}};
    char name[KOSHU_AXIS_TEXT];
    koshu_axis_label(2, panels, o, 0, name, sizeof name);
    assert_string_equal(name, expected);
}

static void
axes_have_labels(void **state)
{
    (void)state;
    struct koshu_density_options o = koshu_density_options_default();
    const struct koshu_picture_view view = koshu_picture_view_default();
    char unit[KOSHU_UNIT_TEXT];
    o.view = &view;
    assert_label(&o, 0, 0, "{/:Italic x}");
    assert_label(&o, 1e-4, -1e-4, "{/:Italic x}"); /* less than a pixel */
    assert_label(&o, 3, 3, "{/:Italic x} − 3");
    assert_label(&o, -3, -3, "{/:Italic x} + 3");
    assert_label(&o, 3, 4, "{/:Italic x} − {/:Italic x}_c");
    koshu_surface_unit(&o.units, unit, sizeof unit);
    assert_string_equal(unit, "");
    o.units = (struct koshu_units){3.085678e18, 1.989e33, 1e5};
    assert_label(&o, 3, 3, "{/:Italic x} − 3  [pc]");
    koshu_surface_unit(&o.units, unit, sizeof unit);
    assert_string_equal(unit, "  [M_☉ pc^{-2}]");
    o.units.mass_g = 1.989e43;
    o.units.length_cm = 3.085678e21;
    koshu_surface_unit(&o.units, unit, sizeof unit);
    assert_string_equal(unit, "  [10^{10} M_☉ kpc^{-2}]");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(steps_are_round),
            cmocka_unit_test(ticks_stay_inside),
            cmocka_unit_test(colours_reach_from_the_mass_to_the_peak),
            cmocka_unit_test(axes_have_labels),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
