/* SPDX-License-Identifier: MIT */
/* koshu_force_nwalk(), compared with the papers' loop in double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/nwalk.h>

#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"

enum { WALKS = 30, MAX_I = 20000, MAX_J = 60000 };

static float xi[4 * MAX_I], xj[4 * MAX_J], accp[4 * MAX_I];
static int ioff[WALKS + 1], joff[WALKS + 1];

static double
uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Every fifth walk has no i-particles, every seventh no j-particles, and one is
 * larger than all others together. */
static void
fill(double eps2)
{
    uint64_t state = 4;
    for (int w = 0; w < WALKS; w++) {
        int n_i = w % 5 == 2 ? 0 : 1 + w * 7 % 40;
        int n_j = w % 7 == 3 ? 0 : 1 + w * 131 % 700;
        if (w == 11) n_i = n_j = 1500;
        ioff[w + 1] = ioff[w] + n_i;
        joff[w + 1] = joff[w] + n_j;
    }
    for (int i = 0; i < ioff[WALKS]; i++) {
        for (int c = 0; c < 3; c++)
            xi[4 * i + c] = (float)(uniform(&state) - 0.5);
        xi[4 * i + 3] = (float)(eps2 * (1 + i % 3));
    }
    for (int j = 0; j < joff[WALKS]; j++) {
        for (int c = 0; c < 3; c++)
            xj[4 * j + c] = (float)(uniform(&state) - 0.5);
        xj[4 * j + 3] = (float)(uniform(&state) / 1000);
    }
    for (int k = 0; k < 4 * ioff[WALKS]; k++) accp[k] = NAN;
}

/* The loop of Hamada09 section 2.3; scale: the sums of absolute values. */
static void
loop(int i, int first, int last, double sum[4], double scale[4])
{
    memset(sum, 0, 4 * sizeof sum[0]);
    memset(scale, 0, 4 * sizeof scale[0]);
    for (int j = first; j < last; j++) {
        double d[3], r2 = (double)xi[4 * i + 3];
        const double m = (double)xj[4 * j + 3];
        for (int c = 0; c < 3; c++) {
            d[c] = (double)xj[4 * j + c] - (double)xi[4 * i + c];
            r2 += d[c] * d[c];
        }
        if (r2 == 0) continue;
        for (int c = 0; c < 3; c++) {
            sum[c] += m * d[c] / pow(r2, 1.5);
            scale[c] += fabs(m * d[c] / pow(r2, 1.5));
        }
        sum[3] -= m / sqrt(r2);
        scale[3] += m / sqrt(r2);
    }
}

/* 1e-6 is the tolerance of single precision in tests/conformance. */
static int
wrong(void)
{
    int bad = 0;
    for (int w = 0; w < WALKS; w++)
        for (int i = ioff[w]; i < ioff[w + 1]; i++) {
            double sum[4], scale[4];
            loop(i, joff[w], joff[w + 1], sum, scale);
            for (int c = 0; c < 4; c++)
                bad += !(fabs((double)accp[4 * i + c] - sum[c]) <=
                         1e-6 * (scale[c] + scale[3]));
        }
    return bad;
}

static void
every_walk_is_the_papers_loop(void **state)
{
    (void)state;
    const char *const backends[] = {on_backend("simd"), "ref"};
    for (int k = 0; k < 4; k++) {
        struct koshu_context *one = test_context(backends[k % 2], 2);
        fill(k < 2 ? 1e-4 : 0);
        memcpy(&xj[4 * 5], &xi[4 * 2], 3 * sizeof xi[0]); /* at zero distance */
        assert_ok(one, koshu_force_nwalk(one, xi, xj, accp, ioff, joff, WALKS));
        assert_int_equal(wrong(), 0);
        accp[4 * 3] *= 1.00001f;
        assert_int_equal(wrong(), 1);
        koshu_context_destroy(one);
    }
}

static void
nothing_is_done_for_no_walks(void **state)
{
    (void)state;
    const int none[1] = {0};
    assert_ok(context,
              koshu_force_nwalk(context, NULL, NULL, NULL, none, none, 0));
}

static void
same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    struct koshu_context *many = test_context(FIXTURE_BACKEND, 7);
    fill(1e-4);
    assert_ok(context,
              koshu_force_nwalk(context, xi, xj, accp, ioff, joff, WALKS));
    const size_t size = 4 * (size_t)ioff[WALKS] * sizeof accp[0];
    float *first = malloc(size);
    assert_non_null(first);
    memcpy(first, accp, size);
    assert_ok(many, koshu_force_nwalk(many, xi, xj, accp, ioff, joff, WALKS));
    assert_memory_equal(first, accp, size);
    free(first);
    koshu_context_destroy(many);
}

static void
assert_refused(const char *words)
{
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, words,
                 koshu_force_nwalk(context, xi, xj, accp, ioff, joff, WALKS));
    fill(1e-4);
}

static void
bad_arguments_are_named(void **state)
{
    (void)state;
    fill(1e-4);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "nwalk = -1",
                 koshu_force_nwalk(context, xi, xj, accp, ioff, joff, -1));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "NULL",
                 koshu_force_nwalk(context, xi, NULL, accp, ioff, joff, WALKS));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "joff is NULL",
                 koshu_force_nwalk(context, xi, xj, accp, ioff, NULL, WALKS));
    ioff[3] = ioff[4] + 1;
    assert_refused("ioff[3]");
    joff[0] = 1;
    assert_refused("joff[0] = 1");
    joff[0] = 0;
    fill(1e-4);
    xi[4 * 7 + 3] = -1;
    assert_refused("xi[7]");
    xi[4 * 8 + 3] = NAN;
    assert_refused("xi[8]");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_walk_is_the_papers_loop),
            cmocka_unit_test(nothing_is_done_for_no_walks),
            cmocka_unit_test(same_bits_for_any_number_of_threads),
            cmocka_unit_test(bad_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
