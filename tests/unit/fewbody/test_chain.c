/* SPDX-License-Identifier: MIT */
/* The parts of the regularisation: chains and the bare leapfrog. */
#include <stdlib.h>

#include "chain_of.h"

static void
move(struct koshu_chain *c, double s, unsigned n)
{
    static struct koshu_sum added[KOSHU_CHAIN_SIZE];
    koshu_chain_leapfrog(c, s, n, added);
    for (size_t k = 0; k < koshu_chain_size(c); k++)
        koshu_sum_merge(&c->y[k], added[k]);
}

static const struct few_bodies five = {
        .n = 5,
        .mass = {1, 2, 3, 4, 5},
        .x = {{0, 10, 0.1, 10.1, 5}, {0, 0, 0, 0, 3}, {0, 1, 0, 1, 0}},
        .v = {{0, 1, 0, 0, 0}, {1, 0, 0, -1, 0}, {0, 0, 0.5, 0, 0}}};

/* Pairs are side by side, the one between them in the middle or at an end. */
static void
near_bodies_are_neighbours(void **state)
{
    (void)state;
    const struct koshu_chain c = chain_of(&five);
    size_t place[5];
    for (size_t k = 0; k < 5; k++) place[c.body[k]] = k;
    assert_int_equal(abs((int)place[0] - (int)place[2]), 1);
    assert_int_equal(abs((int)place[1] - (int)place[3]), 1);
}

/* Bodies go into the chain and out of it, about the centre of mass. */
static void
chains_hold_the_bodies(void **state)
{
    (void)state;
    const struct koshu_chain c = chain_of(&five);
    double x[FEW][3], v[FEW][3];
    koshu_chain_bodies(&c, x, v);
    for (int d = 0; d < 3; d++) {
        double centre = 0;
        for (size_t k = 0; k < 5; k++) {
            centre += five.mass[k] * x[k][d];
            assert_near(x[k][d] - x[0][d], five.x[d][k] - five.x[d][0], 4e-15);
            assert_near(v[k][d] - v[0][d], five.v[d][k] - five.v[d][0], 1e-15);
        }
        assert_near(centre, 0, 1e-13);
    }
}

/* Another order has the same bodies, to the last digit. */
static void
orders_follow_the_bodies(void **state)
{
    (void)state;
    struct few_bodies moved = five;
    struct koshu_chain c = chain_of(&five);
    double before[FEW][3], after[FEW][3];
    moved.x[0][4] = 0.2; /* from between the pairs into one */
    moved.x[1][4] = 0;
    const struct koshu_chain other = chain_of(&moved);
    for (size_t k = 0; k < 5; k++) c.body[k] = five.n - 1 - c.body[k];
    koshu_chain_bodies(&c, before, NULL);
    koshu_chain_renew(&c);
    koshu_chain_bodies(&c, after, NULL);
    for (size_t k = 0; k < 5; k++)
        for (int d = 0; d < 3; d++)
            assert_near(after[k][d], before[k][d], 2e-15);
    assert_memory_not_equal(c.body, other.body, 5 * sizeof *c.body);
}

/* Two bodies stay on their orbit with any step: their energy and the direction
 * of the pericentre do not change, the time does. */
static void
the_leapfrog_keeps_an_orbit(void **state)
{
    (void)state;
    const struct elements orbit = {1, 1, 0.99, 0, 0, 3.14159};
    const struct few_bodies b = few_triple(0.25, 0.75, 0, &orbit, NULL);
    struct koshu_chain c = chain_of(&b);
    double u;
    const double energy = koshu_chain_energy(&c, &u);
    for (int k = 0; k < 1000; k++) {
        move(&c, 0.07, 1); /* about a third of the eccentric anomaly's radian */
        const double now = koshu_chain_energy(&c, &u);
        assert_near((now - energy) / u, 0, 1e-13);
    }
}

/* Where three bodies are after s = 2, against 8192 steps: the error of the
 * leapfrog falls with the square of its step. */
static void
the_leapfrog_is_of_second_order(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    double error[4], x[FEW][3], exact[FEW][3];
    struct koshu_chain best = chain_of(&b);
    move(&best, 2, 8192);
    koshu_chain_bodies(&best, exact, NULL);
    for (int k = 0; k < 4; k++) {
        struct koshu_chain c = chain_of(&b);
        move(&c, 2, 64u << k);
        koshu_chain_bodies(&c, x, NULL);
        error[k] = 0;
        for (size_t i = 0; i < 3; i++)
            for (int d = 0; d < 3; d++)
                error[k] = fmax(error[k], fabs(x[i][d] - exact[i][d]));
    }
    for (int k = 0; k < 3; k++)
        assert_near(log2(error[k] / error[k + 1]), 2, 0.02);
}

/* Extrapolated, it is exact to the tolerance, and back where it was. */
static void
steps_return(void **state)
{
    (void)state;
    static struct koshu_gbs gbs = {.tolerance = 1e-14};
    const struct few_bodies b = pythagorean();
    const struct koshu_chain from = chain_of(&b);
    struct koshu_chain c = from;
    struct koshu_gbs_step step = {0.5, 5};
    double made, back;
    assert_int_equal(koshu_gbs_advance(&gbs, &c, &step, &made), KOSHU_OK);
    assert_true(koshu_chain_time(&c) > 0.001);
    step = (struct koshu_gbs_step){-made, 8};
    assert_int_equal(koshu_gbs_advance(&gbs, &c, &step, &back), KOSHU_OK);
    assert_true(back == -made);
    for (size_t k = 0; k < koshu_chain_size(&c); k++)
        assert_near(koshu_sum_value(c.y[k]), koshu_sum_value(from.y[k]), 1e-13);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(near_bodies_are_neighbours),
            cmocka_unit_test(chains_hold_the_bodies),
            cmocka_unit_test(orders_follow_the_bodies),
            cmocka_unit_test(the_leapfrog_keeps_an_orbit),
            cmocka_unit_test(the_leapfrog_is_of_second_order),
            cmocka_unit_test(steps_return),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
