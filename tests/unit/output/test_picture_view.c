/* SPDX-License-Identifier: MIT */
#include <koshu/picture.h>

#include <math.h>
#include <string.h>

#include "fixture.h"
#include "particles/particles.h"

/* n particles of equal mass on the x axis at 1, 2, ... n from a centre at
 * 10. */
static struct koshu_particles *
ruler(size_t n, struct koshu_particle_view *v)
{
    struct koshu_particles *p;
    assert_ok(context, koshu_particles_create(context, n, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, v));
    for (size_t i = 0; i < n; i++) {
        v->mass[i] = 0.25;
        v->x[i] = 10 + (double)(i + 1);
    }
    return p;
}

static void
the_centre_is_that_of_mass(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    struct koshu_particles *p = ruler(3, &v);
    v.mass[2] = 0.5; /* (11 + 12 + 2 13) / 4 */
    v.y[0] = 4;      /* 4 / 4 */
    v.z[1] = -8;     /* -8 / 4 */
    double centre[3];
    assert_ok(context, koshu_picture_view_centre(p, centre));
    assert_true(centre[0] == 12.25 && centre[1] == 1 && centre[2] == -2);
    koshu_particles_destroy(p);
}

static void
the_radius_holds_the_fraction(void **state)
{
    (void)state;
    static const double centre[3] = {10, 0, 0};
    struct koshu_particle_view v;
    struct koshu_particles *p = ruler(100, &v);
    for (int percent = 1; percent <= 100; percent++) {
        double r;
        /* half a particle less, so that rounding does not matter */
        assert_ok(context, koshu_picture_view_radius(
                                   p, centre, (percent - 0.5) / 100, &r));
        assert_true(r > percent && r <= percent * 1.008);
    }
    double all;
    assert_ok(context, koshu_picture_view_radius(p, centre, 1, &all));
    assert_true(all > 100 && all <= 100.8);
    koshu_particles_destroy(p);
}

static void
radii_of_any_size_are_told_apart(void **state)
{
    (void)state;
    static const double origin[3] = {0}, sizes[] = {1e-150, 1, 1e150};
    struct koshu_particle_view v;
    struct koshu_particles *p = ruler(2, &v);
    for (int k = 0; k < 3; k++) {
        double r;
        v.x[0] = sizes[k];
        v.x[1] = 2 * sizes[k];
        assert_ok(context, koshu_picture_view_radius(p, origin, 0.4, &r));
        assert_true(r > sizes[k] && r <= 1.008 * sizes[k]);
        assert_ok(context, koshu_picture_view_radius(p, origin, 0.9, &r));
        assert_true(r > 2 * sizes[k] && r <= 2.016 * sizes[k]);
    }
    koshu_particles_destroy(p);
}

static void
a_point_has_no_radius(void **state)
{
    (void)state;
    struct koshu_particle_view v;
    struct koshu_particles *p = ruler(1, &v);
    double centre[3], r = NAN;
    assert_ok(context, koshu_picture_view_centre(p, centre));
    assert_ok(context, koshu_picture_view_radius(p, centre, 1, &r));
    assert_true(r == 0);
    koshu_particles_destroy(p);
}

static void
nonsense_is_refused(void **state)
{
    (void)state;
    static const double origin[3] = {0}, not_finite[3] = {0, NAN, 0};
    struct koshu_particle_view v;
    struct koshu_particles *p = ruler(4, &v);
    double r, centre[3];
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "got 0",
                 koshu_picture_view_radius(p, origin, 0, &r));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "got 1.5",
                 koshu_picture_view_radius(p, origin, 1.5, &r));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "nan",
                 koshu_picture_view_radius(p, not_finite, 0.5, &r));
    static const double beyond[3] = {1e300, 0, 0};
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "so far from (1e+300, 0, 0)",
                 koshu_picture_view_radius(p, beyond, 0.5, &r));
    memset(v.mass, 0, 4 * sizeof *v.mass);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "none of the 4 particles has mass",
                 koshu_picture_view_radius(p, origin, 0.5, &r));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "none of the 4 particles has mass",
                 koshu_picture_view_centre(p, centre));
    v.y[2] = INFINITY;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "2",
                 koshu_picture_view_centre(p, centre));
    koshu_particles_destroy(p);
}

static void
axes_and_curves_have_names(void **state)
{
    (void)state;
    enum koshu_axis axis;
    enum koshu_weight weight;
    enum koshu_curves curves;
    int n = 0;
    for (; koshu_axis_name(n); n++) {
        assert_ok(NULL, koshu_axis_find(NULL, koshu_axis_name(n), &axis));
        assert_int_equal(axis, n);
    }
    assert_int_equal(n, KOSHU_AXIS_Z + 1);
    for (n = 0; koshu_weight_name(n); n++) {
        assert_ok(NULL, koshu_weight_find(NULL, koshu_weight_name(n), &weight));
        assert_int_equal(weight, n);
    }
    assert_int_equal(n, KOSHU_WEIGHT_LIGHT + 1);
    for (n = 0; koshu_curves_name(1u << n); n++) {
        assert_ok(context,
                  koshu_curves_find(context, koshu_curves_name(1u << n),
                                    &curves));
        assert_int_equal(curves, 1u << n);
    }
    assert_int_equal(KOSHU_CURVES_DISPERSION, 1u << (n - 1));
    assert_null(koshu_curves_name(KOSHU_CURVES_ALL));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "there are x, y, z",
                 koshu_axis_find(context, "w", &axis));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "did you mean 'stages'",
                 koshu_curves_find(context, "stage", &curves));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(axes_and_curves_have_names),
            cmocka_unit_test(the_centre_is_that_of_mass),
            cmocka_unit_test(the_radius_holds_the_fraction),
            cmocka_unit_test(radii_of_any_size_are_told_apart),
            cmocka_unit_test(a_point_has_no_radius),
            cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
