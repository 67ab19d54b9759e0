/* SPDX-License-Identifier: MIT */
/* The spectral method on a device, compared with the CPU. */
#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cuda")
#include "../unit/fields/spectral_rig.h"

static struct koshu_context *cpu;

static struct koshu_spectral *
make_on(struct koshu_context *where, const struct koshu_spectral_options *o)
{
    struct koshu_spectral *s;
    double *v = values_of(o->n, tangle, 1);
    assert_ok(where, koshu_spectral_create(where, o, &s));
    assert_ok(where, koshu_spectral_set_values(s, v));
    koshu_free(v);
    return s;
}

/* ---- cuFFT --------------------------------------------------------------- */

/* Must run first, because a library once found stays loaded. */
static void
test_without_cufft(void **state)
{
    (void)state;
    struct koshu_context *automatic = test_context("auto", 1);
    const struct koshu_spectral_options o = options_of(8);
    struct koshu_spectral *s;
    setenv("KOSHU_CUFFT", "/no/such/libcufft.so", 1);
    assert_int_equal(koshu_spectral_create(context, &o, &s),
                     KOSHU_ERROR_EXTERNAL);
    assert_non_null(strstr(koshu_context_message(context), "KOSHU_CUFFT"));
    assert_null(s);
    assert_ok(automatic, koshu_spectral_create(automatic, &o, &s));
    assert_false(koshu_spectral_on_device(s));
    koshu_spectral_destroy(s);
    koshu_context_destroy(automatic);
    unsetenv("KOSHU_CUFFT");
}

/* ---- both devices -------------------------------------------------------- */

/* Largest difference of two states, relative to the largest number. */
static double
state_difference(const struct koshu_spectral *a, const struct koshu_spectral *b)
{
    const size_t n = koshu_spectral_size(a);
    double *x = koshu_alloc(n, sizeof *x), *y = koshu_alloc(n, sizeof *y);
    double off = 0, all = 0;
    assert_true(x && y);
    assert_int_equal(koshu_spectral_size(b), n);
    for (size_t i = 0; i < n; i++) x[i] = y[i] = NAN;
    assert_ok(context, koshu_spectral_get(a, x));
    assert_ok(context, koshu_spectral_get(b, y));
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(x[i] - y[i]) <= off)) off = fabs(x[i] - y[i]);
        all = fmax(all, fabs(y[i]));
    }
    koshu_free(x);
    koshu_free(y);
    return off / all;
}

static void
assert_near_to(double a, double b, double tolerance, const char *what)
{
    if (!(fabs(a - b) <= tolerance * fabs(b)))
        fail_msg("%s: %.17g is not %.17g", what, a, b);
}

static void
compare_reports(struct koshu_spectral *a, struct koshu_spectral *b,
                double tolerance)
{
    const struct koshu_spectral_report x = report_of(a), y = report_of(b);
    assert_near_to(x.energy, y.energy, tolerance, "energy");
    assert_near_to(x.enstrophy, y.enstrophy, tolerance, "enstrophy");
    /* either sign; relative to its largest possible value */
    assert_near(x.helicity, y.helicity,
                tolerance * 2 * sqrt(y.energy * y.enstrophy));
    assert_near_to(x.max_velocity, y.max_velocity, tolerance, "velocity");
    assert_near_to(x.max_vorticity, y.max_vorticity, tolerance, "vorticity");
    assert_near_to(x.max_sum, y.max_sum, tolerance, "sum of velocities");
}

/* A few steps on both: they differ by the rounding of the transforms, a few per
 * step; KISS FFT rounds to float. */
static void
compare_steps(const struct koshu_spectral_options *o, unsigned steps)
{
    const bool fine = o->precision == KOSHU_PRECISION_DOUBLE &&
                      strcmp(koshu_transform_library(), "fftw") == 0;
    const double tolerance = fine ? 1e-13 : 1e-5;
    struct koshu_spectral *a = make_on(context, o), *b = make_on(cpu, o);
    assert_true(koshu_spectral_on_device(a));
    assert_false(koshu_spectral_on_device(b));
    run(a, 0.05 * steps, steps);
    run(b, 0.05 * steps, steps);
    const double off = state_difference(a, b);
    if (!(off <= tolerance)) fail_msg("n = %zu: %g", o->n, off);
    compare_reports(a, b, 10 * tolerance);
    koshu_spectral_destroy(a);
    koshu_spectral_destroy(b);
}

/* Even and odd meshes, with both dealiasing rules. koshu's own transforms
 * handle 16, 32 and 64 points with the rule 3/2. */
static void
test_steps(void **state)
{
    (void)state;
    static const size_t sizes[] = {4, 11, 12, 16, 32, 35, 64};
    for (int k = 0; k < 7; k++)
        for (int rule = 0; rule < 2; rule++)
            for (int single = 0; single < 2; single++) {
                struct koshu_spectral_options o = options_of(sizes[k]);
                o.dealiasing = rule;
                if (single) o.precision = KOSHU_PRECISION_SINGLE;
                compare_steps(&o, sizes[k] > 16 ? 1 : 5);
            }
}

/* 18 and 24 points in 4 and 5 chunks, the last of which is smaller; and chunks
 * of one plane each. */
static void
test_steps_in_chunks(void **state)
{
    (void)state;
    for (size_t n = 12; n <= 16; n += 4) {
        struct koshu_spectral_options o = options_of(n);
        o.planes = 5;
        compare_steps(&o, 5);
        o.planes = 1;
        compare_steps(&o, 5);
    }
}

static void
test_forced_steps(void **state)
{
    (void)state;
    struct koshu_spectral_options o = options_of(12);
    o.forcing_power = 0.3;
    o.forcing_wave_number = 2.3;
    o.box = 3;
    compare_steps(&o, 5);
    o.precision = KOSHU_PRECISION_SINGLE;
    compare_steps(&o, 5);
}

static void
check_same_bits(size_t n)
{
    struct koshu_spectral_options o = options_of(n);
    o.precision = KOSHU_PRECISION_SINGLE;
    struct koshu_spectral *a = make_on(context, &o), *b = make_on(context, &o);
    run(a, 0.2, 4);
    run(b, 0.2, 4);
    assert_true(state_difference(a, b) == 0);
    koshu_spectral_destroy(a);
    koshu_spectral_destroy(b);
}

static void
test_same_bits(void **state)
{
    (void)state;
    check_same_bits(24);
    check_same_bits(32);
}

/* ---- large meshes -------------------------------------------------------- */

/* Waves 0 ... k - 1 along half an axis. */
struct waves {
    size_t k, size;
    double *at;
};

static struct waves
waves_of(const struct koshu_spectral *s)
{
    struct waves w = {(size_t)koshu_spectral_largest(s) + 1,
                      koshu_spectral_size(s), NULL};
    w.at = koshu_alloc(w.size, sizeof *w.at);
    assert_non_null(w.at);
    assert_ok(context, koshu_spectral_get(s, w.at));
    return w;
}

/* Row (i, j) of component c, from l = 0, of waves `w`; i and j count the waves
 * of `other`, which has fewer or more. */
static double *
row_of(const struct waves *w, const struct waves *other, size_t i, size_t j,
       size_t c)
{
    const size_t m = 2 * w->k - 1, n = 2 * other->k - 1;
    if (i >= other->k) i += m - n;
    if (j >= other->k) j += m - n;
    return w->at + 2 * ((j * 3 + c) * m + i) * w->k;
}

/* Calls `row` for each row of `few` and the same row of `many`. */
static void
for_rows(const struct waves *few, const struct waves *many,
         void row(size_t n, double *few, double *many, double *result),
         double *result)
{
    const size_t m = 2 * few->k - 1;
    for (size_t j = 0; j < m; j++)
        for (size_t c = 0; c < 3; c++)
            for (size_t i = 0; i < m; i++)
                row(2 * few->k, row_of(few, few, i, j, c),
                    row_of(many, few, i, j, c), result);
}

static void
copy_row(size_t n, double *few, double *many, double *result)
{
    (void)result;
    memcpy(many, few, n * sizeof *few);
}

/* Compares, and sets the rows of `many` to zero so that only waves missing in
 * `few` remain. */
static void
compare_row(size_t n, double *few, double *many, double *worst)
{
    for (size_t k = 0; k < n; k++) {
        if (!(fabs(few[k] - many[k]) <= *worst))
            *worst = fabs(few[k] - many[k]);
        many[k] = 0;
    }
}

/* The flow of a coarse mesh on a finer one. */
static struct koshu_spectral *
make_finer(const struct koshu_spectral_options *o,
           const struct koshu_spectral *coarse)
{
    struct koshu_spectral *s;
    const struct waves few = waves_of(coarse);
    assert_ok(context, koshu_spectral_create(context, o, &s));
    struct waves many = waves_of(s);
    for_rows(&few, &many, copy_row, NULL);
    assert_ok(context, koshu_spectral_set(s, many.at));
    koshu_free(few.at);
    koshu_free(many.at);
    return s;
}

/* From waves up to 2, a step of four stages makes waves up to 32, which both
 * meshes resolve: they differ by rounding. */
static void
compare_finer(size_t n, enum koshu_precision precision)
{
    const double tolerance = precision == KOSHU_PRECISION_DOUBLE ? 1e-13 : 3e-6;
    struct koshu_spectral_options o = options_of(128);
    o.precision = precision;
    struct koshu_spectral *a = make(&o, tangle);
    o.n = n;
    struct koshu_spectral *b = make_finer(&o, a);
    double worst = 0;
    run(a, 0.05, 1);
    run(b, 0.05, 1);
    const struct waves few = waves_of(a), many = waves_of(b);
    for_rows(&few, &many, compare_row, &worst);
    for (size_t i = 0; i < many.size; i++)
        worst = fmax(worst, fabs(many.at[i]));
    if (!(worst <= tolerance)) fail_msg("n = %zu: %g", n, worst);
    koshu_free(few.at);
    koshu_free(many.at);
    koshu_spectral_destroy(a);
    koshu_spectral_destroy(b);
}

static void
test_fine_meshes(void **state)
{
    (void)state;
    compare_finer(256, KOSHU_PRECISION_SINGLE);
    compare_finer(256, KOSHU_PRECISION_DOUBLE);
    compare_finer(512, KOSHU_PRECISION_SINGLE);
}

static int
both_begin(void **state)
{
    cpu = test_context("cpu", 1);
    return context_begin(state);
}

static int
both_end(void **state)
{
    koshu_context_destroy(cpu);
    return context_end(state);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_without_cufft),
            cmocka_unit_test(test_steps),
            cmocka_unit_test(test_steps_in_chunks),
            cmocka_unit_test(test_forced_steps),
            cmocka_unit_test(test_same_bits),
            cmocka_unit_test(test_fine_meshes),
    };
    if (!backend_answers("cuda")) return ON_BACKEND_SKIPPED;
    return cmocka_run_group_tests(tests, both_begin, both_end);
}
