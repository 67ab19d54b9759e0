/* SPDX-License-Identifier: MIT */
/* Velocities with cores, compared with plain sums and known flows. */
#include "support.h"
#include "vortex/near.h"

enum { N = 600 };

/* g of Hamada09 eq. 2, as a function of r / sigma. */
static double
core_function(double r)
{
    return erf(r / sqrt(2)) - sqrt(2 / pi) * r * exp(-r * r / 2);
}

static void
boys_functions_are_their_integrals(void **state)
{
    (void)state;
    for (double s = 0.1; s < 40; s *= 3) {
        const double r = sqrt(2 * s), g = core_function(r);
        const double a = sqrt(2 / pi) * koshu_boys(1, s);
        assert_near(a / (g / (r * r * r)), 1, 1e-9); /* g loses digits at 0.1 */
        assert_near(koshu_boys(0, s) / (sqrt(pi / s) / 2 * erf(sqrt(s))), 1,
                    1e-14);
    }
    assert_near(koshu_boys(2, 0), 0.2, 1e-16);
}

static void
scatter_vortices(struct koshu_vortices *v)
{
    for (size_t i = 0; i < KOSHU_VORTEX_STATE * v->n; i++)
        v->state[i] = uniform() - 0.5;
    for (int k = 0; k < KOSHU_VORTEX_STATE; k++) /* two coincident particles */
        v->state[(size_t)k * v->n + 1] = v->state[(size_t)k * v->n];
}

/* The velocity at x by the formula. */
static void
sum_directly(const struct koshu_vortices *v, const double x[3], double u[3])
{
    u[0] = u[1] = u[2] = 0;
    for (size_t j = 0; j < v->n; j++) {
        double d[3], a[3], r2 = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = x[k] - koshu_vortices_position(v, k)[j];
            a[k] = koshu_vortices_strength(v, k)[j];
            r2 += d[k] * d[k];
        }
        if (r2 == 0) continue;
        const double r = sqrt(r2);
        const double w = core_function(r / v->core) / (4 * pi * r2 * r);
        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            u[k] += w * (a[p] * d[q] - a[q] * d[p]);
        }
    }
}

/* The largest errors of velocities and, from differences, of gradients,
 * relative to the largest values. */
static void
compare(const struct koshu_vortices *v, const double *u, const double *g,
        double error[2])
{
    double off[2] = {0}, all[2] = {0};
    for (size_t i = 0; i < v->n; i += 7) {
        double x[3], is[3], up[3], down[3];
        const double h = 1e-5;
        for (int k = 0; k < 3; k++) x[k] = koshu_vortices_position(v, k)[i];
        sum_directly(v, x, is);
        for (size_t k = 0; k < 3; k++) {
            off[0] = fmax(off[0], fabs(is[k] - u[k * v->n + i]));
            all[0] = fmax(all[0], fabs(is[k]));
            x[k] += h;
            sum_directly(v, x, up);
            x[k] -= 2 * h;
            sum_directly(v, x, down);
            x[k] += h;
            for (size_t c = 0; c < 3; c++) {
                const double slope = (up[c] - down[c]) / (2 * h);
                off[1] = fmax(off[1], fabs(slope - g[(3 * c + k) * v->n + i]));
                all[1] = fmax(all[1], fabs(slope));
            }
        }
    }
    for (int k = 0; k < 2; k++) error[k] = off[k] / all[k];
}

/* Beyond the reach 1 - g is neglected: 1.5e-5 at 5 and 7e-8 at 6 core radii.
 * Differences are accurate to 1e-7. */
static void
velocities_are_those_of_plain_sums(void **state)
{
    (void)state;
    static double u[3 * N], g[9 * N];
    const double expected[2][2] = {{2e-5, 2e-4}, {2e-7, 3e-6}};
    struct koshu_vortices *v = vortices_of(N, 0.04, 0);
    scatter_vortices(v);
    for (int k = 0; k < 2; k++) {
        struct koshu_vortex_solver *s = solver_in(0, 5 + k);
        double error[2];
        for (size_t i = 0; i < 3 * N; i++) u[i] = g[i] = g[3 * N + i] = NAN;
        assert_ok(context, koshu_vortex_velocities(s, v, N, NULL, u, g));
        compare(v, u, g, error);
        assert_true(error[0] < expected[k][0]);
        assert_true(error[1] < expected[k][1]);
        koshu_vortex_solver_destroy(s);
    }
    koshu_vortices_destroy(v);
}

/* The Taylor-Green vortex, u = (sin x cos y cos z, -cos x sin y cos z, 0):
 * fitting its vorticity on a lattice with Gaussians reproduces it. */
static void
put_taylor_green(const struct koshu_vortex_lattice *l, double *field)
{
    const size_t n = koshu_vortex_lattice_points(l);
    for (size_t p = 0; p < n; p++) {
        double x[3];
        koshu_vortex_lattice_place(l, p, x);
        field[p] = -cos(x[0]) * sin(x[1]) * sin(x[2]);
        field[n + p] = -sin(x[0]) * cos(x[1]) * sin(x[2]);
        field[2 * n + p] = 2 * sin(x[0]) * sin(x[1]) * cos(x[2]);
    }
}

static double
taylor_green_error(const struct koshu_vortices *v, const double *u,
                   const double *g)
{
    double off = 0;
    for (size_t i = 0; i < v->n; i++) {
        const double x = koshu_vortices_position(v, 0)[i],
                     y = koshu_vortices_position(v, 1)[i],
                     z = koshu_vortices_position(v, 2)[i];
        off = fmax(off, fabs(u[i] - sin(x) * cos(y) * cos(z)));
        off = fmax(off, fabs(u[v->n + i] + cos(x) * sin(y) * cos(z)));
        off = fmax(off, fabs(u[2 * v->n + i]));
        off = fmax(off, fabs(g[i] - cos(x) * cos(y) * cos(z)));
        off = fmax(off, fabs(g[2 * v->n + i] + sin(x) * cos(y) * sin(z)));
    }
    return off;
}

/* Between lattice points a sum of Gaussians with sigma = h has an error of 2
 * exp(-2 pi^2) = 5e-9. Images of wave number 1 add exp(-((2 pi)^2 - 4 pi h) /
 * 2) = 1e-7 of it at 16 points. */
static void
a_periodic_flow_comes_back(void **state)
{
    (void)state;
    enum { M = 16, POINTS = M * M * M };
    static double u[3 * POINTS], g[9 * POINTS];
    struct koshu_vortices *v = vortices_of(POINTS, 2 * pi / M, 2 * pi);
    struct koshu_vortex_solver *s = solver_in(2 * pi, 6.5);
    struct koshu_vortex_lattice l;
    struct koshu_vortex_fit fit;
    assert_ok(context, koshu_vortex_lattice_of(v, 2 * pi / M, 0, &l));
    assert_int_equal(koshu_vortex_lattice_points(&l), POINTS);
    for (size_t p = 0; p < POINTS; p++) {
        double x[3];
        koshu_vortex_lattice_place(&l, p, x);
        for (int k = 0; k < 3; k++) koshu_vortices_position(v, k)[p] = x[k];
    }
    put_taylor_green(&l, koshu_vortices_strength(v, 0));
    assert_ok(context,
              koshu_vortex_fit_strengths(context, &l, NULL, v->core, 1e-10,
                                         koshu_vortices_strength(v, 0), &fit));
    assert_true(fit.residual < 1e-10);
    assert_ok(context, koshu_vortex_velocities(s, v, POINTS, NULL, u, g));
    assert_true(taylor_green_error(v, u, g) < 1e-5);
    koshu_vortex_solver_destroy(s);
    koshu_vortices_destroy(v);
}

/* ---- close to a particle ------------------------------------------------- */

/* A millionth of a core radius away, also across a face of the box, the
 * velocity equals that at the particle. */
static void
velocities_close_to_a_particle(void **state)
{
    (void)state;
    enum { M = 50 };
    for (int periodic = 0; periodic < 2; periodic++) {
        struct koshu_vortices *v = vortices_of(M, 0.1, periodic);
        struct koshu_vortex_solver *s = solver_in(v->box, 6);
        static double u[3 * M], close[3 * M], x[3 * M];
        for (size_t i = 0; i < KOSHU_VORTEX_STATE * M; i++)
            v->state[i] = i < 3 * M ? uniform() : uniform() - 0.5;
        for (int k = 0; k < 3; k++) koshu_vortices_position(v, k)[0] = 1 - 1e-8;
        for (size_t i = 0; i < 3 * M; i++)
            x[i] = i % M == 0 && periodic ? 0 : v->state[i] + 1e-7;
        assert_ok(context, koshu_vortex_velocities(s, v, M, NULL, u, NULL));
        assert_ok(context, koshu_vortex_velocities(s, v, M, x, close, NULL));
        for (size_t i = 0; i < 3 * M; i++)
            assert_float_equal(close[i], u[i], 2e-5);
        koshu_vortex_solver_destroy(s);
        koshu_vortices_destroy(v);
    }
}

/* ---- orders of cores ----------------------------------------------------- */

/* With strengths omega h^3 each wave contributes only itself: the fraction of
 * u(k) that cores keep. Aliases of this lattice are 1 or 2 here, so the flow is
 * measured by projecting on itself. */
static double
part_of_taylor_green(unsigned order, double core, double mid_core)
{
    enum { EDGE = 12, POINTS = EDGE * EDGE * EDGE };
    struct koshu_vortices *v = vortices_of(POINTS, core, 2 * pi);
    struct koshu_vortex_solver *s = solver_in(v->box, 7);
    struct koshu_vortex_lattice l;
    static double u[3 * POINTS];
    double uu = 0, ue = 0;
    v->spacing = v->box / EDGE;
    v->order = order;
    v->mid_core = mid_core;
    assert_ok(context, koshu_vortex_lattice_of(v, v->spacing, 0, &l));
    for (size_t p = 0; p < POINTS; p++) {
        double x[3];
        koshu_vortex_lattice_place(&l, p, x);
        for (int k = 0; k < 3; k++) koshu_vortices_position(v, k)[p] = x[k];
        /* omega_z of (sin x cos y, -cos x sin y, 0): |k|^2 = 2 */
        koshu_vortices_strength(v, 2)[p] =
                pow(v->spacing, 3) * 2 * sin(x[0]) * sin(x[1]);
    }
    assert_ok(context, koshu_vortex_velocities(s, v, POINTS, NULL, u, NULL));
    for (size_t p = 0; p < POINTS; p++) {
        const double x = v->state[p], y = v->state[POINTS + p],
                     e = sin(x) * cos(y);
        ue += u[p] * e;
        uu += e * e;
    }
    koshu_vortex_solver_destroy(s);
    koshu_vortices_destroy(v);
    return ue / uu;
}

/* As stated in vortex/vortex.h for new particles and for those that have
 * spread. */
static void
cores_leave_what_their_order_says(void **state)
{
    static const double mid_core[] = {0.6, 0.5};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double s = mid_core[k] * mid_core[k];
        double term = exp(-0.6 * 0.6), sum = 0;
        for (unsigned j = 0; j < 6; j++) {
            sum += term;
            term *= s / (j + 1);
            assert_float_equal(
                    part_of_taylor_green(2 * j + 2, 0.6, mid_core[k]), sum,
                    1e-5);
        }
    }
}

/* Integrals of a core, and of x^2 times it. */
static void
cores_are_normalised(void **state)
{
    enum { EDGE = 24, POINTS = EDGE * EDGE * EDGE };
    (void)state;
    for (unsigned order = 2; order <= 12; order += 2) {
        struct koshu_vortices *v = vortices_of(1, 0.6, 2 * pi);
        static double x[3 * POINTS], omega[3 * POINTS];
        double sum = 0, second = 0;
        v->order = order;
        v->mid_core = 0.55;
        for (int k = 0; k < 3; k++) koshu_vortices_position(v, k)[0] = pi;
        koshu_vortices_strength(v, 1)[0] = 1;
        for (size_t p = 0; p < POINTS; p++) {
            x[p] = 2 * pi * (double)(p / EDGE / EDGE) / EDGE;
            x[POINTS + p] = 2 * pi * (double)(p / EDGE % EDGE) / EDGE;
            x[2 * POINTS + p] = 2 * pi * (double)(p % EDGE) / EDGE;
        }
        assert_ok(context, koshu_vortex_vorticity(v, POINTS, x, omega));
        for (size_t p = 0; p < POINTS; p++) {
            sum += omega[POINTS + p] * pow(2 * pi / EDGE, 3);
            second += omega[POINTS + p] * pow(2 * pi / EDGE, 3) *
                      pow(x[p] - pi, 2);
        }
        /* the part beyond 6 radii: at most 9e-6 for order 6, 3.6e-5 for order
         * 8, 1.2e-4 for order 12 */
        assert_float_equal(sum, 1,
                           order < 8    ? 1e-5
                           : order < 10 ? 4e-5
                                        : 1.2e-4);
        /* sigma^2; for higher orders only the spreading since */
        assert_float_equal(second, 0.6 * 0.6 - (order > 2 ? 0.55 * 0.55 : 0),
                           order < 8    ? 1e-4
                           : order < 10 ? 2e-4
                                        : 6e-4);
        koshu_vortices_destroy(v);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(boys_functions_are_their_integrals),
            cmocka_unit_test(velocities_are_those_of_plain_sums),
            cmocka_unit_test(a_periodic_flow_comes_back),
            cmocka_unit_test(velocities_close_to_a_particle),
            cmocka_unit_test(cores_leave_what_their_order_says),
            cmocka_unit_test(cores_are_normalised),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
