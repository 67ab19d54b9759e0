/* SPDX-License-Identifier: MIT */
/* Sends parts of trees between devices: see part_exchange.h. */
#include "solve/part_exchange.h"

#include <string.h>

#include "base/base.h"

static const char purpose[] = "trees of other ranks";

static size_t
own_rank(const struct koshu_part_exchange *e)
{
    return (size_t)koshu_context_rank(e->context);
}

/* ---- memory -------------------------------------------------------------- */

/* Allocates memory; nothing has been received yet. */
static koshu_status
reserve(struct koshu_part_exchange *e)
{
    struct koshu_context *context = e->context;
    const size_t n = e->ranks = (size_t)koshu_context_ranks(context),
                 targets = (n + 1) * e->ops->max_targets;
    KOSHU_TRY(
            KOSHU_GROW(e, target, targets * e->ops->target, context, purpose));
    KOSHU_TRY(KOSHU_GROW(e, n_targets, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(e, cut, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(e, come, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(e, window, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(e, theirs, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(e, one, n, context, purpose));
    memset(e->window, 0, n * sizeof *e->window);
    memset(e->come, 0, n * sizeof *e->come);
    for (size_t r = 0; r < n; r++) e->one[r] = 1;
    return KOSHU_OK;
}

static koshu_status
make_traffic(struct koshu_part_exchange *e, enum koshu_transport transport,
             bool one_each)
{
    const struct koshu_device_all_to_all_options options = {
            .ops = e->ops->traffic,
            .arrays = e->arrays,
            .one_each = one_each,
            .transport = transport};
    KOSHU_TRY(reserve(e));
    return koshu_device_all_to_all_create(e->context, &options, &e->traffic);
}

/* ---- windows ------------------------------------------------------------- */

/* A window larger than needed now, because the need changes from step to
 * step. */
static uint64_t
with_spare(uint64_t window, uint64_t n)
{
    const uint64_t few = 256;
    return n >= window ? n + n / 8 + few : window;
}

static bool
fits(const struct koshu_part *part, const struct koshu_part_window *window)
{
    return part->n_cells <= window->n_cells &&
           part->n_particles <= window->n_particles;
}

/* Places the windows after the roots of all ranks, with an even total number of
 * cells. */
static void
place_windows(struct koshu_part_exchange *e)
{
    uint64_t cells = e->ranks, particles = 0;
    for (size_t r = 0; r < e->ranks; r++) {
        struct koshu_part_window *s = &e->window[r];
        s->n_cells = with_spare(s->n_cells, e->come[r].n_cells);
        s->n_particles = with_spare(s->n_particles, e->come[r].n_particles);
        s->first_cell = cells;
        s->first_particle = particles;
        cells += s->n_cells;
        particles += s->n_particles;
    }
    for (size_t r = 0; r < e->ranks; r++) {
        e->window[r].all_cells = cells + cells % 2;
        e->window[r].all_particles = particles;
    }
}

/* All ranks enlarge their windows and learn where theirs lie on the other
 * ranks. */
static koshu_status
enlarge_windows(struct koshu_part_exchange *e)
{
    KOSHU_TRY(koshu_device_all_to_all_close(e->traffic));
    place_windows(e);
    KOSHU_TRY(koshu_all_to_all(e->context, e->window, sizeof *e->window, e->one,
                               e->theirs));
    const koshu_status status =
            e->ops->reserve(e->arrays, e->window, e->theirs);
    KOSHU_TRY(koshu_ranks_collective_status(e->context, status));
    e->cell_bytes = e->ops->cell_bytes(e->arrays);
    return koshu_device_all_to_all_open(e->traffic);
}

koshu_status
koshu_part_exchange_open(struct koshu_part_exchange *exchange,
                         enum koshu_transport transport, bool one_each)
{
    struct koshu_part_exchange *e = exchange;
    const koshu_status status = make_traffic(e, transport, one_each);
    KOSHU_TRY(koshu_ranks_collective_status(e->context, status));
    return enlarge_windows(e);
}

/* ---- what goes ----------------------------------------------------------- */

void *
koshu_part_exchange_targets(struct koshu_part_exchange *exchange, size_t **n)
{
    const struct koshu_part_exchange *e = exchange;
    *n = &e->n_targets[own_rank(e)];
    return e->target + e->ranks * e->ops->max_targets * e->ops->target;
}

static koshu_status
gather_targets(struct koshu_part_exchange *e)
{
    size_t *n;
    const void *mine = koshu_part_exchange_targets(e, &n);
    const size_t own = *n;
    KOSHU_TRY(koshu_all_gather(e->context, &own, sizeof own, e->n_targets));
    return koshu_all_gather_parts(e->context, mine, e->ops->target,
                                  e->n_targets, e->target);
}

static koshu_status
cut_all(struct koshu_part_exchange *e)
{
    const char *target = e->target;
    const size_t mine = own_rank(e);
    for (size_t r = 0; r < e->ranks;
         target += e->n_targets[r++] * e->ops->target)
        if (r != mine)
            KOSHU_TRY(e->ops->cut(e->arrays, r, e->n_targets[r], target));
    return e->ops->send(e->arrays);
}

koshu_status
koshu_part_exchange_cut(struct koshu_part_exchange *exchange)
{
    KOSHU_TRY(gather_targets(exchange));
    exchange->status = cut_all(exchange);
    return KOSHU_OK;
}

/* ---- what comes ---------------------------------------------------------- */

/* Whether the received parts fit, for cells of the present size. */
static bool
fit(const struct koshu_part_exchange *e)
{
    const size_t bytes = e->ops->cell_bytes(e->arrays);
    bool all = bytes == 0 || bytes == e->cell_bytes;
    for (size_t r = 0; r < e->ranks; r++)
        all = all && fits(&e->come[r], &e->window[r]);
    return all;
}

/* Exchanges the sizes of parts; *all_fit: everything fits on all ranks. A
 * failure of one rank is a failure of all. */
static koshu_status
exchange_numbers(struct koshu_part_exchange *e, bool *all_fit)
{
    if (e->status == KOSHU_OK) e->status = e->ops->parts(e->arrays, e->cut);
    if (e->status != KOSHU_OK) memset(e->cut, 0, e->ranks * sizeof *e->cut);
    KOSHU_TRY(koshu_all_to_all(e->context, e->cut, sizeof *e->cut, e->one,
                               e->come));
    unsigned too_much = !fit(e);
    KOSHU_TRY(koshu_collective_status(e->context, e->status, &too_much));
    *all_fit = too_much == 0;
    return KOSHU_OK;
}

koshu_status
koshu_part_exchange_fit(struct koshu_part_exchange *exchange)
{
    struct koshu_part_exchange *e = exchange;
    bool all_fit;
    KOSHU_TRY(exchange_numbers(e, &all_fit));
    if (all_fit) return KOSHU_OK;
    KOSHU_TRY(enlarge_windows(e));
    e->status = cut_all(e);
    return exchange_numbers(e, &all_fit);
}

koshu_status
koshu_part_exchange_move(struct koshu_part_exchange *exchange)
{
    struct koshu_part_exchange *e = exchange;
    if (e->status == KOSHU_OK) e->status = e->ops->expect(e->arrays, e->come);
    return koshu_device_all_to_all_move(e->traffic, KOSHU_PARTS_GO,
                                        KOSHU_PARTS_COME, KOSHU_PARTS_SENT);
}

/* ---- counts -------------------------------------------------------------- */

uint64_t
koshu_part_exchange_imported(const struct koshu_part_exchange *exchange)
{
    const struct koshu_part_exchange *e = exchange;
    uint64_t n = 0;
    for (size_t r = 0; r < e->ranks; r++)
        n += e->come[r].n_cells + e->come[r].n_particles;
    return n;
}

uint64_t
koshu_part_exchange_bytes(const struct koshu_part_exchange *exchange)
{
    const struct koshu_part_exchange *e = exchange;
    uint64_t n = 0;
    for (size_t r = 0; r < e->ranks; r++)
        n += e->cut[r].n_cells * e->ops->cell_bytes(e->arrays) +
             e->cut[r].n_particles * e->ops->particle_bytes;
    return n;
}

void
koshu_part_exchange_free(struct koshu_part_exchange *exchange)
{
    struct koshu_part_exchange *e = exchange;
    koshu_device_all_to_all_destroy(e->traffic);
    koshu_free(e->target);
    koshu_free(e->n_targets);
    koshu_free(e->cut);
    koshu_free(e->come);
    koshu_free(e->window);
    koshu_free(e->theirs);
    koshu_free(e->one);
}
