/* SPDX-License-Identifier: MIT */
/* Refusals of koshu_force_direct(); tests/conformance tests its results. */
#include <math.h>
#include <string.h>

#include <koshu/force.h>

#include "check.h"
#define FIXTURE_BACKEND "ref"
#include "fixture.h"

enum { N_I = 2, N_J = 3 };

static const double numbers[N_J] = {1, 2, 3};
static double results[4][N_I];

/* A valid call, which the tests then make invalid. */
struct call {
    struct koshu_force_options options;
    size_t n_sets, i_offset[3], j_offset[3];
    int64_t i_id[N_I], j_id[N_J];
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
            .i_id = {0, KOSHU_NO_ID},
            .j_id = {7, 1, 1000},
            .i = {.n = N_I, .x = numbers, .y = numbers, .z = numbers},
            .j = {.n = N_J,
                  .x = numbers,
                  .y = numbers,
                  .z = numbers,
                  .mass = numbers},
            .result = {.ax = results[0],
                       .ay = results[1],
                       .az = results[2],
                       .potential = results[3]},
    };
}

static koshu_status
make(const struct call *c)
{
    return koshu_force_direct_sets(context, c->n_sets, c->i_offset, c->j_offset,
                                   &c->i, &c->j, &c->options, &c->result);
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
    c.i.id = c.i_id;
    assert_ok(context, make(&c));
    c.result.potential = NULL;
    assert_ok(context, make(&c));
    assert_ok(context,
              koshu_force_direct(context, &c.i, &c.j, &c.options, &c.result));
    assert_ok(context,
              koshu_force_direct(context, &c.i, &c.j, NULL, &c.result));
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
    c = good_call();
    c.options.size = 0;
    assert_refused(&c, "koshu_force_options: its size is not set");
}

static void
missing_arrays(void **state)
{
    (void)state;
    struct call c = good_call();
    const double **const i[] = {&c.i.x, &c.i.y, &c.i.z};
    const double **const j[] = {&c.j.x, &c.j.y, &c.j.z, &c.j.mass};
    double **const result[] = {&c.result.ax, &c.result.ay, &c.result.az};
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
    for (int k = 0; k < 3; k++) {
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
                     koshu_force_direct_sets(context, c.n_sets, missing[k].i,
                                             missing[k].j, &c.i, &c.j,
                                             &c.options, &c.result));
}

/* Arrays that are not read may be NULL. */
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
jerks_are_for_stores(void **state)
{
    (void)state;
    struct call c = good_call();
    uint64_t nearest[N_I];
    c.result.jx = results[3];
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "a j-particle store does",
                 make(&c));
    c = good_call();
    c.result.nearest = nearest;
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "a j-particle store does",
                 make(&c));
}

/* ---- ids ----------------------------------------------------------------- */

static void
bad_ids(void **state)
{
    (void)state;
    struct call c = good_call();
    c.i.id = c.i_id;
    c.i_id[1] = -2;
    assert_refused(&c, "id[1] = -2 of the i-particles");
    c.i_id[1] = 0;
    c.j.id = c.j_id;
    c.j_id[2] = -1;
    assert_refused(&c, "id[2] = -1 of the j-particles");
    c.j_id[2] = 1; /* both in set 1 */
    assert_refused(&c, "id[2] = 1 of the j-particles is that of j-particle 1");
    c.j_id[2] = 7; /* also in set 0 */
    assert_ok(context, make(&c));
}

/* A counted pair at zero distance adds -m / eps to the potential. */
static double
potential_of(struct call *c, int k)
{
    c->options.softening = 1e-3;
    results[3][k] = NAN;
    assert_ok(context, make(c));
    return results[3][k];
}

/* The potential of i-particle 1 at 2, with j-particles 1 and 2 at 2 and 3, of
 * masses 2 and 3. */
static void
equal_ids_are_left_out(void **state)
{
    (void)state;
    struct call c = good_call();
    const double whole = potential_of(&c, 1), own = -2 / 1e-3;
    c.i.id = c.i_id;
    assert_true(potential_of(&c, 1) == whole); /* KOSHU_NO_ID */
    c.i_id[1] = 0; /* if j-particles have no ids: index 0 of its set */
    assert_near(potential_of(&c, 1), whole - own, 1e-9);
    c.i_id[1] = 2; /* its set has only two, so it matches none */
    assert_true(potential_of(&c, 1) == whole);
    c.j.id = c.j_id;
    assert_true(potential_of(&c, 1) == whole);
    c.i_id[1] = 1;
    assert_near(potential_of(&c, 1), whole - own, 1e-9);
    c.i_id[1] = 7; /* an id of another set */
    assert_true(potential_of(&c, 1) == whole);
    c.i_id[1] = 1000;
    assert_near(potential_of(&c, 1), own, 1e-9);
}

/* Ids in any order, many of them close together in the hash table. */
static void
many_ids(void **state)
{
    (void)state;
    enum { N = 1000 };
    static double x[N], mass[N], a[3][N], plain[N], by_id[N];
    static int64_t index[N], id[N];
    for (int k = 0; k < N; k++) {
        x[k] = k * 1e-3;
        mass[k] = 1;
        index[k] = k;
        id[k] = k % 2 ? INT64_MAX - k : (int64_t)(N - k) << 32;
    }
    struct koshu_i_particles i = {.n = N, .x = x, .y = x, .z = x, .id = index};
    struct koshu_j_particles j = {.n = N, .x = x, .y = x, .z = x, .mass = mass};
    struct koshu_force_options options = koshu_force_options_default();
    options.softening = 1e-4;
    assert_ok(context, koshu_force_direct(context, &i, &j, &options,
                                          &(struct koshu_force_result){
                                                  .ax = a[0],
                                                  .ay = a[1],
                                                  .az = a[2],
                                                  .potential = plain}));
    i.id = j.id = id;
    assert_ok(context, koshu_force_direct(context, &i, &j, &options,
                                          &(struct koshu_force_result){
                                                  .ax = a[0],
                                                  .ay = a[1],
                                                  .az = a[2],
                                                  .potential = by_id}));
    assert_memory_equal(plain, by_id, sizeof plain);
}

/* Two particles are summed in double, whatever was requested. */
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
            assert_ok(simd, koshu_force_direct(simd, &c.i, &c.j, &c.options,
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
    assert_null(koshu_precision_name((enum koshu_precision)3));
    enum koshu_precision precision = KOSHU_PRECISION_DOUBLE;
    assert_ok(context, koshu_precision_find(context, "mixed", &precision));
    assert_int_equal(precision, KOSHU_PRECISION_MIXED);
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "did you mean 'double'",
                 koshu_precision_find(context, "dubble", &precision));
    assert_int_equal(precision, KOSHU_PRECISION_MIXED);
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
            cmocka_unit_test(jerks_are_for_stores),
            cmocka_unit_test(bad_ids),
            cmocka_unit_test(equal_ids_are_left_out),
            cmocka_unit_test(many_ids),
            cmocka_unit_test(softenings_that_float_cannot_hold),
            cmocka_unit_test(precisions_have_names),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
