/* SPDX-License-Identifier: MIT */
/* Sorts sets of friends: the largest first; equal ones by their smallest id. */
#include "analysis/friends.h"

#include <string.h>

#include "base/base.h"

/* Work space of a stable sort of sets. */
struct order {
    size_t n;
    uint64_t *id; /* the smallest of each set */
    uint64_t *key, *other_key;
    uint32_t *set, *other_set;
    int threads;
};

static bool
allocate(struct order *w)
{
    w->id = koshu_alloc_unset(w->n + 1, sizeof *w->id);
    w->key = koshu_alloc_unset(w->n + 1, sizeof *w->key);
    w->other_key = koshu_alloc_unset(w->n + 1, sizeof *w->other_key);
    w->set = koshu_alloc_unset(w->n + 1, sizeof *w->set);
    w->other_set = koshu_alloc_unset(w->n + 1, sizeof *w->other_set);
    return w->id && w->key && w->other_key && w->set && w->other_set;
}

static void
find_ids(struct order *w, const uint64_t *id,
         const struct koshu_friends_sets *sets)
{
#pragma omp parallel for num_threads(w->threads) schedule(dynamic, 256)
    for (size_t k = 0; k < w->n; k++) {
        uint64_t least = UINT64_MAX;
        for (size_t i = sets->first[k]; i < sets->first[k + 1]; i++)
            if (id[sets->member[i]] < least) least = id[sets->member[i]];
        w->id[k] = least;
    }
}

static void
sort_sets(struct order *w, const struct koshu_friends_sets *sets)
{
#pragma omp parallel for num_threads(w->threads)
    for (size_t k = 0; k < w->n; k++) {
        w->set[k] = (uint32_t)k;
        w->key[k] = w->id[k];
    }
    koshu_sort_keys(w->n, w->key, w->set, w->other_key, w->other_set,
                    w->threads);
#pragma omp parallel for num_threads(w->threads)
    for (size_t k = 0; k < w->n; k++) {
        const size_t *first = &sets->first[w->set[k]];
        w->key[k] = UINT32_MAX - (first[1] - first[0]);
    }
    koshu_sort_keys(w->n, w->key, w->set, w->other_key, w->other_set,
                    w->threads);
}

static koshu_status
take_groups(const struct order *w, struct koshu_context *context,
            const struct koshu_friends_sets *sets, struct koshu_fof *groups)
{
    const size_t n_members = sets->first[w->n];
    groups->first = koshu_alloc(w->n + 1, sizeof *groups->first);
    groups->member = koshu_alloc_unset(n_members + 1, sizeof *groups->member);
    if (!groups->first || !groups->member)
        return koshu_fail_memory(context, 8 * w->n + 4 * n_members,
                                 "groups of particles");
    groups->n = w->n;
    for (size_t k = 0; k < w->n; k++) {
        const size_t *first = &sets->first[w->set[k]];
        groups->first[k + 1] = groups->first[k] + first[1] - first[0];
    }
#pragma omp parallel for num_threads(w->threads) schedule(dynamic, 256)
    for (size_t k = 0; k < w->n; k++)
        memcpy(&groups->member[groups->first[k]],
               &sets->member[sets->first[w->set[k]]],
               (groups->first[k + 1] - groups->first[k]) *
                       sizeof *groups->member);
    return KOSHU_OK;
}

koshu_status
koshu_friends_order(const struct friends *f,
                    const struct koshu_friends_sets *sets,
                    struct koshu_fof *groups)
{
    struct order w = {.n = sets->n, .threads = f->threads};
    koshu_status status;
    if (allocate(&w)) {
        find_ids(&w, f->v->id, sets);
        sort_sets(&w, sets);
        status = take_groups(&w, f->context, sets, groups);
    } else
        status = koshu_fail_memory(f->context, 32 * w.n, "groups of particles");
    koshu_free(w.id);
    koshu_free(w.key);
    koshu_free(w.other_key);
    koshu_free(w.set);
    koshu_free(w.other_set);
    return status;
}
