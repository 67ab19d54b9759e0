/* SPDX-License-Identifier: MIT */
/* Pairs averaged over their revolutions. */
#include <string.h>

#include "fewbody/mean.h"
#include "fewbody/mean_pair.h"
#include "nested.h"

static const struct elements orbit = {1.4, 1, 0.6, 0.3, 1, 2};

static struct koshu_mean_pair
pair_at(double anomaly)
{
    struct elements o = orbit;
    double x[3], v[3];
    o.anomaly = anomaly;
    few_orbit(&o, x, v);
    return koshu_mean_pair_of(1, 0.4, x, v);
}

static void
orbits_come_back(void **state)
{
    (void)state;
    for (int e = 0; e < 10; e++)
        for (int k = 0; k < 12; k++) {
            const struct elements o = {1.4, 1, 0.11 * e, 2, 1, 0.5 * k};
            double x[3], v[3], y[3], w[3];
            few_orbit(&o, x, v);
            const struct koshu_mean_pair p = koshu_mean_pair_of(1, 0.4, x, v);
            koshu_mean_pair_place(&p, 2.5, y, w);
            koshu_kepler_move(1.4, 2.5, x, v);
            for (int d = 0; d < 3; d++) {
                assert_near(y[d], x[d], 1e-12);
                assert_near(w[d], v[d], 1e-11);
            }
        }
}

/* ---- the mean field, against sums over a revolution ---------------------- */

enum { POINTS = 2, STEPS = 400 };
static double point[POINTS][3] = {{0.1, -0.2, 0.3}, {88, 136, -64}};
static const double mass[POINTS] = {1.4, 0.7};

/* The bodies of the pair at one moment of its revolution. */
static void
bodies_at(const struct koshu_mean_pair *p, int step, double (*body)[3],
          double *x, double *v)
{
    const double period = 2 * acos(-1) / p->motion;
    koshu_mean_pair_place(p, period * step / STEPS, x, v);
    for (int d = 0; d < 3; d++) {
        body[0][d] = point[0][d] - 0.4 / 1.4 * x[d];
        body[1][d] = point[0][d] + 1 / 1.4 * x[d];
    }
}

/* Adds the acceleration at a place from a mass at x. */
static void
add_pull(double m, const double *x, const double *at, double *a)
{
    double r[3], r2 = 0;
    for (int d = 0; d < 3; d++) {
        r[d] = x[d] - at[d];
        r2 += r[d] * r[d];
    }
    for (int d = 0; d < 3; d++) a[d] += m * r[d] / (r2 * sqrt(r2));
}

static void
ellipses_attract_as_their_pairs_do(void **state)
{
    (void)state;
    const struct koshu_mean_pair p = pair_at(2);
    const struct koshu_mean_field field = {POINTS, mass, point, {{0}}};
    double a[POINTS][3] = {{0}}, sum[3] = {0}, as_point[3] = {0}, size = 0;
    koshu_mean_pair_attract(&p, &field, a);
    for (int k = 0; k < STEPS; k++) {
        double body[2][3], x[3], v[3];
        bodies_at(&p, k, body, x, v);
        add_pull(1.0 / STEPS, body[0], point[1], sum);
        add_pull(0.4 / STEPS, body[1], point[1], sum);
    }
    add_pull(1.4, point[0], point[1], as_point);
    for (int d = 0; d < 3; d++) size = fmax(size, fabs(sum[d] - as_point[d]));
    for (int d = 0; d < 3; d++) {
        /* fourth moments are left out: (a / R)^2 of it */
        assert_near(a[1][d], sum[d] - as_point[d], 2e-4 * size);
        assert_near(mass[0] * a[0][d], -mass[1] * a[1][d], 1e-18);
    }
}

/* Rates of change of angular momentum and of e by a point mass, at one
 * moment. */
static void
add_change(const struct koshu_mean_pair *p, int step, double *of_j,
           double *of_e)
{
    double body[2][3], x[3], v[3], a[3] = {0}, at_first[3] = {0};
    bodies_at(p, step, body, x, v);
    add_pull(mass[1], point[1], body[1], a);
    add_pull(mass[1], point[1], body[0], at_first);
    for (int d = 0; d < 3; d++) a[d] -= at_first[d];
    double xa = 0, va = 0, xv = 0;
    for (int d = 0; d < 3; d++) {
        va += v[d] * a[d];
        xa += x[d] * a[d];
        xv += x[d] * v[d];
    }
    for (int d = 0; d < 3; d++) {
        const int i = (d + 1) % 3, j = (d + 2) % 3;
        of_j[d] += (x[i] * a[j] - x[j] * a[i]) / sqrt(1.4) / STEPS;
        of_e[d] += (2 * va * x[d] - xa * v[d] - xv * a[d]) / 1.4 / STEPS;
    }
}

static void
check_turn(const struct koshu_mean_field *field, double bound)
{
    const double dt = 1e-3;
    const struct koshu_mean_pair p = pair_at(2);
    struct koshu_mean_pair turned = p;
    double of_j[3] = {0}, of_e[3] = {0}, size = 0;
    for (int k = 0; k < STEPS; k++) add_change(&p, k, of_j, of_e);
    for (int d = 0; d < 3; d++)
        size = fmax(size, fmax(fabs(of_j[d]), fabs(of_e[d])));
    koshu_mean_pair_turn(&turned, field, dt);
    for (int d = 0; d < 3; d++) {
        assert_near((turned.j[d] - p.j[d]) / dt, of_j[d], bound * size);
        assert_near((turned.e[d] - p.e[d]) / dt, of_e[d], bound * size);
    }
}

/* The effect of the point, and of its tidal tensor, which lacks the third
 * power. */
static void
ellipses_turn_as_their_pairs_do(void **state)
{
    (void)state;
    const struct koshu_mean_field by_point = {POINTS, mass, point, {{0}}};
    struct koshu_mean_field by_tides = {1, mass, point, {{0}}};
    double r[3], r2 = 0;
    for (int d = 0; d < 3; d++) {
        r[d] = point[1][d] - point[0][d];
        r2 += r[d] * r[d];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            by_tides.tides[i][j] = mass[1] * (3 * r[i] * r[j] / r2 - (i == j)) /
                                   (r2 * sqrt(r2));
    check_turn(&by_point, 2e-4);
    check_turn(&by_tides, 0.01);
}

/* ---- chains -------------------------------------------------------------- */

struct state_of {
    double energy, momentum[3], eccentricity;
};

/* The eccentricity of bodies 0 and 1. */
static struct state_of
look_at(const struct koshu_chain *chain)
{
    struct koshu_chain c = *chain;
    struct state_of s = {.momentum = {0}};
    double x[FEW][3], v[FEW][3], r[3], w[3], u, along = 0, r2 = 0, w2 = 0,
                                                e2 = 0;
    s.energy = koshu_chain_energy(&c, &u);
    koshu_chain_bodies(&c, x, v);
    for (size_t k = 0; k < c.n; k++)
        for (int d = 0; d < 3; d++) {
            const int i = (d + 1) % 3, j = (d + 2) % 3;
            const size_t b = c.body[k];
            s.momentum[d] +=
                    c.mass[k] * (x[b][i] * v[b][j] - x[b][j] * v[b][i]);
        }
    for (int d = 0; d < 3; d++) {
        r[d] = x[1][d] - x[0][d];
        w[d] = v[1][d] - v[0][d];
        r2 += r[d] * r[d];
        w2 += w[d] * w[d];
        along += r[d] * w[d];
    }
    for (int d = 0; d < 3; d++) {
        const double e = ((w2 - 1.4 / sqrt(r2)) * r[d] - along * w[d]) / 1.4;
        e2 += e * e;
    }
    s.eccentricity = sqrt(e2);
    return s;
}

/* Part of a Kozai cycle: 19,000 revolutions of the binary. */
static void
triples_go_as_their_revolutions_do(void **state)
{
    (void)state;
    static struct koshu_gbs exact = {.tolerance = 1e-12},
                            mean = {.tolerance = 1e-12, .slow_down = 1e-4};
    const struct few_bodies b = nested_triple(20);
    struct koshu_chain c = chain_of(&b), d = c;
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5}, same = step;
    const struct state_of first = look_at(&c);
    const double end = 1e5;
    assert_int_equal(koshu_chain_move(&exact, &c, &step, end, NULL), KOSHU_OK);
    for (int k = 1; k <= 20; k++) {
        assert_int_equal(koshu_chain_move(&mean, &d, &same, end * k / 20, NULL),
                         KOSHU_OK);
        const struct state_of now = look_at(&d);
        assert_near(now.energy, first.energy, 1e-6 * fabs(first.energy));
        for (int i = 0; i < 3; i++)
            assert_near(now.momentum[i], first.momentum[i], 1e-5);
    }
    assert_true(mean.steps == 0); /* nothing is extrapolated */
    assert_true(mean.evaluations * 500 < exact.evaluations);
    const double e = look_at(&c).eccentricity;
    assert_true(fabs(e - first.eccentricity) > 0.2);
    assert_near(look_at(&d).eccentricity, e, 1e-3);
}

/* The result does not depend on the number of stops. */
static void
stops_do_not_add_up(void **state)
{
    (void)state;
    static struct koshu_gbs gbs = {.tolerance = 1e-12, .slow_down = 1e-4};
    const struct few_bodies b = nested_triple(20);
    struct koshu_chain c = chain_of(&b);
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
    const double energy = look_at(&c).energy;
    for (int k = 1; k <= 4000; k++)
        assert_int_equal(koshu_chain_move(&gbs, &c, &step, 11.0 * k, NULL),
                         KOSHU_OK);
    assert_near(look_at(&c).energy, energy, 2e-7 * fabs(energy));
}

/* A binary driven to a narrow pericentre by the third body touches at the same
 * time as one that is integrated in full, to within one revolution of the
 * third. */
static double
touches_at(double slow_down)
{
    static struct koshu_gbs gbs;
    const struct koshu_radius_law law = {.radius = 0.01, .mass = 1};
    const struct elements inner = {1.4, 1, 0.1, 1.52, 0.7, 1},
                          outer = {2.2, 30, 0.2, 0, 0, 2};
    const struct few_bodies b = few_triple(1, 0.4, 0.8, &inner, &outer);
    struct koshu_chain c = chain_of(&b);
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
    struct koshu_contact contact = {&law, KOSHU_NO_CONTACT};
    gbs.tolerance = 1e-12;
    gbs.slow_down = slow_down;
    for (int k = 1; k <= 40; k++) {
        assert_int_equal(
                koshu_chain_move(&gbs, &c, &step, 2000.0 * k, &contact),
                KOSHU_OK);
        if (contact.link != KOSHU_NO_CONTACT) return koshu_chain_time(&c);
    }
    return INFINITY;
}

static void
means_touch_as_pairs_do(void **state)
{
    (void)state;
    const double exact = touches_at(0), mean = touches_at(1e-4),
                 turn = 2 * acos(-1) * sqrt(27000 / 2.2);
    assert_true(isfinite(exact) && exact > 2 * turn);
    assert_near(mean, exact, turn);
}

static void
pairs_about_each_other_keep_their_energy(void **state)
{
    (void)state;
    static struct koshu_gbs gbs = {.tolerance = 1e-12, .slow_down = 1e-4};
    const struct few_bodies b = nested_quadruple(80);
    struct koshu_chain c = chain_of(&b);
    struct koshu_gbs_step step = {koshu_fewbody_first_step(&c), 5};
    const double energy = look_at(&c).energy;
    assert_int_equal(koshu_chain_move(&gbs, &c, &step, 1e5, NULL), KOSHU_OK);
    assert_true(gbs.steps == 0 && gbs.evaluations < 5000);
    assert_near(look_at(&c).energy, energy, 1e-7 * fabs(energy));
}

/* Pairs that are too close to others, or unbound, are not averaged; with a
 * tolerance of 0 none is. */
static void
others_are_left_alone(void **state)
{
    (void)state;
    struct few_bodies away = nested_triple(50);
    const struct few_bodies far = away, near = nested_triple(6),
                            two = few_binary(1, 0.3);
    uint64_t evaluations = 0;
    for (int d = 0; d < 3; d++) away.v[d][2] *= 3;
    struct koshu_chain a = chain_of(&far), b = chain_of(&near),
                       c = chain_of(&two), d = chain_of(&away);
    const struct koshu_chain was = a;
    assert_false(koshu_chain_move_mean(&a, 0, 100, NULL, &evaluations));
    assert_memory_equal(&a, &was, sizeof was);
    assert_false(koshu_chain_move_mean(&b, 1e-4, 100, NULL, &evaluations));
    assert_false(koshu_chain_move_mean(&c, 1e-4, 100, NULL, &evaluations));
    assert_false(koshu_chain_move_mean(&d, 1e-4, 100, NULL, &evaluations));
    assert_true(evaluations == 0);
    assert_true(koshu_chain_move_mean(&a, 1e-4, 100, NULL, &evaluations));
    assert_true(evaluations > 0 && koshu_chain_time(&a) == 100);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(orbits_come_back),
            cmocka_unit_test(ellipses_attract_as_their_pairs_do),
            cmocka_unit_test(ellipses_turn_as_their_pairs_do),
            cmocka_unit_test(triples_go_as_their_revolutions_do),
            cmocka_unit_test(stops_do_not_add_up),
            cmocka_unit_test(means_touch_as_pairs_do),
            cmocka_unit_test(pairs_about_each_other_keep_their_energy),
            cmocka_unit_test(others_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
