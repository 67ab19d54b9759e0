/* SPDX-License-Identifier: MIT */
/* Joins cells that hold friends, for friends-of-friends groups. */
#include "analysis/friends.h"

#include <math.h>

#include "base/base.h"

/* Cells up to two apart along each axis may hold friends. Each pair of cells is
 * examined once: from a cell, the rest of its own row, and twelve of the 25
 * rows around it. */
enum { REACH = 2, ROWS = 13 };

/* A row relative to a cell, and where the search for its cells starts. */
struct row {
    int i, j;
    size_t near;
};

static void
set_rows(struct row row[ROWS])
{
    int k = 0;
    for (int i = 0; i <= REACH; i++)
        for (int j = i > 0 ? -REACH : 0; j <= REACH; j++)
            row[k++] = (struct row){i, j, 0};
}

/* ---- joined -------------------------------------------------------------- */

/* Of coordinates in the box. */
static double
distance_along(double a, double b, double box)
{
    const double d = fabs(a - b);
    return d < box - d ? d : box - d;
}

static bool
are_linked(const struct friends *f, size_t a, size_t b)
{
    const double length2 = f->o->length * f->o->length, box = f->o->box;
    for (size_t i = f->first[a]; i < f->first[a + 1]; i++)
        for (size_t j = f->first[b]; j < f->first[b + 1]; j++) {
            const double x = distance_along(f->x[0][i], f->x[0][j], box),
                         y = distance_along(f->x[1][i], f->x[1][j], box),
                         z = distance_along(f->x[2][i], f->x[2][j], box);
            if (x * x + y * y + z * z <= length2) return true;
        }
    return false;
}

/* ---- rows ---------------------------------------------------------------- */

/* The first cell between `from` and `to` with a key not below this one. */
static size_t
search(const uint64_t *keys, size_t from, size_t to, uint64_t key)
{
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (keys[middle] < key)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The same among all cells, starting near the last result: keys mostly grow,
 * and by little. */
static size_t
find(const struct friends *f, uint64_t key, size_t near)
{
    size_t stride = 1;
    if (near >= f->n_cells || f->key[near] >= key)
        return near > 0 && f->key[near - 1] >= key
                       ? search(f->key, 0, near - 1, key)
                       : near;
    while (near + stride < f->n_cells && f->key[near + stride] < key) {
        near += stride;
        stride *= 2;
    }
    const size_t to = near + stride;
    return search(f->key, near + 1, to < f->n_cells ? to : f->n_cells, key);
}

/* Joins c with cells whose keys are between low and high; returns the first
 * such cell. */
static size_t
join_range(struct friends *f, size_t c, size_t near, uint64_t low,
           uint64_t high)
{
    const size_t begin = find(f, low, near);
    for (size_t k = begin; k < f->n_cells && f->key[k] <= high; k++) {
        const uint32_t a = (uint32_t)c, b = (uint32_t)k;
        if (koshu_friends_root(f, a) != koshu_friends_root(f, b) &&
            are_linked(f, c, k))
            koshu_friends_join(f, a, b);
    }
    return begin;
}

/* Periodic: positions along the row count over three boxes, the middle of which
 * is this one. */
static void
join_row(struct friends *f, size_t c, const size_t at[3], struct row *row)
{
    const size_t n = f->edge, own = row->i == 0 && row->j == 0;
    const size_t i = (at[0] + (size_t)row->i) % n,
                 j = (at[1] + n + (size_t)(ptrdiff_t)row->j) % n;
    const uint64_t base = ((uint64_t)i * n + j) * n;
    const size_t low = at[2] + n + own - (own ? 0 : REACH),
                 high = at[2] + n + REACH;
    const size_t from = low > n ? low - n : 0,
                 to = high < 2 * n ? high - n : n - 1;
    if (from <= to)
        row->near = join_range(f, c, row->near, base + from, base + to);
    if (low < n) join_range(f, c, row->near, base + low, base + n - 1);
    if (high >= 2 * n)
        join_range(f, c, row->near, base + (low > 2 * n ? low - 2 * n : 0),
                   base + high - 2 * n);
}

static void
join_cells(struct friends *f)
{
#pragma omp parallel num_threads(f->threads)
    {
        struct row row[ROWS];
        set_rows(row);
#pragma omp for schedule(dynamic, 4096)
        for (size_t c = 0; c < f->n_cells; c++) {
            const size_t n = f->edge, column = f->key[c] / n;
            const size_t at[3] = {column / n, column % n, f->key[c] % n};
            for (int k = 0; k < ROWS; k++) join_row(f, c, at, &row[k]);
        }
    }
}

/* ---- all ----------------------------------------------------------------- */

/* Keys of three such numbers have 63 bits. */
enum { MAX_EDGE = 1 << 21 };

/* Diagonals of cells are shorter than the linking length. */
static size_t
edge_of(const struct koshu_friends_options *o)
{
    return (size_t)(o->box * sqrt(3) / o->length) + 1;
}

static koshu_status
find_sets(struct friends *f, struct koshu_friends_sets *sets)
{
    KOSHU_TRY(koshu_friends_cells(f));
    f->parent = koshu_alloc_unset(f->n_cells, sizeof *f->parent);
    if (!f->parent)
        return koshu_fail_memory(f->context, 4 * f->n_cells,
                                 "groups of particles");
#pragma omp parallel for num_threads(f->threads)
    for (size_t c = 0; c < f->n_cells; c++)
        atomic_init(&f->parent[c], (uint32_t)c);
    join_cells(f);
    return koshu_friends_members(f, sets);
}

static koshu_status
find_groups(struct friends *f, struct koshu_fof *groups)
{
    struct koshu_friends_sets sets = {0};
    bool found;
    f->edge = edge_of(f->o);
    koshu_status status = koshu_friends_by_device(f, &sets, &found);
    if (status == KOSHU_OK && !found) status = find_sets(f, &sets);
    if (status == KOSHU_OK) status = koshu_friends_order(f, &sets, groups);
    koshu_friends_free_sets(&sets);
    return status;
}

koshu_status
koshu_friends_check(struct koshu_context *context,
                    const struct koshu_friends_options *options)
{
    const double box = options->box, length = options->length,
                 least = sqrt(3) / MAX_EDGE * box;
    if (box > 0 && length > least && length <= box / 4) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "a linking length of %g in a box of %g: expected one "
                      "above %g, up to a quarter of the box",
                      length, box, least);
}

static koshu_status
check(const struct friends *f)
{
    KOSHU_TRY(koshu_friends_check(f->context, f->o));
    if (f->v->n < UINT32_MAX) return KOSHU_OK;
    return koshu_fail(f->context, KOSHU_ERROR_BAD_INPUT,
                      "%zu particles: groups are found of fewer than 2^32",
                      f->v->n);
}

koshu_status
koshu_friends_of_friends(struct koshu_context *context,
                         const struct koshu_particle_const_view *particles,
                         const struct koshu_friends_options *options,
                         struct koshu_fof *groups)
{
    struct friends f = {.context = context,
                        .v = particles,
                        .o = options,
                        .threads = koshu_region_threads(context, true)};
    *groups = (struct koshu_fof){0};
    KOSHU_TRY(check(&f));
    const koshu_status status = find_groups(&f, groups);
    koshu_friends_free_cells(&f);
    koshu_free(f.parent);
    return status;
}

void
koshu_fof_free(struct koshu_fof *groups)
{
    koshu_free(groups->first);
    koshu_free(groups->member);
    *groups = (struct koshu_fof){0};
}
