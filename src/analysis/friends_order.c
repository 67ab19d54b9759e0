/* SPDX-License-Identifier: MIT */
/* Turns sets of cells into groups of particles, the largest first. */
#include "analysis/friends.h"
#include "base/base.h"

static const uint32_t none = UINT32_MAX;

struct candidate {
    uint32_t root, count;
    uint64_t id;
};

struct order {
    struct friends *f;
    struct koshu_fof *groups;
    _Atomic uint32_t *count; /* particles, by root */
    _Atomic uint64_t *id;    /* their smallest id, by root */
    struct candidate *found;
    size_t n, n_members;
    uint32_t *label; /* group of each particle, or none */
};

static koshu_status
fail(const struct order *w, size_t bytes)
{
    return koshu_fail_memory(w->f->context, bytes, "groups of particles");
}

/* ---- sets ---------------------------------------------------------------- */

static void
count_cell(struct order *w, size_t c)
{
    struct friends *f = w->f;
    const uint32_t root = koshu_friends_root(f, (uint32_t)c);
    atomic_fetch_add_explicit(&w->count[root], f->first[c + 1] - f->first[c],
                              memory_order_relaxed);
}

static bool
is_group(const struct order *w, size_t root)
{
    return w->count[root] > 0 && w->count[root] >= w->f->o->least;
}

/* For groups only, as reading ids means random access to memory. */
static void
find_id(struct order *w, size_t c)
{
    struct friends *f = w->f;
    const uint32_t root = koshu_friends_root(f, (uint32_t)c);
    uint64_t least = UINT64_MAX;
    if (!is_group(w, root)) return;
    for (size_t i = f->first[c]; i < f->first[c + 1]; i++)
        if (f->v->id[f->index[i]] < least) least = f->v->id[f->index[i]];
    uint64_t before = atomic_load_explicit(&w->id[root], memory_order_relaxed);
    while (least < before &&
           !atomic_compare_exchange_weak_explicit(&w->id[root], &before, least,
                                                  memory_order_relaxed,
                                                  memory_order_relaxed)) {
    }
}

static koshu_status
count_members(struct order *w)
{
    struct friends *f = w->f;
    w->count = koshu_alloc_unset(f->n_cells, sizeof *w->count);
    w->id = koshu_alloc_unset(f->n_cells, sizeof *w->id);
    if (!w->count || !w->id) return fail(w, 12 * f->n_cells);
#pragma omp parallel for num_threads(f->threads)
    for (size_t c = 0; c < f->n_cells; c++) {
        atomic_init(&w->count[c], 0);
        atomic_init(&w->id[c], UINT64_MAX);
    }
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 4096)
    for (size_t c = 0; c < f->n_cells; c++) count_cell(w, c);
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 4096)
    for (size_t c = 0; c < f->n_cells; c++) find_id(w, c);
    return KOSHU_OK;
}

/* The roots of groups, in ascending order. */
static koshu_status
find_candidates(struct order *w)
{
    const size_t n_cells = w->f->n_cells;
    size_t next[FRIENDS_PARTS + 1] = {0}, members = 0;
#pragma omp parallel for num_threads(w->f->threads) reduction(+ : members)
    for (size_t p = 0; p < FRIENDS_PARTS; p++)
        for (size_t c = koshu_friends_part(n_cells, p);
             c < koshu_friends_part(n_cells, p + 1); c++)
            if (is_group(w, c)) {
                next[p + 1]++;
                members += w->count[c];
            }
    for (size_t p = 0; p < FRIENDS_PARTS; p++) next[p + 1] += next[p];
    w->n = next[FRIENDS_PARTS];
    w->n_members = members;
    w->found = koshu_alloc(w->n + 1, sizeof *w->found);
    if (!w->found) return fail(w, w->n * sizeof *w->found);
#pragma omp parallel for num_threads(w->f->threads)
    for (size_t p = 0; p < FRIENDS_PARTS; p++)
        for (size_t c = koshu_friends_part(n_cells, p);
             c < koshu_friends_part(n_cells, p + 1); c++)
            if (is_group(w, c))
                w->found[next[p]++] =
                        (struct candidate){(uint32_t)c, w->count[c], w->id[c]};
    return KOSHU_OK;
}

/* Work space of a stable sort. */
struct sort {
    size_t n;
    uint64_t *key, *other_key;
    uint32_t *index, *other_index;
    struct candidate *sorted;
    int threads;
};

static void
sort_by(struct sort *s, const struct candidate *found, bool by_count)
{
#pragma omp parallel for num_threads(s->threads)
    for (size_t k = 0; k < s->n; k++) {
        const struct candidate *c = &found[s->index[k]];
        s->key[k] = by_count ? UINT32_MAX - c->count : c->id;
    }
    koshu_sort_keys(s->n, s->key, s->index, s->other_key, s->other_index,
                    s->threads);
}

/* The largest first; equal ones by id. */
static void
sort_found(struct order *w, struct sort *s)
{
    for (size_t k = 0; k < s->n; k++) s->index[k] = (uint32_t)k;
    sort_by(s, w->found, false);
    sort_by(s, w->found, true);
#pragma omp parallel for num_threads(s->threads)
    for (size_t k = 0; k < s->n; k++) s->sorted[k] = w->found[s->index[k]];
    koshu_free(w->found);
    w->found = s->sorted;
}

static koshu_status
sort_candidates(struct order *w)
{
    const size_t n = w->n;
    struct sort s = {.n = n,
                     .key = koshu_alloc_unset(n + 1, sizeof *s.key),
                     .other_key = koshu_alloc_unset(n + 1, sizeof *s.key),
                     .index = koshu_alloc_unset(n + 1, sizeof *s.index),
                     .other_index = koshu_alloc_unset(n + 1, sizeof *s.index),
                     .sorted = koshu_alloc_unset(n + 1, sizeof *s.sorted),
                     .threads = w->f->threads};
    const bool good =
            s.key && s.other_key && s.index && s.other_index && s.sorted;
    if (good)
        sort_found(w, &s);
    else
        koshu_free(s.sorted);
    koshu_free(s.key);
    koshu_free(s.other_key);
    koshu_free(s.index);
    koshu_free(s.other_index);
    return good ? KOSHU_OK : fail(w, 40 * n);
}

/* ---- members ------------------------------------------------------------- */

/* count[root] becomes the group's number, or none. */
static koshu_status
number_groups(struct order *w)
{
    struct koshu_fof *g = w->groups;
    g->n = w->n;
    g->first = koshu_alloc(w->n + 1, sizeof *g->first);
    if (!g->first) return fail(w, 8 * w->n);
#pragma omp parallel for num_threads(w->f->threads)
    for (size_t c = 0; c < w->f->n_cells; c++) w->count[c] = none;
    for (size_t k = 0; k < w->n; k++) {
        w->count[w->found[k].root] = (uint32_t)k;
        g->first[k + 1] = g->first[k] + w->found[k].count;
    }
    return KOSHU_OK;
}

/* Clears the labels in the particles' order, then sets those of members, as the
 * particles of a cell are scattered in memory. */
static koshu_status
label_particles(struct order *w)
{
    struct friends *f = w->f;
    w->label = koshu_alloc_unset(f->v->n, sizeof *w->label);
    if (!w->label) return fail(w, 4 * f->v->n);
#pragma omp parallel for num_threads(f->threads)
    for (size_t i = 0; i < f->v->n; i++) w->label[i] = none;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 4096)
    for (size_t c = 0; c < f->n_cells; c++) {
        const uint32_t g = w->count[koshu_friends_root(f, (uint32_t)c)];
        if (g == none) continue;
        for (size_t i = f->first[c]; i < f->first[c + 1]; i++)
            w->label[f->index[i]] = g;
    }
    return KOSHU_OK;
}

/* Collects the members in particle order, with their groups. */
static void
take_members(const struct order *w, uint64_t *group)
{
    const size_t n = w->f->v->n;
    size_t count[FRIENDS_PARTS + 1] = {0};
#pragma omp parallel for num_threads(w->f->threads)
    for (size_t p = 0; p < FRIENDS_PARTS; p++) {
        size_t here = 0;
        for (size_t i = koshu_friends_part(n, p);
             i < koshu_friends_part(n, p + 1); i++)
            here += w->label[i] != none;
        count[p + 1] = here;
    }
    for (size_t p = 0; p < FRIENDS_PARTS; p++) count[p + 1] += count[p];
#pragma omp parallel for num_threads(w->f->threads)
    for (size_t p = 0; p < FRIENDS_PARTS; p++) {
        size_t to = count[p];
        for (size_t i = koshu_friends_part(n, p);
             i < koshu_friends_part(n, p + 1); i++) {
            if (w->label[i] == none) continue;
            group[to] = w->label[i];
            w->groups->member[to++] = (uint32_t)i;
        }
    }
}

/* A stable sort, so that members are ascending within each group. */
static koshu_status
sort_members(struct order *w)
{
    const size_t n = w->n_members;
    uint64_t *group = koshu_alloc_unset(n, sizeof *group),
             *group_other = koshu_alloc_unset(n, sizeof *group_other);
    uint32_t *other = koshu_alloc_unset(n, sizeof *other);
    w->groups->member = koshu_alloc_unset(n + 1, sizeof *w->groups->member);
    const bool good = group && group_other && other && w->groups->member;
    if (good) {
        take_members(w, group);
        koshu_sort_keys(n, group, w->groups->member, group_other, other,
                        w->f->threads);
    }
    koshu_free(group);
    koshu_free(group_other);
    koshu_free(other);
    return good ? KOSHU_OK : fail(w, 24 * n);
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
make_groups(struct order *w)
{
    KOSHU_TRY(count_members(w));
    KOSHU_TRY(find_candidates(w));
    KOSHU_TRY(sort_candidates(w));
    KOSHU_TRY(number_groups(w));
    KOSHU_TRY(label_particles(w));
    koshu_friends_free_cells(w->f);
    return sort_members(w);
}

koshu_status
koshu_friends_order(struct friends *f, struct koshu_fof *groups)
{
    struct order w = {.f = f, .groups = groups};
    const koshu_status status = make_groups(&w);
    koshu_free(w.count);
    koshu_free(w.id);
    koshu_free(w.found);
    koshu_free(w.label);
    return status;
}
