/* SPDX-License-Identifier: MIT */
/* Forces by the tree for unusual distributions and units, compared with the
 * direct sum. */
#include <math.h>

#include <koshu/initial.h>
#include <koshu/solver.h>

#include "on_backend.h"
#include "reports.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"
#include "particles/particles.h"
#include "tree_errors.h"

enum odd { ONE, TWO, POINT, LINE, PAIRS, ESCAPER, MASSLESS, ODD };

static struct koshu_particles *
odd_particles(enum odd which)
{
    const size_t n = which == ONE ? 1 : which == TWO ? 2 : 2000;
    struct koshu_particles *p = model(KOSHU_MODEL_CUBE, n < 3 ? 3 : n);
    struct koshu_particles *q;
    struct koshu_particle_view from, v;
    assert_ok(context, koshu_particles_create(context, n, &q));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &from));
    assert_ok(context, koshu_particles_on_host(q, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_WRITE, &v));
    for (size_t i = 0; i < n; i++) {
        v.mass[i] = which == MASSLESS && i % 2 ? 0 : 1.0 / (double)n;
        v.x[i] = from.x[i];
        v.y[i] = from.y[i];
        v.z[i] = from.z[i];
        if (which == POINT && i > 0) v.x[i] = v.y[i] = v.z[i] = 0.25;
        if (which == LINE) v.y[i] = v.z[i] = 0.1;
        if (which == ESCAPER && i == 5) v.y[i] = 1e9;
        if (which == PAIRS && i % 2) {
            v.x[i] = v.x[i - 1] + 1e-12;
            v.y[i] = v.y[i - 1];
            v.z[i] = v.z[i - 1];
        }
    }
    koshu_particles_destroy(p);
    return q;
}

/* The sum of the absolute forces on particle i, the unit for the errors of
 * cells. */
static double
pull(const struct koshu_particle_view *v, size_t i, double eps)
{
    double sum = 0;
    for (size_t j = 0; j < v->n; j++) {
        const double dx = v->x[j] - v->x[i], dy = v->y[j] - v->y[i],
                     dz = v->z[j] - v->z[i];
        const double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 > 0) sum += v->mass[j] * sqrt(r2) / pow(r2 + eps * eps, 1.5);
    }
    return sum;
}

/* Without softening a pair at a distance of 1e-12 has a force of 1e24 m, which
 * mixed precision computes with the digits that doubles have of the distance:
 * 1e-16 / 1e-12. At theta = 0.3 cells have errors below a thousandth of their
 * force. */
static void
odd_distributions_have_right_forces(void **state)
{
    (void)state;
    for (int which = 0; which < ODD; which++)
        for (int softened = 0; softened < 2; softened++) {
            struct koshu_solver_options o =
                    tree_options(0.3, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
            struct koshu_particles *p = odd_particles((enum odd)which);
            o.softening = softened ? 0.05 : 0;
            o.precision = KOSHU_PRECISION_MIXED;
            struct copy truth = truth_of(p, o.softening);
            const struct koshu_particle_view v = forces(context, &o, p);
            for (size_t i = 0; i < v.n; i++) {
                const double slack = 1e-3 * pull(&v, i, o.softening);
                assert_near(v.ax[i], truth.a[0][i], slack);
                assert_near(v.ay[i], truth.a[1][i], slack);
                assert_near(v.az[i], truth.a[2][i], slack);
                assert_near(v.potential[i], truth.potential[i],
                            1e-3 * fabs(truth.potential[i]));
            }
            copy_free(&truth);
            koshu_particles_destroy(p);
        }
}

/* All particles but one at one point: no N^2 work, as cells without extent act
 * as a whole. For 2000 particles lists hold about a group and a few cells. */
static void
a_crowded_point_costs_little(void **state)
{
    (void)state;
    const struct koshu_solver_options o =
            tree_options(0.5, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
    struct koshu_particles *p = odd_particles(POINT);
    struct koshu_solver *solver;
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    assert_ok(context,
              koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION));
    assert_true(tree_report_of(solver).interactions < 2000 * 100);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
}

/* A sphere and its reference, in units that are powers of two. */
static struct koshu_particles *
in_units(int length, int mass, struct copy *truth)
{
    struct koshu_particles *p = model(KOSHU_MODEL_PLUMMER, N);
    struct koshu_particle_view v;
    *truth = truth_of(p, 0.02);
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        v.x[i] = ldexp(v.x[i], length);
        v.y[i] = ldexp(v.y[i], length);
        v.z[i] = ldexp(v.z[i], length);
        v.mass[i] = ldexp(v.mass[i], mass);
        for (int k = 0; k < 3; k++)
            truth->a[k][i] = ldexp(truth->a[k][i], mass - 2 * length);
        truth->potential[i] = ldexp(truth->potential[i], mass - length);
    }
    return p;
}

/* The largest errors of a and of the potential in the second evaluation, since
 * the relative criterion uses the accelerations of the first. */
static void
errors_in_units(int length, int mass, enum koshu_opening_criterion criterion,
                double error[2])
{
    const unsigned fields = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    struct koshu_solver_options o =
            tree_options(0.5, KOSHU_MULTIPOLE_ORDER_QUADRUPOLE);
    struct copy truth;
    struct koshu_particles *p = in_units(length, mass, &truth);
    struct koshu_particle_view v;
    struct koshu_solver *solver;
    o.softening = ldexp(0.02, length);
    tree.opening_criterion = criterion;
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    for (int k = 0; k < 2; k++)
        assert_ok(context, koshu_solver_forces(solver, p, fields));
    assert_ok(context,
              koshu_particles_on_host(p, fields, KOSHU_ACCESS_READ, &v));
    error[0] = error_of(&v, &truth, 1);
    error[1] = 0;
    for (size_t i = 0; i < v.n; i++) {
        double off = fabs(v.potential[i] / truth.potential[i] - 1);
        if (!(off <= error[1])) error[1] = off;
    }
    koshu_solver_destroy(solver);
    copy_free(&truth);
    koshu_particles_destroy(p);
}

/* In kilograms and metres (10^30 and 10^16 per unit) a cell's M l^2 overflows a
 * float, and in small units it underflows. The tree is always the same; a root
 * in the relative criterion may be rounded so that a list differs. */
static void
units_do_not_matter(void **state)
{
    (void)state;
    static const int powers[][2] = {{53, 100}, {-53, -60}, {-30, -100}};
    for (int criterion = 0; criterion < 2; criterion++) {
        double usual[2], other[2];
        errors_in_units(0, 0, (enum koshu_opening_criterion)criterion, usual);
        assert_true(usual[0] < 0.02 && usual[1] < 5e-3);
        for (size_t k = 0; k < sizeof powers / sizeof powers[0]; k++) {
            errors_in_units(powers[k][0], powers[k][1],
                            (enum koshu_opening_criterion)criterion, other);
            assert_near(other[0], usual[0], 0.02 * usual[0]);
            assert_near(other[1], usual[1], 0.02 * usual[1]);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(odd_distributions_have_right_forces),
            cmocka_unit_test(a_crowded_point_costs_little),
            cmocka_unit_test(units_do_not_matter),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
