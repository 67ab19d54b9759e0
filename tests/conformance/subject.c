/* SPDX-License-Identifier: MIT */
#include "subject.h"

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"

enum { SKIPPED = 77, USAGE = 2 };

static const char *name;
static struct koshu_context *context;

struct koshu_context *
subject_context(void)
{
    return context;
}

bool
subject_is(const char *backend)
{
    return strcmp(name, backend) == 0;
}

struct koshu_context *
subject_context_with(int threads)
{
    return test_context(name, threads);
}

/*
 * Errors in units of the sum of the absolute values of the pairs' forces. A
 * pair goes through about ten roundings, of 6e-8 in float and 1.1e-16 in
 * double; those of many pairs average out. ref adds up to 20,000 pairs one
 * after the other: 2e-16 sqrt(20,000). Mixed precision may round the pairs'
 * forces as single does, but not the positions. The estimates of
 * processors are good to 12 bits (AVX2: 3.7e-4), and enter three times.
 */
const struct way ways[N_WAYS] = {
        {"single", KOSHU_SINGLE, false, 1e-6},
        {"mixed", KOSHU_MIXED, false, 1e-6},
        {"double", KOSHU_DOUBLE, false, 3e-14},
        {"fast", KOSHU_SINGLE, true, 1.2e-3},
};

bool
way_rounds(const struct way *way)
{
    return way->precision == KOSHU_SINGLE && !subject_is("ref");
}

struct koshu_force_options
way_options(const struct way *way, double eps, bool potential)
{
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = way->precision;
    options.fast = way->fast;
    options.softening = eps;
    options.potential = potential;
    return options;
}

static bool
has_device(void)
{
    const struct koshu_backend_ops *ops;
    for (size_t k = 0; (ops = koshu_backend_at(k)); k++)
        if (strcmp(ops->name, name) == 0) return ops->devices() > 0;
    return false;
}

static int
skipped(const char *why)
{
    printf("skipped: backend %s: %s\n", name, why);
    return SKIPPED;
}

int
subject_open(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s BACKEND\n", argv[0]);
        return USAGE;
    }
    name = argv[1];
    if (!has_device()) return skipped("no device");
    context = subject_context_with(2);
    struct koshu_backend *backend;
    if (koshu_backend_of(context, &backend) != KOSHU_OK) {
        int status = skipped(koshu_context_message(context));
        subject_close();
        return status;
    }
    printf("backend %s: %s\n", backend->ops->name, backend->device);
    return 0;
}

void
subject_close(void)
{
    koshu_context_destroy(context);
    context = NULL;
}
