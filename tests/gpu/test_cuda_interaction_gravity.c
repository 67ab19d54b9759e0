/* SPDX-License-Identifier: MIT */
/* Gravity as a user-defined interaction on a device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "both.h"
#include "particles/particles.h"

/* ---- direct sums --------------------------------------------------------- */

/* Besides each sum it computes the sum of the magnitudes of the terms. */
static const char gravity[] =
        "//! i: x y z eps2\n"
        "//! j: x y z mass\n"
        "//! out: ax ay az phi size_x size_y size_z size_phi\n"
        "float dx = INPUT_J[0] - INPUT_I[0];\n"
        "float dy = INPUT_J[1] - INPUT_I[1];\n"
        "float dz = INPUT_J[2] - INPUT_I[2];\n"
        "float r1i = 1/sqrt(dx*dx + dy*dy + dz*dz + INPUT_I[3]);\n"
        "float mr1i = INPUT_J[3] * r1i, mr3i = mr1i * r1i * r1i;\n"
        "OUTPUT[0] += mr3i * dx;\n"
        "OUTPUT[1] += mr3i * dy;\n"
        "OUTPUT[2] += mr3i * dz;\n"
        "OUTPUT[3] -= mr1i;\n"
        "OUTPUT[4] += fabs(mr3i * dx);\n"
        "OUTPUT[5] += fabs(mr3i * dy);\n"
        "OUTPUT[6] += fabs(mr3i * dz);\n"
        "OUTPUT[7] += fabs(mr1i);\n";

static double *
gravity_rows(size_t n, uint64_t seed)
{
    double *rows = random_rows(n, 4, seed);
    for (size_t k = 0; k < n; k++)
        rows[4 * k + 3] = 0.0625 + 0.0625 * (double)(k % 3);
    return rows;
}

static void
check_gravity(struct both b, size_t n_i, size_t n_j, double tolerance)
{
    double *i = gravity_rows(n_i, n_i), *j = gravity_rows(n_j, 7 * n_j);
    double *got = evaluate(cuda, b.cuda, n_i, i, n_j, j);
    double *expected = evaluate(ref, b.ref, n_i, i, n_j, j);
    for (size_t k = 0; k < 8 * n_i; k++) {
        const double size = expected[k / 8 * 8 + 4 + k % 4];
        assert_near(got[k], expected[k], tolerance * size);
    }
    free(i);
    free(j);
    free(got);
    free(expected);
}

/* Single: a term has a dozen roundings of 2^-24, and 128 terms are added in
 * float: about sqrt(12 + 128 / 3) roundings, 4e-7; five times that for the
 * worst of 10^5 particles. Double: likewise with 2^-53, but all terms of a
 * chunk are added one after the other, as in ref: sqrt(10^5 / 3) of them. */
static void
test_gravity(void **state)
{
    (void)state;
    const struct {
        enum koshu_precision precision;
        double tolerance;
    } cases[] = {{KOSHU_PRECISION_SINGLE, 2e-6},
                 {KOSHU_PRECISION_DOUBLE, 1e-13}};
    for (int c = 0; c < 2; c++) {
        struct both b = create_both(gravity, cases[c].precision);
        for (size_t k = 0; k < N_BOTH_SIZES; k++)
            check_gravity(b, both_sizes[k][0], both_sizes[k][1],
                          cases[c].tolerance);
        destroy_both(b);
    }
}

/* A device that omits half of the pairs must be noticed. */
static void
test_planted_error(void **state)
{
    (void)state;
    struct both b = create_both(gravity, KOSHU_PRECISION_SINGLE);
    double *i = gravity_rows(100, 1), *j = gravity_rows(1000, 2);
    double *all = evaluate(cuda, b.cuda, 100, i, 1000, j);
    double *fewer = evaluate(ref, b.ref, 100, i, 999, j);
    double largest = 0;
    for (size_t k = 0; k < 800; k++)
        largest = fmax(largest,
                       fabs(all[k] - fewer[k]) / fewer[k / 8 * 8 + 4 + k % 4]);
    assert_true(largest > 1e-4);
    free(i);
    free(j);
    free(all);
    free(fewer);
    destroy_both(b);
}

/* If i- and j-particles share one array it is copied once. */
static void
test_on_themselves(void **state)
{
    (void)state;
    const size_t n = 40001;
    struct both b = create_both(gravity, KOSHU_PRECISION_SINGLE);
    double *rows = gravity_rows(n, 3), *copy = gravity_rows(n, 3);
    double *once = evaluate(cuda, b.cuda, n, rows, n, rows);
    double *twice = evaluate(cuda, b.cuda, n, rows, n, copy);
    assert_memory_equal(once, twice, 8 * n * sizeof *once);
    free(rows);
    free(copy);
    free(once);
    free(twice);
    destroy_both(b);
}

static void
test_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_BOTH_SIZES; k++) {
        const size_t n_i = both_sizes[k][0], n_j = both_sizes[k][1];
        double *i = gravity_rows(n_i, 1), *j = gravity_rows(n_j, 2);
        double *first = NULL;
        for (int again = 0; again < 6; again++) {
            struct koshu_interaction *a =
                    create(cuda, gravity, KOSHU_PRECISION_SINGLE);
            double *out = evaluate(cuda, a, n_i, i, n_j, j);
            if (first) {
                assert_memory_equal(out, first, 8 * n_i * sizeof *out);
                free(out);
            } else {
                first = out;
            }
            koshu_interaction_destroy(a);
        }
        free(first);
        free(i);
        free(j);
    }
}

/* ---- Hamada07 ------------------------------------------------------------ */

/* Hamada07 Fig. 14 for a Plummer sphere: the largest error is what partial
 * accumulation leaves, as in Hamada07 Table 2. (Some spheres of 2048 have a
 * particle whose forces nearly cancel: twice the paper's error.) */
static void
test_table_2(void **state)
{
    (void)state;
    const char text[] = "//! i: x y z eps2\n//! j: x y z m\n//! out: x y z\n"
                        "float dx = INPUT_J[0] - INPUT_I[0];\n"
                        "float dy = INPUT_J[1] - INPUT_I[1];\n"
                        "float dz = INPUT_J[2] - INPUT_I[2];\n"
                        "float r2 = (dx*dx + dy*dy) + (dz*dz + INPUT_I[3]);\n"
                        "float r1i = 1/sqrt(r2);\n"
                        "float mr3i = INPUT_J[3] * (r1i * r1i * r1i);\n"
                        "OUTPUT[0] += mr3i * dx;\n"
                        "OUTPUT[1] += mr3i * dy;\n"
                        "OUTPUT[2] += mr3i * dz;\n";
    const struct {
        size_t n;
        double paper;
    } rows[] = {{2048, 5.4e-7}, {16384, 4.3e-7}};
    struct both b = create_both(text, KOSHU_PRECISION_SINGLE);
    for (size_t r = 0; r < 2; r++) {
        const size_t n = rows[r].n;
        struct koshu_initial_options o = koshu_initial_options_default();
        struct koshu_particles *particles;
        struct koshu_particle_view v;
        o.n = n;
        assert_ok(ref, koshu_initial_create(ref, &o, &particles));
        assert_ok(ref, koshu_particles_on_host(particles, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ, &v));
        double *i = poisoned(4 * n), *j = poisoned(4 * n);
        for (size_t k = 0; k < n; k++) {
            const double row[4] = {(float)v.x[k], (float)v.y[k], (float)v.z[k],
                                   (float)0.01};
            memcpy(i + 4 * k, row, sizeof row);
            memcpy(j + 4 * k, row, sizeof row);
            j[4 * k + 3] = 1.0 / (double)n;
        }
        double *got = evaluate(cuda, b.cuda, n, i, n, j);
        double *expected = evaluate(ref, b.ref, n, i, n, j);
        double largest = 0;
        for (size_t k = 0; k < n; k++) {
            const double *g = got + 3 * k, *e = expected + 3 * k;
            largest = fmax(largest,
                           hypot(hypot(g[0] - e[0], g[1] - e[1]), g[2] - e[2]) /
                                   hypot(hypot(e[0], e[1]), e[2]));
        }
        print_message("N = %zu: largest error %.2e, Hamada07 %.1e\n", n,
                      largest, rows[r].paper);
        assert_true(largest <= 2 * rows[r].paper);
        free(i);
        free(j);
        free(got);
        free(expected);
        koshu_particles_destroy(particles);
    }
    destroy_both(b);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gravity),
        cmocka_unit_test(test_planted_error),
        cmocka_unit_test(test_on_themselves),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_table_2),
};

BOTH_MAIN(tests)
