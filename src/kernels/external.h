/* SPDX-License-Identifier: MIT */
/*
 * External fields at one position: acceleration a = -grad phi, its rate of
 * change along the velocity, jerk = (v . grad) a, and potential phi. Formulas
 * and sources: koshu/external.h. The Coriolis force is separate.
 */
#ifndef KOSHU_KERNELS_EXTERNAL_H
#define KOSHU_KERNELS_EXTERNAL_H

#include <math.h>

#include "kernels/kernels.h"

/* Accumulates the fields. */
struct koshu_field_sum {
    double a[3], jerk[3], potential;
};

KOSHU_HD double
koshu_field_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* a = -g(r) x: jerk = -g v - h (x . v) x with h = g'(r) / r. */
KOSHU_HD void
koshu_field_spherical(const double x[3], const double v[3], double g, double h,
                      double potential, struct koshu_field_sum *s)
{
    const double rate = h * koshu_field_dot(x, v);
    for (int k = 0; k < 3; k++) {
        s->a[k] -= g * x[k];
        s->jerk[k] -= g * v[k] + rate * x[k];
    }
    s->potential += potential;
}

/* a = 0: a point mass. */
KOSHU_HD void
koshu_field_plummer(double M, double a, const double x[3], const double v[3],
                    struct koshu_field_sum *s)
{
    const double d2 = koshu_field_dot(x, x) + a * a, d = sqrt(d2);
    const double g = M / (d2 * d);
    koshu_field_spherical(x, v, g, -3 * g / d2, -M / d, s);
}

/* ln(1 + x) - x / (1 + x). Below 0.01 the terms cancel, so there its series is
 * used: sum over k of (-1)^k (k - 1) / k x^k. */
KOSHU_HD double
koshu_field_nfw_mass(double x)
{
    if (x > 0.01) return log1p(x) - x / (1 + x);
    double sum = 0, power = -x;
    for (int k = 2; k < 10; k++) {
        power *= -x;
        sum += (k - 1.0) / k * power;
    }
    return sum;
}

/* m: the mass scale 4 pi rho_0 a^3. The force at the centre has no direction
 * and is set to 0. */
KOSHU_HD void
koshu_field_nfw(double m, double a, const double x[3], const double v[3],
                struct koshu_field_sum *s)
{
    const double r2 = koshu_field_dot(x, x), r = sqrt(r2), u = r / a;
    if (r == 0) {
        s->potential -= m / a;
        return;
    }
    const double inside = koshu_field_nfw_mass(u);
    const double g = m * inside / (r2 * r);
    const double h = (m * u * u / ((1 + u) * (1 + u) * r2 * r) - 3 * g) / r2;
    koshu_field_spherical(x, v, g, h, -m * log1p(u) / r, s);
}

KOSHU_HD void
koshu_field_miyamoto_nagai(double M, double a, double b, const double x[3],
                           const double v[3], struct koshu_field_sum *s)
{
    const double B = sqrt(x[2] * x[2] + b * b), A = a + B;
    const double d2 = x[0] * x[0] + x[1] * x[1] + A * A, d = sqrt(d2);
    const double g = M / (d2 * d), K = A / B;
    const double K_rate = -a * x[2] * v[2] / (B * B * B);
    const double g_rate =
            -3 * g / d2 * (x[0] * v[0] + x[1] * v[1] + K * x[2] * v[2]);
    for (int k = 0; k < 2; k++) {
        s->a[k] -= g * x[k];
        s->jerk[k] -= g * v[k] + g_rate * x[k];
    }
    s->a[2] -= g * K * x[2];
    s->jerk[2] -= g * (K * v[2] + K_rate * x[2]) + g_rate * K * x[2];
    s->potential -= M / d;
}

KOSHU_HD void
koshu_field_logarithmic(double speed, double a, double q, const double x[3],
                        const double v[3], struct koshu_field_sum *s)
{
    const double q2 = q * q;
    const double w[3] = {x[0], x[1], x[2] / q2};
    const double w_rate[3] = {v[0], v[1], v[2] / q2};
    const double r2 = koshu_field_dot(w, x), a2 = a * a;
    const double d2 = r2 + a2, g = speed * speed / d2;
    const double g_rate = -2 * g / d2 * koshu_field_dot(w, v);
    for (int k = 0; k < 3; k++) {
        s->a[k] -= g * w[k];
        s->jerk[k] -= g * w_rate[k] + g_rate * w[k];
    }
    s->potential += speed * speed / 2 * (a > 0 ? log1p(r2 / a2) : log(r2));
}

/* a = (outward x, 0, -vertical z). */
KOSHU_HD void
koshu_field_tide(double outward, double vertical, const double x[3],
                 const double v[3], struct koshu_field_sum *s)
{
    s->a[0] += outward * x[0];
    s->a[2] -= vertical * x[2];
    s->jerk[0] += outward * v[0];
    s->jerk[2] -= vertical * v[2];
    s->potential += (vertical * x[2] * x[2] - outward * x[0] * x[0]) / 2;
}

/* Adds the Coriolis acceleration -2 Omega e_z x v, and to the jerk the same of
 * a, which must contain all other accelerations. */
KOSHU_HD void
koshu_field_coriolis(double omega, const double v[3], double a[3],
                     double jerk[3])
{
    const double w = 2 * omega;
    a[0] += w * v[1];
    a[1] -= w * v[0];
    jerk[0] += w * a[1];
    jerk[1] -= w * a[0];
}

/*
 * Motion during dt under the Coriolis force alone, on a circle: v turns by -2
 * Omega dt. With s = sin(w dt) / w and c = (1 - cos(w dt)) / w, w = 2 Omega:
 *
 *     x += s v_x + c v_y,   y += s v_y - c v_x
 */
KOSHU_HD void
koshu_field_drift(double omega, double dt, double x[3], double v[3])
{
    const double w = 2 * omega, half = sin(w * dt / 2), angle = sin(w * dt);
    const double s = angle / w, c = 2 * half * half / w;
    const double cosine = 1 - 2 * half * half;
    const double vx = v[0], vy = v[1];
    x[0] += s * vx + c * vy;
    x[1] += s * vy - c * vx;
    x[2] += v[2] * dt;
    v[0] = cosine * vx + angle * vy;
    v[1] = cosine * vy - angle * vx;
}

#endif
