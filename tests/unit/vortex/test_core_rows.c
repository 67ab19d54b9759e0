/* SPDX-License-Identifier: MIT */
/* Vectorised sums with cores, in every instruction set of this machine,
 * compared with the formulas in double. */
#include <math.h>
#include <string.h>

#include "backend/ref/ref.h"
#include "backend/simd/isa.h"
#include "check.h"
#include "kernels/kernels.h"
#include "vortex/near.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name
#include "kernels/vortex_core.h"

#include "uniform.h"

static const double pi = 3.14159265358979323846;
enum { N = 150, ROWS = 5, SUMS = 12 };

static const double sigma = 0.3;

/* The polynomials P of their orders. */
static const double gaussian[VORTEX_CORE_TERMS],
        order_12[VORTEX_CORE_TERMS] = {2747.0 / 384, -3131.0 / 480, 59.0 / 30,
                                       -9.0 / 40, 1.0 / 120};

struct rows {
    double x[3][N], strength[3][N];
    struct koshu_fmm_core core;
    struct koshu_fmm_row row[ROWS];
    struct koshu_fmm_rows all;
    struct koshu_core_table table;
};

/* Rows of length 0 to more than three vectors, of different images. */
static void
make(struct rows *r, const double p[VORTEX_CORE_TERMS])
{
    static const size_t end[ROWS] = {0, 1, 16, 67, N};
    *r = (struct rows){.core = {sigma, 5, {0}}};
    memcpy(r->core.p, p, sizeof r->core.p);
    koshu_core_table_make(p, &r->table);
    for (int k = 0; k < N; k++)
        for (int a = 0; a < 3; a++) {
            r->x[a][k] = 4 * uniform() - 2;
            r->strength[a][k] = uniform() - 0.5;
        }
    for (int k = 0; k < ROWS; k++)
        r->row[k] = (struct koshu_fmm_row){
                k > 0 ? end[k - 1] : 0, end[k], {0.1 * k, 0, -0.2}};
    r->all = (struct koshu_fmm_rows){
            &r->core,
            {r->x[0], r->x[1], r->x[2]},
            {r->strength[0], r->strength[1], r->strength[2]},
            ROWS,
            r->row,
            &r->table};
}

/* 2 F_1 and 2 F_2 of a core, less those of a point vortex. */
static void
difference(double s, const double *p, double *f1, double *f2)
{
    vortex_core_precise(s, p, f1, f2);
    if (s == 0) return;
    const double point = sqrt(pi) / 2 / (s * sqrt(s));
    *f1 -= point;
    *f2 -= 1.5 * point / s;
}

static void
add_directly(const struct rows *r, const double x[3], size_t j, double *sum)
{
    const double length = sqrt(2) * sigma,
                 unit = 2 / sqrt(pi) / (length * length);
    double d[3], a[3], s = 0, f1, f2;
    for (int k = 0; k < 3; k++) {
        d[k] = (x[k] - r->x[k][j]) / length;
        a[k] = r->strength[k][j];
        s += d[k] * d[k];
    }
    if (s >= r->core.reach * r->core.reach / 2) return;
    difference(s, r->core.p, &f1, &f2);
    for (int i = 0; i < 3; i++) {
        const int p = (i + 1) % 3, q = (i + 2) % 3;
        const double c = a[p] * d[q] - a[q] * d[p];
        sum[i] += unit * f1 * c;
        for (int k = 0; k < 3; k++)
            sum[3 + 3 * i + k] -= unit / length * 2 * f2 * c * d[k];
        sum[3 + 3 * i + q] += unit / length * f1 * a[p]; /* eps_ijk alpha_j */
        sum[3 + 3 * i + p] -= unit / length * f1 * a[q];
    }
}

static void
sum_directly(const struct rows *r, double *sum)
{
    for (int k = 0; k < ROWS; k++)
        for (size_t j = r->row[k].first; j < r->row[k].end; j++)
            add_directly(r, r->row[k].x, j, sum);
}

static double
error_of(const double *is, const double *should, int n)
{
    double off = 0, all = 0;
    for (int k = 0; k < n; k++) {
        off += (is[k] - should[k]) * (is[k] - should[k]);
        all += should[k] * should[k];
    }
    return sqrt(off / all);
}

/* The reference and each instruction set that this machine has. */
enum { MAX_KERNELS = 16 };
static size_t
find_kernels(enum koshu_precision precision,
             const struct koshu_fmm_kernels *kernels[MAX_KERNELS])
{
    size_t n = 0;
    kernels[n++] = koshu_ref_fmm_kernels(NULL, KOSHU_PRECISION_DOUBLE);
    for (size_t k = 0; koshu_simd_isa_at(k); k++)
        if (koshu_simd_isa_at(k)->runs())
            kernels[n++] = koshu_simd_isa_at(k)->fmm(precision);
    return n;
}

/* 20 sums, every other one at the place of a vortex. */
static void
compare(const struct koshu_fmm_kernels *kernels, double tolerance)
{
    struct rows r;
    for (int trial = 0; trial < 20; trial++) {
        const bool at_target = trial & 2;
        double is[SUMS] = {0}, should[SUMS] = {0};
        make(&r, trial % 2 ? order_12 : gaussian);
        for (int a = 0; at_target && a < 3; a++)
            r.x[a][70 + trial] = r.row[4].x[a];
        sum_directly(&r, should);
        assert_true(kernels->cores(&r.all, is));
        assert_true(error_of(is, should, 3) < tolerance);
        assert_true(error_of(is + 3, should + 3, 9) < tolerance);
    }
}

/* Doubles to the 1e-9 of the table, of functions that cancel 1 / r^3 to a
 * tenth; floats to 1e-5 (kernels/vortex_core.h). */
static void
sums_are_those_of_the_formulas(void **state)
{
    (void)state;
    const struct koshu_fmm_kernels *kernels[MAX_KERNELS];
    const size_t n = find_kernels(KOSHU_PRECISION_DOUBLE, kernels);
    assert_true(n > 1);
    for (size_t k = 0; k < n; k++) compare(kernels[k], 1e-8);
    find_kernels(KOSHU_PRECISION_SINGLE, kernels);
    for (size_t k = 0; k < n; k++) compare(kernels[k], 1e-5);
}

/* They add to what is there. */
static void
sums_are_added(void **state)
{
    (void)state;
    struct rows r;
    const struct koshu_fmm_kernels *kernels[MAX_KERNELS];
    const size_t n = find_kernels(KOSHU_PRECISION_DOUBLE, kernels);
    make(&r, gaussian);
    for (size_t k = 0; k < n; k++) {
        double one[SUMS] = {0}, two[SUMS] = {0};
        assert_true(kernels[k]->cores(&r.all, one));
        for (int i = 0; i < 2; i++) assert_true(kernels[k]->cores(&r.all, two));
        for (int i = 0; i < SUMS; i++) assert_near(two[i], 2 * one[i], 1e-15);
    }
}

static void
add_gaussian_directly(const struct rows *r, const double x[3], size_t j,
                      const double *g, double *sum)
{
    double s = 0, w = 0, along = 0;
    for (int a = 0; a < 3; a++) {
        const double d = x[a] - r->x[a][j];
        s += d * d / (2 * sigma * sigma);
        along += d * r->strength[a][j];
    }
    if (s >= r->core.reach * r->core.reach / 2) return;
    for (int k = 0; k < VORTEX_GAUSSIAN_TERMS; k++) w += g[k] * pow(s, k);
    w *= exp(-s);
    for (int a = 0; a < 3; a++) sum[a] += w * r->strength[a][j];
    sum[KOSHU_GAUSSIAN_WEIGHT] += w;
    sum[KOSHU_GAUSSIAN_ALONG] += w * along;
}

/* To rounding, padding of the last vector left out. */
static void
gaussians_are_those_of_the_formula(void **state)
{
    static const double g[VORTEX_GAUSSIAN_TERMS] = {0.7, -0.3, 0.2, 0, 0.1, 0};
    (void)state;
    struct rows r;
    double should[KOSHU_GAUSSIAN_SUMS] = {0};
    const struct koshu_fmm_kernels *kernels[MAX_KERNELS];
    make(&r, gaussian);
    for (int k = 0; k < ROWS; k++)
        for (size_t j = r.row[k].first; j < r.row[k].end; j++)
            add_gaussian_directly(&r, r.row[k].x, j, g, should);
    const size_t n = find_kernels(KOSHU_PRECISION_SINGLE, kernels);
    for (size_t k = 0; k < n; k++) {
        double is[KOSHU_GAUSSIAN_SUMS] = {0};
        kernels[k]->gaussians(&r.all, g, is);
        assert_true(error_of(is, should, KOSHU_GAUSSIAN_SUMS) < 1e-13);
    }
}

/* So close that floats cannot hold a point vortex's contribution. */
static void
what_floats_do_not_hold_is_refused(void **state)
{
    (void)state;
    struct rows r;
    const struct koshu_fmm_kernels *kernels[MAX_KERNELS];
    const size_t n = find_kernels(KOSHU_PRECISION_SINGLE, kernels);
    make(&r, gaussian);
    for (int a = 0; a < 3; a++) r.x[a][80] = r.row[4].x[a];
    r.x[0][80] += 1e-12;
    for (size_t k = 1; k < n; k++) { /* the reference is in double */
        double sum[SUMS] = {0};
        assert_false(kernels[k]->cores(&r.all, sum));
        for (int i = 0; i < SUMS; i++) assert_true(sum[i] == 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(sums_are_those_of_the_formulas),
            cmocka_unit_test(sums_are_added),
            cmocka_unit_test(gaussians_are_those_of_the_formula),
            cmocka_unit_test(what_floats_do_not_hold_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
