/* SPDX-License-Identifier: MIT */
/* Vectorised sums with cores, in every instruction set of this machine,
 * compared with the formulas in double. */
#include <math.h>
#include <string.h>

#include "backend/simd/isa.h"
#include "check.h"
#include "kernels/kernels.h"

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
};

/* Rows of length 0 to more than three vectors, of different images. */
static void
make(struct rows *r, const double p[VORTEX_CORE_TERMS])
{
    static const size_t end[ROWS] = {0, 1, 16, 67, N};
    *r = (struct rows){.core = {sigma, 5, {0}}};
    memcpy(r->core.p, p, sizeof r->core.p);
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
            r->row};
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

/* Every instruction set that works here; NULL where it has no cores. */
static const struct koshu_fmm_kernels *
kernels_at(size_t k)
{
    const struct simd_isa *isa = koshu_simd_isa_at(k);
    return isa && isa->runs() ? isa->fmm(KOSHU_PRECISION_SINGLE) : NULL;
}

static void
sums_are_those_of_the_formulas(void **state)
{
    (void)state;
    struct rows r;
    int sets = 0;
    for (size_t k = 0; koshu_simd_isa_at(k); k++) {
        const struct koshu_fmm_kernels *kernels = kernels_at(k);
        if (!kernels) continue;
        sets++;
        for (int trial = 0; trial < 20; trial++) {
            const bool at_target = trial & 2; /* one source at the target */
            double is[SUMS] = {0}, should[SUMS] = {0};
            make(&r, trial % 2 ? order_12 : gaussian);
            for (int a = 0; at_target && a < 3; a++)
                r.x[a][70 + trial] = r.row[4].x[a];
            sum_directly(&r, should);
            assert_true(kernels->cores(&r.all, is));
            assert_true(error_of(is, should, 3) < 1e-5);
            assert_true(error_of(is + 3, should + 3, 9) < 1e-5);
        }
    }
    assert_true(sets > 0);
}

/* Sums add to what is there; kernels in double have no cores. */
static void
sums_are_added(void **state)
{
    (void)state;
    struct rows r;
    double one[SUMS] = {0}, two[SUMS] = {0};
    const struct koshu_fmm_kernels *kernels = NULL;
    make(&r, gaussian);
    for (size_t k = 0; !kernels; k++) kernels = kernels_at(k);
    assert_true(kernels->cores(&r.all, one));
    for (int k = 0; k < 2; k++) assert_true(kernels->cores(&r.all, two));
    for (int k = 0; k < SUMS; k++) assert_near(two[k], 2 * one[k], 1e-15);
    for (size_t k = 0; koshu_simd_isa_at(k); k++)
        assert_null(koshu_simd_isa_at(k)->fmm(KOSHU_PRECISION_DOUBLE)->cores);
}

/* So close that floats cannot hold a point vortex's contribution. */
static void
what_floats_do_not_hold_is_refused(void **state)
{
    (void)state;
    struct rows r;
    for (size_t k = 0; koshu_simd_isa_at(k); k++) {
        const struct koshu_fmm_kernels *kernels = kernels_at(k);
        double sum[SUMS] = {0};
        if (!kernels) continue;
        make(&r, gaussian);
        for (int a = 0; a < 3; a++) r.x[a][80] = r.row[4].x[a];
        r.x[0][80] += 1e-12;
        assert_false(kernels->cores(&r.all, sum));
        for (int i = 0; i < SUMS; i++) assert_true(sum[i] == 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(sums_are_those_of_the_formulas),
            cmocka_unit_test(sums_are_added),
            cmocka_unit_test(what_floats_do_not_hold_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
