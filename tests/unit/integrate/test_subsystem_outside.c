/* SPDX-License-Identifier: MIT */
/* What perturbs a group: particles as polynomials, fields, rotating axes. */
#include <math.h>

#include <koshu/external.h>
#include <koshu/units.h>

#define FIXTURE_BACKEND "ref"
#include "integrate/subsystem_ahead.h"
#include "integrate/subsystem_frame.h"
#include "integrate/subsystem_helpers.h"
#include "integrate/subsystem_outside.h"
#include "subsystem_store.h"

static struct koshu_external *
parse(const char *text)
{
    struct koshu_external *external;
    struct koshu_units units;
    koshu_units_henon(&units);
    assert_ok(context,
              koshu_external_parse(context, text, &units, 1, &external));
    return external;
}

/* A binary and a particle that moves beside it; all accelerate. */
static struct koshu_subsystem *
form_with_company(struct store *s, const char *fields)
{
    struct few_bodies b = few_binary(0.05, 0.3);
    b.mass[b.n] = 2;
    for (int d = 0; d < 3; d++) {
        b.x[d][b.n] = 0.5 + 0.1 * d;
        b.v[d][b.n] = 1 - d;
    }
    b.n++;
    fill(s, &b);
    if (fields) s->groups->options.external = parse(fields);
    s->groups->omega = koshu_external_rotation(s->groups->options.external);
    struct koshu_subsystem *group = form_pair(s);
    for (int d = 0; d < 3; d++) {
        s->real[6 + d][0] = 0.1 * d;
        s->real[9 + d][0] = 0.2 - d;
        s->real[6 + d][2] = 3 - d;
        s->real[9 + d][2] = 5 * d - 4;
    }
    assert_ok(context, koshu_subsystems_find_near(s->groups, group, 0));
    assert_int_equal(group->n_near, 1);
    return group;
}

static void
end(struct store *s)
{
    const struct koshu_external *external = s->groups->options.external;
    koshu_subsystems_destroy(s->groups);
    koshu_external_destroy((struct koshu_external *)external);
}

/* The perturbers' polynomials start at the given time. */
static void
perturbers_are_polynomials(void **state)
{
    (void)state;
    const double t = 1e-3;
    struct store s;
    struct koshu_subsystem *group = form_with_company(&s, NULL);
    struct koshu_subsystem_outside outside = {.field = {.groups = NULL}};
    assert_ok(context, koshu_subsystems_look_outside(s.groups, group, t,
                                                     &outside, &group->chain));
    const struct koshu_perturbers *p = group->chain.perturbers;
    assert_true(p == &outside.perturbers && p->n == 1 && p->time == t);
    assert_true(p->body[0].mass == 2 && !p->field);
    for (int d = 0; d < 3; d++) {
        double y[4];
        for (int k = 0; k < 4; k++)
            y[k] = s.real[3 * k + d][2] - s.real[3 * k + d][0];
        assert_near(p->body[0].x[d],
                    y[0] + t * (y[1] + t / 2 * (y[2] + t / 3 * y[3])), 1e-14);
        assert_near(p->body[0].v[d], y[1] + t * (y[2] + t / 2 * y[3]), 1e-14);
        assert_near(p->body[0].a[d], y[2] + t * y[3], 1e-14);
        assert_near(p->body[0].jerk[d], y[3], 1e-14);
    }
    koshu_subsystem_outside_free(&outside);
    end(&s);
}

/* The field's acceleration at x from the centre, less that at the centre. */
static void
fields_are_relative_to_the_centre(void **state)
{
    (void)state;
    const double c[] = {0.5, -1, 0.2}, v_c[] = {1, 0, 2},
                 x[] = {0.1, 0.3, -0.2}, v[] = {-1, 2, 0.5};
    struct store s;
    form_with_company(&s, "plummer mass=3, a=0.7");
    double at[3], rate[3];
    for (int d = 0; d < 3; d++) {
        at[d] = c[d] + x[d];
        rate[d] = v_c[d] + v[d];
    }
    const struct koshu_external *e = s.groups->options.external;
    const struct koshu_field_sum is = koshu_subsystems_field(s.groups, c, v_c,
                                                             x, v),
                                 body = koshu_external_at(e, at, rate),
                                 centre = koshu_external_at(e, c, v_c);
    for (int d = 0; d < 3; d++) {
        assert_near(is.a[d], body.a[d] - centre.a[d], 1e-15);
        assert_near(is.jerk[d], body.jerk[d] - centre.jerk[d], 1e-15);
        assert_true(fabs(centre.jerk[d]) > 0.1);
    }
    assert_near(is.potential, body.potential - centre.potential, 1e-15);
    end(&s);
}

/* About the centre of mass, which moves from the perturbers' time on. */
static void
fields_follow_the_centre(void **state)
{
    (void)state;
    const double t = 2e-3, later = 0.1, x[1][3] = {{0.02, -0.01, 0.03}};
    struct store s;
    struct koshu_subsystem *group =
            form_with_company(&s, "plummer mass=3, a=0.7, x=6");
    struct koshu_subsystem_outside outside = {.field = {.groups = NULL}};
    group->in_field = true;
    group->tide = 4;
    assert_ok(context, koshu_subsystems_look_outside(s.groups, group, t,
                                                     &outside, &group->chain));
    const struct koshu_perturbers *p = group->chain.perturbers;
    assert_true(p->field && p->tide == 4);
    double f[1][3] = {{1, 2, 3}}, c[3], at[3];
    p->field(p->user, later, 1, x, f);
    for (int d = 0; d < 3; d++) {
        c[d] = s.real[d][0] + later * (s.real[3 + d][0] +
                                       later / 2 *
                                               (s.real[6 + d][0] +
                                                later / 3 * s.real[9 + d][0]));
        at[d] = c[d] + x[0][d];
    }
    static const double rest[3];
    const struct koshu_external *e = s.groups->options.external;
    const struct koshu_field_sum body = koshu_external_at(e, at, rest),
                                 centre = koshu_external_at(e, c, rest);
    for (int d = 0; d < 3; d++)
        assert_near(f[0][d], 1 + d + body.a[d] - centre.a[d], 1e-12);
    koshu_subsystem_outside_free(&outside);
    end(&s);
}

/* Averaged over the bodies, which differs from the effect at the centre; nearby
 * particles are not included. */
static void
fields_act_on_bodies_on_average(void **state)
{
    (void)state;
    struct store s;
    struct koshu_subsystem *group =
            form_with_company(&s, "plummer mass=300, a=0.7, x=6, y=6, z=7");
    const struct koshu_external *e = s.groups->options.external;
    uint64_t members[] = {0};
    struct koshu_i_particle end_of[1];
    struct koshu_jerk_result result[1] = {{.potential = 0}};
    struct koshu_block_step step = {
            .n = 1, .members = members, .end = end_of, .result = result};
    double c[3], v_c[3], a[3] = {0};
    for (int d = 0; d < 3; d++) {
        end_of[0].x[d] = c[d] = s.real[d][0];
        end_of[0].v[d] = v_c[d] = s.real[3 + d][0];
    }
    koshu_subsystems_forget(s.groups, group);
    group->in_field = true;
    assert_ok(context, koshu_subsystems_meet(s.groups, &step, 0));
    koshu_subsystems_resolve(s.groups, &step, 0);
    const struct koshu_field_sum centre = koshu_external_at(e, c, v_c);
    for (size_t i = 0; i < 2; i++) {
        const double part = s.groups->body_mass[i] /
                            (s.groups->body_mass[0] + s.groups->body_mass[1]);
        double at[3], rate[3];
        for (int d = 0; d < 3; d++) {
            at[d] = c[d] + group->x[i][d];
            rate[d] = v_c[d] + group->v[i][d];
        }
        const struct koshu_field_sum body = koshu_external_at(e, at, rate);
        for (int d = 0; d < 3; d++) a[d] += part * (body.a[d] - centre.a[d]);
    }
    for (int d = 0; d < 3; d++) {
        assert_near(result[0].a[d], a[d], 1e-11);
        assert_true(fabs(a[d]) > 1e-3);
    }
    end(&s);
}

/* ---- pairs beside it ----------------------------------------------------- */

/* Two binaries, the second at x from the first, both within the options'
 * distance. */
static void
form_two_pairs(struct store *s, double x)
{
    const struct elements orbit = {2, 0.06, 0.4, 1, 0, 1};
    const struct koshu_clump second = {.n = 2, .first = 2, .last = 3};
    struct few_bodies b = few_binary(0.05, 0.3);
    double link[3], rate[3];
    few_orbit(&orbit, link, rate);
    for (size_t k = 2; k < 4; k++) {
        const double part = k == 2 ? -0.75 : 0.25;
        b.mass[k] = k == 2 ? 0.5 : 1.5;
        for (int d = 0; d < 3; d++) {
            b.x[d][k] = part * link[d] + (d == 0 ? x : 0);
            b.v[d][k] = part * rate[d];
        }
    }
    b.n = 4;
    fill(s, &b);
    struct koshu_subsystems *g = s->groups;
    (void)form_pair(s);
    g->next[2] = 3;
    assert_ok(context, koshu_subsystems_form(g, &second));
    for (size_t k = 0; k < 3; k++) /* also the first as the second sees it */
        assert_ok(context, koshu_subsystems_find_near(g, g->group[k % 2], 0));
    assert_int_equal(g->group[0]->n_near, 1);
}

/* The perturbers of a group at that time, from t on. */
static struct koshu_perturbers *
look(struct store *s, struct koshu_subsystem_outside *outside, double t)
{
    struct koshu_subsystem *group = s->groups->group[0];
    koshu_subsystems_show_pairs(s->groups);
    assert_ok(context, koshu_subsystems_look_outside(s->groups, group, t,
                                                     outside, &group->chain));
    return &outside->perturbers;
}

/* As bodies that continue on their orbit about their moving centre, at any
 * time. */
static void
a_pair_beside_is_two_bodies(void **state)
{
    (void)state;
    const double t = 2e-3, later = 0.03, x[1][3] = {{0.02, -0.01, 0.03}};
    struct store s;
    struct koshu_subsystem_outside outside = {.field = {.groups = NULL}};
    form_two_pairs(&s, 0.5);
    assert_true(s.groups->group[0]->is_beside && s.groups->n_beside == 2);
    const struct koshu_perturbers *p = look(&s, &outside, t);
    assert_true(p->field && p->n == 1 && p->rate > 0);
    double is[1][3] = {{0}}, should[3] = {0}, bodies[2][3];
    koshu_perturbers_fields(p, later, 1, x, is);

    struct koshu_chain alone = s.groups->group[1]->chain;
    koshu_chain_move_pair(&alone, later);
    koshu_chain_bodies(&alone, bodies, NULL);
    for (size_t k = 0; k < 2; k++) {
        double r[3], r2 = 0;
        for (int d = 0; d < 3; d++) {
            const double centre = s.real[d][2] - s.real[d][0] +
                                  later * (s.real[3 + d][2] - s.real[3 + d][0]);
            r[d] = centre + bodies[k][d] - x[0][d];
            r2 += r[d] * r[d];
        }
        for (int d = 0; d < 3; d++)
            should[d] += s.groups->body_mass[2 + k] * r[d] / (r2 * sqrt(r2));
    }
    for (int d = 0; d < 3; d++) assert_near(is[0][d], should[d], 1e-11);
    koshu_subsystem_outside_free(&outside);
    end(&s);
}

static void
a_pair_far_off_is_a_point(void **state)
{
    (void)state;
    struct store s;
    struct koshu_subsystem_outside outside = {.field = {.groups = NULL}};
    form_two_pairs(&s, 2);
    assert_false(s.groups->group[0]->is_beside);
    assert_null(look(&s, &outside, 0)->field);
    koshu_subsystem_outside_free(&outside);
    end(&s);
}

/* Two pairs that perturb each other, and two of which only one is perturbed. */
static void
a_pair_that_is_not_perturbed_is_a_point(void **state)
{
    (void)state;
    struct store s;
    form_two_pairs(&s, 0.5);
    struct koshu_subsystems *g = s.groups;
    koshu_subsystems_forget(g, g->group[1]);
    assert_ok(context, koshu_subsystems_find_beside(g, g->group[0], 0));
    assert_false(g->group[0]->is_beside);
    assert_int_equal(g->group[0]->n_pairs, 0);
    end(&s);
}

/* Moves both groups; the second first half-way, or not. */
static void
move_both(struct store *s, bool stops)
{
    struct koshu_subsystem **group = s->groups->group;
    const double half = koshu_subsystems_time(s->groups, 512),
                 whole = koshu_subsystems_time(s->groups, 1024);
    if (stops)
        assert_ok(context, koshu_subsystems_each(s->groups, 1, &group[1], half,
                                                 koshu_subsystems_move, 0));
    assert_ok(context, koshu_subsystems_each(s->groups, 2, group, whole,
                                             koshu_subsystems_move, 0));
}

/* With a helper: if the neighbouring pair has stopped on the way, what was
 * integrated ahead is discarded. */
static void
pairs_are_the_same_ahead(void **state)
{
    (void)state;
    for (int stops = 0; stops < 2; stops++) {
        struct store s[2];
        for (int k = 0; k < 2; k++) {
            form_two_pairs(&s[k], 0.5);
            struct koshu_subsystems *g = s[k].groups;
            if (k == 1) assert_ok(context, koshu_subsystem_helpers_start(g, 1));
            g->group[0]->work = 1000000;
            assert_ok(context, koshu_subsystems_note_work(g, g->group[0]));
            assert_ok(context, koshu_subsystems_go_ahead(g));
            assert_int_equal(g->group[0]->is_ahead, k);
            move_both(&s[k], stops);
        }
        assert_memory_equal(s[0].groups->group[0]->chain.y,
                            s[1].groups->group[0]->chain.y,
                            8 * sizeof(struct koshu_sum));
        for (int k = 0; k < 2; k++) end(&s[k]);
    }
}

static void
what_is_no_group_is_beside_nothing(void **state)
{
    (void)state;
    struct store s;
    form_two_pairs(&s, 0.5);
    struct koshu_subsystems *g = s.groups;
    koshu_subsystems_forget(g, g->group[0]);
    assert_int_equal(g->n_beside, 1);
    assert_true(g->beside[0] == g->group[1]);
    koshu_subsystems_dissolve(g, g->group[0]);
    koshu_subsystems_show_pairs(g);
    assert_int_equal(g->group[0]->n_pairs, 0);
    end(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(perturbers_are_polynomials),
            cmocka_unit_test(fields_are_relative_to_the_centre),
            cmocka_unit_test(fields_follow_the_centre),
            cmocka_unit_test(fields_act_on_bodies_on_average),
            cmocka_unit_test(a_pair_beside_is_two_bodies),
            cmocka_unit_test(a_pair_far_off_is_a_point),
            cmocka_unit_test(a_pair_that_is_not_perturbed_is_a_point),
            cmocka_unit_test(pairs_are_the_same_ahead),
            cmocka_unit_test(what_is_no_group_is_beside_nothing),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
