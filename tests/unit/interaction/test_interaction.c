/* SPDX-License-Identifier: MIT */
/* Interactions on the CPU against loops in double precision. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/interaction.h>

#include "check.h"

/* Hamada07 Fig. 14, as it is printed. */
static const char gravity[] = "float xi,yi,zi,eps2;\n"
                              "float xj,yj,zj,mj;\n"
                              "float dx,dy,dz;\n"
                              "float dx2,dy2,dz2;\n"
                              "float r2,r1i,r2i,r3i;\n"
                              "float mr3i;\n"
                              "\n"
                              "xi   = INPUT_I[0];\n"
                              "yi   = INPUT_I[1];\n"
                              "zi   = INPUT_I[2];\n"
                              "eps2 = INPUT_I[3];\n"
                              "\n"
                              "xj   = INPUT_J[0];\n"
                              "yj   = INPUT_J[1];\n"
                              "zj   = INPUT_J[2];\n"
                              "mj   = INPUT_J[3];\n"
                              "\n"
                              "dx = xj - xi;\n"
                              "dy = yj - yi;\n"
                              "dz = zj - zi;\n"
                              "dx2 = dx * dx;\n"
                              "dy2 = dy * dy;\n"
                              "dz2 = dz * dz;\n"
                              "r2 = (dx2 + dy2) + (dz2 + eps2);\n"
                              "r1i = 1/sqrt(r2);\n"
                              "r2i = r1i * r1i;\n"
                              "r3i = r2i * r1i;\n"
                              "mr3i = mj * r3i;\n"
                              "\n"
                              "OUTPUT[0] += mr3i * dx;\n"
                              "OUTPUT[1] += mr3i * dy;\n"
                              "OUTPUT[2] += mr3i * dz;\n";

static double
uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static double *
random_rows(size_t n, size_t numbers, uint64_t seed)
{
    double *rows = calloc(n * numbers + 1, sizeof *rows);
    for (size_t k = 0; k < n * numbers; k++) rows[k] = uniform(&seed);
    return rows;
}

static struct koshu_interaction *
create(struct koshu_context *context, const char *text,
       enum koshu_precision precision)
{
    struct koshu_interaction_options o = koshu_interaction_options_default();
    struct koshu_interaction *a;
    o.precision = precision;
    o.n_in_i = o.n_in_j = 4;
    o.n_out = 3;
    assert_ok(context, koshu_interaction_create(context, text, &o, &a));
    return a;
}

static void
gravity_loop(size_t n_i, const double *i, size_t n_j, const double *j,
             double *out, double *scale)
{
    for (size_t a = 0; a < n_i; a++) {
        double sum[3] = {0}, size = 0;
        for (size_t b = 0; b < n_j; b++) {
            double d[3], r2 = i[4 * a + 3];
            for (int k = 0; k < 3; k++) {
                d[k] = j[4 * b + k] - i[4 * a + k];
                r2 += d[k] * d[k];
            }
            const double w = j[4 * b + 3] / (r2 * sqrt(r2));
            for (int k = 0; k < 3; k++) {
                sum[k] += w * d[k];
                size += fabs(w * d[k]);
            }
        }
        memcpy(out + 3 * a, sum, sizeof sum);
        scale[a] = size;
    }
}

/* Errors relative to the sum of all |terms|: there are a few roundings in each
 * term, of positions too, which are 1 / r times larger in it, with eps2 >= 0;
 * the smallest distance of these points is not below 1e-2. */
static void
check_gravity(const char *backend, enum koshu_precision precision, size_t n_i,
              size_t n_j)
{
    const double tolerance =
            precision == KOSHU_SINGLE ? 100 * FLT_EPSILON : 100 * DBL_EPSILON;
    struct koshu_context *context = test_context(backend, 2);
    struct koshu_interaction *a = create(context, gravity, precision);
    double *i = random_rows(n_i, 4, 1), *j = random_rows(n_j, 4, 2);
    double *out = calloc(3 * n_i, sizeof *out);
    double *truth = calloc(3 * n_i, sizeof *out);
    double *scale = calloc(n_i, sizeof *scale);
    for (size_t k = 0; k < 3 * n_i; k++) out[k] = NAN;
    gravity_loop(n_i, i, n_j, j, truth, scale);
    assert_ok(context, koshu_interaction_evaluate(a, n_i, i, n_j, j, out));
    for (size_t k = 0; k < 3 * n_i; k++)
        assert_near(out[k], truth[k], tolerance * scale[k / 3]);
    free(i);
    free(j);
    free(out);
    free(truth);
    free(scale);
    koshu_interaction_destroy(a);
    koshu_context_destroy(context);
}

static void
test_gravity(void **state)
{
    static const size_t sizes[][2] = {{1, 1},  {1, 0},     {3, 15},  {2, 16},
                                      {5, 17}, {67, 1025}, {1, 9001}};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        check_gravity("simd", KOSHU_SINGLE, sizes[k][0], sizes[k][1]);
        check_gravity("simd", KOSHU_DOUBLE, sizes[k][0], sizes[k][1]);
    }
    check_gravity("ref", KOSHU_SINGLE, 5, 17);
    check_gravity("ref", KOSHU_DOUBLE, 5, 17);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_gravity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
