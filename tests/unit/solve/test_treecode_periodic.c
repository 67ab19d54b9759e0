/* SPDX-License-Identifier: MIT */
/* The tree in a periodic box, compared with Ewald sums and known values. */
#include <math.h>
#include <string.h>

#include <koshu/ewald.h>
#include <koshu/solver.h>

#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"
#include "periodic.h"
#include "solve/treecode.h"

/* ---- known values -------------------------------------------------------- */

/* 8 x 8 x 8 ions, so that cells of them act. As masses are positive, each kind
 * of ion is given mass in turn; the potentials differ by Madelung's
 * constant. */
static void
rock_salt_has_its_madelung_constant(void **state)
{
    (void)state;
    enum { SIDE = 8, N = SIDE * SIDE * SIDE };
    static double potential[N];
    struct koshu_tree_options o = in_box(SIDE);
    o.theta = 0.1;
    o.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    for (size_t kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < N; i++) {
            const size_t a = i % SIDE, b = i / SIDE % SIDE, c = i / SIDE / SIDE;
            put(i, (double)a, (double)b, (double)c, (a + b + c) % 2 == kind);
        }
        sum_by_tree(N, &o, 0);
        for (size_t i = 0; i < N; i++) {
            potential[i] += kind == 0 ? got[3][i] : -got[3][i];
            for (int d = 0; d < 3; d++) assert_near(got[d][i], 0, 2e-4);
        }
    }
    for (size_t i = 0; i < N; i++)
        assert_near(fabs(potential[i]), 1.747564594633182, 1e-3);
}

static void
masses_at_a_quarter_and_three_quarters_do_not_move(void **state)
{
    (void)state;
    const struct koshu_tree_options o = in_box(1);
    put(0, 0.25, 0.1, 0.7, 3);
    put(1, 0.75, 0.1, 0.7, 3);
    sum_by_tree(2, &o, 0);
    for (size_t i = 0; i < 2; i++)
        for (int d = 0; d < 3; d++) assert_near(got[d][i], 0, 1e-5);
}

/* A particle's own images exert no force on it, at any place and in any
 * units. */
static void
a_mass_has_the_potential_of_its_images(void **state)
{
    (void)state;
    for (double box = 1e-30; box < 1e31; box *= 1e20) {
        const struct koshu_tree_options o = in_box(box);
        put(0, 0.3 * box, -7.1 * box, 1e3 * box, 2);
        sum_by_tree(1, &o, 0);
        assert_near(got[3][0] * box / 2, 2.837297479480620, 1e-5);
        for (int d = 0; d < 3; d++)
            assert_near(got[d][0] * box * box / 2, 0, 1e-5);
    }
}

/* ---- compared with Ewald sums -------------------------------------------- */

static void
add_on_device(struct koshu_tree_box_sums *box,
              const struct koshu_force_task *task, size_t n)
{
    const unsigned sums = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    struct koshu_particles *particles = particles_of(context, n);
    struct koshu_tree_report report = {0};
    assert_ok(context,
              koshu_tree_box_add_store(box, task, particles, sums, &report));
    take_sums(context, particles);
}

/* Stores in `got`, for n particles in a box of 1, the effect of images that are
 * not walked. */
static void
sum_beyond(size_t n)
{
    struct koshu_backend *backend;
    struct koshu_tree_box_sums *box;
    const struct koshu_tree_options tree = in_box(1);
    const struct koshu_solver_options o = {.tree = &tree};
    const struct koshu_force_task task = {.potential = true};
    const struct koshu_particle_view v = {.n = n,
                                          .mass = charge,
                                          .x = x,
                                          .y = y,
                                          .z = z,
                                          .ax = got[0],
                                          .ay = got[1],
                                          .az = got[2],
                                          .potential = got[3]};
    memset(got, 0, sizeof got);
    assert_ok(context, koshu_backend_of(context, &backend));
    const bool by_engine = backend->ops->fmm_engine != NULL;
    assert_ok(context, koshu_tree_box_create(backend, &o, by_engine, &box));
    if (by_engine)
        add_on_device(box, &task, n);
    else
        assert_ok(context, koshu_tree_box_add(box, &task, 0, &v));
    koshu_tree_box_destroy(box);
}

/* Images beyond those that are walked, to a millionth of M / L^2. */
static void
what_is_beyond_is_summed(void **state)
{
    (void)state;
    enum { N = 64 };
    double off = 0;
    fill(N, 1);
    for (size_t i = 0; i < 8; i++) /* corners */
        put(i, i % 2 * 0.999, i / 2 % 2 * 0.999, i / 4 * 0.999, 1.0 / N);
    choose_probes(N, N);
    sum_by_ewald(N, 1, 0);
    sum_beyond(N);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            for (int k = 0; k < 125; k++) {
                const double u = x[j] - x[i] + k % 5 - 2,
                             w = y[j] - y[i] + k / 5 % 5 - 2,
                             s = z[j] - z[i] + k / 25 - 2,
                             r2 = u * u + w * w + s * s;
                if (r2 == 0) continue;
                const double part = charge[j] / (r2 * sqrt(r2));
                got[0][i] += part * u;
                got[1][i] += part * w;
                got[2][i] += part * s;
                got[3][i] -= part * r2;
            }
    for (size_t i = 0; i < N; i++)
        for (int d = 0; d < 4; d++) off = fmax(off, fabs(got[d][i] - is[d][i]));
    printf("beyond: %.1e\n", off);
    assert_near(off, 0, 3e-6);
}

/* Errors fall with theta; they are relative to forces that partly cancel. */
static void
uniform_boxes_converge_to_ewald_sums(void **state)
{
    (void)state;
    enum { N = 4000 };
    struct koshu_tree_options o = in_box(1);
    o.opening_criterion = KOSHU_OPENING_CRITERION_GEOMETRIC;
    fill(N, 1);
    choose_probes(N, 200);
    sum_by_ewald(N, 1, 0);
    double before = 1;
    for (o.theta = 0.8; o.theta > 0.15; o.theta /= 2) {
        sum_by_tree(N, &o, 0);
        const double error = rms_error();
        printf("uniform, theta = %g: error %.1e, potential %.1e\n", o.theta,
               error, potential_error());
        assert_true(error < before / 4);
        before = error;
    }
    assert_near(before, 0, 1e-4);
    assert_near(potential_error(), 0, 3e-4);
}

static void
clustered_boxes_are_as_good_as_free_space(void **state)
{
    (void)state;
    enum { N = 4000 };
    struct koshu_tree_options o = in_box(1);
    o.alpha = 0.0005;
    fill(N, 4);
    choose_probes(N, 200);
    for (double eps = 0; eps < 0.03; eps += 0.02) {
        sum_by_ewald(N, 1, eps);
        sum_by_tree(N, &o, eps);
        printf("clustered, eps = %g: error %.1e, potential %.1e\n", eps,
               rms_error(), potential_error());
        assert_near(rms_error(), 0, 1e-3);
        assert_near(potential_error(), 0, 3e-3);
    }
}

/* A grid displaced by a twentieth of its spacing (rms): forces nearly cancel,
 * and the relative criterion takes account of that. */
static void
near_grid_boxes_take_their_time(void **state)
{
    (void)state;
    enum { SIDE = 16, N = SIDE * SIDE * SIDE };
    const double h = 1.0 / SIDE, step = sqrt(12) * 0.05 / sqrt(3);
    const struct koshu_tree_options o = in_box(1);
    for (size_t i = 0; i < N; i++)
        put(i, h * ((double)(i % SIDE) + step * uniform()),
            h * ((double)(i / SIDE % SIDE) + step * uniform()),
            h * ((double)(i / SIDE / SIDE) + step * uniform()), 1.0 / N);
    choose_probes(N, 100);
    sum_by_ewald(N, 1, 0);
    sum_by_tree(N, &o, 0);
    printf("near a grid: error %.1e\n", rms_error());
    assert_near(rms_error(), 0, 2e-3);
}

/* Two balls near each other across a face of the box, so that an image acts. */
static void
clumps_at_faces_see_each_other(void **state)
{
    (void)state;
    enum { N = 3000 };
    struct koshu_tree_options o = in_box(1);
    o.alpha = 0.0005;
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < N; i++) {
            double at[3];
            for (int d = 0; d < 3; d++) at[d] = 0.5 + 0.05 * (uniform() - 0.5);
            at[axis] += i % 2 ? 0.46 : -0.46;
            put(i, at[0], at[1], at[2], 1.0 / N);
        }
        choose_probes(N, 100);
        sum_by_ewald(N, 1, 0);
        sum_by_tree(N, &o, 0);
        printf("at faces: error %.1e\n", rms_error());
        assert_near(rms_error(), 0, 5e-4);
    }
}

/* ---- reports of a solver ------------------------------------------------- */

/* Errors of free-space forces would be 100 %. */
static void
errors_are_those_in_the_box(void **state)
{
    (void)state;
    enum { N = 500, SAMPLE = 50 };
    const struct koshu_tree_options tree = in_box(1);
    struct koshu_solver_options o = koshu_solver_options_default();
    struct koshu_tree_errors e = {.size = sizeof e};
    struct koshu_solver *solver;
    fill(N, 1);
    struct koshu_particles *particles = particles_of(context, N);
    o.method = KOSHU_METHOD_TREE;
    o.softening = 0.01;
    o.tree = &tree;
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    assert_ok(context,
              koshu_solver_forces(solver, particles, KOSHU_FIELD_ACCELERATION));
    assert_ok(context, koshu_solver_tree_errors(solver, particles, SAMPLE, &e));
    assert_int_equal(e.sample, SAMPLE);
    assert_true(e.median > 0 && e.median < 2e-3 && e.max < 0.05);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(rock_salt_has_its_madelung_constant),
            cmocka_unit_test(
                    masses_at_a_quarter_and_three_quarters_do_not_move),
            cmocka_unit_test(a_mass_has_the_potential_of_its_images),
            cmocka_unit_test(what_is_beyond_is_summed),
            cmocka_unit_test(uniform_boxes_converge_to_ewald_sums),
            cmocka_unit_test(clustered_boxes_are_as_good_as_free_space),
            cmocka_unit_test(near_grid_boxes_take_their_time),
            cmocka_unit_test(clumps_at_faces_see_each_other),
            cmocka_unit_test(errors_are_those_in_the_box),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
