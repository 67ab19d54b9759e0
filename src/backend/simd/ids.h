/* SPDX-License-Identifier: MIT */
/*
 * Which slots hold an id: a hash table with chains of slots. Any ids, any
 * number of slots of one id.
 */
#ifndef KOSHU_BACKEND_SIMD_IDS_H
#define KOSHU_BACKEND_SIMD_IDS_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>

struct simd_ids {
    size_t n;    /* slots */
    int64_t *id; /* of each slot */
    /* Buckets are a power of two, as many as slots or more; the first slot of
     * each, and before and after each slot in its chain. */
    size_t buckets;
    size_t *head, *next, *previous;
};

#define SIMD_NO_SLOT SIZE_MAX

/* More slots, of which each new one holds its own number as id; begun as {0}.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_simd_ids_reserve(struct simd_ids *ids,
                                    struct koshu_context *context, size_t n);
void koshu_simd_ids_free(struct simd_ids *ids);

void koshu_simd_ids_set(struct simd_ids *ids, size_t slot, int64_t id);

/* Slots below n of this id: how many; `slots`, where it is not NULL, gets them
 * in ascending order. */
size_t koshu_simd_ids_find(const struct simd_ids *ids, int64_t id, size_t n,
                           size_t *slots);

#endif
