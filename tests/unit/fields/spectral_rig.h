/* SPDX-License-Identifier: MIT */
/* Flows by the spectral method. */
#ifndef KOSHU_TESTS_SPECTRAL_RIG_H
#define KOSHU_TESTS_SPECTRAL_RIG_H

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fields/fields.h"
#include "on_backend.h"
#ifndef FIXTURE_BACKEND
#define FIXTURE_BACKEND on_backend("cpu")
#endif
#include "fixture.h"

static const double two_pi = 6.28318530717958647692;

/* ---- flows --------------------------------------------------------------- */

typedef void flow(double x, double y, double z, double u[3]);

static inline void
taylor_green(double x, double y, double z, double u[3])
{
    u[0] = sin(x) * cos(y) * cos(z);
    u[1] = -cos(x) * sin(y) * cos(z);
    u[2] = 0;
}

/* Its product with the vorticity is a gradient, so it decays as exp(-2 nu
 * t). */
static inline void
taylor_green_flat(double x, double y, double z, double u[3])
{
    (void)z;
    u[0] = sin(x) * cos(y);
    u[1] = -cos(x) * sin(y);
    u[2] = 0;
}

/* Arnold-Beltrami-Childress flow: omega = 2 u, so it decays as exp(-4 nu t). */
static inline void
abc(double x, double y, double z, double u[3])
{
    u[0] = sin(2 * z) + 0.7 * cos(2 * y);
    u[1] = 0.9 * sin(2 * x) + cos(2 * z);
    u[2] = 0.7 * sin(2 * y) + 0.9 * cos(2 * x);
}

/* A flow without any symmetry. */
static inline void
tangle(double x, double y, double z, double u[3])
{
    u[0] = sin(y + 2 * z) + cos(z - y);
    u[1] = cos(x + z) + 0.4 * sin(2 * x);
    u[2] = sin(x - 2 * y) + 0.3 * cos(y);
}

/* ---- a solver ------------------------------------------------------------ */

static inline struct koshu_spectral_options
options_of(size_t n)
{
    return (struct koshu_spectral_options){.n = n,
                                           .box = two_pi,
                                           .precision = KOSHU_PRECISION_DOUBLE,
                                           .viscosity = 0.02};
}

static inline double *
values_of(size_t n, flow *f, double factor)
{
    double *v = koshu_alloc(3 * n * n * n, sizeof *v);
    assert_non_null(v);
    for (size_t p = 0; p < n * n * n; p++) {
        double u[3];
        const double h = two_pi / (double)n;
        f(h * (double)(p / n / n), h * (double)(p / n % n), h * (double)(p % n),
          u);
        for (size_t c = 0; c < 3; c++) v[c * n * n * n + p] = factor * u[c];
    }
    return v;
}

static inline struct koshu_spectral *
make(const struct koshu_spectral_options *o, flow *f)
{
    struct koshu_spectral *s;
    double *v = values_of(o->n, f, 1);
    assert_ok(context, koshu_spectral_create(context, o, &s));
    assert_ok(context, koshu_spectral_set_values(s, v));
    koshu_free(v);
    return s;
}

static inline void
run(struct koshu_spectral *s, double time, unsigned steps)
{
    for (unsigned k = 0; k < steps; k++)
        assert_ok(context, koshu_spectral_step(s, time / steps));
}

static inline struct koshu_spectral_report
report_of(struct koshu_spectral *s)
{
    struct koshu_spectral_report r;
    memset(&r, 0xff, sizeof r);
    assert_ok(context, koshu_spectral_report(s, &r));
    return r;
}

/* The largest difference of the velocity from values, which it frees. */
static inline double
difference(const struct koshu_spectral *s, size_t n, double *expected)
{
    double worst = 0, *v = koshu_alloc(3 * n * n * n, sizeof *v);
    assert_non_null(v);
    assert_ok(context, koshu_spectral_values(s, v, NULL));
    for (size_t k = 0; k < 3 * n * n * n; k++)
        worst = fmax(worst, fabs(v[k] - expected[k]));
    koshu_free(v);
    koshu_free(expected);
    return worst;
}

static inline double *
velocity_of(const struct koshu_spectral *s, size_t n)
{
    double *v = koshu_alloc(3 * n * n * n, sizeof *v);
    assert_non_null(v);
    assert_ok(context, koshu_spectral_values(s, v, NULL));
    return v;
}

#endif
