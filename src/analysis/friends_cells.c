/* SPDX-License-Identifier: MIT */
/* Sorts particles by cell; cells are numbered row by row along z. */
#include "analysis/friends.h"
#include "analysis/place.h"
#include "base/base.h"

/* ---- in order ------------------------------------------------------------ */

static void
set_keys(const struct friends *f, uint64_t *key)
{
#pragma omp parallel for num_threads(f->threads)
    for (size_t i = 0; i < f->v->n; i++) {
        double x[3];
        uint64_t k = 0;
        koshu_place_of(f->v, i, x);
        for (int a = 0; a < 3; a++)
            k = k * f->edge + koshu_cell_along(x[a], f->o->box, f->edge);
        key[i] = k;
        f->index[i] = (uint32_t)i;
    }
}

/* Sorts index[] by cell; *key: the keys of cells. */
static koshu_status
sort(struct friends *f, uint64_t **key)
{
    const size_t n = f->v->n;
    uint64_t *key_other = koshu_alloc_unset(n, sizeof *key_other);
    uint32_t *index_other = koshu_alloc_unset(n, sizeof *index_other);
    *key = koshu_alloc_unset(n, sizeof **key);
    f->index = koshu_alloc_unset(n, sizeof *f->index);
    const bool good = key_other && index_other && *key && f->index;
    if (good) {
        set_keys(f, *key);
        koshu_sort_keys(n, *key, f->index, key_other, index_other, f->threads);
    }
    koshu_free(key_other);
    koshu_free(index_other);
    return good ? KOSHU_OK
                : koshu_fail_memory(f->context, 24 * n, "groups of particles");
}

/* ---- cells --------------------------------------------------------------- */

static bool
begins(const uint64_t *key, size_t i)
{
    return i == 0 || key[i] != key[i - 1];
}

/* Counts how many cells begin before each part. */
static void
count_cells(struct friends *f, const uint64_t *key,
            size_t before[FRIENDS_PARTS])
{
    const size_t n = f->v->n;
    size_t count[FRIENDS_PARTS];
#pragma omp parallel for num_threads(f->threads)
    for (size_t p = 0; p < FRIENDS_PARTS; p++) {
        size_t here = 0;
        for (size_t i = koshu_friends_part(n, p);
             i < koshu_friends_part(n, p + 1); i++)
            here += begins(key, i);
        count[p] = here;
    }
    f->n_cells = 0;
    for (size_t p = 0; p < FRIENDS_PARTS; p++) {
        before[p] = f->n_cells;
        f->n_cells += count[p];
    }
}

static koshu_status
make_cells(struct friends *f, const uint64_t *key)
{
    const size_t n = f->v->n;
    size_t before[FRIENDS_PARTS];
    count_cells(f, key, before);
    f->key = koshu_alloc_unset(f->n_cells, sizeof *f->key);
    f->first = koshu_alloc_unset(f->n_cells + 1, sizeof *f->first);
    if (!f->key || !f->first)
        return koshu_fail_memory(f->context, 12 * f->n_cells,
                                 "cells of particles");
#pragma omp parallel for num_threads(f->threads)
    for (size_t p = 0; p < FRIENDS_PARTS; p++) {
        size_t cell = before[p];
        for (size_t i = koshu_friends_part(n, p);
             i < koshu_friends_part(n, p + 1); i++)
            if (begins(key, i)) {
                f->first[cell] = (uint32_t)i;
                f->key[cell++] = key[i];
            }
    }
    f->first[f->n_cells] = (uint32_t)n;
    return KOSHU_OK;
}

/* ---- places -------------------------------------------------------------- */

static koshu_status
take_places(struct friends *f)
{
    const size_t n = f->v->n;
    for (int a = 0; a < 3; a++)
        if (!(f->x[a] = koshu_alloc_unset(n, sizeof *f->x[a])))
            return koshu_fail_memory(f->context, 24 * n, "groups of particles");
#pragma omp parallel for num_threads(f->threads)
    for (size_t i = 0; i < n; i++) {
        double x[3];
        koshu_place_of(f->v, f->index[i], x);
        for (int a = 0; a < 3; a++) f->x[a][i] = koshu_wrapped(x[a], f->o->box);
    }
    return KOSHU_OK;
}

koshu_status
koshu_friends_cells(struct friends *f)
{
    uint64_t *key = NULL; /* of particles */
    koshu_status status = sort(f, &key);
    if (status == KOSHU_OK) status = make_cells(f, key);
    koshu_free(key);
    return status == KOSHU_OK ? take_places(f) : status;
}

void
koshu_friends_free_cells(struct friends *f)
{
    koshu_free(f->index);
    koshu_free(f->key);
    koshu_free(f->first);
    for (int a = 0; a < 3; a++) koshu_free(f->x[a]);
    f->index = f->first = NULL;
    f->key = NULL;
    for (int a = 0; a < 3; a++) f->x[a] = NULL;
}
