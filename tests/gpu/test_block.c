/* SPDX-License-Identifier: MIT */
/* Block time steps of the cuda backend, compared with a plain loop. */
#include <math.h>

#include "backend/backend.h"
#include "check.h"
#include "plain_block.h"
#include "block_device.h"

/* ---- engines ------------------------------------------------------------- */

/* Advances to `until` in calls of at most `max` block steps; stores the results
 * in p. */
static struct koshu_block_progress
run_on(struct device *d, const struct koshu_block_task *task,
       struct koshu_block_particles *p, uint64_t until, uint64_t max)
{
    struct koshu_block_engine *engine;
    struct koshu_block_progress sum = {0}, now;
    assert_true(d->ops->can(d->backend, task, p->n));
    assert_ok(d->context, d->ops->create(d->backend, task, p, &engine));
    do {
        assert_ok(d->context, d->ops->run(engine, until, max, &now));
        assert_true(now.blocks <= max && now.tick <= until);
        assert_true(now.steps >= now.blocks && now.steps <= now.blocks * p->n);
        sum.blocks += now.blocks;
        sum.steps += now.steps;
        sum.tick = now.tick;
    } while (now.blocks == max);
    assert_ok(d->context, d->ops->read(engine, p));
    d->ops->destroy(engine);
    return sum;
}

static struct koshu_block_progress
run_once(const struct koshu_block_task *task, struct koshu_block_particles *p,
         uint64_t until, uint64_t max)
{
    struct device d = open_device();
    struct koshu_block_progress progress = run_on(&d, task, p, until, max);
    koshu_context_destroy(d.context);
    return progress;
}

/* ---- comparisons --------------------------------------------------------- */

static void
assert_same(const struct koshu_block_particles *a,
            const struct koshu_block_particles *b)
{
    const size_t bytes = a->n * sizeof *a->x;
    const void *of_a[] = {a->x,  a->y,  a->z,         a->vx,   a->vy,
                          a->vz, a->ax, a->ay,        a->az,   a->jx,
                          a->jy, a->jz, a->potential, a->tick, a->step};
    const void *of_b[] = {b->x,  b->y,  b->z,         b->vx,   b->vy,
                          b->vz, b->ax, b->ay,        b->az,   b->jx,
                          b->jy, b->jz, b->potential, b->tick, b->step};
    for (size_t k = 0; k < sizeof of_a / sizeof of_a[0]; k++)
        assert_memory_equal(of_a[k], of_b[k], bytes);
}

static void
assert_in_block_steps(const struct koshu_block_particles *p, uint64_t time,
                      uint64_t longest)
{
    for (size_t i = 0; i < p->n; i++) {
        uint64_t step = p->step[i];
        assert_true(step > 0 && (step & (step - 1)) == 0 && step <= longest);
        assert_true(p->tick[i] % step == 0);
        assert_true(p->tick[i] <= time && time < p->tick[i] + step);
    }
}

/* ---- orbits -------------------------------------------------------------- */

static void
check_orbits(size_t n, struct koshu_block_task task, uint64_t until,
             double tolerance)
{
    struct koshu_block_particles expected = plain_plummer(n, &task);
    struct koshu_block_particles p = plain_copy(&expected);
    struct koshu_block_progress progress = run_once(&task, &p, until, 100000);
    plain_run(&expected, &task, until);
    double off = deviation(&p, &expected);
    if (!(off <= tolerance))
        fail_msg("n %zu, %s, eps %g, n of P(EC)^n %u: off by %.2g", n,
                 koshu_precision_name(task.precision), task.eps,
                 task.iterations, off);
    assert_in_block_steps(&p, progress.tick, task.longest);
    if (task.precision == KOSHU_PRECISION_DOUBLE) {
        assert_memory_equal(p.tick, expected.tick, n * sizeof *p.tick);
        assert_memory_equal(p.step, expected.step, n * sizeof *p.step);
        for (size_t i = 0; i < n; i++) /* some ulp of the largest term */
            assert_near(p.potential[i], expected.potential[i],
                        1e-12 / fmax(task.eps, 1e-3));
    }
    plain_free(&expected);
    plain_free(&p);
}

static void
test_orbits(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 2, 3, 33, 65, 1000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        /* rounding of 2^-53, and of 2^-24 in the part of a force summed in
         * float, amplified by encounters */
        check_orbits(sizes[k], task_of(KOSHU_PRECISION_DOUBLE, 0.01),
                     4 * LONGEST, 1e-9);
        check_orbits(sizes[k], task_of(KOSHU_PRECISION_MIXED, 0.01), LONGEST,
                     2e-6);
        check_orbits(sizes[k], task_of(KOSHU_PRECISION_SINGLE, 0.05), LONGEST,
                     2e-5);
    }
    check_orbits(4099, task_of(KOSHU_PRECISION_DOUBLE, 0.01), LONGEST / 4,
                 1e-11);
    check_orbits(4099, task_of(KOSHU_PRECISION_MIXED, 0.01), LONGEST / 4, 2e-7);
}

/* A softening that is negligible beside the system; and a system far from the
 * origin. */
static void
test_ranges(void **state)
{
    (void)state;
    struct koshu_block_task task = task_of(KOSHU_PRECISION_MIXED, 1e-8);
    check_orbits(1000, task, LONGEST / 4, 2e-6);
    task.eps = 0.01;
    struct koshu_block_particles p = plain_plummer(1000, &task);
    for (size_t i = 0; i < p.n; i++) p.x[i] += 1e4;
    plain_begin(&p, &task, 0.0025);
    struct koshu_block_particles expected = plain_copy(&p);
    run_once(&task, &p, LONGEST, 100000);
    plain_run(&expected, &task, LONGEST);
    /* the same tolerance as at the origin */
    assert_true(deviation(&p, &expected) <= 2e-6);
    plain_free(&expected);
    plain_free(&p);
}

static void
test_iterations(void **state)
{
    (void)state;
    for (unsigned iterations = 2; iterations <= 3; iterations++) {
        struct koshu_block_task task = task_of(KOSHU_PRECISION_DOUBLE, 0.01);
        task.iterations = iterations;
        check_orbits(3, task, 4 * LONGEST, 1e-10);
        check_orbits(1000, task, LONGEST, 1e-10);
        task.precision = KOSHU_PRECISION_MIXED;
        check_orbits(1000, task, LONGEST, 2e-6);
    }
}

static void
test_fixed(void **state)
{
    (void)state;
    for (unsigned iterations = 1; iterations <= 3; iterations += 2) {
        struct koshu_block_task task = task_of(KOSHU_PRECISION_DOUBLE, 0.1);
        task.fixed = true;
        task.longest = LONGEST / 64;
        task.iterations = iterations;
        check_orbits(129, task, LONGEST, 1e-11);
    }
}

/* Like check_orbits(), for a cluster with a binary of this eccentricity,
 * without softening, up to a third of the way between two pericentres. */
static void
check_binary(enum koshu_precision precision, double tolerance)
{
    const double a = 1e-4, e = 0.5, mass = 0.01;
    struct koshu_block_task task = task_of(precision, 0);
    struct koshu_block_particles p = plain_plummer(66, &task);
    double *m = (double *)p.mass;
    m[0] = m[1] = mass / 2;
    p.x[0] = p.x[1] + a * (1 + e), p.y[0] = p.y[1], p.z[0] = p.z[1];
    p.vx[0] = p.vx[1], p.vz[0] = p.vz[1];
    p.vy[0] = p.vy[1] + sqrt(mass / a * (1 - e) / (1 + e));
    plain_begin(&p, &task, 0.0025);
    struct koshu_block_particles expected = plain_copy(&p);
    /* 5/3 of the period 2 pi 1e-5 */
    const uint64_t until = (uint64_t)(5.0 / 3 * 2e-5 * 3.14159 / task.tick);
    run_once(&task, &p, until, 100000);
    plain_run(&expected, &task, until);
    double off = deviation(&p, &expected);
    if (!(off <= tolerance))
        fail_msg("%s: off by %.2g", koshu_precision_name(precision), off);
    plain_free(&expected);
    plain_free(&p);
}

static void
test_binary(void **state)
{
    (void)state;
    /* for a velocity of 17, over 400 steps; the orbit is not chaotic */
    check_binary(KOSHU_PRECISION_DOUBLE, 1e-8);
    check_binary(KOSHU_PRECISION_MIXED, 1e-4);
}

/* Without softening, particles at the same place do not act on each other. */
static void
test_coincident(void **state)
{
    (void)state;
    for (int precision = KOSHU_PRECISION_SINGLE;
         precision <= KOSHU_PRECISION_DOUBLE; precision++) {
        struct koshu_block_task task =
                task_of((enum koshu_precision)precision, 0);
        struct koshu_block_particles p = plain_particles(40);
        for (size_t i = 0; i < p.n; i++) {
            ((double *)p.mass)[i] = 1;
            p.x[i] = 3, p.vx[i] = 0.5, p.step[i] = LONGEST;
        }
        struct koshu_block_progress progress =
                run_once(&task, &p, 2 * LONGEST, 100);
        assert_int_equal(progress.blocks, 2);
        assert_int_equal(progress.steps, 80);
        for (size_t i = 0; i < p.n; i++) {
            assert_true(p.x[i] == 3.125 && p.vx[i] == 0.5);
            assert_true(p.ax[i] == 0 && p.jx[i] == 0 && p.potential[i] == 0);
        }
        plain_free(&p);
    }
}

/* ---- energy -------------------------------------------------------------- */

static void
check_energy(enum koshu_precision precision, double tolerance)
{
    const double eps = 1.0 / 64;
    struct koshu_block_task task = task_of(precision, eps);
    struct koshu_block_particles p = plain_plummer(1000, &task);
    task.eta = 0.005;
    double before = plain_energy(&p, eps);
    struct koshu_block_progress progress =
            run_once(&task, &p, 8 * LONGEST, 1000000);
    double after = plain_energy(&p, eps);
    assert_true(progress.tick == 8 * LONGEST);
    for (size_t i = 0; i < p.n; i++) /* all particles end there */
        assert_true(p.tick[i] == 8 * LONGEST);
    assert_near(after / before, 1, tolerance);
    plain_free(&p);
}

static void
test_energy(void **state)
{
    (void)state;
    /* the error of the scheme; float rounding stays below it */
    check_energy(KOSHU_PRECISION_DOUBLE, 2e-7);
    check_energy(KOSHU_PRECISION_MIXED, 2e-7);
    check_energy(KOSHU_PRECISION_SINGLE, 1e-5);
}

/* ---- bit-identical results ----------------------------------------------- */

static void
check_chunks(size_t n, enum koshu_precision precision, unsigned iterations,
             uint64_t max)
{
    struct koshu_block_task task = task_of(precision, 0.01);
    task.iterations = iterations;
    struct koshu_block_particles whole = plain_plummer(n, &task);
    struct koshu_block_particles chunks = plain_copy(&whole);
    struct koshu_block_particles restarted = plain_copy(&whole);
    struct koshu_block_progress a =
            run_once(&task, &whole, LONGEST, UINT64_MAX);
    struct koshu_block_progress b = run_once(&task, &chunks, LONGEST, max);
    assert_int_equal(a.blocks, b.blocks);
    assert_int_equal(a.steps, b.steps);
    assert_same(&whole, &chunks);
    /* read and recreated at times at which few particles are synchronised */
    for (uint64_t part = 1; part <= 16; part++) {
        struct koshu_block_progress c =
                run_once(&task, &restarted, part * (LONGEST / 16) - part % 2,
                         UINT64_MAX);
        assert_in_block_steps(&restarted, c.tick, LONGEST);
    }
    assert_same(&whole, &restarted);
    plain_free(&whole);
    plain_free(&chunks);
    plain_free(&restarted);
}

static void
test_same_bits(void **state)
{
    (void)state;
    for (int precision = KOSHU_PRECISION_SINGLE;
         precision <= KOSHU_PRECISION_DOUBLE; precision++) {
        check_chunks(3, (enum koshu_precision)precision, 1, 1);
        check_chunks(1000, (enum koshu_precision)precision, 1, 7);
        check_chunks(1000, (enum koshu_precision)precision, 3, 31);
        check_chunks(4099, (enum koshu_precision)precision, 1, 19);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_orbits),
            cmocka_unit_test(test_ranges),
            cmocka_unit_test(test_iterations),
            cmocka_unit_test(test_fixed),
            cmocka_unit_test(test_binary),
            cmocka_unit_test(test_coincident),
            cmocka_unit_test(test_energy),
            cmocka_unit_test(test_same_bits),
    };
    if (koshu_backend_cuda.devices() == 0) {
        printf("no CUDA device answers: skipped\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
