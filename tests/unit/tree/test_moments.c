/* SPDX-License-Identifier: MIT */
/* Moments of every cell, compared with sums over its particles in long
 * double. */
#include <math.h>

#include "fixture.h"
#include "places.h"
#include "tree/tree.h"

struct direct {
    double mass, at[3], xx, xy, xz, yy, yz, zz;
    double low[3], high[3];
};

static struct direct
sum_directly(const struct koshu_tree *t, const struct koshu_cell *cell)
{
    const size_t first = cell->first, last = first + cell->n;
    const double *const x[3] = {t->x, t->y, t->z};
    struct direct d = {0};
    long double mass = 0, at[3] = {0, 0, 0}, s[6] = {0};
    for (size_t k = first; k < last; k++) mass += t->mass[k];
    for (int c = 0; c < 3; c++) {
        d.low[c] = d.high[c] = x[c][first];
        for (size_t k = first; k < last; k++) {
            d.low[c] = fmin(d.low[c], x[c][k]);
            d.high[c] = fmax(d.high[c], x[c][k]);
            at[c] += (long double)t->mass[k] * (long double)x[c][k];
        }
        at[c] = mass > 0 ? at[c] / mass
                         : 0.5L * ((long double)d.low[c] + d.high[c]);
        d.at[c] = (double)at[c];
    }
    for (size_t k = first; k < last; k++) {
        long double m = t->mass[k], r[3];
        for (int c = 0; c < 3; c++) r[c] = x[c][k] - at[c];
        s[0] += m * r[0] * r[0];
        s[1] += m * r[0] * r[1];
        s[2] += m * r[0] * r[2];
        s[3] += m * r[1] * r[1];
        s[4] += m * r[1] * r[2];
        s[5] += m * r[2] * r[2];
    }
    d.mass = (double)mass;
    d.xx = (double)s[0];
    d.xy = (double)s[1];
    d.xz = (double)s[2];
    d.yy = (double)s[3];
    d.yz = (double)s[4];
    d.zz = (double)s[5];
    return d;
}

static double
longest(const struct direct *d)
{
    return fmax(fmax(d->high[0] - d->low[0], d->high[1] - d->low[1]),
                d->high[2] - d->low[2]);
}

/* Moments are floats, centres doubles: a few roundings of each. */
static void
assert_moments(const struct koshu_tree *t, size_t c)
{
    const struct direct d = sum_directly(t, &t->cell[c]);
    const struct koshu_cell_moments *m = &t->moments[c];
    const double l = longest(&d), digits = 16 * 0x1p-53,
                 from_zero = fabs(d.at[0]) + fabs(d.at[1]) + fabs(d.at[2]);
    assert_near(m->mass, d.mass, 2e-7 * d.mass);
    assert_near(t->place.x[c], d.at[0], digits * (l + from_zero));
    assert_near(t->place.y[c], d.at[1], digits * (l + from_zero));
    assert_near(t->place.z[c], d.at[2], digits * (l + from_zero));
    /* of the sum of the positive terms; plus the effect of the centre's own
     * rounding */
    const double slack = 1e-6 * (d.xx + d.yy + d.zz) +
                         4 * d.mass * digits * digits * from_zero * from_zero;
    assert_near(m->xx, 3 * d.xx, slack);
    assert_near(m->xy, 3 * d.xy, slack);
    assert_near(m->xz, 3 * d.xz, slack);
    assert_near(m->yy, 3 * d.yy, slack);
    assert_near(m->yz, 3 * d.yz, slack);
    assert_near(m->zz, 3 * d.zz, slack);
    assert_near(m->half_trace, 1.5 * (d.xx + d.yy + d.zz), slack);
}

static void
moments_are_those_of_the_particles(void **state)
{
    (void)state;
    static const enum distribution which[] = {BALL,    LINE,     POINT,
                                              PAIRS,   ESCAPER,  FAR_AWAY,
                                              LATTICE, LOPSIDED, MASSLESS};
    const struct koshu_tree_options o = koshu_tree_options_default();
    for (size_t k = 0; k < sizeof which / sizeof which[0]; k++) {
        struct places p = places_make(which[k], 1500);
        struct koshu_tree t = places_tree(context, &o, &p);
        for (size_t c = 0; c < t.n_cells; c++) assert_moments(&t, c);
        koshu_tree_free(&t);
        places_free(&p);
    }
}

/* l / theta + delta. */
static void
reach_has_size_and_offset(void **state)
{
    (void)state;
    struct koshu_tree_options o = koshu_tree_options_default();
    o.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    o.theta = 0.4;
    struct places p = places_make(LOPSIDED, 500);
    struct koshu_tree t = places_tree(context, &o, &p);
    for (size_t c = 0; c < t.n_cells; c++) {
        const struct direct d = sum_directly(&t, &t.cell[c]);
        double delta2 = 0;
        for (int a = 0; a < 3; a++)
            delta2 += pow(d.at[a] - 0.5 * (d.low[a] + d.high[a]), 2);
        double reach = longest(&d) / 0.4 + sqrt(delta2);
        assert_near(sqrt(t.place.reach2[c]), reach, 1e-12 * (1 + reach));
        assert_true(t.place.strength2[c] == 0);
    }
    koshu_tree_free(&t);
    places_free(&p);
}

/* (M l^p)^(2/(p+2)), and at least a reach of l / 1.25 + delta. */
static void
the_relative_criterion_has_strengths(void **state)
{
    (void)state;
    for (int p = 2; p <= 3; p++) {
        struct koshu_tree_options o = koshu_tree_options_default();
        o.opening_criterion = KOSHU_OPENING_CRITERION_RELATIVE;
        o.multipole_order = p == 2 ? KOSHU_MULTIPOLE_ORDER_MONOPOLE
                                   : KOSHU_MULTIPOLE_ORDER_QUADRUPOLE;
        struct places places = places_make(BALL, 500);
        struct koshu_tree t = places_tree(context, &o, &places);
        for (size_t c = 0; c < t.n_cells; c++) {
            const struct direct d = sum_directly(&t, &t.cell[c]);
            double l = longest(&d);
            double s2 = pow(d.mass * pow(l, p), 2.0 / (p + 2));
            assert_near(t.place.strength2[c], s2, 1e-12 * s2);
            assert_true(sqrt(t.place.reach2[c]) >= l / 1.25 * (1 - 1e-12));
        }
        koshu_tree_free(&t);
        places_free(&places);
    }
}

/* In a periodic box the reach of cells longer than half of it (in the length
 * unit) is infinite; others have their usual reach. */
static void
cells_longer_than_half_a_box_are_opened(void **state)
{
    (void)state;
    const struct koshu_tree_options o = koshu_tree_options_default();
    struct places p = places_make(BALL, 500);
    struct koshu_tree free_space = places_tree(context, &o, &p);
    const struct direct all = sum_directly(&free_space, &free_space.cell[0]);
    for (double edge = 0.5; edge < 20; edge *= 2) {
        struct koshu_tree t = {.context = context, .options = o};
        struct koshu_tree_seconds seconds;
        t.units.length = t.units.mass = 4;
        t.images.edge = edge * longest(&all);
        assert_ok(context,
                  koshu_tree_make(&t, p.n, p.x, p.y, p.z, p.mass, &seconds));
        for (size_t c = 0; c < t.n_cells; c++) {
            const struct direct d = sum_directly(&t, &t.cell[c]);
            assert_int_equal(isinf(t.place.reach2[c]) != 0,
                             4 * longest(&d) > t.images.edge / 2);
        }
        koshu_tree_free(&t);
    }
    koshu_tree_free(&free_space);
    places_free(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(moments_are_those_of_the_particles),
            cmocka_unit_test(reach_has_size_and_offset),
            cmocka_unit_test(the_relative_criterion_has_strengths),
            cmocka_unit_test(cells_longer_than_half_a_box_are_opened),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
