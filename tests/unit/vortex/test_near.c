/* SPDX-License-Identifier: MIT */
/* Which particles a sum over near ones has, against a search of all. */
#include <math.h>

#include "vortex/near.h"

#include "fixture.h"
#include "uniform.h"

enum { N = 300, TARGETS = 100, COUNT = 0, SUM_OF_STRENGTHS, N_SUMS };

/* Counts the particles within *argument of a target, squared. */
static void
count(const struct koshu_fmm_rows *rows, const void *argument, double *sums)
{
    const double radius2 = *(const double *)argument;
    for (size_t k = 0; k < rows->n; k++)
        for (size_t j = rows->row[k].first; j < rows->row[k].end; j++) {
            double r2 = 0;
            for (int a = 0; a < 3; a++) {
                const double d = rows->row[k].x[a] - rows->x[a][j];
                r2 += d * d;
            }
            if (r2 >= radius2) continue;
            sums[COUNT]++;
            sums[SUM_OF_STRENGTHS] += rows->strength[0][j];
        }
}

/* The same by all particles, and in a box by all images within three edges. */
static void
count_all(const struct koshu_vortices *v, const double x[3], double radius2,
          double sums[N_SUMS])
{
    const int images = v->box > 0 ? 3 : 0, per_axis = 2 * images + 1;
    for (size_t j = 0; j < v->n; j++)
        for (int image = 0; image < per_axis * per_axis * per_axis; image++) {
            const int shift[3] = {image % per_axis - images,
                                  image / per_axis % per_axis - images,
                                  image / (per_axis * per_axis) - images};
            double r2 = 0;
            for (int a = 0; a < 3; a++) {
                const double d = x[a] - koshu_vortices_position(v, a)[j] -
                                 shift[a] * v->box;
                r2 += d * d;
            }
            if (r2 >= radius2) continue;
            sums[COUNT]++;
            sums[SUM_OF_STRENGTHS] += koshu_vortices_strength(v, 0)[j];
        }
}

/* Positions from low to high; strengths are whole numbers, so that sums do not
 * depend on their order. */
static void
compare(double box, double low, double high, double radius)
{
    struct koshu_vortices *v;
    struct koshu_near near;
    double x[3 * TARGETS], is[N_SUMS * TARGETS] = {0};
    const double radius2 = radius * radius;
    assert_ok(context, koshu_vortices_create(context, N, &v));
    v->box = box;
    for (size_t k = 0; k < 3 * N; k++) {
        v->state[k] = low + (high - low) * uniform();
        koshu_vortices_strength(v, 0)[k] = (double)(k % 17);
    }
    for (int k = 0; k < 3 * TARGETS; k++)
        x[k] = 1.5 * (low + (high - low) * uniform()) - 0.2;
    const struct koshu_near_targets targets = {TARGETS, x, N_SUMS, is, COUNT};
    assert_ok(context, koshu_near_create(v, radius, &near));
    koshu_near_sum(&near, &targets, count, &radius2);
    for (int i = 0; i < TARGETS; i++) {
        const double at[3] = {x[i], x[TARGETS + i], x[2 * TARGETS + i]};
        double should[N_SUMS] = {0};
        count_all(v, at, radius2, should);
        assert_true(is[i] == should[COUNT]);
        assert_true(is[TARGETS + i] == should[SUM_OF_STRENGTHS]);
    }
    koshu_near_free(&near);
    koshu_vortices_destroy(v);
}

/* Targets lie outside as well. */
static void
free_space(void **state)
{
    (void)state;
    const double radii[] = {0.05, 0.3, 1, 5};
    for (int k = 0; k < 4; k++) compare(0, -1, 1, radii[k]);
}

/* Up to a radius at which images of images are near; from 0 to the box's edge,
 * and outside of it, as within a step. */
static void
box(void **state)
{
    (void)state;
    const double radii[] = {0.05, 0.3, 1, 2.5};
    for (int k = 0; k < 4; k++) {
        compare(2, 0, 2, radii[k]);
        compare(2, -0.3, 2.2, radii[k]);
    }
}

/* On a lattice, the farthest of whose points are just within the radius. */
static void
lattice(void **state)
{
    (void)state;
    struct koshu_vortices *v;
    struct koshu_near near;
    enum { EDGE = 8, POINTS = EDGE * EDGE * EDGE };
    double is[POINTS] = {0};
    const double radius = 3 + 1e-6, radius2 = radius * radius;
    assert_ok(context, koshu_vortices_create(context, POINTS, &v));
    v->box = EDGE;
    for (size_t k = 0; k < POINTS; k++) {
        v->state[k] = (double)(k / (EDGE * EDGE));
        v->state[POINTS + k] = (double)(k / EDGE % EDGE);
        v->state[2 * POINTS + k] = (double)(k % EDGE);
    }
    const struct koshu_near_targets targets = {POINTS, v->state, 1, is, COUNT};
    assert_ok(context, koshu_near_create(v, radius, &near));
    koshu_near_sum(&near, &targets, count, &radius2);
    for (int k = 0; k < POINTS; k++) assert_true(is[k] == 123); /* |n|^2 <= 9 */
    koshu_near_free(&near);
    koshu_vortices_destroy(v);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(free_space),
            cmocka_unit_test(box),
            cmocka_unit_test(lattice),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
