/* SPDX-License-Identifier: MIT */
/* The contexts of a benchmark: the one that is measured, and ref; their
 * ranks. */
#include <koshu/ranks.h>

#include "bench/harness.h"

koshu_status
bench_use_threads(struct bench *b, size_t threads)
{
    const int wanted = (int)threads;
    if (b->context && (b->threads == wanted)) return KOSHU_OK;
    struct koshu_context *context = make_context(b->options->backend, wanted);
    if (!context) {
        b->refused = true;
        return KOSHU_ERROR_BAD_INPUT;
    }
    koshu_context_destroy(b->context);
    b->context = context;
    b->threads = wanted;
    return KOSHU_OK;
}

koshu_status
bench_ref(struct bench *b, struct koshu_context **ref)
{
    if (!b->ref) b->ref = make_context("ref", 0);
    b->refused = !b->ref;
    *ref = b->ref;
    return b->ref ? KOSHU_OK : KOSHU_ERROR_NO_DEVICE;
}

koshu_status
bench_status_of(const struct bench *b, const struct koshu_context *other,
                koshu_status status)
{
    if (status == KOSHU_OK) return KOSHU_OK;
    return koshu_fail(b->context, status, "%s", koshu_context_message(other));
}

koshu_status
bench_check_output(const struct bench *b, const char *path,
                   koshu_status (*refuse)(struct koshu_context *, const char *,
                                          bool))
{
    koshu_status status = KOSHU_OK;
    if (path && koshu_ranks_rank(b->context) == 0)
        status = refuse(b->context, path, b->options->force);
    return koshu_ranks_collective_status(b->context, status);
}
