/* SPDX-License-Identifier: MIT */
/* Ewald sums, compared with known lattices and with sums over images. */
#include <math.h>

#include <koshu/ewald.h>

#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("ref")
#include "fixture.h"

enum { MAX_N = 64 };

static const double self_potential = -2.837297479480620;

static double x[MAX_N], y[MAX_N], z[MAX_N], charge[MAX_N];
static double potential[MAX_N], gx[MAX_N], gy[MAX_N], gz[MAX_N];
static const struct koshu_laplace_result result = {.size = sizeof result,
                                                   .potential = potential,
                                                   .gradient_x = gx,
                                                   .gradient_y = gy,
                                                   .gradient_z = gz};

static struct koshu_laplace_points
places(size_t n, const double *px, const double *py, const double *pz)
{
    struct koshu_laplace_points p = koshu_laplace_points_default();
    p.n = n;
    p.x = px;
    p.y = py;
    p.z = pz;
    return p;
}

static struct koshu_laplace_points
points(size_t n)
{
    struct koshu_laplace_points p = places(n, x, y, z);
    p.charge = charge;
    return p;
}

static void
put(size_t i, double px, double py, double pz, double q)
{
    x[i] = px;
    y[i] = py;
    z[i] = pz;
    charge[i] = q;
}

static double softening;

static void
sum(struct koshu_context *in, size_t n, double box, double splitting)
{
    struct koshu_ewald_options o = koshu_ewald_options_default();
    const struct koshu_laplace_points p = points(n);
    o.box = box;
    o.splitting = splitting;
    o.softening = softening;
    for (size_t i = 0; i < n; i++) potential[i] = gx[i] = gy[i] = gz[i] = NAN;
    assert_ok(in, koshu_ewald_sums(in, &p, NULL, &o, &result));
}

/* Charges of both signs with a non-zero sum, in and around a box of edge 1. */
static void
fill(size_t n)
{
    uint64_t state = 1;
    double *const to[] = {x, y, z, charge};
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            to[k][i] = 3 * ((double)(state >> 11) * 0x1p-53 - 0.3);
        }
}

static void
rock_salt_has_its_madelung_constant(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const int a = i & 1, b = i >> 1 & 1, c = i >> 2;
        put((size_t)i, a, b, c, (a + b + c) % 2 ? -1 : 1);
    }
    sum(context, 8, 2, 0);
    for (int i = 0; i < 8; i++) {
        assert_near(charge[i] * potential[i], -1.747564594633182, 1e-13);
        assert_near(hypot(hypot(gx[i], gy[i]), gz[i]), 0, 1e-13);
    }
}

static void
a_charge_has_the_potential_of_its_images(void **state)
{
    (void)state;
    for (double box = 1e-30; box < 1e31; box *= 1e20) {
        put(0, 0.3 * box, -7 * box, 1e3 * box, 2);
        sum(context, 1, box, 0);
        assert_near(potential[0] * box / 2, self_potential, 2e-14);
        assert_near(gx[0] * box * box, 0, 1e-14);
    }
}

static void
masses_at_a_quarter_and_three_quarters_do_not_move(void **state)
{
    (void)state;
    put(0, 0.25, 0.1, 0.7, 3);
    put(1, 0.75, 0.1, 0.7, 3);
    sum(context, 2, 1, 0);
    for (int i = 0; i < 2; i++)
        assert_near(hypot(hypot(gx[i], gy[i]), gz[i]), 0, 1e-13);
}

/* Close pairs have large terms, of charge / a^2, which cancel. */
static void
the_splitting_parameter_does_not_matter(void **state)
{
    (void)state;
    enum { N = 40 };
    double before[4][N];
    fill(N);
    sum(context, N, 1, 3);
    for (size_t i = 0; i < N; i++) {
        before[0][i] = gx[i];
        before[1][i] = gy[i];
        before[2][i] = gz[i];
        before[3][i] = potential[i];
    }
    for (double a = 1.5; a < 20; a *= 2) {
        sum(context, N, 1, a);
        for (size_t i = 0; i < N; i++) {
            assert_near(gx[i], before[0][i], 1e-12 * fabs(gx[i]) + 3e-12);
            assert_near(gy[i], before[1][i], 1e-12 * fabs(gy[i]) + 3e-12);
            assert_near(gz[i], before[2][i], 1e-12 * fabs(gz[i]) + 3e-12);
            assert_near(potential[i], before[3][i], 5e-12);
        }
    }
}

/* With softening, also one larger than what the waves leave out. */
static void
nor_does_it_for_softened_sums(void **state)
{
    (void)state;
    enum { N = 20 };
    double before[2][N];
    fill(N);
    for (softening = 1e-3; softening <= 0.5; softening *= 3) {
        sum(context, N, 1, 3);
        for (size_t i = 0; i < N; i++) {
            before[0][i] = gx[i];
            before[1][i] = potential[i];
        }
        for (double a = 1.5; a < 30; a *= 2) {
            sum(context, N, 1, a);
            for (size_t i = 0; i < N; i++) {
                assert_near(gx[i], before[0][i], 1e-12 * fabs(gx[i]) + 3e-12);
                assert_near(potential[i], before[1][i], 5e-12);
            }
        }
    }
    softening = 0;
}

/* The difference from a sum over images, whose truncation error falls as 1 /
 * images^2. */
static void
every_image_is_softened(void **state)
{
    (void)state;
    enum { LAST = 40 };
    const double eps = 0.1, place[3] = {0.1, 0.25, -0.2};
    double slope = 0;
    put(0, 0, 0, 0, 1);
    put(1, place[0], place[1], place[2], 0);
    sum(context, 2, 1, 0);
    const double plain = gx[1];
    softening = eps;
    sum(context, 2, 1, 0);
    softening = 0;
    for (int i = -LAST; i <= LAST; i++)
        for (int k = -LAST; k <= LAST; k++)
            for (int l = -LAST; l <= LAST; l++) {
                const double u = place[0] + i, v = place[1] + k,
                             w = place[2] + l, r2 = u * u + v * v + w * w;
                slope += u * (pow(r2, -1.5) - pow(r2 + eps * eps, -1.5));
            }
    assert_near(gx[1] - plain, slope, 1e-4 * fabs(slope));
}

static void
action_is_reaction(void **state)
{
    (void)state;
    double all[3] = {0}, largest = 0;
    fill(MAX_N);
    sum(context, MAX_N, 1, 0);
    for (size_t i = 0; i < MAX_N; i++) {
        all[0] += charge[i] * gx[i];
        all[1] += charge[i] * gy[i];
        all[2] += charge[i] * gz[i];
        largest = fmax(largest, fabs(charge[i] * gx[i]));
    }
    for (int k = 0; k < 3; k++) assert_near(all[k], 0, 1e-13 * largest);
}

/* Difference quotients of the potential. */
static void
the_gradient_is_that_of_the_potential(void **state)
{
    (void)state;
    enum { SOURCES = 20 };
    const double h = 1e-4;
    const struct koshu_laplace_points p = (fill(MAX_N), points(SOURCES));
    double ax[5], ay[5], az[5];
    for (int k = 0; k < 5; k++) {
        ax[k] = 0.41 + h * (k - 2);
        ay[k] = 0.27 - h * (k - 2);
        az[k] = 0.73 + 2 * h * (k - 2);
    }
    const struct koshu_laplace_points at = places(5, ax, ay, az);
    assert_ok(context, koshu_ewald_sums(context, &p, &at, NULL, &result));
    const double slope = (8 * (potential[3] - potential[1]) -
                          (potential[4] - potential[0])) /
                         (12 * h);
    assert_near(slope, gx[2] - gy[2] + 2 * gz[2], 1e-8 * fabs(slope));
}

/* Eight charges of alternating sign at the corners of a cube have no moment
 * below the octupole: sums over images converge, as 1 / images^2. */
static void
sums_over_images_come_to_the_same(void **state)
{
    (void)state;
    enum { IMAGES = 20 };
    const double at[3] = {0.31, 0.62, 0.44};
    for (int i = 0; i < 8; i++) {
        const int a = i & 1, b = i >> 1 & 1, c = i >> 2;
        put((size_t)i, 0.2 + 0.2 * a, 0.3 + 0.2 * b, 0.1 + 0.2 * c,
            (a + b + c) % 2 ? -1 : 1);
    }
    double direct = 0, box_alone = 0;
    for (int i = -IMAGES; i <= IMAGES; i++)
        for (int k = -IMAGES; k <= IMAGES; k++)
            for (int l = -IMAGES; l <= IMAGES; l++)
                for (int j = 0; j < 8; j++) {
                    const double r =
                            hypot(hypot(at[0] - x[j] + i, at[1] - y[j] + k),
                                  at[2] - z[j] + l);
                    direct += charge[j] / r;
                    if (i == 0 && k == 0 && l == 0) box_alone += charge[j] / r;
                }
    const struct koshu_laplace_points p = points(8),
                                      to = places(1, &at[0], &at[1], &at[2]);
    assert_ok(context, koshu_ewald_sums(context, &p, &to, NULL, &result));
    assert_true(fabs(direct - box_alone) > 1e-3);
    assert_near(potential[0], direct, 1e-6);
}

/* As for other particles, but at the very place 1 / r is left out. */
static void
sources_at_a_target_or_at_its_images_add_their_images(void **state)
{
    (void)state;
    const double ax[] = {0.5, -0.5, 3.5}, ay[] = {0, 1, -2}, az[] = {0, 0, 5};
    const struct koshu_laplace_points at = places(3, ax, ay, az);
    put(0, 0.5, 0, 0, 1);
    put(1, 1.5, 0, 0, 1);
    const struct koshu_laplace_points p = points(2);
    assert_ok(context, koshu_ewald_sums(context, &p, &at, NULL, &result));
    for (int i = 0; i < 3; i++) {
        assert_near(potential[i], 2 * self_potential, 3e-14);
        assert_near(gx[i], 0, 3e-14);
    }
}

static void
right_hand_sides_are_summed_each(void **state)
{
    (void)state;
    enum { N = 20 };
    double alone[N];
    struct koshu_laplace_points p = (fill(2 * N), points(N));
    p.charge = charge + N;
    assert_ok(context, koshu_ewald_sums(context, &p, NULL, NULL, &result));
    for (size_t i = 0; i < N; i++) alone[i] = potential[i] + gx[i];
    p.charge = charge;
    p.n_rhs = 2;
    assert_ok(context, koshu_ewald_sums(context, &p, NULL, NULL, &result));
    for (size_t i = 0; i < N; i++)
        assert_true(alone[i] == potential[N + i] + gx[N + i]);
}

static void
threads_do_not_matter(void **state)
{
    (void)state;
    double before[MAX_N];
    struct koshu_context *three = test_context(FIXTURE_BACKEND, 3);
    fill(MAX_N);
    sum(context, MAX_N, 1, 0);
    for (size_t i = 0; i < MAX_N; i++) before[i] = potential[i] + gx[i];
    sum(three, MAX_N, 1, 0);
    for (size_t i = 0; i < MAX_N; i++)
        assert_true(before[i] == potential[i] + gx[i]);
    koshu_context_destroy(three);
}

static void
no_points_are_fine(void **state)
{
    (void)state;
    const struct koshu_laplace_points none = points(0);
    assert_ok(context, koshu_ewald_sums(context, &none, NULL, NULL, &result));
    fill(2);
    const struct koshu_laplace_points p = points(2);
    potential[0] = NAN;
    assert_ok(context, koshu_ewald_sums(context, &none, &p, NULL, &result));
    assert_true(potential[0] == 0 && gx[1] == 0);
}

static void
what_is_wrong_is_refused(void **state)
{
    (void)state;
    struct koshu_ewald_options o = koshu_ewald_options_default();
    const struct koshu_laplace_points p = (fill(3), points(3));
#define REFUSED(error, words)           \
    assert_fails(context, error, words, \
                 koshu_ewald_sums(context, &p, NULL, &o, &result))
    o.box = 0;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "box = 0");
    o.box = NAN;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "box = nan");
    o.box = 1;
    o.splitting = 0.1;
    REFUSED(KOSHU_ERROR_INVALID_ARGUMENT, "splitting = 0.1");
    o.splitting = 0;
    charge[1] = INFINITY;
    REFUSED(KOSHU_ERROR_NOT_FINITE, "point 1");
    charge[1] = 1;
    z[2] = NAN;
    REFUSED(KOSHU_ERROR_NOT_FINITE, "point 2");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(rock_salt_has_its_madelung_constant),
            cmocka_unit_test(a_charge_has_the_potential_of_its_images),
            cmocka_unit_test(
                    masses_at_a_quarter_and_three_quarters_do_not_move),
            cmocka_unit_test(the_splitting_parameter_does_not_matter),
            cmocka_unit_test(nor_does_it_for_softened_sums),
            cmocka_unit_test(every_image_is_softened),
            cmocka_unit_test(action_is_reaction),
            cmocka_unit_test(the_gradient_is_that_of_the_potential),
            cmocka_unit_test(sums_over_images_come_to_the_same),
            cmocka_unit_test(
                    sources_at_a_target_or_at_its_images_add_their_images),
            cmocka_unit_test(right_hand_sides_are_summed_each),
            cmocka_unit_test(threads_do_not_matter),
            cmocka_unit_test(no_points_are_fine),
            cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
