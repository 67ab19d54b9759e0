/* SPDX-License-Identifier: MIT */
/* The spectral method on a device against that of the CPU. */
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

/* ---- cuFFT ------------------------------------------------------------------
 */

/* First of all: a library that was found stays. */
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

/* ---- both -------------------------------------------------------------------
 */

/* Largest difference of states, over the largest number. */
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
    /* of any sign: what it could be at most */
    assert_near(x.helicity, y.helicity,
                tolerance * 2 * sqrt(y.energy * y.enstrophy));
    assert_near_to(x.max_velocity, y.max_velocity, tolerance, "velocity");
    assert_near_to(x.max_vorticity, y.max_vorticity, tolerance, "vorticity");
    assert_near_to(x.max_sum, y.max_sum, tolerance, "sum of velocities");
}

/* Some steps on both: they differ by roundings of transforms, a few of each
 * step; KISS FFT rounds to floats. */
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

/* Even and odd meshes, of both rules. */
static void
test_steps(void **state)
{
    (void)state;
    static const size_t sizes[] = {4, 11, 12, 16, 35};
    for (int k = 0; k < 5; k++)
        for (int rule = 0; rule < 2; rule++)
            for (int single = 0; single < 2; single++) {
                struct koshu_spectral_options o = options_of(sizes[k]);
                o.dealiasing = rule;
                if (single) o.precision = KOSHU_PRECISION_SINGLE;
                compare_steps(&o, sizes[k] > 16 ? 1 : 5);
            }
}

/* Of 18 points in 4 chunks, of which the last has less; and of one plane each.
 */
static void
test_steps_in_chunks(void **state)
{
    (void)state;
    struct koshu_spectral_options o = options_of(12);
    o.planes = 5;
    compare_steps(&o, 5);
    o.planes = 1;
    compare_steps(&o, 5);
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
test_same_bits(void **state)
{
    (void)state;
    struct koshu_spectral_options o = options_of(24);
    o.precision = KOSHU_PRECISION_SINGLE;
    struct koshu_spectral *a = make_on(context, &o), *b = make_on(context, &o);
    run(a, 0.2, 4);
    run(b, 0.2, 4);
    assert_true(state_difference(a, b) == 0);
    koshu_spectral_destroy(a);
    koshu_spectral_destroy(b);
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
    };
    if (!backend_answers("cuda")) return ON_BACKEND_SKIPPED;
    return cmocka_run_group_tests(tests, both_begin, both_end);
}
