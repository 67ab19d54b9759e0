/* SPDX-License-Identifier: MIT */
/* Fields from texts, with units. */
#include <math.h>

#include "external/external.h"
#include "fixture.h"

static struct koshu_units units;

static struct koshu_external *
parsed(const char *text, double mass_factor)
{
    struct koshu_external *e;
    assert_ok(context,
              koshu_external_parse(context, text, &units, mass_factor, &e));
    return e;
}

static void
kinds_have_their_values_behind_them(void **state)
{
    (void)state;
    koshu_units_henon(&units);
    struct koshu_external *e = parsed(
            "plummer mass=2, a=1/2, x=1, y=-2, z=3;\n  uniform gx=0.5,gz=-1, "
            "logarithmic speed = 1.5, q=0.9, point-mass mass=4",
            1);
    assert_int_equal(e->n, 4);
    const struct koshu_external_field *f = e->field;
    assert_int_equal(f[0].kind, KOSHU_EXTERNAL_KIND_PLUMMER);
    assert_true(f[0].mass == 2 && f[0].a == 0.5);
    assert_true(f[0].centre[0] == 1 && f[0].centre[1] == -2 &&
                f[0].centre[2] == 3);
    assert_int_equal(f[1].kind, KOSHU_EXTERNAL_KIND_UNIFORM);
    assert_true(f[1].acceleration[0] == 0.5 && f[1].acceleration[1] == 0 &&
                f[1].acceleration[2] == -1);
    assert_true(f[2].speed == 1.5 && f[2].q == 0.9 && f[2].a == 0);
    assert_true(f[3].mass == 4 && f[3].centre[0] == 0);
    koshu_external_destroy(e);
}

static void
values_have_units(void **state)
{
    (void)state;
    assert_ok(context, koshu_units_find(context, "pc, Msun, Myr", &units));
    const double g = koshu_units_gravitational_constant(&units);
    struct koshu_external *e = parsed("miyamoto-nagai mass=1e3 Msun, a=2 kpc, "
                                      "b=3, tide speed=220 km/s, radius=8 kpc, "
                                      "density=0.1 Msun/pc^3",
                                      g);
    const struct koshu_external_field *f = e->field;
    assert_near(f[0].mass, 1e3 * g, 1e-12);
    assert_near(f[0].a, 2000, 1e-9);
    assert_true(f[0].b == 3);
    /* a km/s is 1.0227 pc/Myr */
    assert_near(f[1].speed, 220 * 1.022712165, 1e-6);
    assert_near(f[1].density, 0.1 * g, 1e-15);
    assert_near(e->omega, 220 * 1.022712165 / 8000, 1e-9);
    koshu_external_destroy(e);
}

static void
mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
            {"plumer mass=1", "'plumer' is not an external field; did you mean "
                              "'plummer'"},
            {"plummer mass=1", "external field plummer: a is missing: a=..."},
            {"plummer mass=1, a=1, b=2",
             "external field plummer: there is no 'b'; it has mass, a, x, y, "
             "z"},
            {"plummer mass=1, a=1, a=2", "a is given twice"},
            {"mass=1", "'mass' before the name of a field"},
            {"plummer mass=heavy, a=1", "external field plummer: mass: "},
            {"logarithmic speed=1, q=x", "q: 'x' is not a number"},
            {"tide speed=220 km/s, radius=8 kpc",
             "external field tide: speed: "},
            {"plummer mass=1, a=1, nfw", "nfw: mass is missing"},
    };
    koshu_units_henon(&units);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct koshu_external *e;
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, bad[k].message,
                     koshu_external_parse(context, bad[k].text, &units, 1, &e));
        assert_null(e);
    }
    struct koshu_external *e;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "at least one",
                 koshu_external_parse(context, " ", &units, 1, &e));
    enum koshu_external_kind kind;
    assert_ok(context, koshu_external_kind_find(context, "nfw", &kind));
    assert_int_equal(kind, KOSHU_EXTERNAL_KIND_NFW);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(kinds_have_their_values_behind_them),
            cmocka_unit_test(values_have_units),
            cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
