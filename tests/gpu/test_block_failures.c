/* SPDX-License-Identifier: MIT */
/* Block time steps that fail on a device. */
#include <math.h>

#include "backend/backend.h"
#include "check.h"
#include "plain_block.h"
#include "block_device.h"

static koshu_status
status_of(const struct koshu_block_task *task, struct koshu_block_particles *p)
{
    struct device d = open_device();
    struct koshu_block_engine *engine;
    struct koshu_block_progress progress;
    assert_ok(d.context, d.ops->create(d.backend, task, p, &engine));
    koshu_status status = d.ops->run(engine, 64 * LONGEST, 1000000, &progress);
    assert_ok(d.context, d.ops->read(engine, p));
    d.ops->destroy(engine);
    koshu_context_destroy(d.context);
    return status;
}

static void
test_not_finite(void **state)
{
    (void)state;
    struct koshu_block_task task = task_of(KOSHU_PRECISION_DOUBLE, 0.01);
    struct koshu_block_particles p = plain_plummer(100, &task);
    p.vx[13] = INFINITY;
    assert_int_equal(status_of(&task, &p), KOSHU_ERROR_NOT_FINITE);
    plain_free(&p);
}

/* A step of 0 shows which particle needs too short a step. */
static void
test_short_step(void **state)
{
    (void)state;
    struct koshu_block_task task = task_of(KOSHU_PRECISION_DOUBLE, 0);
    struct koshu_block_particles p = plain_particles(2);
    task.tick = 1.0 / 64; /* the pair's period is 2e-3 */
    task.longest = 8;
    for (size_t i = 0; i < 2; i++) {
        ((double *)p.mass)[i] = 0.5;
        p.x[i] = i == 0 ? 0.0025 : -0.0025;
        p.vy[i] = i == 0 ? 7 : -7;
        p.step[i] = 1;
    }
    assert_int_equal(status_of(&task, &p), KOSHU_ERROR_BAD_INPUT);
    assert_true(p.step[0] == 0 || p.step[1] == 0);
    plain_free(&p);
}

static void
test_bad_steps(void **state)
{
    (void)state;
    struct koshu_block_task task = task_of(KOSHU_PRECISION_DOUBLE, 0.01);
    struct device d = open_device();
    struct koshu_block_engine *engine;
    const struct {
        uint64_t tick, step;
    } bad[] = {{0, 0}, {0, 3}, {4, 8}, {64, 4}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct koshu_block_particles p = plain_plummer(5, &task);
        for (size_t i = 0; i < p.n; i++) p.tick[i] = 32, p.step[i] = 32;
        p.tick[3] = bad[k].tick, p.step[3] = bad[k].step;
        assert_fails(d.context, KOSHU_ERROR_INVALID_ARGUMENT, "particle",
                     d.ops->create(d.backend, &task, &p, &engine));
        plain_free(&p);
    }
    task.precision = KOSHU_PRECISION_MIXED;
    task.eps = 1e-40;
    assert_false(d.ops->can(d.backend, &task, 5));
    koshu_context_destroy(d.context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_not_finite),
            cmocka_unit_test(test_short_step),
            cmocka_unit_test(test_bad_steps),
    };
    if (koshu_backend_cuda.devices() == 0) {
        printf("no CUDA device answers: skipped\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
