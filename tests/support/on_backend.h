/* SPDX-License-Identifier: MIT */
/*
 * For tests that run on the CPU and again on a device: the environment names
 * the backend, as in TEST_BACKEND=cuda. If that backend does not answer, the
 * program exits as skipped.
 */
#ifndef KOSHU_TESTS_ON_BACKEND_H
#define KOSHU_TESTS_ON_BACKEND_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"

enum { ON_BACKEND_SKIPPED = 77 };

/* Is there a usable device of this backend? A name unknown to this build ends
 * the program: a test that can never run must not be reported as skipped. */
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

/* The backend to test; `otherwise` if the environment names none. */
static inline const char *
on_backend(const char *otherwise)
{
    const char *name = getenv("TEST_BACKEND");
    if (!name) return otherwise;
    if (!backend_answers(name)) exit(ON_BACKEND_SKIPPED);
    return name;
}

/* TEST_WALK=host: the host walks the trees even where a device could. */
static inline bool
on_host(void)
{
    const char *walk = getenv("TEST_WALK");
    return walk && strcmp(walk, "host") == 0;
}

#endif
