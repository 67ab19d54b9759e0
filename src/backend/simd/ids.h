/* SPDX-License-Identifier: MIT */
/*
 * Which indices of a store hold an id: a hash table with chains of indices. Any
 * ids, any number of indices of one id.
 */
#ifndef KOSHU_BACKEND_SIMD_IDS_H
#define KOSHU_BACKEND_SIMD_IDS_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>

struct simd_ids {
    size_t n;    /* indices */
    int64_t *id; /* of each index */
    /* Buckets are a power of two, as many as indices or more; the first index
     * of each, and before and after each index in its chain. */
    size_t buckets;
    size_t *head, *next, *previous;
};

#define SIMD_NO_INDEX SIZE_MAX

/* More indices, of which each new one is its own id; starts as {0}.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_simd_ids_reserve(struct simd_ids *ids,
                                    struct koshu_context *context, size_t n);
void koshu_simd_ids_free(struct simd_ids *ids);

void koshu_simd_ids_set(struct simd_ids *ids, size_t index, int64_t id);

/* Indices below n of this id: how many; `indices`, where it is not NULL, gets
 * them in ascending order. */
size_t koshu_simd_ids_find(const struct simd_ids *ids, int64_t id, size_t n,
                           size_t *indices);

#endif
