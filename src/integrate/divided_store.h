/* SPDX-License-Identifier: MIT */
/*
 * A j-particle store of rank 0, whose particles are divided among all ranks:
 * each sums over its own part, in a store of its backend, and rank 0 adds the
 * parts in the order of the ranks. Rank 0 integrates; the others serve it.
 */
#ifndef KOSHU_INTEGRATE_DIVIDED_STORE_H
#define KOSHU_INTEGRATE_DIVIDED_STORE_H

#include "backend/backend.h"

struct koshu_divided_store;

/* For n particles in all, and that one kind of sums; the same on each rank.
 * Collective. KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_UNSUPPORTED: a backend has
 * no store, or cannot sum so. */
KOSHU_MUST_CHECK koshu_status koshu_divided_store_create(
        struct koshu_backend *backend, enum koshu_precision precision,
        const struct koshu_jerk_task *task, size_t n,
        struct koshu_divided_store **store);
/* NULL is allowed. */
void koshu_divided_store_destroy(struct koshu_divided_store *store);

/* Rank 0's, to be set, started and waited for. It is not to be destroyed. */
struct koshu_backend_j_store *
koshu_divided_store_of_all(struct koshu_divided_store *store);

/* For the other ranks: takes part in all that rank 0 does until that says that
 * this is the end. The status is that of all. */
KOSHU_MUST_CHECK koshu_status
koshu_divided_store_serve(struct koshu_divided_store *store);
KOSHU_MUST_CHECK koshu_status
koshu_divided_store_end(struct koshu_divided_store *store);

#endif
