/* SPDX-License-Identifier: MIT */
/* Units: sizes compared with those in the IAU resolutions, parsing, and
 * particles in other units. */
#include <math.h>

#include "fixture.h"
#include "particles/particles.h"

/* ---- sizes --------------------------------------------------------------- */

/* A unit given as text, in cgs. */
static double
cgs_of(const char *text, enum koshu_quantity quantity)
{
    const struct koshu_units almost_cgs = {1, 1, 1.0 / 2};
    double value;
    assert_ok(context, koshu_quantity_parse(context, text, quantity,
                                            &almost_cgs, &value));
    return value * koshu_units_in_cgs(&almost_cgs, quantity);
}

static void
sizes_are_those_of_the_resolutions(void **state)
{
    (void)state;
    /* relative tolerance: the digits that are printed */
    const struct {
        const char *text;
        enum koshu_quantity quantity;
        double cgs, error;
    } known[] = {
            {"1 au", KOSHU_QUANTITY_LENGTH, 1.495978707e13, 1e-15},
            {"1 pc", KOSHU_QUANTITY_LENGTH, 3.0856775814913673e18, 1e-15},
            {"1 ly", KOSHU_QUANTITY_LENGTH, 9.4607304725808e17, 1e-15},
            {"1 Rsun", KOSHU_QUANTITY_LENGTH, 6.957e10, 1e-15},
            {"1 Msun", KOSHU_QUANTITY_MASS, 1.988409870698051e33, 1e-15},
            {"1 Mearth", KOSHU_QUANTITY_MASS, 5.9722e27, 2e-5},
            {"1 Mjup", KOSHU_QUANTITY_MASS, 1.8981246e30, 1e-4},
            {"1 yr", KOSHU_QUANTITY_TIME, 31557600, 1e-15},
            {"1 km/s", KOSHU_QUANTITY_VELOCITY, 1e5, 1e-15},
            {"1e10 M_sun kpc^-3", KOSHU_QUANTITY_DENSITY, 6.7679e-22, 2e-5},
            {"1/4 Msun*pc2 / Myr^2", KOSHU_QUANTITY_ENERGY,
             1.98841e33 / 4 * 9.5610e9, 1e-4}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        assert_near(cgs_of(known[k].text, known[k].quantity) / known[k].cgs, 1,
                    known[k].error);
}

static struct koshu_units
system_of(const char *text)
{
    struct koshu_units units;
    assert_ok(context, koshu_units_find(context, text, &units));
    return units;
}

/* G in the units that textbooks use. */
static void
gravity_follows_from_the_units(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double g, error;
    } known[] = {{"pc, Msun, km/s", 4.30091e-3, 2e-7},
                 {"pc, Msun, Myr", 4.49850e-3, 2e-7},
                 {"au, Msun, yr", 39.4769, 1e-4}, /* near 4 pi^2 */
                 {"kpc, 1e10 Msun, km/s", 43009.2, 0.1},
                 {"m, kg, s", 6.6743e-11, 1e-25},
                 {"pc, Msun", 1, 1e-14},
                 {"henon", 1, 0}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const struct koshu_units units = system_of(known[k].text);
        assert_near(koshu_units_gravitational_constant(&units), known[k].g,
                    known[k].error);
    }
}

/* ---- texts --------------------------------------------------------------- */

static void
assert_label(const char *system, enum koshu_quantity quantity,
             const char *expected)
{
    char text[96];
    const struct koshu_units units = system_of(system);
    koshu_units_label(&units, quantity, sizeof text, text);
    assert_string_equal(text, expected);
}

static void
labels_name_units(void **state)
{
    (void)state;
    assert_label("pc, Msun, Myr", KOSHU_QUANTITY_LENGTH, "pc");
    assert_label("Msun, Myr, pc", KOSHU_QUANTITY_ENERGY, "Msun pc^2/Myr^2");
    assert_label("pc, Msun, Myr", KOSHU_QUANTITY_VELOCITY, "pc/Myr");
    assert_label("pc, Msun, Myr", KOSHU_QUANTITY_NUMBER_DENSITY, "pc^-3");
    assert_label("pc, Msun, km/s", KOSHU_QUANTITY_TIME, "0.9778 Myr");
    assert_label("pc, Msun, km/s", KOSHU_QUANTITY_ANGULAR_MOMENTUM,
                 "Msun pc km/s");
    assert_label("pc, Msun, km/s", KOSHU_QUANTITY_ACCELERATION, "km^2/pc/s^2");
    assert_label("kpc, 1e10 Msun, km/s", KOSHU_QUANTITY_SURFACE_DENSITY,
                 "1e10 Msun/kpc^2");
    assert_label("pc, 222.3 Msun, Myr", KOSHU_QUANTITY_MASS, "222.3 Msun");
    assert_label("pc, Msun", KOSHU_QUANTITY_TIME, "14.91 Myr");
    assert_label("henon", KOSHU_QUANTITY_MASS, "");
    /* as in other programs */
    assert_label("3.085678e21 cm, 1.989e43 g, km/s", KOSHU_QUANTITY_DENSITY,
                 "1e10 Msun/kpc^3");
}

/* For every quantity, the label that is written can be read back. */
static void
labels_are_the_size_that_they_say(void **state)
{
    (void)state;
    static const char *const systems[] = {
            "pc, Msun, Myr",  "kpc, 1e10 Msun, km/s",
            "au, Mearth, d",  "m, kg, s",
            "pc, Msun",       "cm, g, 7 km/s",
            "3 pc, Mjup, m/s"};
    for (size_t s = 0; s < sizeof systems / sizeof systems[0]; s++)
        for (unsigned q = 0; koshu_quantity_name(q); q++) {
            const struct koshu_units units = system_of(systems[s]);
            char label[96], text[112];
            double one;
            koshu_units_label(&units, q, sizeof label, label);
            snprintf(text, sizeof text, "%s%s",
                     label[0] >= '0' && label[0] <= '9' ? "" : "1 ", label);
            assert_ok(context,
                      koshu_quantity_parse(context, text, q, &units, &one));
            assert_near(one, 1, 6e-4);
        }
}

static void
numbers_for_people_have_named_units(void **state)
{
    (void)state;
    char text[64];
    struct koshu_units units = system_of("kpc, 1e10 Msun, km/s");
    koshu_quantity_text(&units, KOSHU_QUANTITY_TIME, 0.5, sizeof text, text);
    assert_string_equal(text, "0.488896 Gyr");
    koshu_quantity_text(&units, KOSHU_QUANTITY_VELOCITY, 220, sizeof text,
                        text);
    assert_string_equal(text, "220 km/s");
    koshu_units_text(&units, sizeof text, text);
    assert_string_equal(text, "kpc, 1e10 Msun, km/s");
    units = system_of("pc, Msun, Myr");
    koshu_units_text(&units, sizeof text, text);
    assert_string_equal(text, "pc, Msun, Myr");
    units = system_of("henon");
    koshu_quantity_text(&units, KOSHU_QUANTITY_TIME, 0.5, sizeof text, text);
    assert_string_equal(text, "0.5");
    koshu_units_text(&units, 6, text);
    assert_string_equal(text, "Héno"); /* truncated to the size */
}

static void
quantities_are_converted(void **state)
{
    (void)state;
    const struct koshu_units units = system_of("pc, Msun, Myr");
    double x;
    assert_ok(context, koshu_quantity_parse(context, "0.1", KOSHU_QUANTITY_TIME,
                                            &units, &x));
    assert_true(x == 0.1);
    assert_ok(context, koshu_quantity_parse(context, "1/256 Myr",
                                            KOSHU_QUANTITY_TIME, &units, &x));
    assert_true(x == 1.0 / 256); /* bit for bit */
    assert_ok(context, koshu_quantity_parse(context, " 206264.806247 au ",
                                            KOSHU_QUANTITY_LENGTH, &units, &x));
    assert_near(x, 1, 1e-12);
    assert_ok(context,
              koshu_quantity_parse(context, "-1e2 km s^-1",
                                   KOSHU_QUANTITY_VELOCITY, &units, &x));
    assert_near(x, -102.271, 1e-3);
}

#define REFUSED(words, text, quantity)                  \
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, words, \
                 koshu_quantity_parse(context, text,    \
                                      KOSHU_QUANTITY_##quantity, &units, &x))
#define NO_SYSTEM(words, text)                          \
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, words, \
                 koshu_units_find(context, text, &units))

static void
what_is_no_quantity_is_refused(void **state)
{
    (void)state;
    struct koshu_units units = system_of("pc, Msun, Myr");
    double x;
    REFUSED("expected a unit of length, such as 0.1 pc, got one of mass",
            "0.1 Msun", LENGTH);
    REFUSED("'parsec' is not a unit", "1 parsec", LENGTH);
    REFUSED("'Msum' is not a unit; did you mean 'Msun'?", "1 Msum", MASS);
    REFUSED("does not begin with a number", "pc", LENGTH);
    REFUSED("does not begin with a number", "", LENGTH);
    REFUSED("is not a number with a unit", "1..2 pc", LENGTH);
    REFUSED("is not a number with a unit", "1e999 pc", LENGTH);
    REFUSED("is not a unit", "1 pc^", LENGTH);
    REFUSED("is not a unit", "1 pc/", LENGTH);
    REFUSED("is not a unit", "1 pc^99", LENGTH);
    REFUSED("does not begin with a number", "nan", LENGTH);
    units = system_of("henon");
    REFUSED("has a unit, but the units are Hénon units", "1 pc", LENGTH);
    NO_SYSTEM("there is not a unit of mass", "pc, Myr");
    NO_SYSTEM("two units of length", "pc, kpc, Msun");
    NO_SYSTEM("follow from each other", "pc, Msun, Myr, km/s");
    NO_SYSTEM("is not a unit of length, mass, time or velocity",
              "pc, Msun, pc^2");
    NO_SYSTEM("a unit is a positive number", "-1 pc, Msun");
    NO_SYSTEM("units without dimension", "cm, g, s");
    NO_SYSTEM("is not a unit", "pc, Msun, fortnight");
    NO_SYSTEM("is not a unit of length", "pc,,Msun");
}

/* ---- particles ----------------------------------------------------------- */

/* The circular velocity at one length unit from one mass unit. */
static void
particles_are_the_same_bodies_in_other_units(void **state)
{
    (void)state;
    const struct koshu_units pc = system_of("pc, Msun, Myr"),
                             au = system_of("au, Mearth, km/s"),
                             none = system_of("henon");
    struct koshu_particles *p;
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_create(context, 2, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    v.mass[1] = 3;
    v.x[1] = 2;
    v.vy[1] = 5;
    v.ax[1] = 7;
    v.potential[1] = -11;
    assert_ok(context, koshu_particles_convert(p, &pc, &au));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    assert_near(v.mass[1], 3 * 332946.05, 0.1); /* Msun / Mearth */
    assert_near(v.x[1], 2 * 206264.806247, 1e-5);
    assert_near(v.vy[1], 5 * 0.977792, 5e-6);
    assert_near(v.potential[1], -11 * 0.977792 * 0.977792, 2e-5);
    assert_near(v.ax[1] / (7 * 0.977792 * 0.977792 / 206264.806), 1, 2e-6);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "Hénon",
                 koshu_particles_convert(p, &au, &none));
    assert_true(koshu_units_factor(&au, &none, KOSHU_QUANTITY_MASS) == 0);
    assert_true(koshu_units_factor(&pc, &pc, KOSHU_QUANTITY_ENERGY) == 1);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(sizes_are_those_of_the_resolutions),
            cmocka_unit_test(gravity_follows_from_the_units),
            cmocka_unit_test(labels_name_units),
            cmocka_unit_test(labels_are_the_size_that_they_say),
            cmocka_unit_test(numbers_for_people_have_named_units),
            cmocka_unit_test(quantities_are_converted),
            cmocka_unit_test(what_is_no_quantity_is_refused),
            cmocka_unit_test(particles_are_the_same_bodies_in_other_units)};
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
