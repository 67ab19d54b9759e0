/* SPDX-License-Identifier: MIT */
/* Interactions on the CPU against loops in double precision. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/interaction.h>

#include "check.h"

/* Hamada07 Fig. 14, as it is printed. */
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

static double
uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static double *
random_rows(size_t n, size_t numbers, uint64_t seed)
{
    double *rows = calloc(n * numbers + 1, sizeof *rows);
    for (size_t k = 0; k < n * numbers; k++) rows[k] = uniform(&seed);
    return rows;
}

static struct koshu_interaction *
create(struct koshu_context *context, const char *text,
       enum koshu_precision precision)
{
    struct koshu_interaction_options o = koshu_interaction_options_default();
    struct koshu_interaction *a;
    o.precision = precision;
    o.n_in_i = o.n_in_j = 4;
    o.n_out = 3;
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

/* Errors relative to the sum of all |terms|: there are a few roundings in each
 * term, of positions too, which are 1 / r times larger in it, with eps2 >= 0;
 * the smallest distance of these points is not below 1e-2. */
static void
check_gravity(const char *backend, enum koshu_precision precision, size_t n_i,
              size_t n_j)
{
    const double tolerance =
            precision == KOSHU_SINGLE ? 100 * FLT_EPSILON : 100 * DBL_EPSILON;
    struct koshu_context *context = test_context(backend, 2);
    struct koshu_interaction *a = create(context, gravity, precision);
    double *i = random_rows(n_i, 4, 1), *j = random_rows(n_j, 4, 2);
    double *out = calloc(3 * n_i, sizeof *out);
    double *truth = calloc(3 * n_i, sizeof *out);
    double *scale = calloc(n_i, sizeof *scale);
    for (size_t k = 0; k < 3 * n_i; k++) out[k] = NAN;
    gravity_loop(n_i, i, n_j, j, truth, scale);
    assert_ok(context, koshu_interaction_evaluate(a, n_i, i, n_j, j, out));
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
        check_gravity("simd", KOSHU_SINGLE, sizes[k][0], sizes[k][1]);
        check_gravity("simd", KOSHU_DOUBLE, sizes[k][0], sizes[k][1]);
    }
    check_gravity("ref", KOSHU_SINGLE, 5, 17);
    check_gravity("ref", KOSHU_DOUBLE, 5, 17);
}

/* ---- other sums ---------------------------------------------------------- */

static const char *const backends[] = {"simd", "ref"};
static const enum koshu_precision precisions[] = {KOSHU_SINGLE, KOSHU_DOUBLE};

/* Evaluates a text that declares its numbers; the results, to be freed. */
static double *
evaluate(struct koshu_context *context, const char *text,
         enum koshu_precision precision, size_t n_i, const double *i,
         size_t n_j, const double *j)
{
    struct koshu_interaction_options o = koshu_interaction_options_default();
    struct koshu_interaction *a;
    o.precision = precision;
    assert_ok(context, koshu_interaction_create(context, text, &o, &a));
    const size_t n = n_i * koshu_interaction_n_out(a);
    double *out = calloc(n + 1, sizeof *out);
    for (size_t k = 0; k < n; k++) out[k] = NAN;
    assert_ok(context, koshu_interaction_evaluate(a, n_i, i, n_j, j, out));
    koshu_interaction_destroy(a);
    return out;
}

/* The same statements as vectors have them, and in a loop, which leaves them
 * to the compiler. */
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

/* Coordinates are small integers: exact in floats, and full of ties, of which
 * the first must win. */
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

/* ---- statements ---------------------------------------------------------- */

/* One expression of x = INPUT_J[0], y = INPUT_J[1], and what it is. */
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
VALUE(v_loop, x + y * y + 3)

/* Library functions are good to 4 units in the last place, sums of five of
 * them that partly cancel to some dozens. */
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
        {"e = x; for (int k = 0; k < 3; k++) e += 1;\n"
         "float a[2] = {y, y}; e += a[0] * a[1];",
         v_loop, 8},
};

enum { N_EXPRESSIONS = sizeof expressions / sizeof expressions[0] };

/* All of them in one text; the last, with its loop, by itself, so that the
 * rest is computed in vectors. */
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

/* x and y are multiples of 2^-11, floats: what differs is the expression. */
static void
check_expressions(size_t first, size_t last, const char *backend,
                  enum koshu_precision precision)
{
    enum { N = 53 };
    const bool single = precision == KOSHU_SINGLE && backend[0] == 's';
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
        for (int p = b; p < 2; p++) { /* ref is in double only */
            check_expressions(0, last, backends[b], precisions[p]);
            check_expressions(last, last + 1, backends[b], precisions[p]);
        }
}

/* Roots over the range of the precision: estimates and steps round three or
 * four times. */
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
        const bool single = precisions[p] == KOSHU_SINGLE;
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

/* The checker finds a wrong value: y instead of x. */
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
                           KOSHU_SINGLE, 1, &i, 1, j);
    assert_true(out[0] != truth);
    free(out);
    koshu_context_destroy(context);
}

/* ---- what is not finite -------------------------------------------------- */

/* As C has it: roots of 0, of infinity, of NaN, of a negative number. */
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
        struct koshu_interaction *a = create(context, gravity, KOSHU_SINGLE);
        double *to = threads == 1 ? first : out;
        assert_ok(context, koshu_interaction_evaluate(a, N_I, i, N_J, j, to));
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
                      koshu_interaction_evaluate(a, 1, &i, 2, j, &out));
            assert_near(out, (n == 1 ? 33 : -22) + 1, 0);
            koshu_interaction_destroy(a);
            koshu_context_destroy(context);
        }
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
    assert_int_equal(koshu_interaction_n_in_i(a), 2);
    assert_int_equal(koshu_interaction_n_in_j(a), 1);
    assert_int_equal(koshu_interaction_n_out(a), 3);
    assert_string_equal(koshu_interaction_name_i(a, 1), "y");
    assert_string_equal(koshu_interaction_name_j(a, 0), "z");
    assert_string_equal(koshu_interaction_name_out(a, 2), "g");
    assert_string_equal(koshu_interaction_name_out(a, 3), "");
    koshu_interaction_destroy(a);
    a = create(context, gravity, KOSHU_SINGLE);
    assert_string_equal(koshu_interaction_name_i(a, 0), "");
    koshu_interaction_destroy(a);
    koshu_context_destroy(context);
}

static void
test_arguments(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    struct koshu_interaction *a = create(context, gravity, KOSHU_SINGLE);
    double row[4] = {0}, out[3] = {NAN, NAN, NAN};
    assert_ok(context, koshu_interaction_evaluate(a, 0, NULL, 0, NULL, NULL));
    assert_ok(context, koshu_interaction_evaluate(a, 1, row, 0, NULL, out));
    assert_near(out[0], 0, 0);
    assert_fails(context, KOSHU_INVALID_ARGUMENT, "i-particles is NULL",
                 koshu_interaction_evaluate(a, 1, NULL, 1, row, out));
    assert_fails(context, KOSHU_INVALID_ARGUMENT, "j-particles is NULL",
                 koshu_interaction_evaluate(a, 1, row, 1, NULL, out));
    assert_fails(context, KOSHU_INVALID_ARGUMENT, "results is NULL",
                 koshu_interaction_evaluate(a, 1, row, 1, row, NULL));
    assert_fails(
            context, KOSHU_INVALID_ARGUMENT, "2^31",
            koshu_interaction_evaluate(a, 1, row, (size_t)1 << 31, row, out));
    koshu_interaction_destroy(a);
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_gravity),
            cmocka_unit_test(test_extremes),
            cmocka_unit_test(test_expressions),
            cmocka_unit_test(test_roots),
            cmocka_unit_test(test_wrong_expression),
            cmocka_unit_test(test_not_finite),
            cmocka_unit_test(test_threads),
            cmocka_unit_test(test_constants),
            cmocka_unit_test(test_names),
            cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
