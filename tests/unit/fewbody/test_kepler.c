/* SPDX-License-Identifier: MIT */
/* Kepler motion, compared with the extrapolated leapfrog and known orbits. */
#include "few_bodies.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

static const double pi = 3.14159265358979323846;

/* The bodies at time t, by Kepler's law or by steps. */
static struct few_bodies
at_time(const struct few_bodies *b, bool kepler, double t)
{
    struct koshu_fewbody_options o = koshu_fewbody_options_default();
    o.kepler = kepler;
    struct koshu_fewbody *f = few_create(context, b, &o);
    assert_ok(context, koshu_fewbody_integrate(f, t));
    const struct few_bodies now = few_now(context, f, b->n);
    assert_true(few_report(f).steps == 0 || !kepler);
    koshu_fewbody_destroy(f);
    return now;
}

/* Velocities change by 1e4 of their unit within 1e-4 of the period, so that a
 * time error of 1e-16 shows. */
static void
it_is_where_steps_go(void **state)
{
    (void)state;
    const double eccentricities[] = {0, 0.3, 0.9, 0.9999};
    for (size_t k = 0; k < 4; k++)
        for (double t = -7; t < 13; t += 1.3) {
            const struct elements orbit = {1,   1,   eccentricities[k],
                                           0.4, 0.7, 2};
            const struct few_bodies b = few_triple(0.3, 0.7, 0, &orbit, NULL);
            const struct few_bodies one = at_time(&b, true, t),
                                    other = at_time(&b, false, t);
            assert_near(few_apart(&one, &other), 0, 2e-12);
        }
}

/* Unbound, starting at rest, and at escape speed. */
static void
open_orbits_are_where_steps_go(void **state)
{
    (void)state;
    const double speeds[] = {3, 0.1, 0, 0.6324555320336759};
    for (size_t k = 0; k < 4; k++) {
        struct few_bodies b = {.n = 2, .mass = {0.5, 0.5}, .x = {{-2.5, 2.5}}};
        b.v[0][1] = -0.6 * speeds[k];
        b.v[1][1] = 0.8 * speeds[k];
        for (double t = 0.5; t < 11; t += 1) {
            const struct few_bodies one = at_time(&b, true, t),
                                    other = at_time(&b, false, t);
            assert_near(few_apart(&one, &other), 0, 1e-11);
        }
    }
}

/* After 1e6 periods the phase error is that of the time's rounding. */
static void
periods_do_not_add_up(void **state)
{
    (void)state;
    const struct elements orbit = {1, 1, 0.5, 0, 0, pi};
    const struct few_bodies b = few_triple(0.5, 0.5, 0, &orbit, NULL);
    const struct few_bodies late = at_time(&b, true, 1e6 * 2 * pi);
    assert_near(few_apart(&late, &b), 0, 1e-8);
}

/* At the pericentre of e = 0.9999, r = 1e-4, a relative error of 1e-16 in T or
 * U becomes 2e-12 in their sum. */
static void
pericentres_have_all_digits(void **state)
{
    (void)state;
    const struct elements orbit = {1, 1, 0.9999, 0, 0, pi};
    const struct few_bodies b = few_triple(0.5, 0.5, 0, &orbit, NULL);
    struct koshu_fewbody *f = few_create(context, &b, NULL);
    for (int k = -5; k <= 5; k++) {
        assert_ok(context, koshu_fewbody_integrate(f, pi + k * 1e-7));
        assert_near(few_report(f).energy_error, 0, 4e-11);
    }
    koshu_fewbody_destroy(f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(it_is_where_steps_go),
            cmocka_unit_test(open_orbits_are_where_steps_go),
            cmocka_unit_test(periods_do_not_add_up),
            cmocka_unit_test(pericentres_have_all_digits),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
