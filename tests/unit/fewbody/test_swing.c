/* SPDX-License-Identifier: MIT */
/* Changing the slow-down factor kappa of pairs. */
#include "chain_of.h"

/* ---- a pair in tides that stand still ------------------------------------ */

/* The perturbing body, and the field around it. */
static struct koshu_perturber body = {.mass = 2, .x = {3, 2, 1}};
static const double tide[3][3] = {
        {0.03, 0.01, 0}, {0.01, -0.02, 0.02}, {0, 0.02, -0.01}};

static void
add_tide(const void *user, double time, size_t n, const double (*x)[3],
         double (*f)[3])
{
    (void)user;
    (void)time;
    for (size_t k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) f[k][i] += tide[i][j] * x[k][j];
}

static const struct koshu_perturbers outside = {
        .n = 1, .body = &body, .field = add_tide, .tide = 0.03};

/* Energy of the bodies in both, less that of the centre of mass. */
static double
tidal_energy(const struct koshu_chain *c)
{
    double x[FEW][3], energy = 0;
    koshu_chain_bodies(c, x, NULL);
    for (size_t k = 0; k < c->n; k++) {
        double far2 = 0, r2 = 0, field = 0;
        for (int i = 0; i < 3; i++) {
            const double *at = x[c->body[k]];
            far2 += body.x[i] * body.x[i];
            r2 += (body.x[i] - at[i]) * (body.x[i] - at[i]);
            for (int j = 0; j < 3; j++) field += at[i] * tide[i][j] * at[j];
        }
        energy -= c->mass[k] *
                  (body.mass * (1 / sqrt(r2) - 1 / sqrt(far2)) + field / 2);
    }
    return energy;
}

struct range {
    double low, high;
};

static void
widen(struct range *r, const struct koshu_chain *c)
{
    double u;
    const double energy = koshu_chain_energy(c, &u) + tidal_energy(c);
    r->low = fmin(r->low, energy);
    r->high = fmax(r->high, energy);
}

/* While the pair is slowed, its energy oscillates within each revolution by
 * kappa times the usual amount. Wherever the slow-down is lifted, the bodies
 * must be on an orbit of the same energy. */
static void
settled_pairs_have_one_energy(void **state)
{
    (void)state;
    const double kappa = 16, turns = 2 * acos(-1) * kappa * 1e-3;
    const struct elements orbit = {1, 0.01, 0.6, 0.3, 1, 2};
    const struct few_bodies b = few_triple(0.25, 0.75, 0, &orbit, NULL);
    static struct koshu_gbs gbs = {.tolerance = 1e-14};
    struct koshu_chain c = chain_of(&b);
    struct range slowed = {INFINITY, -INFINITY}, settled = slowed;
    c.perturbers = &outside;
    widen(&settled, &c);
    koshu_chain_set_rate(&c, 0, 1 / kappa);
    koshu_chain_bind(&c);
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
    for (int k = 1; k <= 40; k++) {
        assert_int_equal(
                koshu_chain_move(&gbs, &c, &step, turns * k / 40, NULL),
                KOSHU_OK);
        struct koshu_chain now = c;
        koshu_chain_settle(&now);
        assert_true(now.rate[0] == 1 && c.rate[0] == 1 / kappa);
        widen(&slowed, &c);
        widen(&settled, &now);
    }
    assert_true(slowed.high - slowed.low > 1e-5); /* of 9 */
    assert_true(settled.high - settled.low < (slowed.high - slowed.low) / 100);
}

/* Wherever the pair is in its revolution, the mean has the same energy, which
 * takes the third power of distances as well. */
static void
means_have_one_energy(void **state)
{
    (void)state;
    static struct koshu_perturber near = {.mass = 2, .x = {0.3, 0.2, 0.1}};
    static const struct koshu_perturbers only = {.n = 1, .body = &near};
    const double turn = 2 * acos(-1) * 1e-3;
    const struct elements orbit = {1, 0.01, 0.6, 0.3, 1, 2};
    const struct few_bodies b = few_triple(0.25, 0.75, 0, &orbit, NULL);
    static struct koshu_gbs gbs = {.tolerance = 1e-14};
    struct koshu_chain c = chain_of(&b);
    struct range usual = {INFINITY, -INFINITY}, means = usual;
    double u;
    c.perturbers = &only;
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
    for (int k = 1; k <= 40; k++) {
        assert_int_equal(koshu_chain_move(&gbs, &c, &step, turn * k / 40, NULL),
                         KOSHU_OK);
        struct koshu_chain now = c;
        const double energy = koshu_chain_energy(&c, &u);
        koshu_chain_change_swing(&now, 0, 1, 0);
        const double mean = koshu_chain_energy(&now, &u);
        usual = (struct range){fmin(usual.low, energy),
                               fmax(usual.high, energy)};
        means = (struct range){fmin(means.low, mean), fmax(means.high, mean)};
    }
    assert_true(means.high - means.low < (usual.high - usual.low) / 500);
}

/* Changing back undoes the change at any phase, so that stops do not accumulate
 * errors. */
static void
means_go_back(void **state)
{
    (void)state;
    const struct elements outer = {2, 19, 0.2, 1, 0, 2};
    for (int k = 0; k < 20; k++) {
        const struct elements inner = {1, 1, 0.6, 0.3, 1, 0.3 * k};
        const struct few_bodies b = few_triple(0.25, 0.75, 1, &inner, &outer);
        struct koshu_chain c = chain_of(&b);
        const size_t pair = c.body[0] == 2 ? 1 : 0;
        double u, mean;
        const double before = koshu_chain_energy(&c, &u);
        koshu_chain_change_swing(&c, pair, 1, 0);
        mean = koshu_chain_energy(&c, &u);
        koshu_chain_change_swing(&c, pair, 0, 1);
        assert_near(koshu_chain_energy(&c, &u), before, 1e-14);
        assert_true(fabs(mean - before) > 1e-9);
    }
}

/* ---- other cases --------------------------------------------------------- */

/* A pair in the middle of a chain of four, or in a triple. */
static struct few_bodies
make_four(double distance)
{
    const struct elements orbit = {0.5, 0.01, 0.5, 0.3, 1, 2};
    struct few_bodies b = few_triple(0.25, 0.25, 0, &orbit, NULL);
    b.n = 4;
    b.mass[2] = b.mass[3] = 1;
    b.x[0][2] = b.x[1][2] = -distance;
    b.x[0][3] = 1.1 * distance;
    return b;
}

static void
others_stay_where_they_are(void **state)
{
    (void)state;
    const struct few_bodies b = make_four(0.3);
    struct koshu_chain c = chain_of(&b);
    double x[2][FEW][3], v[2][FEW][3], changed = 0;
    koshu_chain_bodies(&c, x[0], v[0]);
    assert_true(c.body[1] < 2 && c.body[2] < 2);
    koshu_chain_set_rate(&c, 1, 1.0 / 4);
    koshu_chain_bodies(&c, x[1], v[1]);
    for (int d = 0; d < 3; d++) {
        for (int k = 2; k < 4; k++) {
            assert_near(x[1][k][d], x[0][k][d], 1e-15);
            assert_near(v[1][k][d], v[0][k][d], 1e-15);
        }
        assert_near(x[1][0][d] + x[1][1][d], x[0][0][d] + x[0][1][d], 1e-15);
        assert_near(v[1][0][d] + v[1][1][d], v[0][0][d] + v[0][1][d], 1e-15);
        changed += fabs(x[1][0][d] - x[0][0][d]);
    }
    assert_true(changed > 1e-8 && c.rate[1] == 0.25);
    koshu_chain_set_rate(&c, 1, 1); /* and back */
    koshu_chain_bodies(&c, x[1], v[1]);
    for (int k = 0; k < 4; k++)
        for (int d = 0; d < 3; d++)
            assert_near(x[1][k][d], x[0][k][d], 0.01 * changed);
}

/* A change made by other bodies is not part of the swing and stays. */
static void
encounters_change_nothing(void **state)
{
    (void)state;
    const struct few_bodies b = make_four(0.03);
    struct koshu_chain c = chain_of(&b), before = c;
    const size_t pair = c.body[0] < 2 && c.body[1] < 2 ? 0 : 1;
    koshu_chain_set_rate(&c, pair, 1.0 / 4);
    for (size_t k = 0; k < 2 * koshu_chain_half(&c); k++)
        assert_true(c.y[k].sum == before.y[k].sum);
    assert_true(c.rate[pair] == 0.25);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(settled_pairs_have_one_energy),
            cmocka_unit_test(means_have_one_energy),
            cmocka_unit_test(means_go_back),
            cmocka_unit_test(others_stay_where_they_are),
            cmocka_unit_test(encounters_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
