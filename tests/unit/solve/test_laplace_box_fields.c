/* SPDX-License-Identifier: MIT */
/* Dipoles and Hessians in a periodic box by the fast multipole method, against
 * Ewald's sums. */
#include <koshu/ewald.h>

#include "fields.h"

enum { TARGETS = 100 };

/* In small leaves, so that all of the error is of expansions. */
static struct koshu_laplace *
laplace_in_box(double tolerance)
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = KOSHU_PRECISION_DOUBLE;
    o.tolerance = tolerance;
    o.box = 1;
    o.n_leaf = 10;
    assert_ok(context, koshu_laplace_create(context, &o, &laplace));
    return laplace;
}

/* What charges of both signs pull nearly cancels in a box, and each derivative
 * is known to less of what is left: 15 times the tolerance of all that they
 * pull, of few in small leaves, whatever it is. */
static void
assert_fields(const struct koshu_laplace_points *from,
              const struct koshu_laplace_points *at, double tolerance)
{
    const struct koshu_laplace_result by_fmm = all_of(got[0], RHS * N),
                                      exact = all_of(is[0], RHS * N);
    assert_ok(context, koshu_ewald_sums(context, from, at, NULL, &exact));
    sum(laplace_in_box(tolerance), from, at, &by_fmm);
    for (size_t rhs = 0; rhs < from->n_rhs; rhs++) {
        const size_t n = at ? at->n : from->n, first = rhs * n;
        assert_true(error_of(POTENTIAL, 1, first, first + n) < 30 * tolerance);
        assert_true(error_of(GRADIENT, 3, first, first + n) < 30 * tolerance);
        assert_true(error_of(HESSIAN, 6, first, first + n) < 30 * tolerance);
    }
}

/* Charges, both, and dipoles alone; at places of their own, then at the
 * sources. */
static void
fields_are_those_of_the_lattice(void **state)
{
    (void)state;
    if (getenv("TEST_BACKEND")) skip(); /* no such sums in boxes there */
    fill();
    const struct koshu_laplace_points at = targets(TARGETS);
    for (double tolerance = 1e-4; tolerance > 1e-12; tolerance *= 1e-3) {
        struct koshu_laplace_points from = sources(N, RHS);
        assert_fields(&from, &at, tolerance);
        from = with_dipoles(from);
        assert_fields(&from, &at, tolerance);
        from.charge = NULL;
        assert_fields(&from, &at, tolerance);
        from = with_dipoles(sources(TARGETS, 1));
        assert_fields(&from, NULL, tolerance);
    }
}

/* At the box's corner, and at an image of it: there its images alone act,
 * whose field is Lorentz's. */
static void
a_dipole_has_the_field_of_its_images(void **state)
{
    (void)state;
    if (getenv("TEST_BACKEND")) skip(); /* no such sums in boxes there */
    const double factor = 4 * 3.14159265358979324 / 3;
    const struct koshu_laplace_result to = all_of(got[0], RHS * N);
    const struct koshu_laplace_points from = with_dipoles(sources(1, 1)),
                                      at = targets(1);
    fill();
    x[0] = y[0] = z[0] = to_y[0] = to_z[0] = 0;
    to_x[0] = 3;
    sum(laplace_in_box(1e-12), &from, &at, &to);
    for (int a = 0; a < 3; a++)
        assert_near(got[GRADIENT + a][0], -factor * dipole[a][0], 1e-10);
    assert_near(got[HESSIAN][0], factor * charge[0], 1e-10);
    assert_near(got[HESSIAN + 1][0], 0, 1e-10);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(fields_are_those_of_the_lattice),
            cmocka_unit_test(a_dipole_has_the_field_of_its_images),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
