/* SPDX-License-Identifier: MIT */
/* The operators on spherical expansions, compared with sums over particles. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "fmm/fmm.h"
#include "fixture.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define SCALAR double
#define KOSHU_TYPED(name) name
#include "kernels/expansion.h"

enum { MAX_TERMS = EXPANSION_TERMS(KOSHU_MAX_ORDER), SOURCES = 40 };

struct ball {
    double centre[3], length;
};

static const struct ball child = {{0.1, -0.2, 0.05}, 0.5};
static const struct ball parent = {{0, 0, 0}, 1};
static const struct ball far_parent = {{1.9, -2.2, 1.6}, 1};
static const struct ball far_child = {{1.8, -2.0, 1.75}, 0.25};

static double source[SOURCES][3], charge[SOURCES];

/* Sources about the child's centre, with charges of both signs. */
static void
make_sources(void)
{
    uint64_t state = 7;
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < 4; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const double x = (double)(state >> 11) * 0x1p-53 - 0.5;
            if (k < 3)
                source[i][k] = child.centre[k] + 0.5 * x;
            else
                charge[i] = x;
        }
}

static struct koshu_expansion *
expansion(int p)
{
    struct koshu_expansion *e;
    assert_ok(context, koshu_expansion_create(context, p, &e));
    return e;
}

static void
regular(const struct koshu_expansion *e, const struct ball *b, const double *x,
        double *r)
{
    expansion_regular(e->p, e->f64 + e->regular,
                      (x[0] - b->centre[0]) / b->length,
                      (x[1] - b->centre[1]) / b->length,
                      (x[2] - b->centre[2]) / b->length, r);
}

static void
multipoles(const struct koshu_expansion *e, const struct ball *b, double *m)
{
    double r[MAX_TERMS];
    memset(m, 0, MAX_TERMS * sizeof *m);
    for (int i = 0; i < SOURCES; i++) {
        regular(e, b, source[i], r);
        for (int k = 0; k < EXPANSION_TERMS(e->p); k++)
            m[k] += charge[i] * r[k];
    }
}

/* The vector from one centre to another; returns its length. */
static double
direction(const struct ball *from, const struct ball *to,
          struct expansion_direction *d)
{
    const double x = to->centre[0] - from->centre[0],
                 y = to->centre[1] - from->centre[1],
                 z = to->centre[2] - from->centre[2];
    const double across = hypot(x, y), distance = hypot(across, z);
    *d = (struct expansion_direction){across > 0 ? y / across : 1,
                                      across > 0 ? -x / across : 0,
                                      z / distance, across / distance};
    return distance;
}

/* The local expansion of the sources about far_child, through all
 * translations. */
static void
local(const struct koshu_expansion *e, double *l)
{
    struct expansion_direction d;
    double v[MAX_TERMS], w[MAX_TERMS];
    multipoles(e, &child, v);
    double distance = direction(&parent, &child, &d);
    expansion_m2m(e, e->f64, &d, child.length / parent.length,
                  distance / parent.length, v, w);
    distance = direction(&parent, &far_parent, &d);
    expansion_m2l(e, e->f64, &d, far_parent.length / distance,
                  parent.length / distance, w, v);
    distance = direction(&far_parent, &far_child, &d);
    expansion_l2l(e, e->f64, &d, far_child.length / far_parent.length,
                  distance / far_parent.length, v, l);
}

static const double place[3] = {1.85, -1.9, 1.7};

/* Potential and gradient at the place: the local expansion's error relative to
 * the sum. */
static void
errors(int p, double error[2])
{
    struct koshu_expansion *e = expansion(p);
    double l[MAX_TERMS], g[3][MAX_TERMS], r[MAX_TERMS];
    double got[4] = {0}, is[4] = {0};
    local(e, l);
    expansion_gradient(p, e->f64 + e->gradient, l, g[0], g[1], g[2]);
    regular(e, &far_child, place, r);
    for (int k = 0; k < EXPANSION_TERMS(p); k++) got[3] += l[k] * r[k];
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < p * p; k++)
            got[d] += g[d][k] * r[k] / far_child.length;
    for (int i = 0; i < SOURCES; i++) {
        double u[3];
        for (int d = 0; d < 3; d++) u[d] = place[d] - source[i][d];
        const double distance = hypot(hypot(u[0], u[1]), u[2]);
        is[3] += charge[i] / distance;
        for (int d = 0; d < 3; d++)
            is[d] -= charge[i] * u[d] / pow(distance, 3);
    }
    for (int k = 0; k < 4; k++) got[k] /= far_child.length;
    error[0] = fabs(got[3] / is[3] - 1);
    error[1] = hypot(hypot(got[0] - is[0], got[1] - is[1]), got[2] - is[2]) /
               hypot(hypot(is[0], is[1]), is[2]);
    koshu_expansion_destroy(e);
}

/* The cells' radii are below half of their distance: on average each order
 * halves the error at least, down to rounding. */
static void
the_error_falls_geometrically(void **state)
{
    (void)state;
    double error[2];
    for (int p = 2; p <= KOSHU_MAX_ORDER; p += 3) {
        errors(p, error);
        assert_true(error[0] < 2 * pow(0.5, p) + 1e-13);
        assert_true(error[1] < 20 * pow(0.5, p) + 1e-12);
    }
    errors(KOSHU_MAX_ORDER, error);
    assert_true(error[1] < 1e-10);
}

/* M2M is exact: a parent's multipoles do not depend on the intermediate
 * cells. */
static void
multipoles_about_another_centre_are_the_same(void **state)
{
    (void)state;
    struct expansion_direction d;
    double v[MAX_TERMS], w[MAX_TERMS], is[MAX_TERMS];
    for (int p = 1; p <= KOSHU_MAX_ORDER; p++) {
        struct koshu_expansion *e = expansion(p);
        multipoles(e, &child, v);
        multipoles(e, &parent, is);
        const double distance = direction(&parent, &child, &d);
        expansion_m2m(e, e->f64, &d, child.length / parent.length,
                      distance / parent.length, v, w);
        for (int k = 0; k < EXPANSION_TERMS(p); k++)
            assert_true(fabs(w[k] - is[k]) < 1e-12);
        koshu_expansion_destroy(e);
    }
}

static void
axes_that_are_turned_and_turned_back_change_nothing(void **state)
{
    (void)state;
    struct koshu_expansion *e = expansion(KOSHU_MAX_ORDER);
    const struct ball at[] = {{{0, 0, 1}, 1}, {{0, 0, -1}, 1},
                              {{1, 0, 0}, 1}, {{0, -1, 0}, 1},
                              {{1, 2, 3}, 1}, {{-3, 1, -2}, 1}};
    double v[MAX_TERMS], w[MAX_TERMS], before[MAX_TERMS];
    multipoles(e, &child, before);
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        struct expansion_direction d;
        direction(&parent, &at[k], &d);
        memcpy(v, before, sizeof v);
        expansion_align(e, e->f64, &d, v, w);
        expansion_restore(e, e->f64, &d, v, w);
        for (int t = 0; t < EXPANSION_TERMS(e->p); t++)
            assert_true(fabs(v[t] - before[t]) < 1e-13);
    }
    koshu_expansion_destroy(e);
}

/* In axes in which z points along the direction only R_n^0 is not zero. */
static void
the_direction_becomes_z(void **state)
{
    (void)state;
    struct koshu_expansion *e = expansion(8);
    const struct ball at = {{0.3, -0.5, 0.7}, 1};
    struct expansion_direction d;
    double v[MAX_TERMS], w[MAX_TERMS];
    const double distance = direction(&parent, &at, &d);
    regular(e, &parent, at.centre, v);
    expansion_align(e, e->f64, &d, v, w);
    for (int n = 0; n <= 8; n++)
        for (int m = -n; m <= n; m++)
            assert_true(fabs(v[EXPANSION_AT(n, m)] -
                             (m == 0 ? pow(distance, n) : 0)) < 1e-14);
    koshu_expansion_destroy(e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_error_falls_geometrically),
            cmocka_unit_test(multipoles_about_another_centre_are_the_same),
            cmocka_unit_test(
                    axes_that_are_turned_and_turned_back_change_nothing),
            cmocka_unit_test(the_direction_becomes_z),
    };
    make_sources();
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
