/* SPDX-License-Identifier: MIT */
/* Contexts on several devices. */
#ifndef KOSHU_TESTS_SEVERAL_DEVICES_H
#define KOSHU_TESTS_SEVERAL_DEVICES_H

#include <stdbool.h>
#include <stdio.h>

#include "backend/backend.h"
#include "check.h"

/* A context on n devices, taken in turn from those present: a single one is
 * named several times. */
static inline struct koshu_context *
context_on(int n)
{
    struct koshu_context_options options = koshu_context_options_default();
    struct koshu_context *context = NULL;
    const int there = koshu_backend_cuda.devices();
    char list[64], *end = list;
    for (int k = 0; k < n; k++)
        end += snprintf(end, 8, "%s%d", k ? "," : "", k % there);
    options.backend = "cuda";
    options.devices = list;
    assert_int_equal(koshu_context_create(&options, &context), KOSHU_OK);
    return context;
}

/* Does KOSHU_DEVICES name several devices? */
static inline bool
has_several_devices(void)
{
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_backend *backend;
    assert_ok(context, koshu_backend_of(context, &backend));
    const bool several = backend->group_model[0] != '\0';
    koshu_context_destroy(context);
    return several;
}

#endif
