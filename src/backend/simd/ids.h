/* SPDX-License-Identifier: MIT */
/*
 * The indices of a store that hold a given id: a hash table with chains of
 * indices. Ids are arbitrary, and any number of indices may have the same id.
 */
#ifndef KOSHU_BACKEND_SIMD_IDS_H
#define KOSHU_BACKEND_SIMD_IDS_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>

struct simd_ids {
    size_t n;    /* number of indices */
    int64_t *id; /* of each index */
    /* The number of buckets is a power of two, at least n. head: first index of
     * each bucket's chain; next, previous: links of each index in its chain. */
    size_t buckets;
    size_t *head, *next, *previous;
};

#define SIMD_NO_INDEX SIZE_MAX

/* Enlarges the table to n indices, where the id of each new index is the index
 * itself; {0} before the first call. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_simd_ids_reserve(struct simd_ids *ids,
                                    struct koshu_context *context, size_t n);
void koshu_simd_ids_free(struct simd_ids *ids);

void koshu_simd_ids_set(struct simd_ids *ids, size_t index, int64_t id);

/* Returns the number of indices below n with this id. `indices`, if not NULL,
 * receives them in ascending order. */
size_t koshu_simd_ids_find(const struct simd_ids *ids, int64_t id, size_t n,
                           size_t *indices);

#endif
