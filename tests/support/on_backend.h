/* SPDX-License-Identifier: MIT */
/*
 * Tests that are run on the CPU, and once more on a device: the environment
 * names its backend, TEST_BACKEND=cuda. Where that does not answer, the
 * program ends: skipped.
 */
#ifndef KOSHU_TESTS_ON_BACKEND_H
#define KOSHU_TESTS_ON_BACKEND_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"

enum { ON_BACKEND_SKIPPED = 77 };

/* Does a device of the backend answer? A name that this build does not have
 * ends the program: a test that is never run shall not be called skipped. */
static inline bool
backend_answers(const char *name)
{
    const struct koshu_backend_ops *ops;
    for (size_t k = 0; (ops = koshu_backend_at(k)); k++)
        if (strcmp(ops->name, name) == 0) {
            if (ops->devices() == 0)
                printf("skipped: backend %s: no device\n", name);
            return ops->devices() > 0;
        }
    fprintf(stderr, "this build has no backend %s\n", name);
    exit(EXIT_FAILURE);
}

/* The backend to be tested; otherwise: where the environment has none. */
static inline const char *
on_backend(const char *otherwise)
{
    const char *name = getenv("TEST_BACKEND");
    if (!name) return otherwise;
    if (!backend_answers(name)) exit(ON_BACKEND_SKIPPED);
    return name;
}

/* TEST_WALK=host: trees are walked by the host, also where a device could. */
static inline bool
on_host(void)
{
    const char *walk = getenv("TEST_WALK");
    return walk && strcmp(walk, "host") == 0;
}

#endif
