/* SPDX-License-Identifier: MIT */
/* The fast multipole method on a device: the error of every order against
 * direct sums, and bit-identical repetition. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/laplace.h>

#include "backend/backend.h"
#include "check.h"
#include "cloud.h"

enum { N = 4000, ROWS = 4 };

static double place[3][N], charge[N];
static double truth[ROWS][N], first[ROWS][N], second[ROWS][N];

static double
uniform(void)
{
    static uint64_t state = 7;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static void
make_points(void)
{
    for (size_t i = 0; i < N; i++) {
        for (int c = 0; c < 3; c++) place[c][i] = pow(uniform(), 2);
        charge[i] = uniform() - 0.3;
    }
}

static void
sum(struct koshu_context *context, const struct koshu_laplace_options *o,
    double (*to)[N])
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_points points = koshu_laplace_points_default();
    struct koshu_laplace_result result = koshu_laplace_result_default();
    points.n = N;
    points.x = place[0];
    points.y = place[1];
    points.z = place[2];
    points.charge = truth[0];
    result.gradient_x = to[0];
    result.gradient_y = to[1];
    result.gradient_z = to[2];
    result.potential = to[3];
    assert_ok(context, koshu_laplace_create(context, o, &laplace));
    assert_ok(context, koshu_laplace_sums(laplace, &points, NULL, &result));
    koshu_laplace_destroy(laplace);
}

static struct koshu_laplace_options
of_order(unsigned p, enum koshu_precision precision)
{
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.tolerance = 0;
    o.precision = precision;
    o.multipole_order = p;
    /* small leaves give several levels, so that expansions dominate the
     * error */
    o.n_leaf = 24;
    return o;
}

/* Relative L2 error of the components begin ... end - 1. */
static double
error_of(double (*sums)[N], int begin, int end)
{
    double off = 0, all = 0;
    for (int c = begin; c < end; c++)
        for (size_t i = 0; i < N; i++) {
            off += pow(sums[c][i] - truth[c][i], 2);
            all += pow(truth[c][i], 2);
        }
    return sqrt(off / all);
}

/* The reference: computed on the CPU with order 20 and theta 0.3, beyond which
 * nothing changes. */
static void
find_truth(void)
{
    struct koshu_context *context = test_context("cpu", 0);
    struct koshu_laplace_options o = of_order(20, KOSHU_PRECISION_DOUBLE);
    o.theta = 0.3;
    sum(context, &o, truth);
    koshu_context_destroy(context);
}

static void
expect_order(struct koshu_context *context, unsigned p,
             enum koshu_precision precision, double floor)
{
    const struct koshu_laplace_options o = of_order(p, precision);
    /* docs/fmm.md, for charges of both signs */
    const double bound = fmax(0.6 * pow(0.5, p), floor);
    sum(context, &o, first);
    sum(context, &o, second);
    assert_memory_equal(first, second, sizeof first);
    const double gradient = error_of(first, 0, 3),
                 potential = error_of(first, 3, 4);
    if (gradient > bound || potential > bound)
        fail_msg("%s, p = %u: errors %.2g and %.2g, bound %.2g",
                 koshu_precision_name(precision), p, gradient, potential,
                 bound);
}

static void
every_order_has_its_error_and_its_bits(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("cuda", 0);
    make_points();
    find_truth();
    for (unsigned p = 1; p <= 12; p++)
        expect_order(context, p, KOSHU_PRECISION_SINGLE, 2e-6);
    for (unsigned p = 3; p <= 11; p += 4)
        expect_order(context, p, KOSHU_PRECISION_MIXED, 1e-6);
    for (unsigned p = 1; p <= 20; p += 3)
        expect_order(context, p, KOSHU_PRECISION_DOUBLE, 1e-12);
    koshu_context_destroy(context);
}

/* ---- other sums than forces ---------------------------------------------- */

/* What the sources have and what is requested. For vortices there are three
 * sets of charges. */
struct sums {
    size_t n_rhs;
    bool charges, dipoles, vortices, hessian, apart;
};

enum { M = 1500, RHS = 3, FIELDS = 12 };

static double strength[4][RHS * N], to[3][M];
static double direct[FIELDS * RHS * N], once[FIELDS * RHS * N],
        again[FIELDS * RHS * N];

static void
make_strengths(void)
{
    for (size_t k = 0; k < RHS * N; k++) {
        strength[0][k] = uniform() - 0.3;
        for (int c = 1; c < 4; c++) strength[c][k] = 0.05 * (uniform() - 0.5);
    }
    for (int c = 0; c < 3; c++) {
        for (size_t i = 0; i < M; i++) to[c][i] = uniform();
        to[c][7] = place[c][7]; /* targets where sources are */
    }
}

static struct koshu_laplace_points
sources_of(const struct sums *s)
{
    struct koshu_laplace_points p = koshu_laplace_points_default();
    p.n = N;
    p.x = place[0];
    p.y = place[1];
    p.z = place[2];
    p.n_rhs = s->n_rhs;
    if (s->charges) p.charge = strength[0];
    if (!s->dipoles) return p;
    p.dipole_x = strength[1];
    p.dipole_y = strength[2];
    p.dipole_z = strength[3];
    return p;
}

static koshu_status
sum_potentials(struct koshu_laplace *laplace, const struct sums *s,
               const struct koshu_laplace_points *at, size_t n, double *out)
{
    const struct koshu_laplace_points from = sources_of(s);
    struct koshu_laplace_result r = koshu_laplace_result_default();
    double **const all[] = {&r.potential,  &r.gradient_x, &r.gradient_y,
                            &r.gradient_z, &r.hessian_xx, &r.hessian_xy,
                            &r.hessian_xz, &r.hessian_yy, &r.hessian_yz,
                            &r.hessian_zz};
    for (int k = 0; k < (s->hessian ? 10 : 4); k++) *all[k] = out + k * n;
    return koshu_laplace_sums(laplace, &from, at, &r);
}

static koshu_status
sum_velocities(struct koshu_laplace *laplace, const struct sums *s,
               const struct koshu_laplace_points *at, size_t n, double *out)
{
    const struct koshu_laplace_points from = sources_of(s);
    struct koshu_laplace_velocity v = koshu_laplace_velocity_default();
    double **const all[] = {&v.x,           &v.y,           &v.z,
                            &v.gradient_xx, &v.gradient_xy, &v.gradient_xz,
                            &v.gradient_yx, &v.gradient_yy, &v.gradient_yz,
                            &v.gradient_zx, &v.gradient_zy, &v.gradient_zz};
    for (int k = 0; k < (s->hessian ? 12 : 3); k++) *all[k] = out + k * n;
    return koshu_laplace_biot_savart(laplace, &from, at, &v);
}

/* Compares component by component, for all right-hand sides. */
static void
sum_fields(struct koshu_context *context, struct koshu_laplace *laplace,
           const struct sums *s, double *out)
{
    struct koshu_laplace_points at = koshu_laplace_points_default();
    const size_t n = (s->apart ? M : N) * (s->vortices ? 1 : s->n_rhs);
    at.n = M;
    at.x = to[0];
    at.y = to[1];
    at.z = to[2];
    for (size_t k = 0; k < FIELDS * RHS * N; k++) out[k] = NAN;
    assert_ok(context, (s->vortices ? sum_velocities : sum_potentials)(
                               laplace, s, s->apart ? &at : NULL, n, out));
}

/* The reference by ref, with no far cells. */
static void
sum_directly(const struct sums *s)
{
    struct koshu_context *context = test_context("ref", 0);
    struct koshu_laplace_options o = of_order(1, KOSHU_PRECISION_DOUBLE);
    struct koshu_laplace *laplace;
    o.theta = 1e-9;
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    sum_fields(context, laplace, s, direct);
    koshu_laplace_destroy(laplace);
    koshu_context_destroy(context);
}

/* Relative L2 error of `count` components from `begin` on. */
static double
field_error(const struct sums *s, size_t begin, size_t count)
{
    const size_t n = (s->apart ? M : N) * (s->vortices ? 1 : s->n_rhs);
    double off = 0, all = 0;
    for (size_t k = begin * n; k < (begin + count) * n; k++) {
        off += pow(once[k] - direct[k], 2);
        all += pow(direct[k], 2);
    }
    return sqrt(off / all);
}

static void
expect_fields(struct koshu_context *context, const struct sums *s, unsigned p,
              enum koshu_precision precision, double floor)
{
    const struct koshu_laplace_options o = of_order(p, precision);
    const size_t vectors = s->vortices ? 0 : 1;
    /* as for gradients of charges; one more derivative costs one order of the
     * expansion */
    const double bound = fmax(pow(0.5, p) * (s->dipoles ? 2 : 1), floor);
    struct koshu_laplace *laplace;
    struct sums other = *s;
    other.apart = !s->apart; /* earlier results must not matter */
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    sum_fields(context, laplace, s, once);
    sum_fields(context, laplace, &other, again);
    sum_fields(context, laplace, s, again);
    koshu_laplace_destroy(laplace);
    assert_memory_equal(once, again, sizeof once);
    const double vector = field_error(s, vectors, 3);
    const double tensor =
            s->hessian ? field_error(s, vectors + 3, s->vortices ? 9 : 6) : 0;
    if (!(vector < bound && tensor < 4 * bound))
        fail_msg("%s, p = %u, charges %d, dipoles %d, vortices %d, apart %d: "
                 "errors %.2g and %.2g, bounds %.2g and %.2g",
                 koshu_precision_name(precision), p, s->charges, s->dipoles,
                 s->vortices, s->apart, vector, tensor, bound, 4 * bound);
}

static void
every_field_has_its_error_and_its_bits(void **state)
{
    (void)state;
    static const struct sums all[] = {
            {.n_rhs = 2, .charges = true, .hessian = true},
            {.n_rhs = 2, .charges = true, .apart = true},
            {.n_rhs = 1, .charges = true, .hessian = true, .apart = true},
            {.n_rhs = 2, .charges = true, .dipoles = true, .hessian = true},
            {.n_rhs = 1, .dipoles = true, .hessian = true, .apart = true},
            {.n_rhs = 1, .dipoles = true},
            {.n_rhs = 3, .charges = true, .vortices = true, .hessian = true},
            {.n_rhs = 3, .charges = true, .vortices = true, .apart = true}};
    struct koshu_context *context = test_context("cuda", 0);
    make_points();
    make_strengths();
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        sum_directly(&all[k]);
        for (unsigned p = 1; p <= 13; p += 4)
            expect_fields(context, &all[k], p, KOSHU_PRECISION_SINGLE, 4e-6);
        for (unsigned p = 4; p <= 20; p += 8)
            expect_fields(context, &all[k], p, KOSHU_PRECISION_DOUBLE, 1e-12);
    }
    koshu_context_destroy(context);
}

/* Arrays large enough that several threads copy them, compared with the CPU. */
static void
large_arrays_are_copied(void **state)
{
    (void)state;
    enum { LARGE = 150000, ALL = 4 * LARGE };
    double *const at = poisoned(ALL), *const sums[2] = {poisoned(ALL),
                                                        poisoned(ALL)};
    double off = 0, all = 0;
    for (size_t k = 0; k < ALL; k++) at[k] = uniform();
    for (int k = 0; k < 2; k++) {
        struct koshu_context *context = test_context(k ? "cuda" : "cpu", 0);
        struct koshu_laplace_options o = of_order(8, KOSHU_PRECISION_SINGLE);
        struct koshu_laplace_points p = koshu_laplace_points_default();
        struct koshu_laplace_result r = koshu_laplace_result_default();
        struct koshu_laplace *laplace;
        o.n_leaf = 0;
        p.n = LARGE;
        p.x = at, p.y = at + LARGE, p.z = at + 2 * LARGE;
        p.charge = at + 3 * LARGE;
        r.potential = sums[k];
        r.gradient_x = sums[k] + LARGE;
        r.gradient_y = sums[k] + 2 * LARGE;
        r.gradient_z = sums[k] + 3 * LARGE;
        assert_ok(context, koshu_laplace_create(context, &o, &laplace));
        assert_ok(context, koshu_laplace_sums(laplace, &p, NULL, &r));
        koshu_laplace_destroy(laplace);
        koshu_context_destroy(context);
    }
    for (size_t k = LARGE; k < ALL; k++) {
        off += pow(sums[1][k] - sums[0][k], 2);
        all += pow(sums[0][k], 2);
    }
    /* docs/fmm.md: each has an error of 6e-6 */
    assert_true(sqrt(off / all) < 1e-4);
    free(at);
    free(sums[0]);
    free(sums[1]);
}

/* Unsupported requests are refused by name. */
static void
what_is_not_there_is_refused(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_laplace_options o = of_order(4, KOSHU_PRECISION_SINGLE);
    struct koshu_laplace *laplace;
    struct koshu_laplace_points points = koshu_laplace_points_default();
    struct koshu_laplace_velocity velocity = koshu_laplace_velocity_default();
    points.n = N;
    points.n_rhs = 3;
    points.x = place[0];
    points.y = place[1];
    points.z = place[2];
    points.charge = truth[0];
    points.dipole_x = points.dipole_y = points.dipole_z = truth[0];
    velocity.x = first[0];
    velocity.y = first[1];
    velocity.z = first[2];
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "vortices that are dipoles",
                 koshu_laplace_biot_savart(laplace, &points, NULL, &velocity));
    koshu_laplace_destroy(laplace);
    koshu_context_destroy(context);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_has_its_error_and_its_bits),
        cmocka_unit_test(every_field_has_its_error_and_its_bits),
        cmocka_unit_test(large_arrays_are_copied),
        cmocka_unit_test(what_is_not_there_is_refused),
};

CUDA_MAIN(tests)
