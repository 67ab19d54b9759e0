/* SPDX-License-Identifier: MIT */
/* Disjoint sets of cells, which all threads join concurrently. */
#include "analysis/friends.h"

uint32_t
koshu_friends_root(struct friends *f, uint32_t c)
{
    for (;;) {
        uint32_t up = atomic_load_explicit(&f->parent[c], memory_order_relaxed);
        if (up == c) return c;
        const uint32_t next =
                atomic_load_explicit(&f->parent[up], memory_order_relaxed);
        if (next != up)
            atomic_compare_exchange_weak_explicit(&f->parent[c], &up, next,
                                                  memory_order_relaxed,
                                                  memory_order_relaxed);
        c = next;
    }
}

void
koshu_friends_join(struct friends *f, uint32_t a, uint32_t b)
{
    for (;;) {
        a = koshu_friends_root(f, a);
        b = koshu_friends_root(f, b);
        if (a == b) return;
        if (a > b) {
            const uint32_t c = a;
            a = b;
            b = c;
        }
        uint32_t expected = b;
        if (atomic_compare_exchange_strong_explicit(&f->parent[b], &expected, a,
                                                    memory_order_relaxed,
                                                    memory_order_relaxed))
            return;
    }
}
