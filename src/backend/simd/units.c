/* SPDX-License-Identifier: MIT */
/* Units for sums with jerk, from the extent of the particles. */
#include "backend/simd/units.h"

#include <math.h>

/* Keeps the cube of a unit, and its inverse, finite. */
enum { LARGEST_EXPONENT = 330 };

/* |x|, or `largest` if that is larger or x is not finite. */
static double
larger(double largest, double x)
{
    x = fabs(x);
    return x > largest && isfinite(x) ? x : largest;
}

static double
largest_of(const double x[3])
{
    double largest = 0;
    for (int c = 0; c < 3; c++)
        largest = fabs(x[c]) > largest ? fabs(x[c]) : largest;
    return largest;
}

/* Does the particle leave the extent unchanged, as most updates do? */
static bool
is_within(const struct simd_extent *e, const double x[3], const double v[3],
          double mass)
{
    const double reach = largest_of(x);
    return reach <= e->reach && reach >= e->least_reach && reach > 0 &&
           largest_of(v) <= e->speed && fabs(mass) <= e->mass;
}

void
koshu_simd_extent_add(struct simd_extent *e, const double x[3],
                      const double v[3], double mass)
{
    if (is_within(e, x, v, mass)) return;
    double reach = 0, speed = e->speed;
    for (int c = 0; c < 3; c++) {
        reach = larger(reach, x[c]);
        speed = larger(speed, v[c]);
    }
    mass = larger(e->mass, mass);
    if (reach > e->reach || speed > e->speed || mass > e->mass) e->grown = true;
    if (reach > e->reach) e->reach = reach;
    e->speed = speed;
    e->mass = mass;
    if (reach > 0 && (e->least_reach == 0 || reach < e->least_reach))
        e->least_reach = reach;
}

/* The next power of two above x; 1 for 0. */
static double
power_of_two(double x)
{
    int exponent = 0;
    if (x > 0) (void)frexp(x, &exponent);
    if (exponent > LARGEST_EXPONENT) exponent = LARGEST_EXPONENT;
    if (exponent < -LARGEST_EXPONENT) exponent = -LARGEST_EXPONENT;
    return ldexp(1, exponent);
}

struct simd_units
koshu_simd_units_of(const struct simd_extent *e, double eps)
{
    const double length = eps > e->reach && e->reach > 0 ? eps : e->reach;
    return (struct simd_units){power_of_two(length), power_of_two(e->speed),
                               power_of_two(e->mass)};
}

void
koshu_simd_scale_i(struct koshu_i_particle *i, size_t n,
                   const struct simd_units *u)
{
    const double length = 1 / u->length, speed = 1 / u->speed;
    for (size_t k = 0; k < n; k++) {
        for (int c = 0; c < 3; c++) {
            i[k].x[c] *= length;
            i[k].v[c] *= speed;
        }
        i[k].h2 = i[k].h2 * length * length;
    }
}

void
koshu_simd_scale_results(struct koshu_jerk_result *result, size_t n,
                         const struct simd_units *u, bool nearest)
{
    const double length = 1 / u->length;
    for (size_t k = 0; k < n; k++) {
        struct koshu_jerk_result *r = &result[k];
        for (int c = 0; c < 3; c++) {
            r->a[c] = r->a[c] * u->mass * length * length;
            r->jerk[c] = r->jerk[c] * u->mass * length * length *
                         (u->speed * length);
        }
        r->potential = r->potential * u->mass * length;
        if (nearest) r->nearest_r2 = r->nearest_r2 * u->length * u->length;
    }
}
