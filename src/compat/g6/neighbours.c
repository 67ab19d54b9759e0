/* SPDX-License-Identifier: MIT */
/* Neighbour lists: making them, and reading them. */
#include <stdatomic.h>
#include <stdlib.h>

#include "compat/g6/functions.h"
#include "compat/g6/g6.h"

/* The initial capacity of a list. */
enum { FIRST_LENGTH = 256 };

static atomic_int sort_mode;

static bool
reserve(struct koshu_g6_lists *l, size_t n, size_t max)
{
    if (n > l->capacity_count) {
        uint64_t *count = reallocarray(l->count, n, sizeof *count);
        if (!count) return false;
        l->count = count;
        l->capacity_count = n;
    }
    size_t capacity;
    if (__builtin_mul_overflow(n, max, &capacity)) return false;
    if (capacity > l->capacity_address) {
        uint64_t *address = reallocarray(l->address, capacity, sizeof *address);
        if (!address) return false;
        l->address = address;
        l->capacity_address = capacity;
    }
    l->max = max;
    return true;
}

static size_t
longest(const struct koshu_g6_lists *l, size_t n)
{
    uint64_t longest = 0;
    for (size_t k = 0; k < n; k++)
        if (longest < l->count[k]) longest = l->count[k];
    return (size_t)longest;
}

/* Returns 0, -1, or 1 where there is no memory for the lists. Their lengths are
 * only known when they are made: if they do not fit, they are made again. */
static int
read_lists(struct koshu_g6_cluster *c)
{
    struct koshu_g6_lists *l = &c->lists;
    if (!c->sums.started)
        return koshu_g6_fail("cluster %d: g6_read_neighbour_list: there were "
                             "no sums",
                             c->number);
    size_t n = c->sums.n_i, max = n > 0 ? l->capacity_address / n : 0;
    if (max < FIRST_LENGTH) max = FIRST_LENGTH;
    for (bool overflow = true; overflow; max = longest(l, n)) {
        if (!reserve(l, n, max)) return 1;
        koshu_status status = koshu_j_store_neighbours(c->store, max, l->count,
                                                       l->address, &overflow);
        if (status == KOSHU_ERROR_OUT_OF_MEMORY) return 1;
        if (koshu_g6_check(c, "g6_read_neighbour_list", status) != 0) return -1;
    }
    l->read = true;
    return 0;
}

static int
compare(const void *a, const void *b)
{
    const int *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

int
koshu_g6_read_neighbour_list(int cluster)
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    return c ? read_lists(c) : -1;
}

int
koshu_g6_get_neighbour_list(int cluster, int ipipe, int maxlen, int *nblen,
                            int nbl[])
{
    if (nblen) *nblen = 0;
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c) return -1;
    if (!nblen || (maxlen > 0 && !nbl))
        return koshu_g6_fail("cluster %d: g6_get_neighbour_list: an array is "
                             "NULL",
                             c->number);
    const struct koshu_g6_lists *l = &c->lists;
    int failed = l->read ? 0 : read_lists(c);
    if (failed) return failed;
    if (ipipe < 0 || (size_t)ipipe >= c->sums.n_i || maxlen < 0)
        return koshu_g6_fail("cluster %d: g6_get_neighbour_list: at most %d "
                             "neighbours of i-particle %d; there were %zu",
                             c->number, maxlen, ipipe, c->sums.n_i);
    size_t count = (size_t)l->count[ipipe];
    size_t n = count < (size_t)maxlen ? count : (size_t)maxlen;
    const uint64_t *address = l->address + (size_t)ipipe * l->max;
    for (size_t k = 0; k < n; k++)
        nbl[k] = koshu_g6_index_of(koshu_j_store_id(c->store, address[k]));
    if (sort_mode && n > 1) qsort(nbl, n, sizeof nbl[0], compare);
    *nblen = (int)n;
    return count > n;
}

int
koshu_g6_set_neighbour_list_sort_mode(int mode)
{
    sort_mode = mode;
    return 0;
}

int
koshu_g6_get_neighbour_list_sort_mode(void)
{
    return sort_mode;
}
