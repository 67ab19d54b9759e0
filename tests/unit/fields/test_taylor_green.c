/* SPDX-License-Identifier: MIT */
/*
 * The Taylor-Green vortex at Re = 1600, compared with the 512^3 spectral
 * reference of the high-order CFD workshops (spectral_Re1600_512.gdiag), with
 * 48^3 points to t = 5, when the eddies are about to become too small for this
 * mesh.
 */
#include "spectral_rig.h"

static const double largest_dissipation = 0.012857528; /* at t = 8.97 */

/* Tolerances: 0.5 % of the energy, 3 % of the largest dissipation. */
static void
test_reference(void **state)
{
    (void)state;
    struct koshu_spectral_options o = options_of(48);
    o.viscosity = 1.0 / 1600;
    struct koshu_spectral *s = make(&o, taylor_green);
    struct koshu_spectral_report r = report_of(s);
    assert_float_equal(r.energy, 0.125, 1e-7);
    assert_float_equal(r.dissipation, 0.00046875, 1e-8);
    run(s, 5, 80);
    r = report_of(s);
    assert_float_equal(r.energy, 0.11843575, 0.005 * 0.11843575);
    assert_float_equal(r.dissipation, 0.004127097, 0.03 * largest_dissipation);
    koshu_spectral_destroy(s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference)};
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
