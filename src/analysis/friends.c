/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/place.h"
#include "base/base.h"

/* Cells two away on each axis may hold friends; of each two cells, one sees the
 * other. */
enum { REACH = 2, NEIGHBOURS = 62, MIN_CELLS = 2 * REACH + 1 };
static const size_t max_cells = (size_t)1 << 21; /* 63 bits of three */
static const uint32_t none = UINT32_MAX;

struct work {
    struct koshu_context *context;
    const struct koshu_particle_const_view *v;
    const struct koshu_friends_options *o;
    int threads, step[NEIGHBOURS][3];
    size_t edge;    /* cells along the box */
    size_t n_cells; /* that hold particles */
    /* by cell: */
    uint64_t *key, *key_other;
    uint32_t *index, *index_other; /* particles */
    uint32_t *first;               /* n_cells + 1: of index */
    double *x[3];                  /* in the order of index */
    _Atomic uint32_t *parent;
    uint32_t *cell_of; /* of a particle */
    uint32_t *count, *group;
    uint64_t *least_id;
};

/* ---- cells --------------------------------------------------------------- */

static void
set_steps(struct work *w)
{
    int k = 0;
    for (int i = -REACH; i <= REACH; i++)
        for (int j = -REACH; j <= REACH; j++)
            for (int l = -REACH; l <= REACH; l++) {
                if (i * 100 + j * 10 + l <= 0) continue;
                w->step[k][0] = i;
                w->step[k][1] = j;
                w->step[k++][2] = l;
            }
}

static koshu_status
begin(struct work *w)
{
    const size_t n = w->v->n;
    w->edge = (size_t)(w->o->box * sqrt(3) / w->o->length) + 1;
    if (w->edge > max_cells) w->edge = max_cells;
    w->key = koshu_alloc(n, 8);
    w->key_other = koshu_alloc(n, 8);
    w->index = koshu_alloc(n, 4);
    w->index_other = koshu_alloc(n, 4);
    w->first = koshu_alloc(n + 1, 4);
    w->parent = koshu_alloc(n, sizeof *w->parent);
    w->cell_of = koshu_alloc(n, 4);
    w->count = koshu_alloc(n, 4);
    w->group = koshu_alloc(n, 4);
    w->least_id = koshu_alloc(n, 8);
    for (int a = 0; a < 3; a++) w->x[a] = koshu_alloc(n, 8);
    if (w->key && w->key_other && w->index && w->index_other && w->first &&
        w->parent && w->cell_of && w->count && w->group && w->least_id &&
        w->x[0] && w->x[1] && w->x[2])
        return KOSHU_OK;
    return koshu_fail_memory(w->context, 76 * n, "groups of particles");
}

static void
end(struct work *w)
{
    koshu_free(w->key);
    koshu_free(w->key_other);
    koshu_free(w->index);
    koshu_free(w->index_other);
    koshu_free(w->first);
    koshu_free(w->parent);
    koshu_free(w->cell_of);
    koshu_free(w->count);
    koshu_free(w->group);
    koshu_free(w->least_id);
    for (int a = 0; a < 3; a++) koshu_free(w->x[a]);
}

static void
set_keys(struct work *w)
{
#pragma omp parallel for num_threads(w->threads)
    for (size_t i = 0; i < w->v->n; i++) {
        double x[3];
        koshu_place_of(w->v, i, x);
        uint64_t key = 0;
        for (int a = 0; a < 3; a++)
            key = key * w->edge + koshu_cell_along(x[a], w->o->box, w->edge);
        w->key[i] = key;
        w->index[i] = (uint32_t)i;
    }
}

/* key[] becomes that of the cells; it is not longer than that of particles. */
static void
make_cells(struct work *w)
{
    for (size_t i = 0; i < w->v->n; i++) {
        double x[3];
        koshu_place_of(w->v, w->index[i], x);
        for (int a = 0; a < 3; a++) w->x[a][i] = x[a];
        if (i == 0 || w->key[i] != w->key[w->n_cells - 1]) {
            w->first[w->n_cells] = (uint32_t)i;
            w->key[w->n_cells++] = w->key[i];
        }
        w->cell_of[w->index[i]] = (uint32_t)(w->n_cells - 1);
    }
    w->first[w->n_cells] = (uint32_t)w->v->n;
    for (size_t c = 0; c < w->n_cells; c++)
        atomic_init(&w->parent[c], (uint32_t)c);
}

/* ---- joined -------------------------------------------------------------- */

static uint32_t
root_of(struct work *w, uint32_t c)
{
    for (;;) {
        uint32_t up = atomic_load_explicit(&w->parent[c], memory_order_relaxed);
        if (up == c) return c;
        const uint32_t next =
                atomic_load_explicit(&w->parent[up], memory_order_relaxed);
        if (next != up)
            atomic_compare_exchange_weak_explicit(&w->parent[c], &up, next,
                                                  memory_order_relaxed,
                                                  memory_order_relaxed);
        c = next;
    }
}

/* The smaller root becomes the other's parent: in the end the root of a set is
 * its first cell, whichever thread came first. */
static void
join(struct work *w, uint32_t a, uint32_t b)
{
    for (;;) {
        a = root_of(w, a);
        b = root_of(w, b);
        if (a == b) return;
        if (a > b) {
            const uint32_t c = a;
            a = b;
            b = c;
        }
        uint32_t expected = b;
        if (atomic_compare_exchange_strong_explicit(&w->parent[b], &expected, a,
                                                    memory_order_relaxed,
                                                    memory_order_relaxed))
            return;
    }
}

static bool
are_linked(const struct work *w, uint32_t a, uint32_t b)
{
    const double length2 = w->o->length * w->o->length;
    for (size_t i = w->first[a]; i < w->first[a + 1]; i++)
        for (size_t j = w->first[b]; j < w->first[b + 1]; j++) {
            const double p[3] = {w->x[0][i], w->x[1][i], w->x[2][i]};
            const double q[3] = {w->x[0][j], w->x[1][j], w->x[2][j]};
            if (koshu_distance2(p, q, w->o->box) <= length2) return true;
        }
    return false;
}

/* The first cell from `from` to `to` whose key is not less. */
static size_t
search(const struct work *w, size_t from, size_t to, uint64_t key)
{
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (w->key[middle] < key)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The cell of a key, near one that was found for the last key: keys mostly
 * grow, by little. n_cells: there is none. */
static size_t
find(const struct work *w, uint64_t key, size_t *near)
{
    size_t from = *near, stride = 1;
    if (from >= w->n_cells || w->key[from] > key)
        *near = search(w, 0, from < w->n_cells ? from : w->n_cells, key);
    else {
        while (from + stride < w->n_cells && w->key[from + stride] < key) {
            from += stride;
            stride *= 2;
        }
        const size_t to = from + stride + 1;
        *near = search(w, from, to < w->n_cells ? to : w->n_cells, key);
    }
    return *near < w->n_cells && w->key[*near] == key ? *near : w->n_cells;
}

static uint64_t
key_beside(const struct work *w, uint64_t key, const int step[3])
{
    const uint64_t n = w->edge;
    const uint64_t at[3] = {key / (n * n), key / n % n, key % n};
    uint64_t beside = 0;
    for (int a = 0; a < 3; a++)
        beside = beside * n + (at[a] + n + (uint64_t)(int64_t)step[a]) % n;
    return beside;
}

static void
join_neighbours(struct work *w, size_t c, size_t near[NEIGHBOURS])
{
    for (int k = 0; k < NEIGHBOURS; k++) {
        const size_t other =
                find(w, key_beside(w, w->key[c], w->step[k]), &near[k]);
        const uint32_t a = (uint32_t)c, b = (uint32_t)other;
        if (other == w->n_cells || root_of(w, a) == root_of(w, b)) continue;
        if (are_linked(w, a, b)) join(w, a, b);
    }
}

static void
join_cells(struct work *w)
{
#pragma omp parallel num_threads(w->threads)
    {
        size_t near[NEIGHBOURS] = {0};
#pragma omp for schedule(dynamic, 4096)
        for (size_t c = 0; c < w->n_cells; c++) join_neighbours(w, c, near);
    }
}

/* ---- in order ------------------------------------------------------------ */

struct candidate {
    uint32_t root, count;
    uint64_t id;
};

static int
larger_first(const void *a, const void *b)
{
    const struct candidate *p = a, *q = b;
    if (p->count != q->count) return p->count > q->count ? -1 : 1;
    if (p->id != q->id) return p->id < q->id ? -1 : 1;
    return p->root < q->root ? -1 : p->root > q->root;
}

static void
count_members(struct work *w)
{
    for (size_t c = 0; c < w->n_cells; c++) w->least_id[c] = UINT64_MAX;
    for (size_t i = 0; i < w->v->n; i++) {
        const uint32_t root = root_of(w, w->cell_of[i]);
        w->cell_of[i] = root;
        w->count[root]++;
        if (w->v->id[i] < w->least_id[root]) w->least_id[root] = w->v->id[i];
    }
}

static void
fill_groups(struct work *w, const struct candidate *found,
            struct koshu_fof *groups)
{
    for (size_t c = 0; c < w->n_cells; c++) w->group[c] = none;
    for (size_t g = 0; g < groups->n; g++) {
        w->group[found[g].root] = (uint32_t)g;
        groups->first[g + 1] = groups->first[g] + found[g].count;
        w->count[found[g].root] = 0; /* from here on those that are in */
    }
    for (size_t i = 0; i < w->v->n; i++) {
        const uint32_t root = w->cell_of[i], g = w->group[root];
        if (g != none)
            groups->member[groups->first[g] + w->count[root]++] = (uint32_t)i;
    }
}

static koshu_status
order_groups(struct work *w, struct koshu_fof *groups)
{
    size_t n = 0, members = 0;
    for (size_t c = 0; c < w->n_cells; c++)
        if (w->count[c] >= w->o->least && w->count[c] > 0) {
            n++;
            members += w->count[c];
        }
    struct candidate *found = koshu_alloc(n + 1, sizeof *found);
    groups->first = koshu_alloc(n + 1, sizeof *groups->first);
    groups->member = koshu_alloc(members + 1, sizeof *groups->member);
    const bool good = found && groups->first && groups->member;
    for (size_t c = 0; good && c < w->n_cells; c++)
        if (w->count[c] >= w->o->least && w->count[c] > 0)
            found[groups->n++] = (struct candidate){(uint32_t)c, w->count[c],
                                                    w->least_id[c]};
    if (good) {
        qsort(found, n, sizeof *found, larger_first);
        fill_groups(w, found, groups);
    }
    koshu_free(found);
    return good ? KOSHU_OK
                : koshu_fail_memory(w->context, 40 * n + 4 * members,
                                    "groups of particles");
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
check(const struct work *w)
{
    const struct koshu_friends_options *o = w->o;
    if (!(o->box > 0 && o->length > 0 && o->length <= o->box / 4))
        return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                          "a linking length of %g in a box of %g: expected one "
                          "above 0, up to a quarter of the box",
                          o->length, o->box);
    if (w->v->n < UINT32_MAX) return KOSHU_OK;
    return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                      "%zu particles: groups are found of fewer than 2^32",
                      w->v->n);
}

koshu_status
koshu_friends_of_friends(struct koshu_context *context,
                         const struct koshu_particle_const_view *particles,
                         const struct koshu_friends_options *options,
                         struct koshu_fof *groups)
{
    struct work w = {.context = context,
                     .v = particles,
                     .o = options,
                     .threads = koshu_region_threads(context, true)};
    *groups = (struct koshu_fof){0};
    KOSHU_TRY(check(&w));
    koshu_status status = begin(&w);
    if (status == KOSHU_OK) {
        set_steps(&w);
        set_keys(&w);
        koshu_sort_keys(particles->n, w.key, w.index, w.key_other,
                        w.index_other, w.threads);
        make_cells(&w);
        join_cells(&w);
        count_members(&w);
        status = order_groups(&w, groups);
    }
    end(&w);
    return status;
}

void
koshu_fof_free(struct koshu_fof *groups)
{
    koshu_free(groups->first);
    koshu_free(groups->member);
    *groups = (struct koshu_fof){0};
}
