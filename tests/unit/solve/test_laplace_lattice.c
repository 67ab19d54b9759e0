/* SPDX-License-Identifier: MIT */
/* Difficult cases of periodic sums by the fast multipole method: near a grid,
 * at faces of cells and of the box, and with finitely many images. */
#include <math.h>
#include <stdlib.h>

#include <koshu/laplace.h>

#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "probes.h"
#include "solve/fmm.h"

static double gx[MAX_N], gy[MAX_N], gz[MAX_N], potential[MAX_N];

static double softening;

static void
sum_by_fmm(size_t n, const struct koshu_laplace_options *o)
{
    struct koshu_laplace *laplace;
    const struct koshu_laplace_points p = points_at(n, x, y, z);
    struct koshu_laplace_result result = koshu_laplace_result_default();
    for (size_t i = 0; i < n; i++) gx[i] = gy[i] = gz[i] = potential[i] = NAN;
    result.gradient_x = gx;
    result.gradient_y = gy;
    result.gradient_z = gz;
    result.potential = potential;
    assert_ok(context, koshu_laplace_create(context, o, &laplace));
    assert_ok(context, koshu_laplace_sums(laplace, &p, NULL, &result));
    koshu_laplace_destroy(laplace);
}

static struct koshu_laplace_options
options(enum koshu_precision precision, unsigned order, double theta)
{
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = precision;
    o.tolerance = 0;
    o.multipole_order = order;
    o.theta = theta;
    o.box = 1;
    return o;
}

/* The gradient's rms error at the probes first ... end - 1. */
static double
rms_error(size_t first, size_t end)
{
    double off = 0;
    for (size_t k = first; k < end; k++)
        off += pow(gx[probe[k]] - is[0][k], 2) +
               pow(gy[probe[k]] - is[1][k], 2) +
               pow(gz[probe[k]] - is[2][k], 2);
    return sqrt(off / (double)(end - first));
}

/* ---- near a grid --------------------------------------------------------- */

/* Displaced by a twentieth of the spacing (rms). */
static void
fill_grid(int side)
{
    const double h = 1.0 / side, step = sqrt(12) * 0.05 / sqrt(3);
    for (int i = 0; i < side * side * side; i++) {
        x[i] = h * (i % side + 0.5 + step * (uniform() - 0.5));
        y[i] = h * (i / side % side + 0.5 + step * (uniform() - 0.5));
        z[i] = h * (i / side / side + 0.5 + step * (uniform() - 0.5));
        charge[i] = h * h * h;
    }
}

static double
error_near_grid(enum koshu_precision precision, unsigned order, double theta)
{
    double all_of = 0;
    const struct koshu_laplace_options o = options(precision, order, theta);
    sum_by_fmm(MAX_N, &o);
    for (size_t k = 0; k < n_probes; k++)
        all_of += pow(is[0][k], 2) + pow(is[1][k], 2) + pow(is[2][k], 2);
    const double error =
            rms_error(0, n_probes) / sqrt(all_of / (double)n_probes);
    printf("near a grid, %s, p = %u, theta = %g: error %.1e\n",
           koshu_precision_name(precision), order, theta, error);
    return error;
}

/* Relative to the rms of forces that nearly cancel. */
static void
states_near_a_grid_keep_their_digits(void **state)
{
    (void)state;
    fill_grid(32);
    n_probes = 64;
    for (size_t k = 0; k < n_probes; k++) probe[k] = 509 * k;
    sum_at_probes(MAX_N, 1, softening);
    assert_near(error_near_grid(KOSHU_PRECISION_SINGLE, 10, 0.5), 0, 1e-4);
    assert_near(error_near_grid(KOSHU_PRECISION_SINGLE, 16, 0.5), 0, 1e-5);
    assert_near(error_near_grid(KOSHU_PRECISION_DOUBLE, 20, 0.5), 0, 1e-9);
    assert_near(error_near_grid(KOSHU_PRECISION_DOUBLE, 20, 0.45), 0, 1e-10);
}

/* ---- seams --------------------------------------------------------------- */

enum { SOURCES = 4000, OF_A_KIND = 200, KINDS = 5 };

/* A point without charge, in the cube that the tree divides. */
static void
put_probe(double px, double py, double pz)
{
    const size_t i = SOURCES + n_probes, last = SOURCES - 1;
    x[i] = px * x[last];
    y[i] = py * x[last];
    z[i] = pz * x[last];
    charge[i] = 0;
    probe[n_probes++] = i;
}

/* Anywhere; on faces and at corners of cells; on those of the box. */
static void
put_probes(void)
{
    n_probes = 0;
    for (int k = 0; k < OF_A_KIND; k++)
        put_probe(uniform(), uniform(), uniform());
    for (int k = 0; k < OF_A_KIND; k++)
        put_probe(floor(8 * uniform()) / 8, uniform(), uniform());
    for (int k = 0; k < OF_A_KIND; k++)
        put_probe(floor(8 * uniform()) / 8, floor(8 * uniform()) / 8,
                  floor(8 * uniform()) / 8);
    for (int k = 0; k < OF_A_KIND; k++)
        put_probe(k % 2 ? 0 : 1, uniform(), uniform());
    for (int k = 0; k < OF_A_KIND; k++)
        put_probe(k % 2 ? 0 : 1, k / 2 % 2 ? 0 : 1, uniform());
}

/* Errors are the same as anywhere: the rms over 200 places within its scatter,
 * and the largest no further above it than extreme values are. */
static void
no_faces_are_seen_in_the_errors(void **state)
{
    (void)state;
    struct koshu_laplace_options o = options(KOSHU_PRECISION_DOUBLE, 6, 0.5);
    o.n_leaf = 10;
    for (size_t i = 0; i < SOURCES; i++) {
        x[i] = uniform();
        y[i] = uniform();
        z[i] = uniform();
        charge[i] = 1.0 / SOURCES;
    }
    x[0] = y[0] = z[0] = 0;
    x[SOURCES - 1] = y[SOURCES - 1] = z[SOURCES - 1] = 1 - 0x1p-30;
    charge[0] = charge[SOURCES - 1] = 0; /* probes are placed there */
    put_probes();
    sum_at_probes(SOURCES + n_probes, 1, softening);
    sum_by_fmm(SOURCES + n_probes, &o);
    const double anywhere = rms_error(0, OF_A_KIND);
    for (size_t k = 1; k < KINDS; k++) {
        const double there = rms_error(k * OF_A_KIND, (k + 1) * OF_A_KIND);
        assert_true(there < 1.3 * anywhere);
    }
    for (size_t k = OF_A_KIND; k < n_probes; k++)
        assert_true(rms_error(k, k + 1) < 10 * anywhere);
}

/* ---- finitely many images ------------------------------------------------ */

static void
fill_few(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = uniform();
        y[i] = uniform();
        z[i] = uniform();
        charge[i] = uniform() - 0.3;
        probe[i] = i;
    }
    n_probes = n;
}

/* A source, in the boxes from -last to last, at probe i. */
static void
add_boxes(int last, size_t i, size_t j)
{
    for (int a = -last; a <= last; a++)
        for (int b = -last; b <= last; b++)
            for (int c = -last; c <= last; c++) {
                const double u = x[i] - x[j] - a, v = y[i] - y[j] - b,
                             w = z[i] - z[j] - c;
                const double r2 = u * u + v * v + w * w;
                if (r2 == 0) continue;
                const double part =
                        charge[j] / sqrt(r2) /
                        ((1 + (abs(a) == last)) * (1 + (abs(b) == last)) *
                         (1 + (abs(c) == last)));
                is[0][i] -= part / r2 * u;
                is[1][i] -= part / r2 * v;
                is[2][i] -= part / r2 * w;
                is[3][i] += part;
            }
}

static void
finitely_many_images_are_summed(void **state)
{
    (void)state;
    enum { N = 8 };
    struct koshu_laplace_options o = options(KOSHU_PRECISION_DOUBLE, 18, 0.5);
    fill_few(N);
    for (unsigned depth = 3; depth < 6; depth++) {
        for (size_t i = 0; i < N; i++) {
            is[0][i] = is[1][i] = is[2][i] = is[3][i] = 0;
            for (size_t j = 0; j < N; j++) add_boxes(1 << (depth - 1), i, j);
        }
        o.image_depth = depth;
        sum_by_fmm(N, &o);
        assert_near(rms_error(0, N), 0, 1e-7);
        for (size_t i = 0; i < N; i++)
            assert_near(potential[i], is[3][i], 1e-9 * fabs(is[3][i]));
    }
}

/* ... and converge to the infinite lattice, apart from 4 pi / 3 sum q (y - x),
 * as 1 over the squared number of boxes. */
static void
many_images_differ_by_the_dipole(void **state)
{
    (void)state;
    enum { N = 20 };
    double off = 1;
    struct koshu_laplace_options o = options(KOSHU_PRECISION_DOUBLE, 18, 0.5);
    fill_few(N);
    for (unsigned depth = 4; depth < 8; depth++) {
        sum_at_probes(N, 1, softening);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                const double q = 4 * 3.14159265358979324 / 3 * charge[j];
                is[0][i] += q * (x[j] - x[i]);
                is[1][i] += q * (y[j] - y[i]);
                is[2][i] += q * (z[j] - z[i]);
            }
        o.image_depth = depth;
        sum_by_fmm(N, &o);
        const double left = rms_error(0, N);
        assert_true(left < 0.27 * off);
        off = left;
    }
}

/* ---- softening ----------------------------------------------------------- */

/* By the FMM in double precision. */
static void
sum_softened(size_t n)
{
    struct koshu_backend *backend;
    struct koshu_fmm *fmm;
    const struct koshu_fmm_options o = {.precision = KOSHU_PRECISION_DOUBLE,
                                        .order = 12,
                                        .theta = 0.5,
                                        .n_leaf = 8,
                                        .softened = true,
                                        .box = {.edge = 1}};
    const struct koshu_force_task task = {.precision = KOSHU_PRECISION_DOUBLE,
                                          .eps = softening,
                                          .potential = true};
    const struct koshu_force_sources j = {n, x, y, z, charge};
    const struct koshu_force_sums sums = {gx, gy, gz, potential};
    assert_ok(context, koshu_backend_of(context, &backend));
    assert_ok(context, koshu_fmm_create(backend, &o, &fmm));
    assert_ok(context, koshu_fmm_sums(fmm, &task, &j, NULL, &sums));
    koshu_fmm_destroy(fmm);
}

/* Distant images are softened to second order only: the error grows as eps^2
 * and is small for an eps of a tenth of the box. */
static void
images_are_softened(void **state)
{
    (void)state;
    enum { N = 300 };
    fill_few(N);
    for (softening = 0.02; softening < 0.2; softening *= 5) {
        double size = 0, off = 0;
        sum_at_probes(N, 1, softening);
        sum_softened(N);
        for (size_t i = 0; i < N; i++) {
            size += pow(is[0][i], 2) + pow(is[1][i], 2) + pow(is[2][i], 2);
            off = fmax(off, fabs(-potential[i] - is[3][i]));
        }
        const double error = rms_error(0, N) / sqrt(size / N);
        printf("eps = %g: error %.1e, of potentials %.1e\n", softening, error,
               off);
        assert_near(error, 0, softening < 0.1 ? 1e-5 : 2e-4);
        assert_near(off / N, 0, 1e-2 * softening * softening);
    }
    softening = 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(states_near_a_grid_keep_their_digits),
            cmocka_unit_test(no_faces_are_seen_in_the_errors),
            cmocka_unit_test(finitely_many_images_are_summed),
            cmocka_unit_test(many_images_differ_by_the_dipole),
            cmocka_unit_test(images_are_softened),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
