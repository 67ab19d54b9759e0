/* SPDX-License-Identifier: MIT */
/*
 * Ids after a change of a store whose other fields are on a device. Only files
 * and the next change need the ids, and reordering them takes as long as some
 * force calculations. So this is done when they are needed, or when the host
 * has nothing else to do.
 */
#include <string.h>

#include "base/base.h"
#include "particles/store.h"

static const char purpose[] = "ids of particles that change stores";

/* ---- what there is to do ------------------------------------------------- */

koshu_status
koshu_late_ids_keep(struct koshu_particles *p, const struct koshu_change *c)
{
    struct koshu_late_ids *l = &p->late;
    const size_t row = koshu_row_elements(c->fields) * KOSHU_ARRAY_ELEMENT;
    KOSHU_TRY(KOSHU_GROW(l, go, c->n_go + 1, p->context, purpose));
    KOSHU_TRY(KOSHU_GROW(l, at, c->n_come + 1, p->context, purpose));
    KOSHU_TRY(KOSHU_GROW(l, id, c->n_come + 1, p->context, purpose));
    KOSHU_TRY(KOSHU_GROW(l, spare, p->capacity, p->context, purpose));
    if (c->n_go > 0) memcpy(l->go, c->go, c->n_go * sizeof *l->go);
    if (c->n_come > 0) memcpy(l->at, c->at, c->n_come * sizeof *l->at);
    for (size_t k = 0; k < c->n_come; k++) /* a row begins with the id */
        memcpy(&l->id[k], (const char *)c->rows + k * row, sizeof *l->id);
    l->n_go = c->n_go;
    l->n_come = c->n_come;
    return KOSHU_OK;
}

void
koshu_late_ids_free(struct koshu_late_ids *late)
{
    koshu_free(late->go);
    koshu_free(late->at);
    koshu_free(late->id);
    koshu_free(late->spare);
}

/* ---- in their order ------------------------------------------------------ */

/* How many of those that come are before this index of the new order. */
static size_t
come_before(const struct koshu_late_ids *l, size_t index)
{
    size_t low = 0, high = l->n_come;
    while (low < high) {
        const size_t k = low + (high - low) / 2;
        if (l->at[k] + k < index)
            low = k + 1;
        else
            high = k;
    }
    return low;
}

/* How many of those that go were before the s-th of those that stay. */
static size_t
gone_before(const struct koshu_late_ids *l, size_t s)
{
    size_t low = 0, high = l->n_go;
    while (low < high) {
        const size_t g = low + (high - low) / 2;
        if (l->go[g] <= s + g)
            low = g + 1;
        else
            high = g;
    }
    return low;
}

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Sets the new ids of index begin ... end - 1 from the old ones. */
static void
merge(const struct koshu_late_ids *l, const uint64_t *old, size_t begin,
      size_t end, uint64_t *to)
{
    size_t c = come_before(l, begin), stay = begin - c,
           g = gone_before(l, stay);
    for (size_t k = begin; k < end;) {
        if (c < l->n_come && l->at[c] + c == k) {
            to[k++] = l->id[c++];
            continue;
        }
        size_t run = end - k;
        if (c < l->n_come) run = least(run, l->at[c] + c - k);
        if (g < l->n_go) run = least(run, l->go[g] - (stay + g));
        memcpy(to + k, old + stay + g, run * sizeof *to);
        k += run;
        stay += run;
        while (g < l->n_go && l->go[g] == stay + g) g++;
    }
}

void
koshu_particles_settle(struct koshu_particles *particles)
{
    enum { CHUNK = 1 << 10, FEW = 1 << 14 };
    struct koshu_particles *p = particles;
    struct koshu_late_ids *l = &p->late;
    uint64_t *const old = p->view.id, *const to = l->spare;
    const size_t n = p->view.n;
    if (!l->is_late) return;
#pragma omp parallel for num_threads( \
        koshu_region_threads(p->context, n > FEW)) schedule(static)
    for (size_t begin = 0; begin < n; begin += CHUNK)
        merge(l, old, begin, least(begin + CHUNK, n), to);
    const size_t capacity = p->capacity;
    l->spare = old;
    l->capacity_spare = capacity;
    p->view.id = to;
    l->is_late = false;
}
