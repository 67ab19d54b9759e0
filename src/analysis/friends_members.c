/* SPDX-License-Identifier: MIT */
/* Collects the particles of joined cells, for sets that are large enough. */
#include "analysis/friends.h"
#include "base/base.h"

static const uint32_t none = UINT32_MAX;

struct members {
    struct friends *f;
    struct koshu_friends_sets *sets;
    _Atomic uint32_t *count; /* particles, by root; later their set, or none */
    uint32_t *label;         /* set of each particle, or none */
};

static koshu_status
fail(const struct members *w, size_t bytes)
{
    return koshu_fail_memory(w->f->context, bytes, "groups of particles");
}

/* ---- sets ---------------------------------------------------------------- */

static koshu_status
count_members(struct members *w)
{
    struct friends *f = w->f;
    w->count = koshu_alloc_unset(f->n_cells, sizeof *w->count);
    if (!w->count) return fail(w, 4 * f->n_cells);
#pragma omp parallel for num_threads(f->threads)
    for (size_t c = 0; c < f->n_cells; c++) atomic_init(&w->count[c], 0);
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 4096)
    for (size_t c = 0; c < f->n_cells; c++)
        atomic_fetch_add_explicit(&w->count[koshu_friends_root(f, (uint32_t)c)],
                                  f->first[c + 1] - f->first[c],
                                  memory_order_relaxed);
    return KOSHU_OK;
}

static bool
is_set(const struct members *w, size_t root)
{
    return w->count[root] > 0 && w->count[root] >= w->f->o->least;
}

/* Numbers sets by their roots, ascending. */
static koshu_status
number_sets(struct members *w)
{
    struct koshu_friends_sets *sets = w->sets;
    const size_t n_cells = w->f->n_cells;
    size_t n = 0;
#pragma omp parallel for num_threads(w->f->threads) reduction(+ : n)
    for (size_t c = 0; c < n_cells; c++) n += is_set(w, c);
    sets->first = koshu_alloc(n + 1, sizeof *sets->first);
    if (!sets->first) return fail(w, 8 * n);
    for (size_t c = 0; c < n_cells; c++) {
        if (is_set(w, c)) {
            const size_t k = sets->n++;
            sets->first[k + 1] = sets->first[k] + w->count[c];
            w->count[c] = (uint32_t)k;
        } else
            w->count[c] = none;
    }
    return KOSHU_OK;
}

/* ---- members ------------------------------------------------------------- */

/* Clears the labels in the particles' order, then sets those of members, as the
 * particles of a cell are scattered in memory. */
static koshu_status
label_particles(struct members *w)
{
    struct friends *f = w->f;
    w->label = koshu_alloc_unset(f->v->n, sizeof *w->label);
    if (!w->label) return fail(w, 4 * f->v->n);
#pragma omp parallel for num_threads(f->threads)
    for (size_t i = 0; i < f->v->n; i++) w->label[i] = none;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 4096)
    for (size_t c = 0; c < f->n_cells; c++) {
        const uint32_t set = w->count[koshu_friends_root(f, (uint32_t)c)];
        if (set == none) continue;
        for (size_t i = f->first[c]; i < f->first[c + 1]; i++)
            w->label[f->index[i]] = set;
    }
    return KOSHU_OK;
}

/* Collects the members in particle order, with their sets. */
static void
take_members(const struct members *w, uint64_t *set)
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
            set[to] = w->label[i];
            w->sets->member[to++] = (uint32_t)i;
        }
    }
}

/* A stable sort, so that members are ascending within each set. */
static koshu_status
sort_members(struct members *w)
{
    const size_t n = w->sets->first[w->sets->n];
    uint64_t *set = koshu_alloc_unset(n, sizeof *set),
             *other_set = koshu_alloc_unset(n, sizeof *other_set);
    uint32_t *other = koshu_alloc_unset(n, sizeof *other);
    w->sets->member = koshu_alloc_unset(n + 1, sizeof *w->sets->member);
    const bool good = set && other_set && other && w->sets->member;
    if (good) {
        take_members(w, set);
        koshu_sort_keys(n, set, w->sets->member, other_set, other,
                        w->f->threads);
    }
    koshu_free(set);
    koshu_free(other_set);
    koshu_free(other);
    return good ? KOSHU_OK : fail(w, 24 * n);
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
make_sets(struct members *w)
{
    KOSHU_TRY(count_members(w));
    KOSHU_TRY(number_sets(w));
    KOSHU_TRY(label_particles(w));
    koshu_friends_free_cells(w->f);
    return sort_members(w);
}

koshu_status
koshu_friends_members(struct friends *f, struct koshu_friends_sets *sets)
{
    struct members w = {.f = f, .sets = sets};
    const koshu_status status = make_sets(&w);
    koshu_free(w.count);
    koshu_free(w.label);
    return status;
}
