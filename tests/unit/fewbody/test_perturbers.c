/* SPDX-License-Identifier: MIT */
/* A chain perturbed by bodies outside it. */
#include "chain_of.h"

static struct koshu_gbs gbs;

static koshu_status
move_to(struct koshu_chain *c, double time)
{
    struct koshu_gbs_step step = {koshu_fewbody_first_step(c), 5};
    gbs.tolerance = 1e-14;
    return koshu_chain_move(&gbs, c, &step, time, NULL);
}

/* The bodies' energy in the field of the first perturber at rest, less that of
 * the centre of mass, whose force the chain does not see. */
static double
tidal_energy(const struct koshu_chain *c, const struct koshu_perturber *p)
{
    double x[FEW][3], energy = 0;
    const double far =
            sqrt(p->x[0] * p->x[0] + p->x[1] * p->x[1] + p->x[2] * p->x[2]);
    koshu_chain_bodies(c, x, NULL);
    for (size_t k = 0; k < c->n; k++) {
        double r2 = 0;
        for (int d = 0; d < 3; d++)
            r2 += (p->x[d] - x[c->body[k]][d]) * (p->x[d] - x[c->body[k]][d]);
        energy -= c->mass[k] * p->mass * (1 / sqrt(r2) - 1 / far);
    }
    return energy;
}

/* So near that the orbit changes. */
static struct koshu_perturber heavy = {.mass = 0.5, .x = {3, 2, 1}};
static const struct koshu_perturbers one = {.n = 1, .body = &heavy};
static const struct elements orbit = {1, 1, 0.6, 0.3, 1, 2};

/* The energy gained from a body at rest is lost from its potential; B equals
 * the energy. */
static void
energy_goes_to_the_field_and_back(void **state)
{
    (void)state;
    const struct few_bodies b = few_triple(0.25, 0.75, 0, &orbit, NULL);
    struct koshu_chain c = chain_of(&b);
    double u, least = INFINITY, largest = -INFINITY;
    c.perturbers = &one;
    const double before = koshu_chain_energy(&c, &u) + tidal_energy(&c, &heavy);
    for (int k = 1; k <= 40; k++) {
        assert_int_equal(move_to(&c, 0.1 * k), KOSHU_OK);
        const double energy = koshu_chain_energy(&c, &u);
        assert_near(energy + tidal_energy(&c, &heavy), before, 1e-12);
        assert_near(koshu_chain_binding(&c), -energy, 1e-12);
        least = fmin(least, energy);
        largest = fmax(largest, energy);
    }
    assert_true(largest - least > 1e-3); /* of 0.09 */
}

/* The field is that of the perturber's position at the time. */
static void
perturbers_move(void **state)
{
    (void)state;
    struct koshu_perturber body = {.mass = 2,
                                   .x = {1, 0, 0},
                                   .v = {0, 1, 0},
                                   .a = {0, 0, 2},
                                   .jerk = {6, 0, 0}};
    const struct koshu_perturbers p = {.n = 1, .time = 10, .body = &body};
    /* it is at 2, 1, 1 when t = 11; at 10.5: */
    const double x[1][3] = {{2, 1, 1}};
    const double r[3] = {1.125 - 2, 0.5 - 1, 0.25 - 1};
    const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    double f[1][3];
    koshu_perturbers_fields(&p, 10.5, 1, x, f);
    for (int d = 0; d < 3; d++)
        assert_near(f[0][d], 2 * r[d] / (r2 * sqrt(r2)), 1e-15);
}

/* Without perturbers two bodies follow Kepler's law, and steps of the chain
 * agree. */
static void
steps_go_where_kepler_does(void **state)
{
    (void)state;
    static const struct koshu_perturbers none = {.n = 0};
    const struct few_bodies b = few_triple(0.25, 0.75, 0, &orbit, NULL);
    struct koshu_chain kepler = chain_of(&b), steps = kepler;
    double x[FEW][3], y[FEW][3];
    steps.perturbers = &none;
    assert_int_equal(move_to(&kepler, 30), KOSHU_OK);
    assert_int_equal(move_to(&steps, 30), KOSHU_OK);
    assert_true(koshu_chain_time(&steps) == 30);
    koshu_chain_bodies(&kepler, x, NULL);
    koshu_chain_bodies(&steps, y, NULL);
    for (int k = 0; k < 2; k++)
        for (int d = 0; d < 3; d++) assert_near(x[k][d], y[k][d], 1e-11);
}

/* The orbit does not depend on stops on the way, to the tolerance. */
static void
stops_change_nothing(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    struct koshu_chain once = chain_of(&b), often = once;
    double x[FEW][3], y[FEW][3];
    once.perturbers = often.perturbers = &one;
    assert_int_equal(move_to(&once, 3), KOSHU_OK);
    for (int k = 1; k <= 60; k++)
        assert_int_equal(move_to(&often, 0.05 * k), KOSHU_OK);
    koshu_chain_bodies(&once, x, NULL);
    koshu_chain_bodies(&often, y, NULL);
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 3; d++) assert_near(x[k][d], y[k][d], 1e-10);
}

/* The pair's angular momentum after 3183 periods in the tide of a distant body
 * at rest. */
static uint64_t
turn_in_a_tide(double slow_down, double momentum[3], double *rate)
{
    static struct koshu_perturber far = {.mass = 0.5, .x = {120, -120, 106}};
    static const struct koshu_perturbers p = {.n = 1, .body = &far};
    const struct few_bodies b = few_triple(0.25, 0.75, 0, &orbit, NULL);
    struct koshu_chain c = chain_of(&b);
    double x[3], v[3];
    c.perturbers = &p;
    gbs.slow_down = slow_down;
    gbs.evaluations = 0;
    assert_int_equal(move_to(&c, 2e4), KOSHU_OK);
    gbs.slow_down = 0;
    koshu_chain_values(&c, x, v);
    for (int d = 0; d < 3; d++) {
        const int i = (d + 1) % 3, j = (d + 2) % 3;
        momentum[d] = x[i] * v[j] - x[j] * v[i];
    }
    *rate = c.rate[0];
    return gbs.evaluations;
}

/* A tide acts on a slowed orbit as on the full one: its normal turns by 1e-3,
 * and differs by a hundredth of that. */
static void
slowed_pairs_turn_as_others_do(void **state)
{
    (void)state;
    const struct few_bodies b = few_triple(0.25, 0.75, 0, &orbit, NULL);
    const struct koshu_chain c = chain_of(&b);
    double x[3], v[3], whole[3], slowed[3], rate, turned = 0, off = 0;
    koshu_chain_values(&c, x, v);
    const uint64_t all = turn_in_a_tide(0, whole, &rate);
    assert_true(rate == 1);
    const uint64_t few = turn_in_a_tide(1e-4, slowed, &rate);
    assert_true(rate == 1.0 / 32);
    assert_in_range(few, 1, all / 8);
    for (int d = 0; d < 3; d++) {
        const int i = (d + 1) % 3, j = (d + 2) % 3;
        const double before = x[i] * v[j] - x[j] * v[i];
        turned += (whole[d] - before) * (whole[d] - before);
        off += (whole[d] - slowed[d]) * (whole[d] - slowed[d]);
    }
    assert_true(sqrt(turned) > 5e-4);
    assert_true(sqrt(off) < 0.01 * sqrt(turned));
}

static void
push(const void *user, double time, size_t n, const double (*x)[3],
     double (*f)[3])
{
    (void)time;
    for (size_t k = 0; k < n; k++) f[k][0] += *(const double *)user * x[k][0];
}

/* No revolution of a slowed pair exceeds a fraction of the time over which the
 * field changes, however weak the field is. */
static void
slowed_pairs_revolve_while_fields_change(void **state)
{
    (void)state;
    static const double tide = 1e-10;
    static struct koshu_perturbers field = {
            .field = push, .user = &tide, .tide = 1e-10};
    const struct few_bodies b = few_triple(0.25, 0.75, 0, &orbit, NULL);
    double kappa[3];
    for (int k = 0; k < 3; k++) {
        struct koshu_chain c = chain_of(&b);
        field.rate = k == 0 ? 0 : 1e-4 * pow(4, k); /* 2.5 and 10 times */
        c.perturbers = &field;
        koshu_chain_slow(&c, 1e-4);
        kappa[k] = 1 / c.rate[0];
    }
    assert_true(kappa[0] > 512);
    assert_true(kappa[1] == 32); /* 0.16 / 4e-4, of 6.3 a period: 63 */
    assert_true(kappa[2] == 8);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(energy_goes_to_the_field_and_back),
            cmocka_unit_test(perturbers_move),
            cmocka_unit_test(steps_go_where_kepler_does),
            cmocka_unit_test(stops_change_nothing),
            cmocka_unit_test(slowed_pairs_turn_as_others_do),
            cmocka_unit_test(slowed_pairs_revolve_while_fields_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
