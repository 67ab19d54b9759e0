/* SPDX-License-Identifier: MIT */
/* Columns of particles that are moved between ranks. */
#include <string.h>

#include "analysis/ranks.h"

bool
koshu_columns_allocate(struct columns *c, size_t n, size_t count)
{
    bool good = true;
    *c = (struct columns){.n = n};
    for (size_t k = 0; k < count; k++)
        good = (c->of[k] = koshu_alloc(n + 1, sizeof(double))) && good;
    return good;
}

void
koshu_columns_free(struct columns *c)
{
    for (size_t k = 0; k < COLUMNS; k++) koshu_free(c->of[k]);
    *c = (struct columns){0};
}

struct koshu_particle_const_view
koshu_columns_view(const struct columns *c)
{
    return (struct koshu_particle_const_view){
            .size = sizeof(struct koshu_particle_const_view),
            .n = c->n,
            .id = (const uint64_t *)c->of[COLUMN_ID],
            .mass = c->of[COLUMN_MASS],
            .x = c->of[COLUMN_X],
            .y = c->of[COLUMN_Y],
            .z = c->of[COLUMN_Z],
            .vx = c->of[COLUMN_VX],
            .vy = c->of[COLUMN_VY],
            .vz = c->of[COLUMN_VZ]};
}

koshu_status
koshu_columns_move(struct koshu_particle_exchange *x,
                   const struct columns *home, size_t count,
                   struct columns *here)
{
    koshu_status status = KOSHU_OK;
    *here = (struct columns){0};
    KOSHU_TRY(koshu_particle_exchange_count(x));
    if (!koshu_columns_allocate(here, x->n_here, count))
        status = koshu_fail_memory(x->context, 8 * count * x->n_here,
                                   "the particles of groups");
    KOSHU_TRY(koshu_ranks_collective_status(x->context, status));
    for (size_t k = 0; k < count; k++)
        KOSHU_TRY(koshu_particle_exchange_send(x, home->of[k], here->of[k]));
    return KOSHU_OK;
}

koshu_status
koshu_gather_items(struct koshu_context *context, const void *mine, size_t item,
                   size_t n_mine, void **all, size_t *n)
{
    const size_t ranks = (size_t)koshu_context_ranks(context);
    size_t *counts = koshu_alloc(ranks, sizeof *counts);
    koshu_status status = KOSHU_OK;
    *all = NULL;
    *n = 0;
    if (!counts) status = koshu_fail_memory(context, 8 * ranks, "groups");
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(context, status));
    KOSHU_TRY_CLEANUP(
            koshu_all_gather(context, &n_mine, sizeof n_mine, counts));
    for (size_t r = 0; r < ranks; r++) *n += counts[r];
    *all = koshu_alloc(*n + 1, item);
    if (!*all) status = koshu_fail_memory(context, *n * item, "groups");
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(context, status));
    status = koshu_all_gather_parts(context, mine, item, counts, *all);
cleanup:
    koshu_free(counts);
    return status;
}
