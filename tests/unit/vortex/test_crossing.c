/* SPDX-License-Identifier: MIT */
/* A ring that travels through faces of cells and of the box. */
#include "support.h"

static const double box = 2, dt = 0.005;
enum { STEPS = 1000 };

static struct koshu_vortices *
begin(void)
{
    const struct koshu_vortex_rings ring = {.n = 1,
                                            .radius = 0.5,
                                            .circulation = 1,
                                            .core = 0.05,
                                            .centre = box / 2};
    struct koshu_vortices *v = vortices_of(1, 1, box);
    assert_ok(context, koshu_vortex_make_rings(&ring, v));
    return v;
}

/* The mean of z, unwrapped by the largest step of a particle. */
static double
mean_step(const struct koshu_vortices *v, const double *before)
{
    double sum = 0;
    const double *z = koshu_vortices_position(v, 2);
    for (size_t i = 0; i < v->n; i++) {
        const double d = z[i] - before[i];
        sum += d - box * round(d / box);
    }
    return sum / (double)v->n;
}

struct result {
    /* distance in all; shortest and longest step after the tenth */
    double went, least, largest;
    size_t n;
    double *state;
};

static struct result
travel(enum koshu_precision precision, double tolerance, double reach)
{
    const struct koshu_vortex_options o = {.precision = precision,
                                           .tolerance = tolerance,
                                           .reach = reach,
                                           .box = box};
    const struct koshu_vortex_flow flow = {.scheme = KOSHU_VORTEX_SCHEME_AB2};
    struct koshu_vortices *v = begin();
    struct koshu_vortex_solver *s;
    struct result r = {.least = INFINITY, .n = v->n};
    double *before = calloc(v->n, sizeof *before);
    assert_ok(context, koshu_vortex_solver_create(context, &o, &s));
    for (int k = 0; k < STEPS; k++) {
        memcpy(before, koshu_vortices_position(v, 2), v->n * sizeof *before);
        assert_ok(context, koshu_vortex_step(s, &flow, dt, v));
        const double step = mean_step(v, before);
        r.went += step;
        if (k < 10) continue;
        r.least = fmin(r.least, step);
        r.largest = fmax(r.largest, step);
    }
    r.state = calloc(3 * v->n, sizeof *r.state);
    memcpy(r.state, v->state, 3 * v->n * sizeof *r.state);
    koshu_vortex_solver_destroy(s);
    koshu_vortices_destroy(v);
    free(before);
    return r;
}

static double
largest_distance(const struct result *a, const struct result *b)
{
    double worst = 0;
    for (size_t i = 0; i < 3 * a->n; i++) {
        const double d = a->state[i] - b->state[i];
        worst = fmax(worst, fabs(d - box * round(d / box)));
    }
    return worst;
}

/*
 * With a far field of the default tolerance, compared with 1e-9, over more than
 * a box and through all its cells: steps differ by less than 1e-4, the
 * distances travelled by less than 1e-4, and particles by less than 1e-3 of the
 * box. A velocity error of 1e-4 of the ring's 1.2 over a time of 5 would be
 * 6e-4 if it always had the same direction.
 */
static void
a_ring_gets_no_kick(void **state)
{
    (void)state;
    struct result coarse = travel(KOSHU_PRECISION_SINGLE, 1e-4, 5),
                  fine = travel(KOSHU_PRECISION_DOUBLE, 1e-9, 7);
    assert_true(fine.went > 1.1 * box);
    assert_near(coarse.went / fine.went, 1, 1e-4);
    assert_true(fine.largest / fine.least - 1 < 3e-5);
    assert_true(coarse.largest / coarse.least - 1 < 1e-4);
    assert_true(largest_distance(&coarse, &fine) < 1e-3);
    free(coarse.state);
    free(fine.state);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ring_gets_no_kick)};
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
