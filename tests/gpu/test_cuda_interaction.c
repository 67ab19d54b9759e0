/* SPDX-License-Identifier: MIT */
/* The language of user-defined interactions on a device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "both.h"

/* ---- reductions and indices ---------------------------------------------- */

/* Whole numbers, so that many j-particles have the same smallest value. */
static void
check_reductions(size_t max_pairs)
{
    const char text[] = "//! i: a\n"
                        "//! j: b c\n"
                        "//! out: sum least most near at far there last\n"
                        "//! constant HALF = 0.5\n"
                        "float e = INPUT_I[0] * INPUT_J[0] - INPUT_J[1];\n"
                        "OUTPUT[0] += e;\n"
                        "OUTPUT[0] -= HALF * INPUT_J[1];\n"
                        "MIN(OUTPUT[1], e);\n"
                        "MAX(OUTPUT[2], e + 1);\n"
                        "if (e > 2) MINLOC(OUTPUT[3], OUTPUT[4], e);\n"
                        "MAXLOC(OUTPUT[5], OUTPUT[6], e);\n"
                        "if (INDEX_J != INDEX_I) MAX(OUTPUT[7], INDEX_J);\n";
    for (int p = 0; p < 2; p++) {
        struct both b = create_both(text, p ? KOSHU_PRECISION_DOUBLE
                                            : KOSHU_PRECISION_SINGLE);
        for (size_t k = 0; k < N_BOTH_SIZES; k++) {
            const size_t n_i = both_sizes[k][0], n_j = both_sizes[k][1];
            if (n_i * n_j > max_pairs) continue;
            double *i = whole_rows(n_i, 1, k, 4);
            double *j = whole_rows(n_j, 2, k + 100, 4);
            check_equal(b, n_i, i, n_j, j);
            free(i);
            free(j);
        }
        double *nothing = evaluate(cuda, b.cuda, 1, (double[]){1}, 0, NULL);
        const double expected[8] = {0,  INFINITY,  -INFINITY, INFINITY,
                                    -1, -INFINITY, -1,        -INFINITY};
        assert_memory_equal(nothing, expected, sizeof expected);
        free(nothing);
        destroy_both(b);
    }
}

static void
test_reductions(void **state)
{
    (void)state;
    check_reductions(SIZE_MAX);
}

/* A small case for compute-sanitizer, which is slow (scripts/gpu-check). */
static void
test_few_pairs(void **state)
{
    (void)state;
    check_reductions(150000);
}

/* Each i-particle finds its own j-particle, whichever chunk holds it. */
static void
test_indices(void **state)
{
    (void)state;
    const char text[] = "//! i: a\n//! j: b\n//! out: own at where\n"
                        "if (INDEX_I % 5003 == INDEX_J) {\n"
                        "    OUTPUT[0] += INPUT_J[0];\n"
                        "    MAXLOC(OUTPUT[1], OUTPUT[2], INPUT_I[0]);\n"
                        "}\n";
    const size_t n_i = 100001, n_j = 5003;
    struct koshu_interaction *a = create(cuda, text, KOSHU_PRECISION_SINGLE);
    double *i = whole_rows(n_i, 1, 1, 1000), *j = whole_rows(n_j, 1, 2, 1000);
    double *out = evaluate(cuda, a, n_i, i, n_j, j);
    for (size_t k = 0; k < n_i; k++) {
        assert_true(out[3 * k] == j[k % n_j]);
        assert_true(out[3 * k + 1] == i[k]);
        assert_true(out[3 * k + 2] == (double)(k % n_j));
    }
    free(i);
    free(j);
    free(out);
    koshu_interaction_destroy(a);
}

/* For particles at the same place the formula decides; nothing is added. */
static void
test_coincident(void **state)
{
    (void)state;
    const char text[] = "//! i: x\n//! j: x\n//! out: s least n\n"
                        "float r = fabs(INPUT_J[0] - INPUT_I[0]);\n"
                        "OUTPUT[0] += 1/sqrt(r);\n"
                        "MIN(OUTPUT[1], r > 0 ? r : 0/r);\n"
                        "if (r > 0) OUTPUT[2] += 1;\n";
    for (int p = 0; p < 2; p++) {
        struct koshu_interaction *a =
                create(cuda, text,
                       p ? KOSHU_PRECISION_DOUBLE : KOSHU_PRECISION_SINGLE);
        const double x[3] = {1, 1, 2};
        double *out = evaluate(cuda, a, 3, x, 3, x);
        for (int k = 0; k < 3; k++) {
            assert_true(isinf(out[3 * k]) && out[3 * k] > 0);
            assert_true(out[3 * k + 1] == 1); /* 0 / 0 is omitted */
            assert_true(out[3 * k + 2] == (k < 2 ? 1 : 2));
        }
        free(out);
        koshu_interaction_destroy(a);
    }
}

/* ---- numbers of inputs and outputs --------------------------------------- */

/* Every input of j contributes once to every output, with its own factor. */
static void
test_widths(void **state)
{
    (void)state;
    const struct {
        int n_i, n_j, n_outputs;
    } widths[] = {{1, 1, 1},   {1, 2, 3},   {2, 3, 1},  {3, 4, 9},
                  {4, 5, 2},   {7, 6, 5},   {8, 7, 16}, {9, 16, 33},
                  {64, 64, 4}, {5, 64, 64}, {1, 99, 1}, {256, 256, 2}};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const int n_i = widths[w].n_i, n_j = widths[w].n_j,
                  n_outputs = widths[w].n_outputs;
        char text[16384], *at = text;
        at += sprintf(at, "float s = 0, t = 0;\n");
        for (int k = 0; k < n_j; k++)
            at += sprintf(at, "s += %d * INPUT_J[%d];\n", k % 7 + 1, k);
        at += sprintf(at, "for (int k = 0; k < %d; k++) t += INPUT_I[k];\n",
                      n_i);
        for (int k = 0; k < n_outputs; k++)
            at += sprintf(at, "OUTPUT[%d] += s + %d * t;\n", k, k);
        struct koshu_interaction_options o =
                koshu_interaction_options_default();
        o.n_i_fields = (size_t)n_i;
        o.n_j_fields = (size_t)n_j;
        o.n_outputs = (size_t)n_outputs;
        for (int p = 0; p < 2; p++) {
            struct both b;
            o.precision = p ? KOSHU_PRECISION_DOUBLE : KOSHU_PRECISION_SINGLE;
            assert_ok(cuda, koshu_interaction_create(cuda, text, &o, &b.cuda));
            assert_ok(ref, koshu_interaction_create(ref, text, &o, &b.ref));
            const size_t ns[][2] = {{1, 1}, {7, 131}, {300, 1031}};
            for (size_t k = 0; k < 3; k++) {
                double *i = whole_rows(ns[k][0], o.n_i_fields, k, 3);
                double *j = whole_rows(ns[k][1], o.n_j_fields, k + 5, 3);
                check_equal(b, ns[k][0], i, ns[k][1], j);
                free(i);
                free(j);
            }
            destroy_both(b);
        }
    }
}

/* ---- functions ----------------------------------------------------------- */

/* All functions, with arguments where they are defined. */
static const char *const calls[] = {
        "acos(x)",
        "acosh(1 + x)",
        "asin(x)",
        "asinh(x)",
        "atan(x)",
        "atan2(x, 2)",
        "atanh(x / 2)",
        "cbrt(x)",
        "ceil(9 * x)",
        "copysign(x, -1)",
        "cos(x)",
        "cosh(x)",
        "erf(x)",
        "erfc(x)",
        "exp(x)",
        "exp2(x)",
        "expm1(x)",
        "fabs(-x)",
        "fdim(x, 0.25)",
        "floor(9 * x)",
        "fma(x, x, x)",
        "fmax(x, 0.5)",
        "fmin(x, 0.5)",
        "fmod(9 * x, 2)",
        "hypot(x, 1)",
        "(1 + lgamma(1 + x))",
        "log(1 + x)",
        "log10(2 + x)",
        "log1p(x)",
        "log2(2 + x)",
        "pow(1 + x, 2.5)",
        "rint(9 * x)",
        "remainder(9 * x, 2)",
        "round(9 * x)",
        "rsqrt(1 + x)",
        "sin(x)",
        "sinh(x)",
        "sqrt(x)",
        "tan(x)",
        "tanh(x)",
        "tgamma(1 + x)",
        "trunc(9 * x)",
        "(isnan(x) ? 0 : 1)",
        "(isinf(x) ? 0 : 1)",
        "(isfinite(x) ? 1 : 0)",
        "(signbit(-x) ? 1 : 0)",
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* CUDA's guide gives an error of at most 8 units in the last place in single
 * precision (tgamma, lgamma, pow), 1e-6, and 10 in double. lgamma passes
 * through zero, so 1 is added. */
static void
test_functions(void **state)
{
    (void)state;
    char text[8192], *at = text;
    at += sprintf(at, "float x = INPUT_J[0];\n");
    for (int k = 0; k < CALLS; k++)
        at += sprintf(at, "MAX(OUTPUT[%d], %s);\n", k, calls[k]);
    struct koshu_interaction_options o = koshu_interaction_options_default();
    o.n_i_fields = o.n_j_fields = 1;
    o.n_outputs = CALLS;
    for (int p = 0; p < 2; p++) {
        const double tolerance = p ? 3e-15 : 1e-6;
        struct both b;
        o.precision = p ? KOSHU_PRECISION_DOUBLE : KOSHU_PRECISION_SINGLE;
        assert_ok(cuda, koshu_interaction_create(cuda, text, &o, &b.cuda));
        assert_ok(ref, koshu_interaction_create(ref, text, &o, &b.ref));
        for (int s = 1; s < 8; s++) {
            const double x = s / 8.0 - 0.0078125;
            double *got = evaluate(cuda, b.cuda, 1, &x, 1, &x);
            double *expected = evaluate(ref, b.ref, 1, &x, 1, &x);
            for (int k = 0; k < CALLS; k++)
                if (!(fabs(got[k] - expected[k]) <=
                      tolerance * fabs(expected[k])))
                    fail_msg("%s of %g: %.17g, expected %.17g", calls[k], x,
                             got[k], expected[k]);
            free(got);
            free(expected);
        }
        destroy_both(b);
    }
}

/* ---- errors -------------------------------------------------------------- */

static void
test_errors(void **state)
{
    (void)state;
    struct koshu_interaction_options o = koshu_interaction_options_default();
    struct koshu_interaction *a;
    o.name = "wrong.pipe";
    assert_fails(cuda, KOSHU_ERROR_BAD_INPUT, "wrong.pipe:5: ",
                 koshu_interaction_create(cuda,
                                          "//! i: x\n//! j: x\n//! out: s\n\n"
                                          "OUTPUT[0] += nowhere;\n",
                                          &o, &a));
    assert_null(a);
    assert_fails(cuda, KOSHU_ERROR_BAD_INPUT, "wrong.pipe:4: ",
                 koshu_interaction_create(cuda,
                                          "//! i: x\n//! j: x\n//! out: s\n"
                                          "OUTPUT[0] += 1 % 0.5;\n",
                                          &o, &a));
    assert_null(a);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reductions), cmocka_unit_test(test_few_pairs),
        cmocka_unit_test(test_indices),    cmocka_unit_test(test_coincident),
        cmocka_unit_test(test_widths),     cmocka_unit_test(test_functions),
        cmocka_unit_test(test_errors),
};

BOTH_MAIN(tests)
