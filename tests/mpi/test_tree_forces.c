/* SPDX-License-Identifier: MIT */
/* Trees over ranks: forces as accurate as of one, of any state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/force.h>
#include <koshu/initial.h>
#include <koshu/solver.h>

#include "devices/devices.h"
#include "particles/particles.h"
#include "difference.h"

static const double eps = 1.0 / 64;

/* ---- states -------------------------------------------------------------- */

enum state { PLUMMER, CUBE, TWO_CLUSTERS, ONE_POINT, FAR_FROM_HERE, STATES };

/* Of a Plummer sphere's particle. */
static void
change(enum state state, size_t k, double x[3])
{
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int c = 0; c < 3; c++) {
        if (state == CUBE) x[c] = tanh(x[c]);
        if (state == TWO_CLUSTERS) x[c] *= k % 3 == 0 ? 0.02 : 1;
        if (state == ONE_POINT) x[c] = 0.5;
        if (state == FAR_FROM_HERE) x[c] = 0.1 * x[c] / (0.1 + r) + 1000 * c;
    }
    if (state == TWO_CLUSTERS && k % 3 == 0) x[0] += 4;
}

static struct koshu_particles *
model(struct koshu_context *c, enum state state, size_t n)
{
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_particles *p;
    struct koshu_particle_view v;
    options.n = n;
    assert_ok(c, koshu_initial_create(c, &options, &p));
    assert_ok(c, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                         KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        double x[3] = {v.x[i], v.y[i], v.z[i]};
        change(state, koshu_particles_first(p) + i, x);
        v.x[i] = x[0], v.y[i] = x[1], v.z[i] = x[2];
        v.mass[i] *= 1 + (double)((koshu_particles_first(p) + i) % 5);
    }
    return p;
}

static struct koshu_solver *
solver_of(struct koshu_context *c, enum koshu_method method)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    options.method = method;
    options.softening = eps;
    if (method == KOSHU_METHOD_DIRECT)
        options.precision = KOSHU_PRECISION_DOUBLE;
    assert_ok(c, koshu_solver_create(c, &options, &solver));
    return solver;
}

static void
sum(struct koshu_context *c, struct koshu_solver *solver,
    struct koshu_particles *p)
{
    assert_ok(c, koshu_solver_forces(solver, p,
                                     KOSHU_FIELD_ACCELERATION |
                                             KOSHU_FIELD_POTENTIAL));
}

/* ---- errors -------------------------------------------------------------- */

struct errors {
    double median, p99, momentum;
};

static int
compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the accelerations in `got`, all of them, against those of one rank's
 * direct sums; the momentum that they make in a unit of time, over the sum of
 * the forces' sizes. */
static struct errors
errors_of(const double *got, struct koshu_particles *whole)
{
    const struct koshu_particle_view v = view_of(alone, whole);
    double *const error = calloc(v.n, sizeof *error), total[3] = {0}, all = 0;
    struct errors e;
    for (size_t i = 0; i < v.n; i++) {
        const double a[3] = {v.ax[i], v.ay[i], v.az[i]};
        double d2 = 0, a2 = 0;
        for (int c = 0; c < 3; c++) {
            const double d = got[(size_t)c * v.n + i] - a[c];
            d2 += d * d;
            a2 += a[c] * a[c];
            total[c] += v.mass[i] * got[(size_t)c * v.n + i];
        }
        error[i] = d2 > 0 ? sqrt(d2 / a2) : 0;
        all += v.mass[i] * sqrt(a2);
    }
    qsort(error, v.n, sizeof *error, compare);
    e.median = error[v.n / 2];
    e.p99 = error[v.n * 99 / 100];
    e.momentum = all > 0 ? sqrt(total[0] * total[0] + total[1] * total[1] +
                                total[2] * total[2]) /
                                   all
                         : 0;
    free(error);
    return e;
}

/* ax, ay, az of the particles of all ranks. */
static double *
gather(struct koshu_context *c, struct koshu_particles *p)
{
    const size_t n = koshu_particles_total(p),
                 ranks = (size_t)koshu_context_ranks(c);
    const struct koshu_particle_view v = view_of(c, p);
    const double *const a[3] = {v.ax, v.ay, v.az};
    double *const all = malloc(3 * n * sizeof *all);
    size_t *const each = malloc(ranks * sizeof *each);
    for (size_t r = 0; r < ranks; r++)
        each[r] = koshu_slice_of(n, (int)r, (int)ranks).n;
    for (size_t k = 0; k < 3; k++)
        assert_ok(c, koshu_all_gather_parts(c, a[k], sizeof *a[k], each,
                                            all + k * n));
    free(each);
    return all;
}

/* The second forces are by the relative criterion, and domains have weights. */
static struct errors
errors_on(struct koshu_context *c, enum state state, size_t n,
          struct koshu_particles *exact)
{
    struct koshu_solver *solver = solver_of(c, KOSHU_METHOD_TREE);
    struct koshu_particles *p = model(c, state, n);
    for (int k = 0; k < 3; k++) sum(c, solver, p);
    double *const got = gather(c, p);
    const struct errors e = errors_of(got, exact);
    free(got);
    koshu_particles_destroy(p);
    koshu_solver_destroy(solver);
    return e;
}

/* ---- the tests ----------------------------------------------------------- */

/* By the same criterion: other cells, and roundings of other sums. The 99 %
 * are those of thirty particles, momentum is one vector; they scatter. */
static void
assert_alike(const struct errors *e, const struct errors *one)
{
    assert_true(e->median <= 1.3 * one->median);
    assert_true(e->p99 <= 1.5 * one->p99);
    assert_true(e->momentum <= 3 * one->momentum);
}

/* Sizes with which some ranks have no particles, or all of them one: their
 * errors, which with few particles are none but of roundings, are not above
 * those of many on one rank. */
static void
forces_are_as_accurate_as_of_one_rank(void **state)
{
    (void)state;
    static const size_t sizes[] = {3000, 5, 100, 9, 2, 1};
    for (enum state kind = 0; kind < STATES; kind++) {
        struct errors one;
        for (int k = 0; k < (kind == PLUMMER ? 6 : 2); k++) {
            struct koshu_solver *direct = solver_of(alone, KOSHU_METHOD_DIRECT);
            struct koshu_particles *exact = model(alone, kind, sizes[k]);
            sum(alone, direct, exact);
            if (k == 0) one = errors_on(alone, kind, sizes[k], exact);
            const struct errors e = errors_on(context, kind, sizes[k], exact);
            assert_alike(&e, &one);
            koshu_particles_destroy(exact);
            koshu_solver_destroy(direct);
        }
    }
}

/* The same calls on as many ranks: the same bits. */
static void
forces_are_reproducible(void **state)
{
    (void)state;
    double *got[2];
    for (int k = 0; k < 2; k++) {
        struct koshu_solver *solver = solver_of(context, KOSHU_METHOD_TREE);
        struct koshu_particles *p = model(context, TWO_CLUSTERS, 2000);
        for (int step = 0; step < 3; step++) sum(context, solver, p);
        got[k] = gather(context, p);
        koshu_particles_destroy(p);
        koshu_solver_destroy(solver);
    }
    assert_memory_equal(got[0], got[1], 3 * 2000 * sizeof *got[0]);
    free(got[0]);
    free(got[1]);
}

/* Of what is exposed, each second is of one thing. */
static void
exposed_seconds_are_told_apart(void **state)
{
    (void)state;
    struct koshu_solver *solver = solver_of(context, KOSHU_METHOD_TREE);
    struct koshu_particles *p = model(context, PLUMMER, 3000);
    struct koshu_tree_report r = {.size = sizeof r};
    for (int step = 0; step < 2; step++) sum(context, solver, p);
    assert_ok(context, koshu_solver_tree_total(solver, &r));
    const double parts = r.exposed_seconds.domains +
                         r.exposed_seconds.particles +
                         r.exposed_seconds.essential + r.exposed_seconds.wait;
    if (koshu_context_ranks(context) > 1) assert_true(r.exposed > 0);
    /* eight differences of a clock of seconds since it began, rounded */
    assert_near(parts, r.exposed, 1e-6);
    koshu_particles_destroy(p);
    koshu_solver_destroy(solver);
}

/* By the interactions of the forces before. */
static void
work_is_balanced(void **state)
{
    (void)state;
    struct koshu_solver *solver = solver_of(context, KOSHU_METHOD_TREE);
    struct koshu_particles *p = model(context, TWO_CLUSTERS, 10000);
    struct koshu_tree_report report = {.size = sizeof report};
    for (int step = 0; step < 10; step++) sum(context, solver, p);
    assert_ok(context, koshu_solver_tree_report(solver, &report));
    const double imbalance = (double)report.largest_interactions *
                             koshu_context_ranks(context) /
                             (double)report.interactions;
    if (koshu_context_ranks(context) > 1) assert_true(imbalance < 1.1);
    koshu_particles_destroy(p);
    koshu_solver_destroy(solver);
}

/* One rank has what is not finite, and all of them the message. */
static void
what_is_not_finite_is_named_by_all(void **state)
{
    (void)state;
    struct koshu_solver *solver = solver_of(context, KOSHU_METHOD_TREE);
    struct koshu_particles *p = model(context, PLUMMER, 100);
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    if (koshu_particles_first(p) == 0) v.y[3] = NAN;
    assert_int_equal(koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION),
                     KOSHU_ERROR_NOT_FINITE);
    assert_non_null(strstr(koshu_context_message(context), "particle 3"));
    koshu_particles_destroy(p);
    koshu_solver_destroy(solver);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_as_accurate_as_of_one_rank),
        cmocka_unit_test(forces_are_reproducible),
        cmocka_unit_test(exposed_seconds_are_told_apart),
        cmocka_unit_test(work_is_balanced),
        cmocka_unit_test(what_is_not_finite_is_named_by_all),
};
RANKS_MAIN(tests)
