/* SPDX-License-Identifier: MIT */
/* Parts of the regularisation: chains and the plain leapfrog. */
#include <stdlib.h>

#include "chain_of.h"

static void
move(struct koshu_chain *c, double s, unsigned n)
{
    struct koshu_increment added;
    koshu_chain_leapfrog(c, s, n, &added);
    koshu_chain_add(c, &added);
}

static const struct few_bodies five = {
        .n = 5,
        .mass = {1, 2, 3, 4, 5},
        .x = {{0, 10, 0.1, 10.1, 5}, {0, 0, 0, 0, 3}, {0, 1, 0, 1, 0}},
        .v = {{0, 1, 0, 0, 0}, {1, 0, 0, -1, 0}, {0, 0, 0.5, 0, 0}}};

/* Members of a pair are neighbours; a body between pairs is in the middle or at
 * an end. */
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

/* Bodies that go into the chain come out the same, about the centre of mass. */
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

/* Reordering the chain keeps the bodies to the last digit. */
static void
orders_follow_the_bodies(void **state)
{
    (void)state;
    struct few_bodies moved = five;
    struct koshu_chain c = chain_of(&five);
    double before[FEW][3], after[FEW][3];
    moved.x[0][4] = 0.2; /* moved from between the pairs into one of them */
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

/* With any step two bodies stay on their orbit: energy and direction of the
 * pericentre are constant, only the time is wrong. */
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
        /* about a third of a radian in the eccentric anomaly */
        move(&c, 0.07, 1);
        const double now = koshu_chain_energy(&c, &u);
        assert_near((now - energy) / u, 0, 1e-13);
    }
}

/* The position of three bodies after s = 2, compared with 8192 steps: the
 * leapfrog's error falls as the square of its step. */
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

/* Extrapolated, it is accurate to the tolerance, and returns when reversed. */
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

/* T + B - U relative to U. */
static double
mismatch_of(const struct koshu_chain *c)
{
    double x[3 * KOSHU_CHAIN_LINKS], v[3 * KOSHU_CHAIN_LINKS],
            a[3 * KOSHU_CHAIN_LINKS];
    koshu_chain_values(c, x, v);
    const double u = koshu_chain_forces(c, x, a);
    return (koshu_chain_kinetic(c, v) + koshu_chain_binding(c) - u) / u;
}

/* The rounding of T + B - U does not grow with the number of changes of kappa,
 * as it would if each only changed B by the pair's difference. */
static void
another_kappa_begins_anew(void **state)
{
    (void)state;
    const struct elements inner = {1, 0.01, 0.9, 0, 0, 1},
                          outer = {2, 2, 0.1, 0, 0, M_PI};
    const struct few_bodies b = few_triple(0.25, 0.75, 1, &inner, &outer);
    struct koshu_chain c = chain_of(&b);
    assert_near(mismatch_of(&c), 0, 1e-15);
    c.binding *= 1 + 1e-6;
    assert_true(fabs(mismatch_of(&c)) > 1e-8);
    koshu_chain_slow(&c, 1e-4);
    const size_t pair = c.rate[0] < 1 ? 0 : 1;
    assert_true(c.rate[pair] < 1);
    assert_near(mismatch_of(&c), 0, 1e-14);
    c.binding *= 1 + 1e-6;
    koshu_chain_speed_up(&c, pair);
    assert_true(c.rate[0] == 1 && c.rate[1] == 1);
    assert_near(mismatch_of(&c), 0, 1e-14);
    double u;
    assert_near(koshu_chain_energy(&c, &u), -koshu_chain_binding(&c), 1e-12);
}

/* Two hard binaries about each other, each averaged over its revolutions. */
static void
hard_binaries_keep_their_energy(void **state)
{
    (void)state;
    const struct elements first = {0.5, 0.01, 0.97, 0.3, 0, 1},
                          second = {0.5, 0.014, 0.7, 1, 0.4, 2},
                          outer = {1, 1.5, 0.4, 0, 0, M_PI};
    double x[2][3], v[2][3], far[3], rate[3], u, gone = 0;
    struct few_bodies b = {.n = 4, .mass = {0.25, 0.25, 0.2, 0.3}};
    few_orbit(&first, x[0], v[0]);
    few_orbit(&second, x[1], v[1]);
    few_orbit(&outer, far, rate);
    for (size_t k = 0; k < 4; k++) {
        const size_t p = k / 2;
        const double pair = b.mass[2 * p] + b.mass[2 * p + 1],
                     part = k % 2 ? b.mass[2 * p] / pair
                                  : -b.mass[2 * p + 1] / pair;
        for (int d = 0; d < 3; d++) {
            b.x[d][k] = part * x[p][d] + (p ? 0.5 : -0.5) * far[d];
            b.v[d][k] = part * v[p][d] + (p ? 0.5 : -0.5) * rate[d];
        }
    }
    static struct koshu_gbs gbs = {.tolerance = 1e-12, .slow_down = 1e-5};
    struct koshu_chain c = chain_of(&b);
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
    const double energy = koshu_chain_energy(&c, &u);
    for (int k = 1; k <= 64; k++) {
        assert_int_equal(koshu_chain_move(&gbs, &c, &step, k / 8.0, NULL),
                         KOSHU_OK);
        gone = fmax(gone, fabs(koshu_chain_energy(&c, &u) / energy - 1));
    }
    assert_true(gbs.steps == 0);
    assert_true(gone < 2e-7);
}

/* The bodies are so far from where the first, far too long step would lead that
 * it is cut short. That is no landing on the end time, so the next steps start
 * short. */
static void
steps_that_are_far_too_long_are_learnt(void **state)
{
    (void)state;
    static struct koshu_gbs gbs = {.tolerance = 1e-13};
    const struct few_bodies b = pythagorean();
    struct koshu_chain usual = chain_of(&b), c = usual;
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5},
                          far = {1e6 * step.s, 8};
    double x[FEW][3], y[FEW][3];
    assert_int_equal(koshu_chain_move(&gbs, &usual, &step, 30, NULL), KOSHU_OK);
    const uint64_t usually = gbs.evaluations;
    assert_true(gbs.steps > 100);
    gbs.evaluations = 0;
    assert_int_equal(koshu_chain_move(&gbs, &c, &far, 30, NULL), KOSHU_OK);
    assert_true(gbs.evaluations < 2 * usually);
    koshu_chain_bodies(&usual, x, NULL);
    koshu_chain_bodies(&c, y, NULL);
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 3; d++) assert_near(y[k][d], x[k][d], 1e-7);
}

/* A landing backwards in time may be cut short, too; only a step length is
 * learnt from it. */
static void
steps_go_on_after_a_landing_back(void **state)
{
    (void)state;
    static struct koshu_gbs gbs = {.tolerance = 1e-13};
    const struct few_bodies b = pythagorean();
    struct koshu_chain c = chain_of(&b);
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
    double x[FEW][3], y[FEW][3];
    assert_int_equal(koshu_chain_move(&gbs, &c, &step, 5, NULL), KOSHU_OK);
    koshu_chain_bodies(&c, x, NULL);
    step = (struct koshu_gbs_step){1e6, 8};
    assert_int_equal(koshu_chain_move(&gbs, &c, &step, 3, NULL), KOSHU_OK);
    assert_true(step.s > 0 && step.s < 100);
    assert_int_equal(koshu_chain_move(&gbs, &c, &step, 5, NULL), KOSHU_OK);
    koshu_chain_bodies(&c, y, NULL);
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 3; d++) assert_near(y[k][d], x[k][d], 1e-9);
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
            cmocka_unit_test(steps_that_are_far_too_long_are_learnt),
            cmocka_unit_test(steps_go_on_after_a_landing_back),
            cmocka_unit_test(another_kappa_begins_anew),
            cmocka_unit_test(hard_binaries_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
