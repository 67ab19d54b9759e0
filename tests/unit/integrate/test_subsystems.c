/* SPDX-License-Identifier: MIT */
/* Few-body groups: their particles, and what is near them. */
#include <math.h>

#define FIXTURE_BACKEND "ref"
#include "subsystem_store.h"

/* Mass and momentum are conserved; dissolving the group restores the bodies. */
static void
groups_form_and_dissolve(void **state)
{
    (void)state;
    const struct few_bodies b = few_binary(0.05, 0.3);
    struct store s;
    fill(&s, &b);
    const struct store before = s;
    struct koshu_subsystem *group = form_pair(&s);
    assert_true(s.groups->of[0] == group && s.groups->of[1] == group);
    assert_near(s.mass[0], 1, 1e-15);
    assert_true(s.mass[1] == 0);
    for (int d = 0; d < 3; d++) {
        assert_near(s.real[d][0], 7, 2e-15); /* bodies are about their centre */
        assert_near(s.real[3 + d][0], -2, 2e-15);
    }
    koshu_subsystems_dissolve(s.groups, group);
    assert_int_equal(s.groups->n, 0);
    assert_null(s.groups->of[0]);
    for (size_t k = 0; k < 2; k++) {
        assert_true(s.mass[k] == before.mass[k]);
        for (int d = 0; d < 6; d++)
            assert_near(s.real[d][k], before.real[d][k], 4e-15);
    }
    /* including the acceleration of one by the other: m / r^2, r = 0.065 */
    const double a = hypot(hypot(s.real[6][0], s.real[7][0]), s.real[8][0]),
                 r3 = 0.065 * 0.065 * 0.065;
    assert_near(a / (0.75 / (0.065 * 0.065)), 1, 1e-12);
    /* and the jerk, m v / r^3 at apocentre */
    for (int d = 0; d < 3; d++)
        assert_near(s.real[9 + d][0], 0.75 / r3 * (b.v[d][1] - b.v[d][0]),
                    1e-9);
    koshu_subsystems_destroy(s.groups);
}

/* Bodies at different times; when the group dissolves they get back their
 * accelerations, plus those by each other. */
static void
groups_have_the_accelerations_of_their_bodies(void **state)
{
    (void)state;
    const struct few_bodies b = few_binary(0.05, 0.3);
    const double jerk = 3;
    struct store with, without;
    for (uint64_t late = 0; late <= 1024; late += 1024) {
        fill(&without, &b);
        fill(&with, &b);
        with.tick[0] = late;
        for (int d = 0; d < 3; d++) {
            with.real[6 + d][0] = 2 + d;
            with.real[6 + d][1] = 2 + d - (double)late * 1e-6 * jerk;
            with.real[9 + d][0] = with.real[9 + d][1] = jerk;
        }
        struct koshu_subsystem *group = form_pair(&with),
                               *other = form_pair(&without);
        for (int d = 0; d < 3; d++) {
            assert_near(with.real[6 + d][0], 2 + d, 1e-14);
            assert_near(with.real[9 + d][0], jerk, 1e-14);
        }
        koshu_subsystems_dissolve(with.groups, group);
        koshu_subsystems_dissolve(without.groups, other);
        for (int k = 0; k < 2 && late == 0; k++)
            for (int d = 0; d < 3; d++) { /* roundings of 1e2 and 1e4 */
                assert_near(with.real[6 + d][k] - without.real[6 + d][k], 2 + d,
                            1e-12);
                assert_near(with.real[9 + d][k] - without.real[9 + d][k], jerk,
                            1e-10);
            }
        koshu_subsystems_destroy(with.groups);
        koshu_subsystems_destroy(without.groups);
    }
}

/* The bodies move along their orbit while the centre of mass moves on. */
static void
groups_move(void **state)
{
    (void)state;
    const struct few_bodies b = few_binary(0.05, 0.3);
    struct store s;
    fill(&s, &b);
    struct koshu_subsystem *group = form_pair(&s);
    const double period = 2 * M_PI * sqrt(0.05 * 0.05 * 0.05);
    assert_ok(context, koshu_subsystems_move(s.groups, group, period / 2, 0));
    koshu_subsystems_write(s.groups, group, &s.p);
    for (int d = 0; d < 3; d++) { /* at pericentre, 0.035 instead of 0.065 */
        const double far = b.x[d][1] - b.x[d][0],
                     now = s.real[d][1] - s.real[d][0];
        assert_near(now, -far * 0.035 / 0.065, 1e-13);
    }
    koshu_subsystems_destroy(s.groups);
}

static bool
is_apart(struct store *s, struct koshu_subsystem *group)
{
    assert_ok(context, koshu_subsystems_is_apart(s->groups, group));
    return group->apart;
}

/* The group continues to twice the distance of the furthest body. */
static void
triples_are_as_wide_as_their_furthest_body(void **state)
{
    (void)state;
    struct store s;
    double x[3][3], far = 0;
    struct koshu_subsystem *group = form_triple(&s, 1);
    assert_ok(context, koshu_subsystems_find_near(s.groups, group, 0));
    koshu_chain_bodies(&group->chain, x, NULL);
    for (int k = 0; k < 3; k++)
        far = fmax(far, hypot(hypot(x[k][0], x[k][1]), x[k][2]));
    assert_near(group->radius / (2 * far), 1, 1e-14);
    assert_false(is_apart(&s, group)); /* others meet the group as it is now */
    assert_true(group->span >= far && group->span < 1.1 * far);
    koshu_subsystems_destroy(s.groups);
}

static double
energy_of(const struct koshu_subsystem *group)
{
    double u;
    return koshu_chain_energy(&group->chain, &u);
}

static void
perturbers_that_have_left_perturb_no_more(void **state)
{
    (void)state;
    struct store s;
    struct koshu_subsystem *group = form_triple(&s, 1);
    const double before = energy_of(group);
    assert_ok(context, koshu_subsystems_find_near(s.groups, group, 0));
    assert_int_equal(group->n_near, 1);
    assert_ok(context, koshu_subsystems_move(s.groups, group, 0.01, 0));
    const double beside = energy_of(group);
    assert_true(fabs(beside - before) > 1e-4);
    s.real[0][3] = 1e6;
    assert_ok(context, koshu_subsystems_find_near(s.groups, group, 0.01));
    assert_int_equal(group->n_near, 0);
    assert_ok(context, koshu_subsystems_move(s.groups, group, 0.02, 0));
    assert_near(energy_of(group) / beside, 1, 1e-10);
    koshu_subsystems_destroy(s.groups);
}

/* A pair that may be slowed, so that a lower limit makes a third body near. */
static struct koshu_subsystem *
form_slow_pair(struct store *s, double eccentricity)
{
    struct few_bodies b = few_binary(2e-4, eccentricity);
    b.mass[b.n] = 1;
    b.x[0][b.n++] = 0.1;
    fill(s, &b);
    s->groups->options.perturbation = 1e-9;
    s->groups->gbs[0].slow_down = 1e-3;
    struct koshu_subsystem *group = form_pair(s);
    assert_ok(context, koshu_subsystems_find_near(s->groups, group, 0));
    assert_int_equal(group->n_near, 1);
    return group;
}

/* The result does not depend on the number of moves. */
static void
pairs_stay_slowed_down(void **state)
{
    (void)state;
    struct store s;
    struct koshu_subsystem *group = form_slow_pair(&s, 0.1);
    const double before = energy_of(group);
    for (int k = 1; k <= 64; k++)
        assert_ok(context,
                  koshu_subsystems_move(s.groups, group, k / 1024.0, 0));
    assert_true(group->chain.rate[0] < 0.1);
    assert_near(energy_of(group) / before, 1, 1e-5); /* measured: 4e-7 */
    koshu_subsystems_destroy(s.groups);
}

/* A slowed pair's energy is the same, whatever its phase when its perturber
 * disappears. */
static void
perturbers_go_without_energy(void **state)
{
    (void)state;
    double slowed[2] = {INFINITY, -INFINITY}, left[2] = {INFINITY, -INFINITY};
    for (int k = 1; k <= 24; k++) {
        const double time = k / 256.0;
        struct store s;
        struct koshu_subsystem *group = form_slow_pair(&s, 0.6);
        assert_ok(context, koshu_subsystems_move(s.groups, group, time, 0));
        assert_true(group->chain.rate[0] < 0.1);
        slowed[0] = fmin(slowed[0], energy_of(group));
        slowed[1] = fmax(slowed[1], energy_of(group));
        s.real[0][2] = 1e6;
        assert_ok(context, koshu_subsystems_find_near(s.groups, group, time));
        assert_int_equal(group->n_near, 0);
        assert_ok(context, koshu_subsystems_move(s.groups, group, 1, 0));
        assert_true(group->kepler && group->chain.rate[0] == 1);
        left[0] = fmin(left[0], energy_of(group));
        left[1] = fmax(left[1], energy_of(group));
        koshu_subsystems_destroy(s.groups);
    }
    assert_true(slowed[1] - slowed[0] > 1e-6 * -slowed[1]);
    assert_true(left[1] - left[0] < (slowed[1] - slowed[0]) / 20);
}

/* Two bodies that fly past each other are one group until they have parted. */
static void
encounters_end(void **state)
{
    (void)state;
    const struct few_bodies b = {.n = 2,
                                 .mass = {0.25, 0.75},
                                 .x = {{0, 0.006}, {0, 0.01}},
                                 .v = {{0, -20}}};
    struct store s;
    fill(&s, &b);
    struct koshu_subsystem *group = form_pair(&s);
    assert_false(is_apart(&s, group));
    assert_ok(context, koshu_subsystems_move(s.groups, group, 3e-4, 0));
    assert_false(is_apart(&s, group));
    assert_ok(context, koshu_subsystems_move(s.groups, group, 3e-3, 0));
    assert_true(is_apart(&s, group));
    koshu_subsystems_destroy(s.groups);
}

/* 2 m / M (R / r)^3 > 1e-5: m = M is near within 58 R, m = M / 8 within 29 R.
 */
static void
perturbers_are_those_of_strong_tides(void **state)
{
    (void)state;
    struct few_bodies b = few_binary(0.05, 0.2); /* R = 0.06 */
    b.n = 6;
    const double mass[] = {1, 1, 0.125, 0.125},
                 distance[] = {3.4, 3.6, 1.7, 1.8};
    struct store s;
    for (int k = 0; k < 4; k++) {
        b.mass[2 + k] = mass[k];
        b.x[k % 3][2 + k] = k % 2 ? distance[k] : -distance[k];
    }
    fill(&s, &b);
    struct koshu_subsystem *group = form_pair(&s);
    assert_ok(context, koshu_subsystems_find_near(s.groups, group, 0));
    assert_near(group->radius, 0.06, 1e-12);
    assert_int_equal(group->n_near, 2);
    assert_int_equal(group->near[0], 2);
    assert_int_equal(group->near[1], 4);
    koshu_subsystems_destroy(s.groups);
}

/* A companion is as near as its pericentre, within twice the distance: here
 * masses of 6e-5 perturb within 0.137. */
static void
companions_are_near_by_their_pericentre(void **state)
{
    (void)state;
    const struct elements inner = {1, 0.05, 0.2, 0.5, 1, M_PI}; /* R = 0.06 */
    /* all at 0.17; pericentres at 0.1, 0.15 and, for the one that goes out to
     * 0.22, 0.1 again */
    const struct elements outer[] = {{1, 0.135, 0.07 / 0.27, 1, 2, M_PI},
                                     {1, 0.16, 0.0625, 1, 2, M_PI},
                                     {1, 0.16, 0.375, 1, 2, 1.7382}};
    const size_t near_[] = {1, 0, 0};
    for (int k = 0; k < 3; k++) {
        struct few_bodies b = few_triple(0.25, 0.75, 6e-5, &inner, &outer[k]);
        struct store s;
        fill(&s, &b);
        struct koshu_subsystem *group = form_pair(&s);
        assert_ok(context, koshu_subsystems_find_near(s.groups, group, 0));
        assert_int_equal(group->n_near, near_[k]);
        koshu_subsystems_destroy(s.groups);
    }
}

/* The acceleration by a mass at x with velocity v, and its rate of change. */
static void
add_pull(double sum[2][3], double mass, const double *x, const double *v)
{
    double r2 = 0, rv = 0;
    for (int d = 0; d < 3; d++) {
        r2 += x[d] * x[d];
        rv += x[d] * v[d];
    }
    for (int d = 0; d < 3; d++) {
        sum[0][d] += mass / pow(r2, 1.5) * x[d];
        sum[1][d] += mass / pow(r2, 1.5) * (v[d] - 3 * rv / r2 * x[d]);
    }
}

/* Forces act on the bodies, not on their centre, with opposite reactions. */
static void
near_particles_are_pulled_by_the_bodies(void **state)
{
    (void)state;
    const double at[] = {0.3, 0.4, -0.5}, rate[] = {1, -2, 3};
    struct few_bodies b = few_binary(0.05, 0.3);
    struct store s;
    double more[2][3] = {{0}};
    b.mass[b.n++] = 2;
    for (int d = 0; d < 3; d++) {
        b.x[d][2] = at[d];
        b.v[d][2] = rate[d];
    }
    for (int k = 0; k < 3; k++) { /* the third case is the centre of mass */
        double x[3], v[3];
        for (int d = 0; d < 3; d++) {
            x[d] = (k < 2 ? b.x[d][k] : 0) - at[d];
            v[d] = (k < 2 ? b.v[d][k] : 0) - rate[d];
        }
        add_pull(more, k < 2 ? b.mass[k] : -1, x, v);
    }
    fill(&s, &b);
    struct koshu_subsystem *group = form_pair(&s);
    assert_ok(context, koshu_subsystems_find_near(s.groups, group, 0));
    assert_int_equal(group->n_near, 1);
    uint64_t members[] = {0, 2};
    struct koshu_i_particle end[2];
    struct koshu_jerk_result result[2] = {{.potential = 0}};
    struct koshu_block_step step = {
            .n = 2, .members = members, .end = end, .result = result};
    for (int m = 0; m < 2; m++)
        for (int d = 0; d < 3; d++) {
            end[m].x[d] = s.real[d][members[m]];
            end[m].v[d] = s.real[3 + d][members[m]];
        }
    assert_ok(context, koshu_subsystems_meet(s.groups, &step, 0));
    koshu_subsystems_resolve(s.groups, &step, 0);
    for (int d = 0; d < 3; d++) { /* roundings of 1e1 and 1e2 that cancel */
        assert_near(result[1].a[d], more[0][d], 1e-12);
        assert_near(result[1].jerk[d], more[1][d], 1e-11);
        assert_near(result[0].a[d], -2 * more[0][d], 1e-12);
        assert_near(result[0].jerk[d], -2 * more[1][d], 1e-11);
    }
    koshu_subsystems_destroy(s.groups);
}

/* Kepler's law is used up to this time, even if the polynomial of an
 * approaching particle would have led through the group a quarter of a period
 * ago. */
static void
perturbers_have_not_perturbed_before(void **state)
{
    (void)state;
    struct few_bodies b = few_binary(0.05, 0.3);
    struct store s;
    const double period = 2 * M_PI * sqrt(0.05 * 0.05 * 0.05);
    b.n = 3;
    b.mass[2] = 1;
    b.x[0][2] = 50;
    fill(&s, &b);
    struct koshu_subsystem *group = form_pair(&s);
    assert_ok(context, koshu_subsystems_find_near(s.groups, group, 0));
    assert_int_equal(group->n_near, 0);
    s.tick[0] = s.tick[2] = (uint64_t)(period / 2 / 1e-6);
    const double time = koshu_subsystems_time(s.groups, s.tick[0]);
    for (int d = 0; d < 3; d++) s.real[d][0] = 7 - 2 * time;
    s.real[0][2] = s.real[0][0] + 2;
    s.real[3][2] = -2 + 2 / (period / 4);
    for (int d = 1; d < 3; d++) s.real[d][2] = s.real[d][0] + 0.02;
    group->until = time; /* makes it search again */
    assert_ok(context, koshu_subsystems_find_near(s.groups, group, time));
    assert_int_equal(group->n_near, 1);
    assert_ok(context, koshu_subsystems_move(s.groups, group, time, 0));
    koshu_subsystems_write(s.groups, group, &s.p);
    for (int d = 0; d < 3; d++) { /* at pericentre, up to a tick */
        const double far = b.x[d][1] - b.x[d][0],
                     now = s.real[d][1] - s.real[d][0];
        assert_near(now, -far * 0.035 / 0.065, 1e-5);
    }
    koshu_subsystems_destroy(s.groups);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(groups_form_and_dissolve),
            cmocka_unit_test(groups_have_the_accelerations_of_their_bodies),
            cmocka_unit_test(groups_move),
            cmocka_unit_test(triples_are_as_wide_as_their_furthest_body),
            cmocka_unit_test(perturbers_that_have_left_perturb_no_more),
            cmocka_unit_test(pairs_stay_slowed_down),
            cmocka_unit_test(perturbers_go_without_energy),
            cmocka_unit_test(encounters_end),
            cmocka_unit_test(perturbers_are_those_of_strong_tides),
            cmocka_unit_test(companions_are_near_by_their_pericentre),
            cmocka_unit_test(near_particles_are_pulled_by_the_bodies),
            cmocka_unit_test(perturbers_have_not_perturbed_before),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
