/* SPDX-License-Identifier: MIT */
/* Particles leave a store and others join it: the host's arrays. */
#include <string.h>

#include "base/base.h"
#include "particles/store.h"

enum { ELEMENT = KOSHU_ARRAY_ELEMENT };

/* Moves the particles that stay, of n, to the front. */
static size_t
close_gaps(char *array, size_t n, const struct koshu_change *c)
{
    size_t to = c->n_go > 0 ? c->go[0] : n;
    for (size_t g = 0; g < c->n_go; g++) {
        const size_t from = c->go[g] + (size_t)1,
                     end = g + 1 < c->n_go ? c->go[g + 1] : n;
        memmove(array + to * ELEMENT, array + from * ELEMENT,
                (end - from) * ELEMENT);
        to += end - from;
    }
    return to;
}

/* Moves them apart to insert those that come, from the last one on. */
static void
open_gaps(char *array, size_t stay, const struct koshu_change *c,
          const char *column, size_t row)
{
    for (size_t k = c->n_come, end = stay; k-- > 0;) {
        const size_t at = c->at[k];
        memmove(array + (at + k + 1) * ELEMENT, array + at * ELEMENT,
                (end - at) * ELEMENT);
        memcpy(array + (at + k) * ELEMENT, column + k * row, ELEMENT);
        end = at;
    }
}

/* The arrays of the fields in `of`, and the column of each in a row that has
 * `fields`. Returns their number. */
static size_t
list_columns(unsigned fields, unsigned of, size_t array[KOSHU_ARRAYS],
             size_t column[KOSHU_ARRAYS])
{
    size_t n = 0, at = 0;
    for (size_t k = 0; k < KOSHU_ARRAYS; k++) {
        const unsigned field = koshu_particle_arrays[k].field;
        if (field & of) {
            array[n] = k;
            column[n++] = at;
        }
        at += (field & fields) != 0;
    }
    return n;
}

static int
threads_of(const struct koshu_particles *p)
{
    return koshu_region_threads(p->context, p->view.n > 1 << 14);
}

/* Changes the fields that are not on the device. */
static void
change_on_host(struct koshu_particles *p, const struct koshu_change *c,
               unsigned fields)
{
    const size_t row = koshu_row_elements(c->fields) * ELEMENT;
    size_t array[KOSHU_ARRAYS], column[KOSHU_ARRAYS];
    const size_t n = list_columns(c->fields, fields, array, column);
#pragma omp parallel for num_threads(threads_of(p)) schedule(dynamic)
    for (size_t k = 0; k < n; k++) {
        char *const memory = koshu_particle_array(&p->view, array[k]);
        open_gaps(memory, close_gaps(memory, p->view.n, c), c,
                  (const char *)c->rows + column[k] * ELEMENT, row);
    }
}

/* ---- memory -------------------------------------------------------------- */

/* Moves the arrays to memory for more particles. */
static koshu_status
grow_arrays(struct koshu_particles *p, size_t capacity)
{
    struct koshu_particle_view v = {.size = sizeof v, .n = p->view.n};
    bool whole = true;
    for (size_t k = 0; k < KOSHU_ARRAYS && whole; k++)
        if (koshu_particle_array(&p->view, k) && !koshu_particle_array(&v, k))
            whole = koshu_particle_add_block(&v, k, capacity);
    if (!whole) {
        koshu_particle_free_arrays(&v);
        return koshu_fail_memory(p->context, capacity * KOSHU_PARTICLE_BYTES,
                                 "particles that come");
    }
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (koshu_particle_arrays[k].field & p->on_host & ~p->unwritten)
            memcpy(koshu_particle_array(&v, k),
                   koshu_particle_array(&p->view, k), v.n * ELEMENT);
    koshu_particle_free_arrays(&p->view);
    p->view = v;
    p->capacity = capacity;
    return KOSHU_OK;
}

/* ---- host and device ----------------------------------------------------- */

static unsigned
fields_there(const struct koshu_particles *p, unsigned fields)
{
    const bool resides = p->copy_ops && p->copy_ops->resident;
    return resides ? fields & p->on_device : 0;
}

koshu_status
koshu_particles_rows(struct koshu_particles *particles, unsigned fields,
                     size_t n, const uint32_t *number, void *rows)
{
    const struct koshu_particles *p = particles;
    const size_t row = koshu_row_elements(fields) * ELEMENT;
    const unsigned there = fields_there(p, fields);
    size_t array[KOSHU_ARRAYS], column[KOSHU_ARRAYS];
    if (n == 0) return KOSHU_OK;
    koshu_particles_settle(particles);
    if (there)
        KOSHU_TRY(p->copy_ops->resident->rows(p->copy, fields, there, n, number,
                                              rows));
    const size_t arrays = list_columns(fields, fields & ~there, array, column);
    for (size_t a = 0; a < arrays; a++) {
        const char *const from = koshu_particle_array(&p->view, array[a]);
        char *to = (char *)rows + column[a] * ELEMENT;
        for (size_t k = 0; k < n; k++, to += row)
            memcpy(to, from + number[k] * (size_t)ELEMENT, ELEMENT);
    }
    return KOSHU_OK;
}

koshu_status
koshu_particles_change(struct koshu_particles *particles,
                       const struct koshu_change *change)
{
    struct koshu_particles *p = particles;
    const struct koshu_change *c = change;
    const size_t n = p->view.n - c->n_go + c->n_come;
    const unsigned there = fields_there(p, c->fields);
    koshu_particles_settle(p);
    if (n > p->capacity) KOSHU_TRY(grow_arrays(p, n + n / 8 + 1));
    const bool ids_alone = (c->fields & ~there) == KOSHU_FIELD_ID;
    if (ids_alone) KOSHU_TRY(koshu_late_ids_keep(p, c));
    if (p->copy_ops)
        KOSHU_TRY(p->copy_ops->resident->change(p->copy, c, there));
    if (!ids_alone) change_on_host(p, c, c->fields & ~there);
    p->late.is_late = ids_alone;
    p->view.n = n;
    p->on_device = there;
    p->on_host = p->fields & ~there;
    p->unwritten &= ~c->fields;
    return KOSHU_OK;
}

koshu_status
koshu_particles_remove(struct koshu_particles *particles, size_t n,
                       const uint32_t *go)
{
    struct koshu_particles *p = particles;
    const struct koshu_change change = {
            .fields = p->fields, .n_go = n, .go = go};
    if (n == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_refuse_views(p, KOSHU_ACCESS_READ,
                                           "what removes particles"));
    if (n >= p->view.n)
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                          "all %zu particles would be gone", p->view.n);
    if (p->view.n >= UINT32_MAX)
        return koshu_fail(p->context, KOSHU_ERROR_UNSUPPORTED,
                          "%zu particles on one rank: some can be removed of "
                          "at most 2^32 - 2",
                          p->view.n);
    KOSHU_TRY(koshu_particles_leave_device(p));
    KOSHU_TRY(koshu_particles_change(p, &change));
    p->total -= n;
    return KOSHU_OK;
}
