/* SPDX-License-Identifier: MIT */
/* The statements of interactions, vectorised and compiled as they are. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/interaction.h>

#include "check.h"
#include "evaluate.h"

/* An expression of x = INPUT_J[0], y = INPUT_J[1], and its value. */
struct expression {
    const char *text;
    double (*value)(double x, double y);
    double tolerance; /* relative, in units of the precision's epsilon */
};

#define VALUE(name, e)                     \
    static double name(double x, double y) \
    {                                      \
        (void)x, (void)y;                  \
        return e;                          \
    }
VALUE(v_plain, 2 * x - y / 3)
VALUE(v_integers, 1 / 2 + 7 / 2 + x)
VALUE(v_sqrt, sqrt(x) + sqrt(y))
VALUE(v_rsqrt, y / sqrt(x) + 1 / sqrt(y))
VALUE(v_power, pow(x, 3) + pow(x, -2) + pow(x, y))
VALUE(v_choice, x<y ? x : y> 0.5 ? -y : 1)
VALUE(v_logic, (x < y && !(x > 0.25)) || y == x)
VALUE(v_exponential, exp(-x) + log(y) + exp2(x) + expm1(x) + log1p(y))
VALUE(v_circle, sin(x) + cos(y) + tan(x) + atan2(x, y) + atan(x))
VALUE(v_inverse, asin(x) + acos(y) + erf(x) + erfc(y) + cbrt(x))
VALUE(v_hyperbolic, sinh(x) + cosh(y) + tanh(x) + asinh(y) + atanh(x / 2))
VALUE(v_whole, floor(8 * x) + ceil(8 * y) + trunc(-4 * x) + rint(9 * y))
VALUE(v_pairs, fmin(x, y) + 2 * fmax(x, y) + fma(x, y, 1) + fabs(x - y))
VALUE(v_others, hypot(x, y) + fmod(4 * x, y) + copysign(x, -y) + fdim(x, y))
VALUE(v_gamma, tgamma(1 + x) + lgamma(2 + y) + log2(1 + x) + log10(1 + y))
VALUE(v_test, (isnan(x) ? 1 : 2) + (isfinite(y) ? 4 : 8))
VALUE(v_assigned, x < 0.5 ? (x + 1) * 2 : y < 0.5 ? 3 * x - y : x)
VALUE(v_later, x < 0.5 ? 1 : y)
VALUE(v_loop, x + y * y + 3)

/* Library functions have errors of up to 4 units in the last place; sums of
 * five that partly cancel, up to some dozens. */
static const struct expression expressions[] = {
        {"e = 2*x - y/3;", v_plain, 8},
        {"e = 1/2 + 7/2 + x;", v_integers, 2},
        {"e = sqrt(x) + sqrtf(y);", v_sqrt, 4},
        {"e = y/sqrt(x) + 1.0f/sqrt(y);", v_rsqrt, 6},
        {"e = pow(x, 3) + pow(x, -2) + pow(x, y);", v_power, 30},
        {"e = x < y ? x : y > 0.5 ? -y : 1;", v_choice, 2},
        {"e = (x < y && !(x > 0.25)) || y == x;", v_logic, 0},
        {"e = exp(-x) + log(y) + exp2(x) + expm1(x) + log1p(y);", v_exponential,
         100},
        {"e = sin(x) + cos(y) + tan(x) + atan2(x, y) + atan(x);", v_circle,
         100},
        {"e = asin(x) + acos(y) + erf(x) + erfc(y) + cbrt(x);", v_inverse, 100},
        {"e = sinh(x) + cosh(y) + tanh(x) + asinh(y) + atanh(x/2);",
         v_hyperbolic, 100},
        {"e = floor(8*x) + ceil(8*y) + trunc(-4*x) + rint(9*y);", v_whole, 4},
        {"e = fmin(x, y) + 2*fmax(x, y) + fma(x, y, 1) + fabs(x - y);", v_pairs,
         8},
        {"e = hypot(x, y) + fmod(4*x, y) + copysign(x, -y) + fdim(x, y);",
         v_others, 100},
        {"e = tgamma(1 + x) + lgamma(2 + y) + log2(1 + x) + log10(1 + y);",
         v_gamma, 100},
        {"e = (isnan(x) ? 1.0 : 2.0) + (isfinite(y) ? 4.0 : 8.0);", v_test, 0},
        {"if (x < 0.5) { e = x; e += 1; e *= 2; }\n"
         "else if (y < 0.5) { float t = 3*x; e = t - y; } else e = x;",
         v_assigned, 8},
        {"float w, unused; if (x < 0.5) w = 1; else w = y; e = w;", v_later, 0},
        {"e = x; for (int k = 0; k < 3; k++) e += 1;\n"
         "float a[2] = {y, y}; e += a[0] * a[1];",
         v_loop, 8},
};

enum { N_EXPRESSIONS = sizeof expressions / sizeof expressions[0] };

/* All expressions in one source, except the last, which has a loop and is
 * tested separately so that the others are vectorised. */
static char *
text_of(size_t first, size_t last)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("//! i: unused\n//! j: x y\n//! out:", out);
    for (size_t k = first; k < last; k++) fprintf(out, " e%zu", k);
    fputs("\nfloat x = INPUT_J[0], y = INPUT_J[1];\n", out);
    for (size_t k = first; k < last; k++)
        fprintf(out,
                "{ float e = 0; %s\n"
                "if (INDEX_J == INDEX_I) OUTPUT[%zu] += e; }\n",
                expressions[k].text, k - first);
    fclose(out);
    return text;
}

/* x and y are multiples of 2^-11, exact as floats: only the expression
 * rounds. */
static void
check_expressions(size_t first, size_t last, const char *backend,
                  enum koshu_precision precision)
{
    enum { N = 53 };
    const bool single =
            precision == KOSHU_PRECISION_SINGLE && backend[0] == 's';
    const double unit = single ? FLT_EPSILON : DBL_EPSILON;
    struct koshu_context *context = test_context(backend, 1);
    char *text = text_of(first, last);
    double i[N] = {0}, *j = random_rows(N, 2, 5);
    for (int k = 0; k < 2 * N; k++) j[k] = (1 + floor(2000 * j[k])) / 2048;
    double *out = evaluate(context, text, precision, N, i, N, j);
    for (size_t k = 0; k < N * (last - first); k++) {
        const struct expression *e = &expressions[first + k % (last - first)];
        const double *xy = j + 2 * (k / (last - first));
        const double truth = e->value(xy[0], xy[1]);
        if (!(fabs(out[k] - truth) <= e->tolerance * unit * (1 + fabs(truth))))
            fail_msg("%s: %s of %g, %g: %.17g, not %.17g", backend, e->text,
                     xy[0], xy[1], out[k], truth);
    }
    free(text);
    free(j);
    free(out);
    koshu_context_destroy(context);
}

static void
test_expressions(void **state)
{
    const size_t last = N_EXPRESSIONS - 1;
    (void)state;
    for (int b = 0; b < 2; b++)
        for (int p = b; p < 2; p++) { /* ref has double precision only */
            check_expressions(0, last, backends[b], precisions[p]);
            check_expressions(last, last + 1, backends[b], precisions[p]);
        }
}

/* Roots over the range of the precision: the estimate and its refinement round
 * three or four times. */
static void
test_roots(void **state)
{
    enum { N = 4096 };
    static const char text[] =
            "//! i: unused\n//! j: x\n//! out: rsqrt sqrt over\n"
            "float x = INPUT_J[0];\n"
            "if (INDEX_I == INDEX_J) {\n"
            "  OUTPUT[0] += 1/sqrt(x);\n"
            "  OUTPUT[1] += sqrt(x);\n"
            "  OUTPUT[2] += 3/sqrt(x);\n"
            "}\n";
    (void)state;
    for (int p = 0; p < 2; p++) {
        const bool single = precisions[p] == KOSHU_PRECISION_SINGLE;
        const double unit = single ? FLT_EPSILON : DBL_EPSILON;
        struct koshu_context *context = test_context("simd", 1);
        double *i = random_rows(N, 1, 8), *x = random_rows(N, 1, 9);
        for (int k = 0; k < N; k++) {
            x[k] = exp2((single ? 250 : 2040) * (x[k] - 0.5));
            if (single) x[k] = (float)x[k];
        }
        double *out = evaluate(context, text, precisions[p], N, i, N, x);
        for (int k = 0; k < N; k++) {
            const double root = sqrt(x[k]);
            assert_near(out[3 * k] * root, 1, 3 * unit);
            assert_near(out[3 * k + 1] / root, 1, 3 * unit);
            assert_near(out[3 * k + 2] * root, 3, 9 * unit);
        }
        free(i);
        free(x);
        free(out);
        koshu_context_destroy(context);
    }
}

/* The check must notice a wrong value: y instead of x. */
VALUE(v_wrong, y)

static void
test_wrong_expression(void **state)
{
    (void)state;
    double truth = v_wrong(0.25, 0.5);
    struct koshu_context *context = test_context("simd", 1);
    const double i = 0, j[2] = {0.25, 0.5};
    double *out = evaluate(context,
                           "//! i: a\n//! j: x y\n//! out: e\n"
                           "OUTPUT[0] += INPUT_J[0];",
                           KOSHU_PRECISION_SINGLE, 1, &i, 1, j);
    assert_true(out[0] != truth);
    free(out);
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_expressions),
            cmocka_unit_test(test_roots),
            cmocka_unit_test(test_wrong_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
