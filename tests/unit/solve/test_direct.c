/* SPDX-License-Identifier: MIT */
/* What koshu_force_direct() refuses; what it computes: tests/conformance. */
#include <math.h>
#include <string.h>

#include <koshu/force.h>

#include "check.h"
#define FIXTURE_BACKEND "ref"
#include "fixture.h"

enum { N_I = 2, N_J = 3 };

static const double numbers[N_J] = {1, 2, 3};
static double results[4][N_I];

/* A call that succeeds; the tests spoil it. */
struct call {
    struct koshu_force_options options;
    size_t n_sets, i_offset[3], j_offset[3];
    uint64_t self[N_I];
    struct koshu_i_particles i;
    struct koshu_j_particles j;
    struct koshu_force_result result;
};

static struct call
good_call(void)
{
    return (struct call){
            .options = koshu_force_options_default(),
            .n_sets = 2,
            .i_offset = {0, 1, N_I},
            .j_offset = {0, 1, N_J},
            .self = {0, KOSHU_NO_SELF},
            .i = {N_I, numbers, numbers, numbers, NULL},
            .j = {N_J, numbers, numbers, numbers, numbers},
            .result = {results[0], results[1], results[2], results[3]},
    };
}

static koshu_status
make(const struct call *c)
{
    return koshu_force_direct_sets(context, &c->options, c->n_sets, c->i_offset,
                                   c->j_offset, &c->i, &c->j, &c->result);
}

static void
assert_refused(const struct call *c, const char *words)
{
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, words, make(c));
}

static void
the_good_call_is_good(void **state)
{
    (void)state;
    struct call c = good_call();
    assert_ok(context, make(&c));
    c.i.self = c.self;
    assert_ok(context, make(&c));
    c.options.potential = false;
    c.result.potential = NULL;
    assert_ok(context, make(&c));
    assert_ok(context,
              koshu_force_direct(context, &c.options, &c.i, &c.j, &c.result));
}

static void
bad_options(void **state)
{
    (void)state;
    struct call c = good_call();
    static const double eps[] = {-0.1, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        c.options.softening = eps[k];
        assert_refused(&c, "softening = ");
    }
    c = good_call();
    c.options.precision = (enum koshu_precision)3;
    assert_refused(&c, "unknown precision 3");
}

static void
missing_arrays(void **state)
{
    (void)state;
    struct call c = good_call();
    const double **const i[] = {&c.i.x, &c.i.y, &c.i.z};
    const double **const j[] = {&c.j.x, &c.j.y, &c.j.z, &c.j.mass};
    double **const result[] = {&c.result.ax, &c.result.ay, &c.result.az,
                               &c.result.potential};
    for (int k = 0; k < 3; k++) {
        c = good_call();
        *i[k] = NULL;
        assert_refused(&c, "i-particles is NULL");
    }
    for (int k = 0; k < 4; k++) {
        c = good_call();
        *j[k] = NULL;
        assert_refused(&c, "j-particles is NULL");
    }
    for (int k = 0; k < 4; k++) {
        c = good_call();
        *result[k] = NULL;
        assert_refused(&c, "result is NULL");
    }
}

static void
missing_offsets(void **state)
{
    (void)state;
    const struct call c = good_call();
    const struct {
        const size_t *i, *j;
        const char *words;
    } missing[] = {{NULL, c.j_offset, "i_offset is NULL"},
                   {c.i_offset, NULL, "j_offset is NULL"}};
    for (int k = 0; k < 2; k++)
        assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, missing[k].words,
                     koshu_force_direct_sets(context, &c.options, c.n_sets,
                                             missing[k].i, missing[k].j, &c.i,
                                             &c.j, &c.result));
}

/* Arrays that are not read may be missing. */
static void
nothing_to_do(void **state)
{
    (void)state;
    struct call c = good_call();
    c.n_sets = 0;
    c.i.n = c.j.n = 0;
    c.i.x = c.j.mass = NULL;
    c.result.ax = NULL;
    assert_ok(context, make(&c));
}

static void
bad_offsets(void **state)
{
    (void)state;
    struct call c = good_call();
    c.i_offset[0] = 1;
    assert_refused(&c, "i_offset must begin with 0 and end with 2");
    c = good_call();
    c.j_offset[2] = N_J + 1;
    assert_refused(&c, "j_offset must begin with 0 and end with 3");
    c = good_call();
    c.j_offset[1] = N_J + 1;
    assert_refused(&c, "j_offset[1] = 4 is larger than the next, 3");
}

static void
bad_self(void **state)
{
    (void)state;
    struct call c = good_call();
    c.i.self = c.self;
    c.self[0] = 1; /* its set has one j-particle */
    assert_refused(&c, "self[0] = 1, but its set has 1");
    c.self[0] = 0;
    c.self[1] = 2;
    assert_refused(&c, "self[1] = 2, but its set has 2");
}

/* Two particles: summed in double, whatever was asked for. */
static void
softenings_that_float_cannot_hold(void **state)
{
    (void)state;
    struct koshu_context *simd = test_context("simd", 1);
    struct call c = good_call();
    static const double eps[] = {1e-40, 1e20};
    for (int k = 0; k < 2; k++) {
        double a[2];
        c.options.softening = eps[k];
        for (int single = 0; single < 2; single++) {
            c.options.precision =
                    single ? KOSHU_PRECISION_SINGLE : KOSHU_PRECISION_DOUBLE;
            assert_ok(simd, koshu_force_direct(simd, &c.options, &c.i, &c.j,
                                               &c.result));
            a[single] = c.result.ax[0];
        }
        assert_true(a[0] != 0 && isfinite(a[0]));
        assert_near(a[1], a[0], 1e-6 * fabs(a[0]));
    }
    koshu_context_destroy(simd);
}

static void
precisions_have_names(void **state)
{
    (void)state;
    assert_string_equal(koshu_precision_name(KOSHU_PRECISION_SINGLE), "single");
    assert_string_equal(koshu_precision_name(KOSHU_PRECISION_MIXED), "mixed");
    assert_string_equal(koshu_precision_name(KOSHU_PRECISION_DOUBLE), "double");
    assert_string_equal(koshu_precision_name((enum koshu_precision)3), "?");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_good_call_is_good),
            cmocka_unit_test(bad_options),
            cmocka_unit_test(missing_arrays),
            cmocka_unit_test(missing_offsets),
            cmocka_unit_test(nothing_to_do),
            cmocka_unit_test(bad_offsets),
            cmocka_unit_test(bad_self),
            cmocka_unit_test(softenings_that_float_cannot_hold),
            cmocka_unit_test(precisions_have_names),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
