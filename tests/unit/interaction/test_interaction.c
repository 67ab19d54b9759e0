/* SPDX-License-Identifier: MIT */
/* Interactions on the CPU, compared with loops in double precision. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/interaction.h>

#include "check.h"
#include "evaluate.h"

/* Hamada07 Fig. 14, as printed. */
static const char gravity[] = "float xi,yi,zi,eps2;\n"
                              "float xj,yj,zj,mj;\n"
                              "float dx,dy,dz;\n"
                              "float dx2,dy2,dz2;\n"
                              "float r2,r1i,r2i,r3i;\n"
                              "float mr3i;\n"
                              "\n"
                              "xi   = INPUT_I[0];\n"
                              "yi   = INPUT_I[1];\n"
                              "zi   = INPUT_I[2];\n"
                              "eps2 = INPUT_I[3];\n"
                              "\n"
                              "xj   = INPUT_J[0];\n"
                              "yj   = INPUT_J[1];\n"
                              "zj   = INPUT_J[2];\n"
                              "mj   = INPUT_J[3];\n"
                              "\n"
                              "dx = xj - xi;\n"
                              "dy = yj - yi;\n"
                              "dz = zj - zi;\n"
                              "dx2 = dx * dx;\n"
                              "dy2 = dy * dy;\n"
                              "dz2 = dz * dz;\n"
                              "r2 = (dx2 + dy2) + (dz2 + eps2);\n"
                              "r1i = 1/sqrt(r2);\n"
                              "r2i = r1i * r1i;\n"
                              "r3i = r2i * r1i;\n"
                              "mr3i = mj * r3i;\n"
                              "\n"
                              "OUTPUT[0] += mr3i * dx;\n"
                              "OUTPUT[1] += mr3i * dy;\n"
                              "OUTPUT[2] += mr3i * dz;\n";

static struct koshu_interaction *
create(struct koshu_context *context, const char *text,
       enum koshu_precision precision)
{
    struct koshu_interaction_options o = koshu_interaction_options_default();
    struct koshu_interaction *a;
    o.precision = precision;
    o.n_i_fields = o.n_j_fields = 4;
    o.n_outputs = 3;
    assert_ok(context, koshu_interaction_create(context, text, &o, &a));
    return a;
}

static void
gravity_loop(size_t n_i, const double *i, size_t n_j, const double *j,
             double *out, double *scale)
{
    for (size_t a = 0; a < n_i; a++) {
        double sum[3] = {0}, size = 0;
        for (size_t b = 0; b < n_j; b++) {
            double d[3], r2 = i[4 * a + 3];
            for (int k = 0; k < 3; k++) {
                d[k] = j[4 * b + k] - i[4 * a + k];
                r2 += d[k] * d[k];
            }
            const double w = j[4 * b + 3] / (r2 * sqrt(r2));
            for (int k = 0; k < 3; k++) {
                sum[k] += w * d[k];
                size += fabs(w * d[k]);
            }
        }
        memcpy(out + 3 * a, sum, sizeof sum);
        scale[a] = size;
    }
}

/* Errors relative to the sum of |terms|. Each term has a few roundings,
 * including those of positions, which count 1 / r times in it, for eps2 >= 0;
 * the points are at least 1e-2 apart. */
static void
check_gravity(const char *backend, enum koshu_precision precision, size_t n_i,
              size_t n_j)
{
    const double tolerance = precision == KOSHU_PRECISION_SINGLE
                                     ? 100 * FLT_EPSILON
                                     : 100 * DBL_EPSILON;
    struct koshu_context *context = test_context(backend, 2);
    struct koshu_interaction *a = create(context, gravity, precision);
    double *i = random_rows(n_i, 4, 1), *j = random_rows(n_j, 4, 2);
    double *out = calloc(3 * n_i, sizeof *out);
    double *truth = calloc(3 * n_i, sizeof *out);
    double *scale = calloc(n_i, sizeof *scale);
    for (size_t k = 0; k < 3 * n_i; k++) out[k] = NAN;
    gravity_loop(n_i, i, n_j, j, truth, scale);
    assert_ok(context, koshu_interaction_evaluate(a, n_i, n_j, i, j, out));
    for (size_t k = 0; k < 3 * n_i; k++)
        assert_near(out[k], truth[k], tolerance * scale[k / 3]);
    free(i);
    free(j);
    free(out);
    free(truth);
    free(scale);
    koshu_interaction_destroy(a);
    koshu_context_destroy(context);
}

static void
test_gravity(void **state)
{
    static const size_t sizes[][2] = {{1, 1},  {1, 0},     {3, 15},  {2, 16},
                                      {5, 17}, {67, 1025}, {1, 9001}};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        check_gravity("simd", KOSHU_PRECISION_SINGLE, sizes[k][0], sizes[k][1]);
        check_gravity("simd", KOSHU_PRECISION_DOUBLE, sizes[k][0], sizes[k][1]);
    }
    check_gravity("ref", KOSHU_PRECISION_SINGLE, 5, 17);
    check_gravity("ref", KOSHU_PRECISION_DOUBLE, 5, 17);
}

/* ---- other sums ---------------------------------------------------------- */

/* The same statements twice: in a form that is vectorised, and in a loop, which
 * is left to the compiler. */
#define EXTREMES(statements) \
    "//! i: x\n//! j: x y\n" \
    "//! out: lo hi near nearest far farthest\n" statements
static const char *const extremes[] = {
        EXTREMES("float d = fabs(INPUT_J[0] - INPUT_I[0]);\n"
                 "MIN(OUTPUT[0], INPUT_J[1]);\n"
                 "MAX(OUTPUT[1], INPUT_J[1]);\n"
                 "if (INDEX_I != INDEX_J) {\n"
                 "  MINLOC(OUTPUT[2], OUTPUT[3], d);\n"
                 "  MAXLOC(OUTPUT[4], OUTPUT[5], d);\n"
                 "}\n"),
        EXTREMES("for (int k = 0; k < 1; k++) {\n"
                 "  float d = fabs(INPUT_J[0] - INPUT_I[0]);\n"
                 "  MIN(OUTPUT[0], INPUT_J[1]);\n"
                 "  MAX(OUTPUT[1], INPUT_J[1]);\n"
                 "  if (INDEX_I == INDEX_J) continue;\n"
                 "  MINLOC(OUTPUT[2], OUTPUT[3], d);\n"
                 "  MAXLOC(OUTPUT[4], OUTPUT[5], d);\n"
                 "}\n")};

static void
extremes_loop(double x, size_t self, size_t n_j, const double *j, double *out)
{
    const double nothing[6] = {INFINITY, -INFINITY, INFINITY,
                               -1,       -INFINITY, -1};
    memcpy(out, nothing, sizeof nothing);
    for (size_t b = 0; b < n_j; b++) {
        const double d = fabs(j[2 * b] - x), y = j[2 * b + 1];
        if (y < out[0]) out[0] = y;
        if (y > out[1]) out[1] = y;
        if (b != self && d < out[2]) out[2] = d, out[3] = (double)b;
        if (b != self && d > out[4]) out[4] = d, out[5] = (double)b;
    }
}

/* Coordinates are small integers: exact as floats and with many ties, where the
 * first must win. */
static void
check_extremes(const char *backend, enum koshu_precision precision,
               const char *text, size_t n_i, size_t n_j)
{
    struct koshu_context *context = test_context(backend, 2);
    double *i = random_rows(n_i, 1, 3), *j = random_rows(n_j, 2, 4);
    for (size_t k = 0; k < n_i; k++) i[k] = floor(8 * i[k]);
    for (size_t k = 0; k < 2 * n_j; k++) j[k] = floor(8 * j[k]);
    double *out = evaluate(context, text, precision, n_i, i, n_j, j);
    for (size_t a = 0; a < n_i; a++) {
        double truth[6];
        extremes_loop(i[a], a, n_j, j, truth);
        for (size_t k = 0; k < 6; k++)
            if (out[6 * a + k] != truth[k])
                fail_msg("%s, %zu on %zu: out[%zu][%zu] = %g, not %g", backend,
                         n_j, n_i, a, k, out[6 * a + k], truth[k]);
    }
    free(i);
    free(j);
    free(out);
    koshu_context_destroy(context);
}

static void
test_extremes(void **state)
{
    static const size_t sizes[][2] = {{3, 0},    {1, 1},    {2, 2},
                                      {3, 15},   {2, 16},   {5, 17},
                                      {4, 2049}, {3, 4097}, {2, 9001}};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int b = 0; b < 2; b++)
            for (int p = 0; p < 2; p++)
                for (int t = 0; t < 2; t++)
                    check_extremes(backends[b], precisions[p], extremes[t],
                                   sizes[k][0], sizes[k][1]);
}

/* ---- numbers that are not finite ----------------------------------------- */

/* As in C: roots of 0, infinity, NaN and a negative number. */
static void
test_not_finite(void **state)
{
    static const double x[] = {0, INFINITY, NAN, -1, 4};
    static const char text[] =
            "//! i: x\n//! j: unused\n//! out: rsqrt sqrt min max test\n"
            "float x = INPUT_I[0];\n"
            "OUTPUT[0] += 1/sqrt(x);\n"
            "OUTPUT[1] += sqrt(x);\n"
            "OUTPUT[2] += fmin(x, 1.0);\n"
            "OUTPUT[3] += fmax(1.0, x);\n"
            "OUTPUT[4] += isnan(x) + 2*isinf(x) + (x != x);\n";
    enum { N = sizeof x / sizeof x[0] };
    const double truth[N][5] = {{INFINITY, 0, 0, 1, 0},
                                {0, INFINITY, 1, INFINITY, 2},
                                {NAN, NAN, 1, 1, 2},
                                {NAN, NAN, -1, 1, 0},
                                {0.5, 2, 1, 4, 0}};
    (void)state;
    for (int b = 0; b < 2; b++)
        for (int p = 0; p < 2; p++) {
            struct koshu_context *context = test_context(backends[b], 1);
            const double j = 0;
            double *out = evaluate(context, text, precisions[p], N, x, 1, &j);
            for (int k = 0; k < N; k++)
                for (int o = 0; o < 5; o++) {
                    const double got = out[5 * k + o], want = truth[k][o];
                    if (!(fabs(got - want) <= 1e-6 || got == want ||
                          (isnan(got) && isnan(want))))
                        fail_msg("%s: x = %g: out %d = %g, not %g", backends[b],
                                 x[k], o, got, want);
                }
            free(out);
            koshu_context_destroy(context);
        }
}

/* ---- threads, constants, names ------------------------------------------- */

static void
test_threads(void **state)
{
    enum { N_I = 137, N_J = 9001 };
    (void)state;
    double *i = random_rows(N_I, 4, 6), *j = random_rows(N_J, 4, 7);
    double *first = calloc(3 * N_I, sizeof *first);
    double *out = calloc(3 * N_I, sizeof *out);
    for (int threads = 1; threads <= 3; threads++) {
        struct koshu_context *context = test_context("simd", threads);
        struct koshu_interaction *a =
                create(context, gravity, KOSHU_PRECISION_SINGLE);
        double *to = threads == 1 ? first : out;
        assert_ok(context, koshu_interaction_evaluate(a, N_I, N_J, i, j, to));
        if (threads > 1) assert_memory_equal(out, first, 3 * N_I * sizeof *out);
        koshu_interaction_destroy(a);
        koshu_context_destroy(context);
    }
    free(i);
    free(j);
    free(first);
    free(out);
}

static void
test_constants(void **state)
{
    static const char text[] = "//! i: a\n//! j: b\n//! out: e\n"
                               "//! constant G = 3\n"
                               "OUTPUT[0] += G * INPUT_J[0] + extra;\n";
    const struct koshu_interaction_constant constants[] = {{"extra", 0.5},
                                                           {"G", -2}};
    (void)state;
    for (int b = 0; b < 2; b++)
        for (size_t n = 1; n <= 2; n++) {
            struct koshu_context *context = test_context(backends[b], 1);
            struct koshu_interaction_options o =
                    koshu_interaction_options_default();
            struct koshu_interaction *a;
            const double i = 0, j[2] = {1, 10};
            double out = NAN;
            o.n_constants = n;
            o.constants = constants;
            assert_ok(context, koshu_interaction_create(context, text, &o, &a));
            assert_ok(context,
                      koshu_interaction_evaluate(a, 1, 2, &i, j, &out));
            assert_near(out, (n == 1 ? 33 : -22) + 1, 0);
            koshu_interaction_destroy(a);
            koshu_context_destroy(context);
        }
}

/* A source is parsed once: its declarations are known and constants are set
 * before anything is compiled. */
static void
test_read_then_compile(void **state)
{
    (void)state;
    const char *text = "//! i: x\n//! j: m\n//! out: s\n"
                       "//! constant G = 2\n//! constant H = 5\n"
                       "OUTPUT[0] += G*INPUT_J[0] + H*INPUT_I[0];\n";
    const double i = 1, j[2] = {1, 10};
    struct koshu_context *context = test_context("simd", 1);
    struct koshu_interaction *a;
    double out = NAN;
    assert_ok(context, koshu_interaction_read(context, text, NULL, &a));
    assert_string_equal(koshu_interaction_name_j(a, 0), "m");
    assert_int_equal(koshu_interaction_n_constants(a), 2);
    assert_string_equal(koshu_interaction_name_constant(a, 1), "H");
    assert_string_equal(koshu_interaction_name_constant(a, 2), "");
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "read, not compiled",
                 koshu_interaction_evaluate(a, 1, 2, &i, j, &out));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "no constant 'g'; it has G",
                 koshu_interaction_set_constant(a, "g", 1));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "not finite",
                 koshu_interaction_set_constant(a, "G", INFINITY));
    assert_ok(context, koshu_interaction_set_constant(a, "G", 3));
    assert_ok(context, koshu_interaction_compile(a));
    assert_ok(context, koshu_interaction_compile(a));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "is compiled",
                 koshu_interaction_set_constant(a, "G", 4));
    assert_ok(context, koshu_interaction_evaluate(a, 1, 2, &i, j, &out));
    assert_near(out, 3 * 11 + 2 * 5, 0);
    koshu_interaction_destroy(a);
    koshu_context_destroy(context);
}

static void
test_names(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    struct koshu_interaction *a;
    assert_ok(context,
              koshu_interaction_create(context,
                                       "//! i: x, y\n//! j: z\n//! out: e f g\n"
                                       "OUTPUT[0] += 1; OUTPUT[1] += 1;\n"
                                       "OUTPUT[2] -= 1;\n",
                                       NULL, &a));
    assert_int_equal(koshu_interaction_n_i_fields(a), 2);
    assert_int_equal(koshu_interaction_n_j_fields(a), 1);
    assert_int_equal(koshu_interaction_n_outputs(a), 3);
    assert_string_equal(koshu_interaction_name_i(a, 1), "y");
    assert_string_equal(koshu_interaction_name_j(a, 0), "z");
    assert_string_equal(koshu_interaction_name_out(a, 2), "g");
    assert_string_equal(koshu_interaction_name_out(a, 3), "");
    koshu_interaction_destroy(a);
    a = create(context, gravity, KOSHU_PRECISION_SINGLE);
    assert_string_equal(koshu_interaction_name_i(a, 0), "");
    koshu_interaction_destroy(a);
    koshu_context_destroy(context);
}

static void
test_arguments(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    struct koshu_interaction *a =
            create(context, gravity, KOSHU_PRECISION_SINGLE);
    double row[4] = {0}, out[3] = {NAN, NAN, NAN};
    assert_ok(context, koshu_interaction_evaluate(a, 0, 0, NULL, NULL, NULL));
    assert_ok(context, koshu_interaction_evaluate(a, 1, 0, row, NULL, out));
    assert_near(out[0], 0, 0);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "i-particles is NULL",
                 koshu_interaction_evaluate(a, 1, 1, NULL, row, out));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "j-particles is NULL",
                 koshu_interaction_evaluate(a, 1, 1, row, NULL, out));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "results is NULL",
                 koshu_interaction_evaluate(a, 1, 1, row, row, NULL));
    assert_fails(
            context, KOSHU_ERROR_INVALID_ARGUMENT, "2^31",
            koshu_interaction_evaluate(a, 1, (size_t)1 << 31, row, row, out));
    koshu_interaction_destroy(a);
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_gravity),
            cmocka_unit_test(test_extremes),
            cmocka_unit_test(test_not_finite),
            cmocka_unit_test(test_threads),
            cmocka_unit_test(test_constants),
            cmocka_unit_test(test_names),
            cmocka_unit_test(test_read_then_compile),
            cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
