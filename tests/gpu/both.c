/* SPDX-License-Identifier: MIT */
#include "both.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"

static const char *subject = "cuda";
struct koshu_context *cuda, *ref;

const size_t both_sizes[][2] = {
        {1, 1},      {1, 2},        {2, 1},      {3, 3},     {5, 7},
        {31, 33},    {33, 31},      {64, 127},   {127, 129}, {128, 128},
        {129, 1000}, {1000, 65},    {1, 100003}, {4099, 3},  {2048, 2048},
        {70001, 37}, {20000, 3001},
};
_Static_assert(sizeof both_sizes / sizeof both_sizes[0] == N_BOTH_SIZES, "");

double *
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

double *
random_rows(size_t n, size_t numbers, uint64_t seed)
{
    double *rows = poisoned(n * numbers);
    for (size_t k = 0; k < n * numbers; k++)
        rows[k] = (float)(2 * uniform(&seed) - 1);
    return rows;
}

double *
whole_rows(size_t n, size_t numbers, uint64_t seed, int max)
{
    double *rows = poisoned(n * numbers);
    for (size_t k = 0; k < n * numbers; k++)
        rows[k] = floor(uniform(&seed) * max);
    return rows;
}

struct koshu_interaction *
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

struct both
create_both(const char *text, enum koshu_precision precision)
{
    return (struct both){create(cuda, text, precision),
                         create(ref, text, KOSHU_PRECISION_DOUBLE)};
}

void
destroy_both(struct both b)
{
    koshu_interaction_destroy(b.cuda);
    koshu_interaction_destroy(b.ref);
}

double *
evaluate(struct koshu_context *context, struct koshu_interaction *a, size_t n_i,
         const double *i, size_t n_j, const double *j)
{
    const size_t n = n_i * koshu_interaction_n_outputs(a);
    double *out = poisoned(n);
    assert_ok(context, koshu_interaction_evaluate(a, n_i, n_j, i, j, out));
    assert_true(isnan(out[n])); /* nothing is written past the end */
    return out;
}

void
check_equal(struct both b, size_t n_i, const double *i, size_t n_j,
            const double *j)
{
    const size_t n_outputs = koshu_interaction_n_outputs(b.cuda);
    double *got = evaluate(cuda, b.cuda, n_i, i, n_j, j);
    double *expected = evaluate(ref, b.ref, n_i, i, n_j, j);
    for (size_t k = 0; k < n_i * n_outputs; k++)
        if (got[k] != expected[k])
            fail_msg("%zu x %zu: output %zu of particle %zu: %.17g, expected "
                     "%.17g",
                     n_i, n_j, k % n_outputs, k / n_outputs, got[k],
                     expected[k]);
    free(got);
    free(expected);
}

bool
both_choose(int argc, char **argv)
{
    if (argc > 1) subject = argv[1];
    if (argc > 2) cmocka_set_test_filter(argv[2]);
    if (strcmp(subject, "cuda") != 0 || koshu_backend_cuda.devices() > 0)
        return true;
    printf("no CUDA device answers: skipped\n");
    return false;
}

int
both_begin(void **state)
{
    (void)state;
    cuda = test_context(subject, 0);
    ref = test_context("ref", 0);
    return 0;
}

int
both_end(void **state)
{
    (void)state;
    koshu_context_destroy(cuda);
    koshu_context_destroy(ref);
    return 0;
}
