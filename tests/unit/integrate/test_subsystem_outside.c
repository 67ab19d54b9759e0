/* SPDX-License-Identifier: MIT */
/* What perturbs a group: particles as polynomials, fields, axes that turn. */
#include <math.h>

#include <koshu/external.h>
#include <koshu/units.h>

#define FIXTURE_BACKEND "ref"
#include "integrate/subsystem_frame.h"
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

/* A binary, and a particle that moves beside it; all accelerate. */
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

/* From the time that is given on. */
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
    koshu_free(outside.perturbers.body);
    end(&s);
}

/* What the field does to a body at x from the centre, less what it does there.
 */
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

/* About the centre as it moves from the time of the perturbers on. */
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
    koshu_free(outside.perturbers.body);
    end(&s);
}

/* As the mean over the bodies, which differs from what they do at the centre;
 * those nearby are not asked here. */
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

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(perturbers_are_polynomials),
            cmocka_unit_test(fields_are_relative_to_the_centre),
            cmocka_unit_test(fields_follow_the_centre),
            cmocka_unit_test(fields_act_on_bodies_on_average),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
