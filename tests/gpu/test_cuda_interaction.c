/* SPDX-License-Identifier: MIT */
/* Interactions of the user's own on a device against those of ref, which sums
 * one pair after the other in double precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/interaction.h>
#include <koshu/koshu.h>

#include "backend/backend.h"
#include "check.h"

/* What is tested: cuda, or the backend that the command line names; all tests,
 * or the one that it names next. */
static const char *subject = "cuda";
static struct koshu_context *cuda, *ref;

/* ---- arrays -------------------------------------------------------------- */

static double *
poisoned(size_t n)
{
    double *array = malloc((n + 1) * sizeof *array);
    assert_non_null(array);
    for (size_t k = 0; k <= n; k++) array[k] = NAN;
    return array;
}

static double
uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* In [-1, 1), as floats round them, so that ref sees what single sees. */
static double *
random_rows(size_t n, size_t numbers, uint64_t seed)
{
    double *rows = poisoned(n * numbers);
    for (size_t k = 0; k < n * numbers; k++)
        rows[k] = (float)(2 * uniform(&seed) - 1);
    return rows;
}

/* Whole numbers 0 ... most - 1: sums of products are exact in float, and many
 * of them are equal. */
static double *
whole_rows(size_t n, size_t numbers, uint64_t seed, int most)
{
    double *rows = poisoned(n * numbers);
    for (size_t k = 0; k < n * numbers; k++)
        rows[k] = floor(uniform(&seed) * most);
    return rows;
}

/* ---- evaluation ---------------------------------------------------------- */

static struct koshu_interaction *
create(struct koshu_context *context, const char *text,
       enum koshu_precision precision)
{
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    struct koshu_interaction *a;
    options.precision = precision;
    assert_ok(context, koshu_interaction_create(context, text, &options, &a));
    return a;
}

/* The same on both; results are n_i rows, to be freed. */
struct both {
    struct koshu_interaction *cuda, *ref;
};

static struct both
create_both(const char *text, enum koshu_precision precision)
{
    return (struct both){create(cuda, text, precision),
                         create(ref, text, KOSHU_DOUBLE)};
}

static void
destroy_both(struct both b)
{
    koshu_interaction_destroy(b.cuda);
    koshu_interaction_destroy(b.ref);
}

static double *
evaluate(struct koshu_context *context, struct koshu_interaction *a, size_t n_i,
         const double *i, size_t n_j, const double *j)
{
    const size_t n = n_i * koshu_interaction_n_out(a);
    double *out = poisoned(n);
    assert_ok(context, koshu_interaction_evaluate(a, n_i, i, n_j, j, out));
    assert_true(isnan(out[n])); /* nothing beyond the last */
    return out;
}

/* Exactly the same numbers; of sums whose terms and partial sums are exact. */
static void
check_equal(struct both b, size_t n_i, const double *i, size_t n_j,
            const double *j)
{
    const size_t n_out = koshu_interaction_n_out(b.cuda);
    double *got = evaluate(cuda, b.cuda, n_i, i, n_j, j);
    double *expected = evaluate(ref, b.ref, n_i, i, n_j, j);
    for (size_t k = 0; k < n_i * n_out; k++)
        if (got[k] != expected[k])
            fail_msg("%zu x %zu: output %zu of particle %zu: %.17g, expected "
                     "%.17g",
                     n_i, n_j, k % n_out, k / n_out, got[k], expected[k]);
    free(got);
    free(expected);
}

/* ---- gravity ------------------------------------------------------------- */

/* Beside each sum the sum of its terms' magnitudes. */
static const char gravity[] =
        "//! i: x y z eps2\n"
        "//! j: x y z mass\n"
        "//! out: ax ay az phi size_x size_y size_z size_phi\n"
        "float dx = INPUT_J[0] - INPUT_I[0];\n"
        "float dy = INPUT_J[1] - INPUT_I[1];\n"
        "float dz = INPUT_J[2] - INPUT_I[2];\n"
        "float r1i = 1/sqrt(dx*dx + dy*dy + dz*dz + INPUT_I[3]);\n"
        "float mr1i = INPUT_J[3] * r1i, mr3i = mr1i * r1i * r1i;\n"
        "OUTPUT[0] += mr3i * dx;\n"
        "OUTPUT[1] += mr3i * dy;\n"
        "OUTPUT[2] += mr3i * dz;\n"
        "OUTPUT[3] -= mr1i;\n"
        "OUTPUT[4] += fabs(mr3i * dx);\n"
        "OUTPUT[5] += fabs(mr3i * dy);\n"
        "OUTPUT[6] += fabs(mr3i * dz);\n"
        "OUTPUT[7] += fabs(mr1i);\n";

static double *
gravity_rows(size_t n, uint64_t seed)
{
    double *rows = random_rows(n, 4, seed);
    for (size_t k = 0; k < n; k++)
        rows[4 * k + 3] = 0.0625 + 0.0625 * (double)(k % 3);
    return rows;
}

static void
check_gravity(struct both b, size_t n_i, size_t n_j, double tolerance)
{
    double *i = gravity_rows(n_i, n_i), *j = gravity_rows(n_j, 7 * n_j);
    double *got = evaluate(cuda, b.cuda, n_i, i, n_j, j);
    double *expected = evaluate(ref, b.ref, n_i, i, n_j, j);
    for (size_t k = 0; k < 8 * n_i; k++) {
        const double size = expected[k / 8 * 8 + 4 + k % 4];
        assert_near(got[k], expected[k], tolerance * size);
    }
    free(i);
    free(j);
    free(got);
    free(expected);
}

static const size_t sizes[][2] = {
        {1, 1},      {1, 2},        {2, 1},      {3, 3},     {5, 7},
        {31, 33},    {33, 31},      {64, 127},   {127, 129}, {128, 128},
        {129, 1000}, {1000, 65},    {1, 100003}, {4099, 3},  {2048, 2048},
        {70001, 37}, {20000, 3001},
};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

/* Single: a term is a dozen roundings of 2^-24, and 128 terms are added in
 * float; together about sqrt(12 + 128 / 3) of them, 4e-7; five times that for
 * the worst of 10^5. Double: 2^-53 likewise, but all terms of a chunk are added
 * one after the other, and ref does not do better: sqrt(10^5 / 3) of them. */
static void
test_gravity(void **state)
{
    (void)state;
    const struct {
        enum koshu_precision precision;
        double tolerance;
    } cases[] = {{KOSHU_SINGLE, 2e-6}, {KOSHU_DOUBLE, 1e-13}};
    for (int c = 0; c < 2; c++) {
        struct both b = create_both(gravity, cases[c].precision);
        for (size_t k = 0; k < N_SIZES; k++)
            check_gravity(b, sizes[k][0], sizes[k][1], cases[c].tolerance);
        destroy_both(b);
    }
}

/* A device that does half of the pairs would be seen. */
static void
test_planted_error(void **state)
{
    (void)state;
    struct both b = create_both(gravity, KOSHU_SINGLE);
    double *i = gravity_rows(100, 1), *j = gravity_rows(1000, 2);
    double *all = evaluate(cuda, b.cuda, 100, i, 1000, j);
    double *fewer = evaluate(ref, b.ref, 100, i, 999, j);
    double largest = 0;
    for (size_t k = 0; k < 800; k++)
        largest = fmax(largest,
                       fabs(all[k] - fewer[k]) / fewer[k / 8 * 8 + 4 + k % 4]);
    assert_true(largest > 1e-4);
    free(i);
    free(j);
    free(all);
    free(fewer);
    destroy_both(b);
}

/* i- and j-particles in one array are copied once. */
static void
test_on_themselves(void **state)
{
    (void)state;
    const size_t n = 40001;
    struct both b = create_both(gravity, KOSHU_SINGLE);
    double *rows = gravity_rows(n, 3), *copy = gravity_rows(n, 3);
    double *once = evaluate(cuda, b.cuda, n, rows, n, rows);
    double *twice = evaluate(cuda, b.cuda, n, rows, n, copy);
    assert_memory_equal(once, twice, 8 * n * sizeof *once);
    free(rows);
    free(copy);
    free(once);
    free(twice);
    destroy_both(b);
}

static void
test_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_SIZES; k++) {
        const size_t n_i = sizes[k][0], n_j = sizes[k][1];
        double *i = gravity_rows(n_i, 1), *j = gravity_rows(n_j, 2);
        double *first = NULL;
        for (int again = 0; again < 6; again++) {
            struct koshu_interaction *a = create(cuda, gravity, KOSHU_SINGLE);
            double *out = evaluate(cuda, a, n_i, i, n_j, j);
            if (first) {
                assert_memory_equal(out, first, 8 * n_i * sizeof *out);
                free(out);
            } else {
                first = out;
            }
            koshu_interaction_destroy(a);
        }
        free(first);
        free(i);
        free(j);
    }
}

/* What the formula says of particles at the same place, and no more. */
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
                create(cuda, text, p ? KOSHU_DOUBLE : KOSHU_SINGLE);
        const double x[3] = {1, 1, 2};
        double *out = evaluate(cuda, a, 3, x, 3, x);
        for (int k = 0; k < 3; k++) {
            assert_true(isinf(out[3 * k]) && out[3 * k] > 0);
            assert_true(out[3 * k + 1] == 1); /* 0 / 0 is left out */
            assert_true(out[3 * k + 2] == (k < 2 ? 1 : 2));
        }
        free(out);
        koshu_interaction_destroy(a);
    }
}

/* ---- reductions and indices ---------------------------------------------- */

/* Whole numbers, so that many j-particles share the smallest value. */
static void
check_reductions(size_t most_pairs)
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
        struct both b = create_both(text, p ? KOSHU_DOUBLE : KOSHU_SINGLE);
        for (size_t k = 0; k < N_SIZES; k++) {
            const size_t n_i = sizes[k][0], n_j = sizes[k][1];
            if (n_i * n_j > most_pairs) continue;
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

/* For compute-sanitizer, which is slow (scripts/gpu-check). */
static void
test_few_pairs(void **state)
{
    (void)state;
    check_reductions(150000);
}

/* Each i-particle meets its own j-particle, in whichever piece it is. */
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
    struct koshu_interaction *a = create(cuda, text, KOSHU_SINGLE);
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

/* ---- widths -------------------------------------------------------------- */

/* Every input of j reaches every output once, with a factor of its own. */
static void
test_widths(void **state)
{
    (void)state;
    const struct {
        int n_i, n_j, n_out;
    } widths[] = {{1, 1, 1},   {1, 2, 3},   {2, 3, 1},  {3, 4, 9},
                  {4, 5, 2},   {7, 6, 5},   {8, 7, 16}, {9, 16, 33},
                  {64, 64, 4}, {5, 64, 64}, {1, 99, 1}, {256, 256, 2}};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const int n_i = widths[w].n_i, n_j = widths[w].n_j,
                  n_out = widths[w].n_out;
        char text[16384], *at = text;
        at += sprintf(at, "float s = 0, t = 0;\n");
        for (int k = 0; k < n_j; k++)
            at += sprintf(at, "s += %d * INPUT_J[%d];\n", k % 7 + 1, k);
        at += sprintf(at, "for (int k = 0; k < %d; k++) t += INPUT_I[k];\n",
                      n_i);
        for (int k = 0; k < n_out; k++)
            at += sprintf(at, "OUTPUT[%d] += s + %d * t;\n", k, k);
        struct koshu_interaction_options o =
                koshu_interaction_options_default();
        o.n_in_i = (size_t)n_i;
        o.n_in_j = (size_t)n_j;
        o.n_out = (size_t)n_out;
        for (int p = 0; p < 2; p++) {
            struct both b;
            o.precision = p ? KOSHU_DOUBLE : KOSHU_SINGLE;
            assert_ok(cuda, koshu_interaction_create(cuda, text, &o, &b.cuda));
            assert_ok(ref, koshu_interaction_create(ref, text, &o, &b.ref));
            const size_t ns[][2] = {{1, 1}, {7, 131}, {300, 1031}};
            for (size_t k = 0; k < 3; k++) {
                double *i = whole_rows(ns[k][0], o.n_in_i, k, 3);
                double *j = whole_rows(ns[k][1], o.n_in_j, k + 5, 3);
                check_equal(b, ns[k][0], i, ns[k][1], j);
                free(i);
                free(j);
            }
            destroy_both(b);
        }
    }
}

/* ---- functions ----------------------------------------------------------- */

/* All of them, where they are defined; CUDA's guide gives at most 8 units in
 * the last place for these in single (tgamma, lgamma, pow), 1e-6, and 10 in
 * double; lgamma passes through zero, so 1 is added. */
static void
test_functions(void **state)
{
    (void)state;
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
    char text[8192], *at = text;
    at += sprintf(at, "float x = INPUT_J[0];\n");
    for (int k = 0; k < CALLS; k++)
        at += sprintf(at, "MAX(OUTPUT[%d], %s);\n", k, calls[k]);
    struct koshu_interaction_options o = koshu_interaction_options_default();
    o.n_in_i = o.n_in_j = 1;
    o.n_out = CALLS;
    for (int p = 0; p < 2; p++) {
        const double tolerance = p ? 3e-15 : 1e-6;
        struct both b;
        o.precision = p ? KOSHU_DOUBLE : KOSHU_SINGLE;
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

/* ---- Hamada07 ------------------------------------------------------------ */

/* Fig. 14 for a Plummer sphere: the largest error is what partial accumulation
 * leaves, Hamada07 Table 2 (some spheres of 2048 have a particle whose force
 * nearly cancels: twice the paper's). */
static void
test_table_2(void **state)
{
    (void)state;
    const char text[] = "//! i: x y z eps2\n//! j: x y z m\n//! out: x y z\n"
                        "float dx = INPUT_J[0] - INPUT_I[0];\n"
                        "float dy = INPUT_J[1] - INPUT_I[1];\n"
                        "float dz = INPUT_J[2] - INPUT_I[2];\n"
                        "float r2 = (dx*dx + dy*dy) + (dz*dz + INPUT_I[3]);\n"
                        "float r1i = 1/sqrt(r2);\n"
                        "float mr3i = INPUT_J[3] * (r1i * r1i * r1i);\n"
                        "OUTPUT[0] += mr3i * dx;\n"
                        "OUTPUT[1] += mr3i * dy;\n"
                        "OUTPUT[2] += mr3i * dz;\n";
    const struct {
        size_t n;
        double paper;
    } rows[] = {{2048, 5.4e-7}, {16384, 4.3e-7}};
    struct both b = create_both(text, KOSHU_SINGLE);
    for (size_t r = 0; r < 2; r++) {
        const size_t n = rows[r].n;
        struct koshu_initial_options o = koshu_initial_options_default();
        struct koshu_particles *particles;
        struct koshu_particle_view v;
        o.n = n;
        assert_ok(ref, koshu_initial_create(ref, &o, &particles));
        assert_ok(ref, koshu_particles_acquire(particles, KOSHU_POSITION,
                                               KOSHU_READ, &v));
        double *i = poisoned(4 * n), *j = poisoned(4 * n);
        for (size_t k = 0; k < n; k++) {
            const double row[4] = {(float)v.x[k], (float)v.y[k], (float)v.z[k],
                                   (float)0.01};
            memcpy(i + 4 * k, row, sizeof row);
            memcpy(j + 4 * k, row, sizeof row);
            j[4 * k + 3] = 1.0 / (double)n;
        }
        double *got = evaluate(cuda, b.cuda, n, i, n, j);
        double *expected = evaluate(ref, b.ref, n, i, n, j);
        double largest = 0;
        for (size_t k = 0; k < n; k++) {
            const double *g = got + 3 * k, *e = expected + 3 * k;
            largest = fmax(largest,
                           hypot(hypot(g[0] - e[0], g[1] - e[1]), g[2] - e[2]) /
                                   hypot(hypot(e[0], e[1]), e[2]));
        }
        print_message("N = %zu: largest error %.2e, Hamada07 %.1e\n", n,
                      largest, rows[r].paper);
        assert_true(largest <= 2 * rows[r].paper);
        free(i);
        free(j);
        free(got);
        free(expected);
        koshu_particles_destroy(particles);
    }
    destroy_both(b);
}

/* ---- errors -------------------------------------------------------------- */

static void
test_errors(void **state)
{
    (void)state;
    struct koshu_interaction_options o = koshu_interaction_options_default();
    struct koshu_interaction *a;
    o.name = "wrong.pipe";
    assert_fails(cuda, KOSHU_BAD_INPUT, "wrong.pipe:5: ",
                 koshu_interaction_create(cuda,
                                          "//! i: x\n//! j: x\n//! out: s\n\n"
                                          "OUTPUT[0] += nowhere;\n",
                                          &o, &a));
    assert_null(a);
    assert_fails(cuda, KOSHU_BAD_INPUT, "wrong.pipe:4: ",
                 koshu_interaction_create(cuda,
                                          "//! i: x\n//! j: x\n//! out: s\n"
                                          "OUTPUT[0] += 1 % 0.5;\n",
                                          &o, &a));
    assert_null(a);
}

static int
begin(void **state)
{
    (void)state;
    cuda = test_context(subject, 0);
    ref = test_context("ref", 0);
    return 0;
}

static int
end(void **state)
{
    (void)state;
    koshu_context_destroy(cuda);
    koshu_context_destroy(ref);
    return 0;
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_gravity),
            cmocka_unit_test(test_planted_error),
            cmocka_unit_test(test_on_themselves),
            cmocka_unit_test(test_same_bits),
            cmocka_unit_test(test_coincident),
            cmocka_unit_test(test_reductions),
            cmocka_unit_test(test_few_pairs),
            cmocka_unit_test(test_indices),
            cmocka_unit_test(test_widths),
            cmocka_unit_test(test_functions),
            cmocka_unit_test(test_table_2),
            cmocka_unit_test(test_errors),
    };
    if (argc > 1) subject = argv[1];
    if (argc > 2) cmocka_set_test_filter(argv[2]);
    if (strcmp(subject, "cuda") == 0 && koshu_backend_cuda.devices() == 0) {
        printf("no CUDA device answers: skipped\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, begin, end);
}
