/* SPDX-License-Identifier: MIT */
/* Chains as hierarchies of pairs, and their motion by splitting. */
#include "fewbody/split.h"
#include "nested.h"

/* ---- hierarchies --------------------------------------------------------- */

static void
nodes_are_between_centres(void **state)
{
    (void)state;
    const struct few_bodies b = nested_triple(10);
    const struct koshu_chain c = chain_of(&b);
    struct koshu_hierarchy h;
    koshu_hierarchy_take(&h, &c);
    for (size_t k = 0; k < 2; k++) {
        const struct koshu_hierarchy_node *node = &h.node[k];
        const bool is_pair = koshu_hierarchy_is_pair(node);
        double r2 = 0, far2 = 0;
        for (int d = 0; d < 3; d++) {
            const double pair = b.x[d][1] - b.x[d][0];
            r2 += node->x[d] * node->x[d];
            far2 += is_pair ? pair * pair : b.x[d][2] * b.x[d][2];
        }
        assert_near(r2, far2, 1e-14 * far2);
        assert_near(node->mass, is_pair ? 1.4 : 2.2, 1e-15);
        const struct koshu_pair pair = koshu_hierarchy_pair(&h, k);
        assert_near(-pair.mass / (2 * pair.energy), is_pair ? 1 : 20, 1e-12);
    }
}

static void
bodies_come_back(void **state)
{
    (void)state;
    const struct few_bodies all[] = {few_binary(1, 0.5), nested_triple(10),
                                     nested_quadruple(20), pythagorean()};
    for (size_t k = 0; k < 4; k++) {
        const struct koshu_chain c = chain_of(&all[k]);
        struct koshu_chain back = c;
        struct koshu_hierarchy h;
        double x[FEW][3], v[FEW][3], y[FEW][3], w[FEW][3],
                at[KOSHU_HIERARCHY_BODIES][3];
        koshu_hierarchy_take(&h, &c);
        koshu_hierarchy_give(&h, &back);
        koshu_hierarchy_bodies(&h, at);
        koshu_chain_bodies(&c, x, v);
        koshu_chain_bodies(&back, y, w);
        for (size_t i = 0; i < c.n; i++)
            for (int d = 0; d < 3; d++) {
                assert_near(y[i][d], x[i][d], 1e-14);
                assert_near(w[i][d], v[i][d], 1e-14);
                assert_near(at[i][d], x[c.body[i]][d], 1e-14);
            }
    }
}

static void
pairs_are_calm_while_others_are_far(void **state)
{
    (void)state;
    const struct few_bodies far = nested_triple(30), near = nested_triple(3),
                            burrau = pythagorean();
    const struct koshu_chain c = chain_of(&far), d = chain_of(&near),
                             e = chain_of(&burrau);
    struct koshu_hierarchy h;
    size_t fastest = 7;
    assert_true(koshu_chain_is_calm(&c, 1e-4, &h, &fastest));
    assert_true(koshu_hierarchy_is_pair(&h.node[fastest]));
    assert_false(koshu_chain_is_calm(&c, 0, &h, &fastest));
    assert_false(koshu_chain_is_calm(&c, 1e-10, &h, &fastest));
    assert_false(koshu_chain_is_calm(&d, 1e-4, &h, &fastest));
    assert_false(koshu_chain_is_calm(&e, 1e-4, &h, &fastest));
}

/* ---- motion -------------------------------------------------------------- */

static struct koshu_perturber heavy = {
        .mass = 0.5, .x = {90, 60, 40}, .v = {0, -0.1, 0}};
static const struct koshu_perturbers one = {.n = 1, .body = &heavy};

/* The largest distance of a body at that time from its place by extrapolation
 * with the same rates, in units of the semi-major axis. */
static double
off_by(const struct few_bodies *b, double slow, bool perturbed, unsigned steps,
       double time)
{
    static struct koshu_gbs gbs = {.tolerance = 1e-14};
    struct koshu_chain c = chain_of(b);
    struct koshu_hierarchy h;
    struct koshu_split how = {.time = time, .revolutions = 1000};
    uint64_t kicks = 0;
    double x[FEW][3], y[FEW][3], off = 0;
    how.steps = steps;
    c.perturbers = perturbed ? &one : NULL;
    if (c.n == 2) c.perturbers = &one;
    koshu_hierarchy_take(&h, &c);
    for (size_t k = 0; k + 1 < c.n; k++)
        if (koshu_hierarchy_is_pair(&h.node[k])) {
            c.rate[k] = slow;
            how.fastest = k;
        }
    koshu_chain_bind(&c);
    struct koshu_chain exact = c;
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
    assert_int_equal(koshu_chain_move(&gbs, &exact, &step, time, NULL),
                     KOSHU_OK);
    while (koshu_chain_until(&c, time) != 0) {
        koshu_hierarchy_take(&h, &c);
        koshu_chain_split(&c, &h, &how, &kicks);
    }
    assert_true(koshu_chain_time(&c) == time);
    assert_true(kicks > 0);
    koshu_chain_bodies(&c, x, NULL);
    koshu_chain_bodies(&exact, y, NULL);
    for (size_t k = 0; k < c.n; k++)
        for (int d = 0; d < 3; d++) off = fmax(off, fabs(x[k][d] - y[k][d]));
    return off;
}

/* Steps are of eighth order, except in terms of the square of the tides. */
static void
motion_is_that_of_the_chain(void **state)
{
    (void)state;
    const struct few_bodies two = few_binary(1, 0.6), three = nested_triple(30),
                            four = nested_quadruple(60);
    const struct few_bodies *all[] = {&two, &three, &four};
    for (size_t k = 0; k < 3; k++)
        for (int slow = 1; slow <= 8; slow *= 8)
            for (int perturbed = 0; perturbed < 2; perturbed++) {
                const double time = 40.0 * slow,
                             rough = off_by(all[k], 1.0 / slow, perturbed, 4,
                                            time),
                             fine = off_by(all[k], 1.0 / slow, perturbed, 8,
                                           time);
                assert_true(rough < 1e-4 && fine < 1e-6);
                assert_true(fine < rough / 3);
            }
}

/* Of two pairs the one that is not slower must be resolved as well: with such
 * periods it is not, at its pericentre. */
static void
a_second_pair_must_be_slow(void **state)
{
    (void)state;
    const struct few_bodies b = nested_quadruple(80);
    struct koshu_chain c = chain_of(&b);
    struct koshu_hierarchy h;
    size_t fastest;
    assert_false(koshu_chain_is_calm(&c, 1e-4, &h, &fastest));
}

/* A binary of e = 0.9 with a body at rest, in a tide of 0.005: occasional stops
 * within a revolution leave no error that accumulates. */
static void
stops_do_not_add_up(void **state)
{
    (void)state;
    static struct koshu_perturber at_rest = {.mass = 2, .x = {18, 0, 0}};
    static const struct koshu_perturbers only = {.n = 1, .body = &at_rest};
    static struct koshu_gbs gbs = {.tolerance = 1e-12, .slow_down = 1e-4};
    const struct few_bodies b = few_binary(1, 0.9);
    struct koshu_chain c = chain_of(&b);
    const double period = 2 * acos(-1);
    double u, first = 0, largest = 0;
    c.perturbers = &only;
    koshu_chain_bind(&c);
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
    for (int k = 0; k <= 4700; k++) {
        double x[FEW][3], energy = koshu_chain_energy(&c, &u);
        koshu_chain_bodies(&c, x, NULL);
        for (size_t i = 0; i < 2; i++) {
            const double to[3] = {18 - x[i][0], x[i][1], x[i][2]};
            energy -= 2 * b.mass[i] * (1 / sqrt(koshu_dot(to, to)) - 1 / 18.0);
        }
        if (k == 0) first = energy;
        largest = fmax(largest, fabs(energy - first));
        assert_int_equal(
                koshu_chain_move(&gbs, &c, &step, (k + 1) * period / 4.7, NULL),
                KOSHU_OK);
    }
    assert_true(gbs.steps == 0);
    assert_true(largest < 1e-7); /* of 0.09 */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(nodes_are_between_centres),
            cmocka_unit_test(bodies_come_back),
            cmocka_unit_test(pairs_are_calm_while_others_are_far),
            cmocka_unit_test(motion_is_that_of_the_chain),
            cmocka_unit_test(a_second_pair_must_be_slow),
            cmocka_unit_test(stops_do_not_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
