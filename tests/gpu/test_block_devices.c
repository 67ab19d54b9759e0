/* SPDX-License-Identifier: MIT */
/*
 * Block time steps on several devices: the host's engine, whose sums the
 * devices share, compared with a plain loop; and which of the two engines takes
 * a system. A single device is named several times.
 */
#include <math.h>
#include <string.h>

#include "backend/backend.h"
#include "block_device.h"
#include "check.h"
#include "integrate/integrate.h"
#include "plain_block.h"
#include "several_devices.h"

/* The limit in block.cu. */
enum { WORTH_ALL_DEVICES = 262144 };

/* Advances to `until` on n devices; stores the results in p. */
static void
run_on(int n, const struct koshu_block_task *task,
       struct koshu_block_particles *p, uint64_t until)
{
    struct device d = open_device_in(context_on(n));
    const struct koshu_block_ops *ops = &koshu_block_host;
    struct koshu_block_engine *engine;
    struct koshu_block_progress progress;
    assert_ok(d.context, ops->create(d.backend, task, p, &engine));
    assert_ok(d.context, ops->run(engine, until, 1000000, &progress));
    assert_true(progress.tick <= until && progress.blocks > 0);
    assert_ok(d.context, ops->read(engine, p));
    ops->destroy(engine);
    koshu_context_destroy(d.context);
}

/* Tolerances as on one device: test_block.c. */
static void
check_orbits(size_t n, int devices, enum koshu_precision precision,
             uint64_t until, double tolerance)
{
    const struct koshu_block_task task = task_of(precision, 0.01);
    struct koshu_block_particles expected = plain_plummer(n, &task);
    struct koshu_block_particles p = plain_copy(&expected);
    struct koshu_block_particles q = plain_copy(&expected);
    run_on(devices, &task, &p, until);
    run_on(devices, &task, &q, until);
    assert_true(deviation(&p, &q) == 0); /* repeating gives the same bits */
    plain_run(&expected, &task, until);
    const double off = deviation(&p, &expected);
    if (!(off <= tolerance))
        fail_msg("n %zu, %d devices, %s: off by %.2g", n, devices,
                 koshu_precision_name(precision), off);
    plain_free(&expected);
    plain_free(&p);
    plain_free(&q);
}

static void
orbits(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 33, 1000};
    for (int devices = 2; devices <= 3; devices++) {
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            check_orbits(sizes[k], devices, KOSHU_PRECISION_DOUBLE, LONGEST,
                         1e-9);
            check_orbits(sizes[k], devices, KOSHU_PRECISION_MIXED, LONGEST,
                         2e-6);
        }
        check_orbits(4099, devices, KOSHU_PRECISION_DOUBLE, LONGEST / 4, 1e-11);
    }
}

/* With several devices the host's engine takes large systems. */
static void
who_takes_a_system(void **state)
{
    (void)state;
    const struct koshu_block_task task = task_of(KOSHU_PRECISION_MIXED, 0.01);
    for (int n = 1; n <= 3; n++) {
        struct device d = open_device_in(context_on(n));
        const size_t last = WORTH_ALL_DEVICES;
        assert_true(d.ops->can(d.backend, &task, 1));
        assert_true(d.ops->can(d.backend, &task, last));
        assert_true(d.ops->can(d.backend, &task, last + 1) == (n == 1));
        assert_true(d.ops->can(d.backend, &task, 4 * last) == (n == 1));
        koshu_context_destroy(d.context);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(orbits),
            cmocka_unit_test(who_takes_a_system),
    };
    if (koshu_backend_cuda.devices() == 0) {
        printf("no CUDA device answers: skipped\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
