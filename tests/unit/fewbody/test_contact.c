/* SPDX-License-Identifier: MIT */
/* Bodies with radii: when they touch, and what they merge into. */
#include "chain_of.h"

static struct koshu_gbs gbs = {.tolerance = 1e-13};

static double
length(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* At the returned time they are at this distance and approaching; a little
 * earlier they are further apart. */
static void
assert_contact(const struct elements *orbit, double distance)
{
    const struct few_bodies b = few_triple(0.25, 0.75, 0, orbit, NULL);
    const struct koshu_chain c = chain_of(&b);
    double x[3], v[3], along = 0;
    koshu_chain_values(&c, x, v);
    const double wait = koshu_pair_contact(1, x, v, distance);
    assert_true(isfinite(wait) && wait > 0);
    for (int k = 0; k < 100; k++) {
        double at[] = {x[0], x[1], x[2]}, rate[] = {v[0], v[1], v[2]};
        koshu_kepler_move(1, wait * k / 100, at, rate);
        assert_true(length(at) > distance);
    }
    koshu_kepler_move(1, wait, x, v);
    for (int d = 0; d < 3; d++) along += x[d] * v[d];
    assert_true(along < 0);
    assert_near(length(x), distance, 1e-9 * distance);
}

static void
pairs_touch_by_keplers_law(void **state)
{
    (void)state;
    static const struct elements orbits[] = {{1, 1, 0.9, 0.3, 1, 2},
                                             {1, 1, 0.9, 0.3, 1, -2},
                                             {1, 1, 0.9, 0.3, 1, M_PI},
                                             {1, 1, 0.9999, 0.3, 1, 2}};
    for (int k = 0; k < 4; k++) {
        assert_contact(&orbits[k], k < 3 ? 0.11 : 1.1e-4);
        assert_contact(&orbits[k], 0.3);
    }
}

static void
hyperbolas_touch_once(void **state)
{
    (void)state;
    double x[] = {-10, 0.5, 0}, v[] = {1, 0, 0};
    const double wait = koshu_pair_contact(1, x, v, 0.2);
    assert_true(isfinite(wait) && wait > 0);
    koshu_kepler_move(1, wait, x, v);
    assert_near(length(x), 0.2, 1e-12);
    koshu_kepler_move(1, 2, x, v); /* it has passed through */
    assert_true(isinf(koshu_pair_contact(1, x, v, 0.2)));
}

static void
others_never_do(void **state)
{
    (void)state;
    const double x[] = {1, 0, 0}, v[] = {0, 1, 0}, near_[] = {0.1, 0, 0};
    assert_true(isinf(koshu_pair_contact(1, x, v, 0.5)));
    assert_true(koshu_pair_contact(1, near_, v, 0.5) == 0);
}

static void
radii_go_with_masses(void **state)
{
    (void)state;
    const struct koshu_radius_law law = {0.5, 2, 0.8}, same = {0.5, 2, 0};
    assert_near(koshu_radius_of(&law, 2), 0.5, 1e-15);
    assert_near(koshu_radius_of(&law, 64), 0.5 * 16, 1e-13);
    assert_near(koshu_radius_of(&same, 64), 0.5, 0);
}

/* A triple whose inner pair touches on approach: the chain stops there and goes
 * on with what is left, by Kepler's law if that is two bodies. */
static void
chains_stop_where_bodies_touch(void **state)
{
    (void)state;
    const struct elements inner = {1, 1, 0.9, 0.3, 1, 2},
                          outer = {1.5, 20, 0.2, 1, 0, 1};
    const struct koshu_radius_law law = {0.1, 1, 0};
    struct koshu_contact contact = {.law = &law};
    for (int third = 0; third < 2; third++) {
        const struct few_bodies b =
                few_triple(0.25, 0.75, third ? 0.5 : 0, &inner, &outer);
        struct koshu_chain c = chain_of(&b);
        struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
        double x[FEW][3], v[FEW][3], momentum[3] = {0}, far = 0;
        assert_int_equal(koshu_chain_move(&gbs, &c, &step, 100, &contact),
                         KOSHU_OK);
        assert_int_not_equal(contact.link, KOSHU_NO_CONTACT);
        assert_true(koshu_chain_time(&c) < 2 * M_PI);
        koshu_chain_bodies(&c, x, v);
        for (int d = 0; d < 3; d++)
            far += (x[0][d] - x[1][d]) * (x[0][d] - x[1][d]);
        assert_near(sqrt(far), 0.2, 1e-7); /* they differ by the tides only */
        koshu_chain_merge(&c, contact.link);
        assert_int_equal(c.n, b.n - 1);
        assert_near(c.total_mass, third ? 1.5 : 1, 1e-15);
        assert_int_equal(koshu_chain_move(&gbs, &c, &step, 7, &contact),
                         KOSHU_OK);
        assert_int_equal(contact.link, KOSHU_NO_CONTACT);
        assert_true(koshu_chain_time(&c) == 7);
        koshu_chain_bodies(&c, x, v);
        for (size_t k = 0; k < c.n; k++)
            for (int d = 0; d < 3; d++)
                momentum[d] += c.mass[k] * v[c.body[k]][d];
        assert_near(length(momentum), 0, 1e-14);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(pairs_touch_by_keplers_law),
            cmocka_unit_test(hyperbolas_touch_once),
            cmocka_unit_test(others_never_do),
            cmocka_unit_test(radii_go_with_masses),
            cmocka_unit_test(chains_stop_where_bodies_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
