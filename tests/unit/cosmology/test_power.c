/* SPDX-License-Identifier: MIT */
/* Power spectra, compared with numbers from Colossus 1.3 (Diemer 2018) for
 * Omega_m = 0.32, Omega_b = 0.05, h = 0.67, n_s = 0.96, T = 2.7255 K, sigma_8 =
 * 0.83. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosmology/cosmology.h"
#include "fixture.h"

static const struct koshu_matter matter = {0.32, 0.05, 0.67, 0.96, 2.7255};
static const double wave[] = {1e-3, 0.01, 0.05, 0.1, 0.5, 1, 10};
enum { N = sizeof wave / sizeof wave[0] };

static const double transfer[3][N] = {
        {0.9925411681, 0.7849687784, 0.2771835382, 0.1354220387, 0.01463928615,
         0.004876211029, 9.379565027e-05},
        {0.9923577598, 0.7908646044, 0.2846355439, 0.1371758, 0.01464018443,
         0.004844366434, 9.278534571e-05},
        {0.985123265, 0.7664519017, 0.2909721898, 0.1405398528, 0.01463519126,
         0.004792669138, 8.791324606e-05}};
static const double power[3][N] = {{3810.8636, 21738.632, 12707.859, 5900.7099,
                                    323.2586, 69.773626, 0.23544772},
                                   {3785.2154, 21926.049, 13315.071, 6016.0166,
                                    321.26124, 68.427079, 0.22893631},
                                   {3629.4007, 20036.548, 13538.417, 6144.0214,
                                    312.36455, 65.164134, 0.19996992}};

static void
near(double found, double expected, double bound)
{
    if (!(fabs(found / expected - 1) <= bound))
        fail_msg("%.10g, not %.10g", found, expected);
}

static void
test_transfer_functions(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 3; t++)
        for (int k = 0; k < N; k++)
            near(koshu_transfer_of((enum koshu_spectrum)t, &matter, wave[k]),
                 transfer[t][k], 1e-9); /* the digits of the reference */
}

static void
test_spectra_by_sigma_8(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 3; t++) {
        struct koshu_power p = {.transfer = (enum koshu_spectrum)t,
                                .matter = matter};
        koshu_power_set_sigma_8(&p, 0.83);
        near(koshu_power_sigma(&p, 8), 0.83, 1e-12);
        for (int k = 0; k < N; k++) /* sigma is an integral there too: 1e-3 */
            near(koshu_power_at(&p, wave[k]), power[t][k], 2e-3);
    }
}

/* A table made from a spectrum must reproduce it: with points 1 % apart,
 * interpolating P(k) linearly in logarithms has errors of at most 1e-4. */
static char *
text_of_table(double from, double to)
{
    char *text = malloc(1 << 18), *at = text;
    struct koshu_power p = {.matter = matter, .amplitude = 1};
    at += sprintf(at, "# k P\n\n");
    for (double k = from; k <= to * 1.001; k *= 1.01)
        at += sprintf(at, "%.9g %.9g 0\n", k, koshu_power_at(&p, k));
    return text;
}

static void
test_tables(void **state)
{
    (void)state;
    struct koshu_power p = {.matter = matter, .amplitude = 1}, q = p;
    char *text = text_of_table(1e-4, 100);
    assert_ok(context, koshu_power_read(context, "a.txt", text, &q));
    for (int k = 0; k < N; k++)
        near(koshu_power_at(&q, wave[k]), koshu_power_at(&p, wave[k]), 1e-4);
    assert_ok(context, koshu_power_covers(context, &q, 1e-3, 50));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "0.0001 to",
                 koshu_power_covers(context, &q, 1e-3, 500));
    koshu_power_free(&q);
    free(text);
}

/* What a table lacks of sigma, compared with the formula that it was made from.
 * Its last slope is that of one place: 15 %, of which a cut in the acoustic
 * oscillations needs 11; 1e-5 is the range of the formula's integral. */
static void
test_missing_parts_of_sigma(void **state)
{
    (void)state;
    static const double range[][2] = {
            {1e-4, 100}, {1e-4, 1}, {1e-4, 0.2}, {0.05, 100}, {0.06, 0.3}};
    const struct koshu_power formula = {.matter = matter, .amplitude = 1};
    assert_true(koshu_power_sigma_missing(&formula, 8) == 0);
    for (size_t t = 0; t < sizeof range / sizeof range[0]; t++) {
        struct koshu_power p = {.matter = matter, .amplitude = 1};
        char *text = text_of_table(range[t][0], range[t][1]);
        assert_ok(context, koshu_power_read(context, "a.txt", text, &p));
        const double missing =
                1 - koshu_power_sigma(&p, 8) / koshu_power_sigma(&formula, 8);
        const double found = koshu_power_sigma_missing(&p, 8);
        assert_true(fabs(found - missing) < 0.15 * missing + 1e-5);
        koshu_power_free(&p);
        free(text);
    }
}

static void
test_sigma_needs_a_long_table(void **state)
{
    (void)state;
    struct koshu_power p = {.matter = matter, .amplitude = 1};
    char *text = text_of_table(1e-4, 1);
    assert_ok(context, koshu_power_read(context, "a.txt", text, &p));
    assert_ok(context, koshu_power_covers_sigma(context, &p, 8));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "use a longer table",
                 koshu_power_covers_sigma(context, &p, 0.5));
    koshu_power_free(&p);
    free(text);
}

static void
test_bad_tables_name_the_line(void **state)
{
    (void)state;
    static const char *const bad[] = {"1 2\n1 3\n", "1 2\nx\n", "1 2\n2 -1\n"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct koshu_power p = {.amplitude = 1};
        char text[32];
        strcpy(text, bad[k]);
        assert_fails(context, KOSHU_ERROR_BAD_INPUT, "t.txt:2",
                     koshu_power_read(context, "t.txt", text, &p));
        koshu_power_free(&p);
    }
    struct koshu_power p = {.amplitude = 1};
    char one[] = "1 2\n";
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "two lines",
                 koshu_power_read(context, "t.txt", one, &p));
    koshu_power_free(&p);
}

/* Planck 2018, A_s = 2.1e-9: sigma_8 = 0.81 by CLASS. The fit of Eisenstein &
 * Hu without neutrinos differs by some percent. */
static void
test_primordial_amplitude(void **state)
{
    (void)state;
    const struct koshu_cosmology c = {0.315, 0.685, 0, -1, 0.674, 100};
    struct koshu_power p = {.matter = {0.315, 0.049, 0.674, 0.965, 2.7255}};
    koshu_power_set_a_s(&p, 2.1e-9, koshu_growth_at(&c, 1).d1);
    near(koshu_power_sigma(&p, 8), 0.82, 0.03);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_transfer_functions),
            cmocka_unit_test(test_spectra_by_sigma_8),
            cmocka_unit_test(test_tables),
            cmocka_unit_test(test_missing_parts_of_sigma),
            cmocka_unit_test(test_sigma_needs_a_long_table),
            cmocka_unit_test(test_bad_tables_name_the_line),
            cmocka_unit_test(test_primordial_amplitude),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
