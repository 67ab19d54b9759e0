/* SPDX-License-Identifier: MIT */
#include "subject.h"

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"

enum { FAILED = 1, USAGE = 2, SKIPPED = 77 };

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
 * Tolerances in units of the sum of the absolute values of the pairs' forces. A
 * pair goes through about ten roundings, each of 6e-8 in float and 1.1e-16 in
 * double; over many pairs they average out. ref adds up to 20,000 pairs one
 * after the other, which makes 2e-16 sqrt(20,000). Mixed precision may round
 * the pairs' forces as single does, but not the positions. "fast" uses the
 * processor's reciprocal square root estimate, good to 12 bits (AVX2: 3.7e-4),
 * which enters cubed, so three times.
 */
const struct variant variants[N_VARIANTS] = {
        {"single", KOSHU_PRECISION_SINGLE, false, 1e-6},
        {"mixed", KOSHU_PRECISION_MIXED, false, 1e-6},
        {"double", KOSHU_PRECISION_DOUBLE, false, 3e-14},
        {"fast", KOSHU_PRECISION_SINGLE, true, 1.2e-3},
};

bool
variant_rounds(const struct variant *variant)
{
    return variant->precision == KOSHU_PRECISION_SINGLE && !subject_is("ref");
}

struct koshu_force_options
variant_options(const struct variant *variant, double eps)
{
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = variant->precision;
    options.fast = variant->fast;
    options.softening = eps;
    return options;
}

/* The operations of the named backend; NULL: this build does not have it. */
static const struct koshu_backend_ops *
find_ops(void)
{
    const struct koshu_backend_ops *ops;
    for (size_t k = 0; (ops = koshu_backend_at(k)); k++)
        if (strcmp(ops->name, name) == 0) return ops;
    return NULL;
}

static int
skipped(const char *why)
{
    printf("skipped: backend %s: %s\n", name, why);
    return SKIPPED;
}

/* Opens the backend. Where it is present this must succeed, unless the
 * processor lacks the requested instruction set. */
static int
open_backend(void)
{
    struct koshu_backend *backend;
    context = subject_context_with(2);
    const koshu_status status = koshu_backend_of(context, &backend);
    if (status == KOSHU_OK) {
        printf("backend %s: %s\n", backend->ops->name, backend->device);
        return 0;
    }
    if (status == KOSHU_ERROR_INVALID_ARGUMENT && getenv("KOSHU_ISA"))
        return skipped(koshu_context_message(context));
    fprintf(stderr, "backend %s: %s\n", name, koshu_context_message(context));
    return FAILED;
}

int
subject_open(int argc, char **argv)
{
    if (argc == 2) name = argv[1];
    const struct koshu_backend_ops *ops = argc == 2 ? find_ops() : NULL;
    if (!ops) {
        fprintf(stderr, "usage: %s BACKEND, one of this build\n", argv[0]);
        return USAGE;
    }
    if (ops->devices() == 0) return skipped("no device");
    const int status = open_backend();
    if (status != 0) subject_close();
    return status;
}

void
subject_close(void)
{
    koshu_context_destroy(context);
    context = NULL;
}
