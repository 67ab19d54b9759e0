/* SPDX-License-Identifier: MIT */
/*
 * Numbers the groups of several ranks by their labels. Groups with particles
 * near the edge of a slab have pairs of labels, which all ranks know; the
 * others are on one rank only.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks.h"

/* The labels in pairs, ascending and distinct, each with its parent's index. */
struct work {
    struct koshu_context *context;
    size_t n_pairs, n, least;
    struct label_pair *pairs; /* of all ranks */
    uint64_t *label, *count;
    size_t *parent;
    struct numbered *mine, *groups;
    size_t n_mine, n_groups;
};

static int
ascending(const void *a, const void *b)
{
    const uint64_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

/* The index of a label; n: it is in no pair. */
static size_t
find(const struct work *w, uint64_t label)
{
    const uint64_t *found =
            bsearch(&label, w->label, w->n, sizeof *w->label, ascending);
    return found ? (size_t)(found - w->label) : w->n;
}

/* The root of a set is its first label, the smallest. */
static size_t
root_of(struct work *w, size_t k)
{
    while (w->parent[k] != k) k = w->parent[k] = w->parent[w->parent[k]];
    return k;
}

static void
join(struct work *w, size_t a, size_t b)
{
    a = root_of(w, a);
    b = root_of(w, b);
    if (a < b)
        w->parent[b] = a;
    else
        w->parent[a] = b;
}

static void
join_pairs(struct work *w)
{
    size_t n = 0;
    for (size_t k = 0; k < w->n_pairs; k++) {
        w->label[n++] = w->pairs[k].a;
        w->label[n++] = w->pairs[k].b;
    }
    qsort(w->label, n, sizeof *w->label, ascending);
    for (size_t k = 0; k < n; k++)
        if (k == 0 || w->label[k] != w->label[w->n - 1])
            w->label[w->n++] = w->label[k];
    for (size_t k = 0; k < w->n; k++) w->parent[k] = k;
    for (size_t k = 0; k < w->n_pairs; k++)
        join(w, find(w, w->pairs[k].a), find(w, w->pairs[k].b));
}

/* Counts groups of this rank only, and its share of those in pairs. */
static void
count(struct work *w, size_t n, const struct labelled *labelled)
{
    for (size_t k = 0; k < n; k++) {
        const size_t at = find(w, labelled[k].label);
        if (at < w->n)
            w->count[root_of(w, at)] += labelled[k].count;
        else if (labelled[k].count >= w->least)
            w->mine[w->n_mine++] =
                    (struct numbered){labelled[k].label, labelled[k].count};
    }
}

/* Groups of several ranks are reported by the first rank. */
static void
add_joined(struct work *w)
{
    if (!koshu_is_first_rank(w->context)) return;
    for (size_t k = 0; k < w->n; k++)
        if (w->parent[k] == k && w->count[k] >= w->least)
            w->mine[w->n_mine++] = (struct numbered){w->label[k], w->count[k]};
}

static int
larger_first(const void *a, const void *b)
{
    const struct numbered *p = a, *q = b;
    if (p->count != q->count) return p->count > q->count ? -1 : 1;
    return p->label < q->label ? -1 : p->label > q->label;
}

/* ---- numbers ------------------------------------------------------------- */

struct name {
    uint64_t label, number;
};

static koshu_status
give_numbers(struct work *w, size_t n, const struct labelled *labelled,
             uint64_t *number)
{
    struct name *names = koshu_alloc(w->n_groups + 1, sizeof *names);
    if (!names)
        return koshu_fail_memory(w->context, w->n_groups * sizeof *names,
                                 "groups");
    for (size_t g = 0; g < w->n_groups; g++)
        names[g] = (struct name){w->groups[g].label, g};
    qsort(names, w->n_groups, sizeof *names, ascending); /* labels are the
                                                            first member */
    for (size_t k = 0; k < n; k++) {
        const size_t at = find(w, labelled[k].label);
        const uint64_t label =
                at < w->n ? w->label[root_of(w, at)] : labelled[k].label;
        const struct name *found =
                bsearch(&label, names, w->n_groups, sizeof *names, ascending);
        number[k] = found ? found->number : UINT64_MAX;
    }
    koshu_free(names);
    return KOSHU_OK;
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
allocate(struct work *w, size_t n_labelled)
{
    const size_t n = 2 * w->n_pairs + 1;
    w->label = koshu_alloc(n, sizeof *w->label);
    w->count = koshu_alloc(n, sizeof *w->count);
    w->parent = koshu_alloc(n, sizeof *w->parent);
    w->mine = koshu_alloc(n_labelled + n, sizeof *w->mine);
    const bool good = w->label && w->count && w->parent && w->mine;
    return koshu_ranks_collective_status(
            w->context, good ? KOSHU_OK
                             : koshu_fail_memory(w->context, 40 * n,
                                                 "groups of several ranks"));
}

static koshu_status
number_all(struct work *w, size_t n, const struct labelled *labelled,
           uint64_t *number)
{
    KOSHU_TRY(allocate(w, n));
    join_pairs(w);
    count(w, n, labelled);
    KOSHU_TRY(koshu_sum_counts(w->context, w->count, w->n));
    add_joined(w);
    KOSHU_TRY(koshu_gather_items(w->context, w->mine, sizeof *w->mine,
                                 w->n_mine, (void **)&w->groups, &w->n_groups));
    qsort(w->groups, w->n_groups, sizeof *w->groups, larger_first);
    return koshu_ranks_collective_status(w->context,
                                         give_numbers(w, n, labelled, number));
}

koshu_status
koshu_labels_number(struct koshu_context *context, size_t n_pairs,
                    const struct label_pair *pairs, size_t n_labelled,
                    const struct labelled *labelled, size_t least,
                    uint64_t *number, struct numbered **groups,
                    size_t *n_groups)
{
    struct work w = {.context = context, .least = least};
    koshu_status status =
            koshu_gather_items(context, pairs, sizeof *pairs, n_pairs,
                               (void **)&w.pairs, &w.n_pairs);
    if (status == KOSHU_OK)
        status = number_all(&w, n_labelled, labelled, number);
    *groups = w.groups;
    *n_groups = w.n_groups;
    koshu_free(w.pairs);
    koshu_free(w.label);
    koshu_free(w.count);
    koshu_free(w.parent);
    koshu_free(w.mine);
    return status;
}
