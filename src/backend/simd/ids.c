/* SPDX-License-Identifier: MIT */
/* A hash table from particle ids to indices of a store. */
#include "backend/simd/ids.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/base.h"

static size_t
bucket_of(const struct simd_ids *ids, int64_t id)
{
    uint64_t x = (uint64_t)id * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
    return (size_t)(x ^ x >> 32) & (ids->buckets - 1);
}

static void
insert(struct simd_ids *ids, size_t index)
{
    size_t *head = &ids->head[bucket_of(ids, ids->id[index])];
    ids->next[index] = *head;
    ids->previous[index] = SIMD_NO_INDEX;
    if (*head != SIMD_NO_INDEX) ids->previous[*head] = index;
    *head = index;
}

static void
take_out(struct simd_ids *ids, size_t index)
{
    size_t next = ids->next[index], previous = ids->previous[index];
    if (next != SIMD_NO_INDEX) ids->previous[next] = previous;
    if (previous != SIMD_NO_INDEX)
        ids->next[previous] = next;
    else
        ids->head[bucket_of(ids, ids->id[index])] = next;
}

koshu_status
koshu_simd_ids_reserve(struct simd_ids *ids, struct koshu_context *context,
                       size_t n)
{
    struct simd_ids larger = {.n = n, .buckets = 1};
    while (larger.buckets < n && larger.buckets <= SIZE_MAX / 2)
        larger.buckets *= 2;
    larger.id = koshu_alloc(n, sizeof *larger.id);
    larger.head = koshu_alloc(larger.buckets, sizeof *larger.head);
    larger.next = koshu_alloc(n, sizeof *larger.next);
    larger.previous = koshu_alloc(n, sizeof *larger.previous);
    if (!larger.id || !larger.head || !larger.next || !larger.previous) {
        koshu_simd_ids_free(&larger);
        return koshu_fail_memory(context, 4 * n * sizeof *larger.next,
                                 "ids of j-particles");
    }
    for (size_t k = 0; k < larger.buckets; k++) larger.head[k] = SIMD_NO_INDEX;
    for (size_t index = 0; index < n; index++) {
        larger.id[index] = index < ids->n ? ids->id[index] : (int64_t)index;
        insert(&larger, index);
    }
    koshu_simd_ids_free(ids);
    *ids = larger;
    return KOSHU_OK;
}

void
koshu_simd_ids_free(struct simd_ids *ids)
{
    koshu_free(ids->id);
    koshu_free(ids->head);
    koshu_free(ids->next);
    koshu_free(ids->previous);
}

void
koshu_simd_ids_set(struct simd_ids *ids, size_t index, int64_t id)
{
    if (ids->id[index] == id) return;
    take_out(ids, index);
    ids->id[index] = id;
    insert(ids, index);
}

static int
compare(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

size_t
koshu_simd_ids_find(const struct simd_ids *ids, int64_t id, size_t n,
                    size_t *indices)
{
    size_t found = 0;
    for (size_t index = ids->head[bucket_of(ids, id)]; index != SIMD_NO_INDEX;
         index = ids->next[index]) {
        if (index >= n || ids->id[index] != id) continue;
        if (indices) indices[found] = index;
        found++;
    }
    if (indices && found > 1) qsort(indices, found, sizeof *indices, compare);
    return found;
}
