/* SPDX-License-Identifier: MIT */
/* Tuned exchanges between several devices. */
#include "backend/backend.h"
#include "check.h"
#include "scratch.h"
#include "tune/tune.h"
#include "tuned.h"

static struct {
    size_t calls;
    enum koshu_shape_set set;
    unsigned size_class;
    enum koshu_exchange scheme;
} exchanged;

static enum koshu_exchange
exchange(const struct koshu_backend *backend,
         const struct koshu_force_task *task, size_t n)
{
    (void)backend;
    (void)task;
    (void)n;
    return KOSHU_EXCHANGE_MUTUAL;
}

static void
choose_exchange(struct koshu_backend *backend, enum koshu_shape_set set,
                unsigned size_class, enum koshu_exchange scheme)
{
    (void)backend;
    exchanged.calls++;
    exchanged.set = set;
    exchanged.size_class = size_class;
    exchanged.scheme = scheme;
}

static const struct koshu_backend_ops ops_of_several = {
        .name = "fake",
        .shape_at = shape_at,
        .select_shape = choose,
        .exchange = exchange,
        .select_exchange = choose_exchange};

static void
apply_to_several(const char *group_model)
{
    struct koshu_backend backend = fake("GPU, 9.0");
    backend.ops = &ops_of_several;
    snprintf(backend.group_model, sizeof backend.group_model, "%s",
             group_model);
    exchanged.calls = 0;
    koshu_tuning_apply(&backend);
    koshu_context_destroy(backend.context);
}

/* Exchanges are stored per number of devices, beside the shapes for one. */
static void
test_exchanges(void **state)
{
    (void)state;
    struct koshu_tune_row row = {.set = KOSHU_SHAPES_DOUBLE,
                                 .size_class = 3,
                                 .n = 8192,
                                 .k = KOSHU_EXCHANGE_SYNC_RECV,
                                 .shared_memory = -1,
                                 .right = true,
                                 .best = true};
    const struct koshu_tune_table table = {&row, 1, 1};
    struct koshu_backend backend = fake("GPU, 9.0");
    char name[4096];
    save("GPU, 9.0", 1, 5);
    backend.ops = &ops_of_several;
    snprintf(backend.group_model, sizeof backend.group_model, "2 x GPU, 9.0");
    assert_ok(backend.context,
              koshu_tune_save(&backend, &table, name, sizeof name));
    koshu_context_destroy(backend.context);
    apply_to_several("2 x GPU, 9.0");
    assert_int_equal(chosen.calls, 1);
    assert_int_equal(exchanged.calls, 1);
    assert_int_equal(exchanged.set, KOSHU_SHAPES_DOUBLE);
    assert_int_equal(exchanged.size_class, 3);
    assert_int_equal(exchanged.scheme, KOSHU_EXCHANGE_SYNC_RECV);
    apply_to_several("3 x GPU, 9.0");
    assert_int_equal(chosen.calls, 1);
    assert_int_equal(exchanged.calls, 0);
}

/* A single device has none to exchange with. */
static void
test_one_device(void **state)
{
    (void)state;
    struct koshu_tune_table table;
    struct koshu_context *context = test_context("cpu", 1);
    assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "several GPUs",
                 koshu_tune_exchanges(context, ~0U, NULL, &table));
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test_setup_teardown(test_exchanges, begin, end),
            cmocka_unit_test(test_one_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
