/* SPDX-License-Identifier: MIT */
/* One j-particle store for each test. */
#ifndef KOSHU_TESTS_ONE_STORE_H
#define KOSHU_TESTS_ONE_STORE_H

#include <math.h>

#include <koshu/j_store.h>

#include "backend/backend.h"
#include "check.h"
#include "rows.h"

enum { CAPACITY = 10000 }; /* more than are buffered */

static struct koshu_context *context;
static struct koshu_j_store *memory;

static const struct koshu_j_store_start_options options = {
        .size = sizeof options, .softening = 0.5, .nearest = true};
static const struct koshu_i_particle origin = {.id = 1 << 20, .h2 = 4};

/* A particle of mass 1 at x on the x axis. */
static inline struct koshu_j_particle
particle(int64_t id, double x)
{
    return (struct koshu_j_particle){.id = id, .mass = 1, .x = {x, 0, 0}};
}

static inline void
set_one(uint64_t address, struct koshu_j_particle p)
{
    assert_ok(context, rows_set(memory, 1, &address, &p));
}

/* The sum of the first n_j on the origin; filled with garbage before. */
static inline struct koshu_jerk_result
sum(size_t n_j)
{
    struct koshu_jerk_result result = {.potential = NAN};
    assert_ok(context, rows_start(memory, &options, n_j, 1, &origin));
    assert_ok(context, rows_wait(memory, 1, true, &result));
    return result;
}

static inline int
set_up(void **state)
{
    (void)state;
    context = test_context("ref", 1);
    return rows_create(context, KOSHU_PRECISION_DOUBLE, CAPACITY, &memory);
}

static inline int
tear_down(void **state)
{
    (void)state;
    koshu_j_store_destroy(memory);
    koshu_context_destroy(context);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
