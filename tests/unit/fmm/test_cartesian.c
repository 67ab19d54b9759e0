/* SPDX-License-Identifier: MIT */
/* The operators on Cartesian expansions, compared with sums over particles. */
#include <math.h>

#include "check.h"
#include "fmm/fmm.h"
#include "fixture.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define SCALAR double
#define KOSHU_TYPED(name) name
#include "kernels/cartesian.h"

enum { MAX_TERMS = KOSHU_MAX_CARTESIAN_TERMS, SOURCES = 40 };

struct ball {
    double centre[3], length;
};

/* The parents are 3.5 apart, the children's particles 2.8 or more. */
static const struct ball child = {{0.1, -0.2, 0.05}, 0.5};
static const struct ball parent = {{0, 0, 0}, 1};
static const struct ball far_parent = {{1.9, -2.2, 1.6}, 1};
static const struct ball far_child = {{1.8, -2.0, 1.75}, 0.25};
static const double place[3] = {1.9, -2.15, 1.7};
static const double eps = 0.7;

static double source[SOURCES][3], charge[SOURCES];

static int
make_all(void **state)
{
    uint64_t random = 7;
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < 4; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const double x = (double)(random >> 11) * 0x1p-53 - 0.5;
            if (k < 3)
                source[i][k] = child.centre[k] + 0.5 * x;
            else
                charge[i] = x;
        }
    return context_begin(state);
}

static void
powers(const struct koshu_cartesian *c, const struct ball *b, const double *x,
       double *t)
{
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = (x[k] - b->centre[k]) / b->length;
    cartesian_powers(c, c->order, at, t);
}

/* P2M and M2M. */
static void
make_multipoles(const struct koshu_cartesian *c, double *to)
{
    double t[MAX_TERMS], v[MAX_TERMS] = {0};
    for (int i = 0; i < SOURCES; i++) {
        powers(c, &child, source[i], t);
        for (int a = 0; a < c->terms; a++) v[a] += charge[i] * t[a];
    }
    cartesian_scale(c->order, v, 1, child.length / parent.length);
    powers(c, &parent, child.centre, t);
    for (int a = 0; a < c->terms; a++) to[a] = 0;
    cartesian_multiply(c, c->order, v, t, to);
}

/* M2L between the parents, possibly at a lower order, and L2L. */
static void
make_local(const struct koshu_cartesian *c, int order, double *v, double *to)
{
    double u[3], d[MAX_TERMS], t[MAX_TERMS], local[MAX_TERMS] = {0};
    double distance = 0;
    for (int k = 0; k < 3; k++) u[k] = far_parent.centre[k] - parent.centre[k];
    distance = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int k = 0; k < 3; k++) u[k] /= distance;
    cartesian_derivatives(c, order, u, 1 / sqrt(1 + pow(eps / distance, 2)), d);
    cartesian_m2l(c, order, d, far_parent.length / distance,
                  parent.length / distance, v, local);
    powers(c, &far_parent, far_child.centre, t);
    for (int a = 0; a < c->terms; a++) to[a] = 0;
    cartesian_contract(c, c->order, local, t, to);
    cartesian_scale(c->order, to, far_child.length / far_parent.length,
                    far_child.length / far_parent.length);
}

/* L2P: potential and gradient. */
static void
evaluate(const struct koshu_cartesian *c, const double *v, double sum[4])
{
    double t[MAX_TERMS];
    const double per_length = 1 / far_child.length;
    powers(c, &far_child, place, t);
    for (int k = 0; k < 4; k++) sum[k] = 0;
    for (int a = 0; a < c->terms; a++) sum[0] += v[a] * t[a] * per_length;
    for (int a = 0; a < CARTESIAN_TERMS(c->order - 1); a++)
        for (int k = 0; k < 3; k++)
            sum[1 + k] += v[c->product[c->first[a] + 1 + (unsigned)k]] * t[a] *
                          per_length * per_length;
}

static void
sum_directly(double sum[4])
{
    for (int k = 0; k < 4; k++) sum[k] = 0;
    for (int i = 0; i < SOURCES; i++) {
        double x[3], r2 = 0;
        for (int k = 0; k < 3; k++) x[k] = place[k] - source[i][k];
        for (int k = 0; k < 3; k++) r2 += x[k] * x[k];
        const double soft = r2 + eps * eps;
        sum[0] += charge[i] * (1 / sqrt(soft) - 1 / sqrt(r2));
        for (int k = 0; k < 3; k++)
            sum[1 + k] -= charge[i] * x[k] *
                          (1 / (soft * sqrt(soft)) - 1 / (r2 * sqrt(r2)));
    }
}

/* Relative to the largest gradient component; relative to the potential. */
static double
error_of(int order, int order_between, double *potential)
{
    struct koshu_cartesian *c;
    double v[MAX_TERMS], local[MAX_TERMS], sum[4], is[4], off = 0, all = 0;
    assert_ok(context, koshu_cartesian_create(context, order, 0, &c));
    make_multipoles(c, v);
    make_local(c, order_between, v, local);
    evaluate(c, local, sum);
    sum_directly(is);
    koshu_cartesian_destroy(c);
    for (int k = 1; k < 4; k++) {
        off = fmax(off, fabs(sum[k] - is[k]));
        all = fmax(all, fabs(is[k]));
    }
    *potential = fabs(sum[0] / is[0] - 1);
    return off / all;
}

/* Sources are within 0.5 of their centre and the target within 0.2, at a
 * distance of 3.3: the ratio from one order to the next is 0.2, and a little
 * more because the derivatives of 1 / r^3 grow. */
static void
errors_fall_with_the_order(void **state)
{
    (void)state;
    double potential, bound = 0.4;
    for (int order = 1; order <= KOSHU_MAX_CARTESIAN_ORDER; order++) {
        const double e = error_of(order, order, &potential);
        print_message("order %d: %.1e, potential %.1e\n", order, e, potential);
        assert_true(e < bound && potential < bound);
        bound *= 0.25;
    }
}

/* A translation may use a lower order than that of the expansions. */
static void
a_lesser_order_errs_as_it_does_alone(void **state)
{
    (void)state;
    double potential;
    for (int order = 2; order < 8; order++) {
        const double alone = error_of(order, order, &potential);
        assert_near(error_of(9, order, &potential) / alone, 1, 0.5);
    }
}

/* Up to degree n there are (n + 1)(n + 2)(n + 3) / 6 terms. The product of two
 * terms is the one whose derivative T is theirs combined, apart from
 * factorials; checked at (1, 1, 1) and at (2, 3, 5), which distinguishes the
 * powers. */
static void
products_are_those_of_powers(void **state)
{
    (void)state;
    struct koshu_cartesian *c;
    double t[MAX_TERMS];
    const double x[3] = {2, 3, 5};
    assert_ok(context, koshu_cartesian_create(
                               context, KOSHU_MAX_CARTESIAN_ORDER, 0, &c));
    assert_int_equal(c->terms, KOSHU_MAX_CARTESIAN_TERMS);
    for (int a = 0; a < c->terms; a++) /* without factorials */
        t[a] = a == 0 ? 1 : x[c->axis[a]] * t[c->parent[a]];
    for (int a = 0; a < c->terms; a++)
        for (int b = 0; b < c->terms; b++)
            if (c->degree[a] + c->degree[b] <= c->order)
                assert_true(t[c->product[c->first[a] + (unsigned)b]] ==
                            t[a] * t[b]);
    koshu_cartesian_destroy(c);
    koshu_cartesian_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(errors_fall_with_the_order),
            cmocka_unit_test(a_lesser_order_errs_as_it_does_alone),
            cmocka_unit_test(products_are_those_of_powers),
    };
    return cmocka_run_group_tests(tests, make_all, context_end);
}
