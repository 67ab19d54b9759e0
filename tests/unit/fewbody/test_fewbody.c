/* SPDX-License-Identifier: MIT */
/* The public object: input, output and refusals. */
#include "few_bodies.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

static koshu_status
try_create(const struct few_bodies *b, size_t n,
           const struct koshu_fewbody_options *o)
{
    struct koshu_fewbody *f = NULL;
    const struct koshu_particle_const_view v = {.n = n,
                                                .mass = b->mass,
                                                .x = b->x[0],
                                                .y = b->x[1],
                                                .z = b->x[2],
                                                .vx = b->v[0],
                                                .vy = b->v[1],
                                                .vz = b->v[2]};
    const koshu_status status = koshu_fewbody_create(context, &v, o, &f);
    assert_true((status == KOSHU_OK) == (f != NULL));
    koshu_fewbody_destroy(f);
    return status;
}

static void
impossible_bodies_are_refused(void **state)
{
    (void)state;
    struct few_bodies b = pythagorean();
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "2 to 64",
                 try_create(&b, 1, NULL));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "Hermite",
                 try_create(&b, 65, NULL));
    b.mass[1] = 0;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "body 1 of 3: mass = 0",
                 try_create(&b, 3, NULL));
    b = pythagorean();
    b.v[2][2] = NAN;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "body 2 of 3",
                 try_create(&b, 3, NULL));
    b = pythagorean();
    for (int d = 0; d < 3; d++) b.x[d][2] = b.x[d][0];
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "bodies 0 and 2",
                 try_create(&b, 3, NULL));
}

static void
impossible_options_are_refused(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    struct koshu_fewbody_options o = koshu_fewbody_options_default();
    assert_true(o.kepler && o.tolerance == 1e-15 && o.slow_down == 0);
    o.tolerance = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "tolerance = 0",
                 try_create(&b, 3, &o));
    o = koshu_fewbody_options_default();
    o.slow_down = 0.5;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "slow_down = 0.5",
                 try_create(&b, 3, &o));
    o = koshu_fewbody_options_default();
    o.time = INFINITY;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "time = inf",
                 try_create(&b, 3, &o));
}

static void
arrays_must_be_of_all_bodies(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    struct koshu_fewbody *f = few_create(context, &b, NULL);
    const struct koshu_particle_view v = {.n = 2};
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "there are 3",
                 koshu_fewbody_bodies(f, &v));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "finite time",
                 koshu_fewbody_integrate(f, NAN));
    struct koshu_fewbody_report r = {.size = 0};
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_fewbody_report(f, &r));
    koshu_fewbody_destroy(f);
}

/* The centre of mass moves uniformly from the given time. */
static void
all_may_move(void **state)
{
    (void)state;
    struct few_bodies b = pythagorean(), moving = b;
    struct koshu_fewbody_options o = koshu_fewbody_options_default();
    for (size_t k = 0; k < 3; k++) {
        moving.x[0][k] += 8;
        moving.v[1][k] += 2;
    }
    struct koshu_fewbody *f = few_create(context, &b, &o);
    o.time = 16;
    struct koshu_fewbody *g = few_create(context, &moving, &o);
    assert_ok(context, koshu_fewbody_integrate(f, 4));
    assert_ok(context, koshu_fewbody_integrate(g, 20));
    b = few_now(context, f, 3);
    moving = few_now(context, g, 3);
    for (size_t k = 0; k < 3; k++) {
        /* rounding of coordinates near 8, after several encounters */
        assert_near(moving.x[0][k], b.x[0][k] + 8, 1e-12);
        assert_near(moving.x[1][k], b.x[1][k] + 8, 1e-12);
        assert_near(moving.v[1][k], b.v[1][k] + 2, 1e-12);
    }
    assert_near(few_report(g).energy - few_report(f).energy, 24, 1e-11);
    koshu_fewbody_destroy(f);
    koshu_fewbody_destroy(g);
}

/* Compared with plain sums over the bodies that are read back. */
static void
forces_are_those_of_the_bodies(void **state)
{
    (void)state;
    const struct few_bodies b = pythagorean();
    struct koshu_fewbody *f = few_create(context, &b, NULL);
    double x[3], y[3], ax[3], ay[3], az[3], potential[3], z[3];
    const struct koshu_particle_view v = {.n = 3,
                                          .x = x,
                                          .y = y,
                                          .z = z,
                                          .ax = ax,
                                          .ay = ay,
                                          .az = az,
                                          .potential = potential};
    assert_ok(context, koshu_fewbody_integrate(f, 3));
    assert_ok(context, koshu_fewbody_bodies(f, &v));
    for (int i = 0; i < 3; i++) {
        double sum[3] = {0};
        for (int j = 0; j < 3; j++) {
            const double dx = x[j] - x[i], dy = y[j] - y[i], r = hypot(dx, dy);
            if (j == i) continue;
            sum[0] += b.mass[j] * dx / (r * r * r);
            sum[1] += b.mass[j] * dy / (r * r * r);
            sum[2] -= b.mass[j] / r;
        }
        assert_near(ax[i], sum[0], 1e-13 * fabs(sum[2]));
        assert_near(ay[i], sum[1], 1e-13 * fabs(sum[2]));
        assert_near(az[i], 0, 1e-14);
        assert_near(potential[i], sum[2], 1e-13 * fabs(sum[2]));
    }
    koshu_fewbody_destroy(f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(impossible_bodies_are_refused),
            cmocka_unit_test(impossible_options_are_refused),
            cmocka_unit_test(arrays_must_be_of_all_bodies),
            cmocka_unit_test(all_may_move),
            cmocka_unit_test(forces_are_those_of_the_bodies),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
