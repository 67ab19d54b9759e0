/* SPDX-License-Identifier: MIT */
/*
 * A j-particle store of rank 0, whose particles are divided among all ranks.
 * Each rank sums over its own particles, in a store of its backend, and rank 0
 * adds the partial sums in rank order. Rank 0 integrates; the other ranks serve
 * its requests.
 */
#ifndef KOSHU_INTEGRATE_DIVIDED_STORE_H
#define KOSHU_INTEGRATE_DIVIDED_STORE_H

#include "backend/backend.h"

struct koshu_divided_store;

/* For n particles in all and one kind of sums, the same on each rank.
 * Collective. KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_UNSUPPORTED: a backend has
 * no store, or cannot compute these sums. */
KOSHU_MUST_CHECK koshu_status koshu_divided_store_create(
        struct koshu_backend *backend, enum koshu_precision precision,
        const struct koshu_jerk_task *task, size_t n,
        struct koshu_divided_store **store);
/* NULL is allowed. */
void koshu_divided_store_destroy(struct koshu_divided_store *store);

/* The store that rank 0 sets, starts and waits for. It belongs to the divided
 * store. */
struct koshu_backend_j_store *
koshu_divided_store_of_all(struct koshu_divided_store *store);

/* For the other ranks: serves the requests of rank 0 until it sends the last.
 * Returns the status of all ranks. */
KOSHU_MUST_CHECK koshu_status
koshu_divided_store_serve(struct koshu_divided_store *store);
KOSHU_MUST_CHECK koshu_status
koshu_divided_store_end(struct koshu_divided_store *store);

#endif
