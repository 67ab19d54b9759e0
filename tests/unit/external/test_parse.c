/* SPDX-License-Identifier: MIT */
/* Parsing fields from text, with units. */
#include <math.h>
#include <stdio.h>

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
formulas_have_constants_with_units(void **state)
{
    (void)state;
    assert_ok(context, koshu_units_find(context, "pc, Msun, Myr", &units));
    const double g = koshu_units_gravitational_constant(&units);
    struct koshu_external *e = parsed(
            "formula potential=-G*M/sqrt(x^2+y^2+z^2 + a^2), M=1e3 Msun, a=2 "
            "kpc, x=5, point-mass mass=1, formula potential = speed^2/2*z^2/"
            "h^2, speed=20 km/s, h=0.1 kpc",
            g);
    struct koshu_external *plummer =
            parsed("plummer mass=1e3 Msun, a=2 kpc, x=5, point-mass mass=1", g);
    const double x[3] = {3, -400, 50}, v[3] = {1, 2, 3},
                 speed = 20 * 1.022712165;
    const struct koshu_field_sum s = koshu_external_at(e, x, v),
                                 p = koshu_external_at(plummer, x, v);
    assert_int_equal(e->n, 3);
    assert_near(s.potential, p.potential + speed * speed / 2 * 0.25, 1e-6);
    assert_near(s.a[1], p.a[1], 1e-15);
    assert_near(s.a[2] - p.a[2], -speed * speed * 50 / 1e4, 1e-8);
    assert_near(s.jerk[2] - p.jerk[2], -speed * speed * 3 / 1e4, 1e-8);
    koshu_external_destroy(e);
    koshu_external_destroy(plummer);
}

static double
value_of(const char *formula)
{
    char text[128];
    static const double x[3] = {2, 3, 5}, rest[3];
    snprintf(text, sizeof text, "formula potential=%s", formula);
    struct koshu_external *e = parsed(text, 1);
    const double value = koshu_external_at(e, x, rest).potential;
    koshu_external_destroy(e);
    return value;
}

static void
formulas_are_read_as_written(void **state)
{
    (void)state;
    koshu_units_henon(&units);
    static const struct {
        const char *formula;
        double value;
    } cases[] = {{"1 + 2 * 3", 7},
                 {"(1 + 2) * 3", 9},
                 {"x - y - z", -6},
                 {"12 / x / y", 2},
                 {"-x^2", -4},
                 {"x^-1", 0.5},
                 {"x^y^x", 512},
                 {"2e-1*-z", -1},
                 {"exp(log(z))", 5},
                 {"sqrt(x^2 + y^2 + 3)", 4},
                 {"4 * atan(tan(0.5)) + cosh(0) + sinh(0) + tanh(0)", 3},
                 {"sin(y)^2 + cos(y)^2", 1},
                 {"G", 1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        assert_near(value_of(cases[k].formula), cases[k].value, 1e-14);
}

/* The derivatives of every function, compared with fourth-order differences:
 * h^4 / 30 of a fifth derivative of about 1e4 is 1e-9. */
static void
derivatives_of_formulas_are_exact(void **state)
{
    (void)state;
    static const char *const formulas[] = {
            "sqrt(1 + x*y) / z",  "exp(-x*x) * y + z",
            "log(1 + x^2 + y^4)", "sin(x*y) - cos(z*x)",
            "tan(x/4) * atan(y)", "sinh(x) * cosh(y) + tanh(z)",
            "x^1.5 * y^-2",       "(1 + x^2)^(y/2)"};
    koshu_units_henon(&units);
    for (size_t k = 0; k < sizeof formulas / sizeof formulas[0]; k++) {
        char text[128];
        static const double v[3] = {0.3, -0.2, 0.5};
        const double h = 1e-3, offset[4] = {-2, -1, 1, 2};
        snprintf(text, sizeof text, "formula potential=%s", formulas[k]);
        struct koshu_external *e = parsed(text, 1);
        for (int c = 0; c < 3; c++) {
            double f[4], a[4];
            for (int o = 0; o < 4; o++) {
                double x[3] = {0.7, 1.1, 0.4}, along[3];
                for (int d = 0; d < 3; d++)
                    along[d] = x[d] + offset[o] * h * v[d];
                x[c] += offset[o] * h;
                f[o] = koshu_external_at(e, x, v).potential;
                a[o] = koshu_external_at(e, along, v).a[c];
            }
            const double x[3] = {0.7, 1.1, 0.4};
            const struct koshu_field_sum s = koshu_external_at(e, x, v);
            assert_near(s.a[c], -(8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * h),
                        1e-8);
            assert_near(s.jerk[c],
                        (8 * (a[2] - a[1]) - (a[3] - a[0])) / (12 * h), 1e-8);
        }
        koshu_external_destroy(e);
    }
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
            {"formula x=1", "external field formula: potential is missing"},
            {"formula potential=1, potential=2", "potential is given twice"},
            {"formula potential=k*x, k=1, k=2", "k is given twice"},
            {"formula potential=G, G=2", "G is given twice"},
            {"formula potential=k*x, k=few", "k: 'few' is no number"},
            {"formula potential=k*x^2", "at 'k*x^2': no such name"},
            {"formula potential=(x", "expected )"},
            {"formula potential=x y", "expected + - * / ^ or the end"},
            {"formula potential=x + ", "expected a number, a name or ("},
            {"formula potential=sqrt x", "expected ( behind a function"},
            {"formula potential=1.2.3", "expected a number"},
            {"formula potential=----------------------------------x",
             "too many signs"},
            {"formula potential=", "expected a number"},
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
            cmocka_unit_test(formulas_have_constants_with_units),
            cmocka_unit_test(formulas_are_read_as_written),
            cmocka_unit_test(derivatives_of_formulas_are_exact),
            cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
