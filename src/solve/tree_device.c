/* SPDX-License-Identifier: MIT */
#include "solve/tree_device.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "particles/particles.h"
#include "solve/treecode.h"

static const char purpose[] = "trees of other ranks";

static struct koshu_context *
context_of(const struct koshu_tree_device *d)
{
    return d->treecode->backend->context;
}

static const struct koshu_tree_parts_ops *
ops_of(const struct koshu_tree_device *device)
{
    return device->treecode->backend->ops->tree->parts;
}

static struct koshu_tree_engine *
engine_of(const struct koshu_tree_device *device)
{
    return device->treecode->engine;
}

static size_t
own_rank(const struct koshu_tree_device *d)
{
    return (size_t)koshu_context_rank(context_of(d));
}

/* ---- memory -------------------------------------------------------------- */

static struct koshu_tree_bounds *
own_bounds(const struct koshu_tree_device *d)
{
    return d->bounds + d->ranks * KOSHU_TREE_BOUNDS;
}

/* Nothing has come yet. */
static koshu_status
reserve(struct koshu_tree_device *d)
{
    struct koshu_context *context = context_of(d);
    const size_t n = d->ranks = (size_t)koshu_context_ranks(context);
    KOSHU_TRY(KOSHU_GROW(d, bounds, (n + 1) * KOSHU_TREE_BOUNDS, context,
                         purpose));
    KOSHU_TRY(KOSHU_GROW(d, n_bounds, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(d, cut, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(d, come, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(d, window, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(d, theirs, n, context, purpose));
    KOSHU_TRY(KOSHU_GROW(d, one, n, context, purpose));
    memset(d->window, 0, n * sizeof *d->window);
    memset(d->come, 0, n * sizeof *d->come);
    for (size_t r = 0; r < n; r++) d->one[r] = 1;
    return KOSHU_OK;
}

static koshu_status
make_traffic(struct koshu_tree_device *d, enum koshu_transport transport,
             bool one_each)
{
    struct koshu_device_all_to_all_options options = {.ops = ops_of(d)->traffic,
                                                      .one_each = one_each,
                                                      .transport = transport};
    KOSHU_TRY(reserve(d));
    KOSHU_TRY(ops_of(d)->arrays(engine_of(d), &options.arrays));
    return koshu_device_all_to_all_create(context_of(d), &options, &d->traffic);
}

/* ---- windows ---------------------------------------------------------------
 */

/* For more than what comes, as that changes from step to step. */
static uint64_t
with_spare(uint64_t window, uint64_t n)
{
    const uint64_t few = 256;
    return n >= window ? n + n / 8 + few : window;
}

static bool
fits(const struct koshu_tree_part *part, const struct koshu_tree_window *window)
{
    return part->n_cells <= window->n_cells &&
           part->n_particles <= window->n_particles;
}

/* Behind the roots of all, even numbers of cells. */
static void
place_windows(struct koshu_tree_device *d)
{
    uint64_t cells = d->ranks, particles = 0;
    for (size_t r = 0; r < d->ranks; r++) {
        struct koshu_tree_window *s = &d->window[r];
        s->n_cells = with_spare(s->n_cells, d->come[r].n_cells);
        s->n_particles = with_spare(s->n_particles, d->come[r].n_particles);
        s->first_cell = cells;
        s->first_particle = particles;
        cells += s->n_cells;
        particles += s->n_particles;
    }
    for (size_t r = 0; r < d->ranks; r++) {
        d->window[r].all_cells = cells + cells % 2;
        d->window[r].all_particles = particles;
    }
}

/* All ranks make larger windows, and know where theirs are at the others. */
static koshu_status
enlarge_windows(struct koshu_tree_device *d)
{
    struct koshu_context *context = context_of(d);
    KOSHU_TRY(koshu_device_all_to_all_close(d->traffic));
    place_windows(d);
    KOSHU_TRY(koshu_all_to_all(context, d->window, sizeof *d->window, d->one,
                               d->theirs));
    const koshu_status status =
            ops_of(d)->reserve(engine_of(d), d->window, d->theirs);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return koshu_device_all_to_all_open(d->traffic);
}

koshu_status
koshu_tree_device_open(struct koshu_tree_device *device,
                       enum koshu_transport transport, bool one_each)
{
    struct koshu_tree_device *d = device;
    const koshu_status status = make_traffic(d, transport, one_each);
    KOSHU_TRY(koshu_ranks_collective_status(context_of(d), status));
    return enlarge_windows(d);
}

/* ---- what goes ----------------------------------------------------------- */

static koshu_status
gather_bounds(struct koshu_tree_device *d)
{
    struct koshu_context *context = context_of(d);
    const size_t n = d->n_bounds[own_rank(d)];
    KOSHU_TRY(koshu_all_gather(context, &n, sizeof n, d->n_bounds));
    return koshu_all_gather_parts(context, own_bounds(d), sizeof *d->bounds,
                                  d->n_bounds, d->bounds);
}

static koshu_status
cut(struct koshu_tree_device *d)
{
    const struct koshu_tree_bounds *bounds = d->bounds;
    const size_t mine = own_rank(d);
    for (size_t r = 0; r < d->ranks; bounds += d->n_bounds[r++])
        if (r != mine)
            KOSHU_TRY(ops_of(d)->cut(engine_of(d), r, d->n_bounds[r], bounds));
    return ops_of(d)->send(engine_of(d));
}

koshu_status
koshu_tree_device_send(struct koshu_tree_device *device)
{
    KOSHU_TRY(gather_bounds(device));
    device->status = cut(device);
    return KOSHU_OK;
}

/* ---- what comes ---------------------------------------------------------- */

/* How much; does all of it fit, on all ranks? A failure of one ends all. */
static koshu_status
exchange_numbers(struct koshu_tree_device *d, bool *fit)
{
    struct koshu_context *context = context_of(d);
    unsigned too_much = 0;
    if (d->status == KOSHU_OK)
        d->status = ops_of(d)->parts(engine_of(d), d->cut);
    if (d->status != KOSHU_OK) memset(d->cut, 0, d->ranks * sizeof *d->cut);
    KOSHU_TRY(
            koshu_all_to_all(context, d->cut, sizeof *d->cut, d->one, d->come));
    for (size_t r = 0; r < d->ranks; r++)
        too_much |= !fits(&d->come[r], &d->window[r]);
    KOSHU_TRY(koshu_collective_status(context, d->status, &too_much));
    *fit = too_much == 0;
    return KOSHU_OK;
}

koshu_status
koshu_tree_device_receive(struct koshu_tree_device *device)
{
    struct koshu_tree_device *d = device;
    bool fit;
    KOSHU_TRY(exchange_numbers(d, &fit));
    if (!fit) {
        KOSHU_TRY(enlarge_windows(d));
        d->status = cut(d);
        KOSHU_TRY(exchange_numbers(d, &fit));
    }
    d->status = ops_of(d)->expect(engine_of(d), d->come);
    return koshu_device_all_to_all_move(d->traffic, KOSHU_TREE_GO,
                                        KOSHU_TREE_COME, KOSHU_TREE_SENT);
}

/* ---- forces -------------------------------------------------------------- */

static unsigned
fields_of(const struct koshu_force_task *task)
{
    return KOSHU_FIELD_ACCELERATION |
           (task->potential ? KOSHU_FIELD_POTENTIAL : 0);
}

koshu_status
koshu_tree_device_make(struct koshu_tree_device *device,
                       const struct koshu_force_task *task,
                       const struct koshu_outline *all,
                       struct koshu_particles *here)
{
    struct koshu_tree_device *d = device;
    const struct koshu_treecode *t = d->treecode;
    const struct koshu_tree_masses *m = &all->masses;
    const struct koshu_tree_common common = {
            .side = koshu_outline_side(all),
            .largest_mass = m->largest,
            .least_mass = isfinite(m->least) ? m->least : 0,
            .n = all->n,
            .has_accelerations = all->has_accelerations};
    struct koshu_tree_options options = *t->options.tree;
    options.n_crit = t->n_crit.now;
    d->here = here;
    KOSHU_TRY(ops_of(d)->start(engine_of(d), task, &options, &common, here,
                               fields_of(task)));
    return ops_of(d)->bounds(engine_of(d), &d->n_bounds[own_rank(d)],
                             own_bounds(d));
}

void
koshu_tree_device_walk(struct koshu_tree_device *device)
{
    if (device->status == KOSHU_OK)
        device->status = ops_of(device)->walk(engine_of(device));
}

koshu_status
koshu_tree_device_finish(struct koshu_tree_device *device,
                         struct koshu_tree_report *report,
                         struct koshu_tree_exposed *exposed)
{
    struct koshu_tree_device *d = device;
    const struct koshu_tree_parts_ops *ops = ops_of(d);
    KOSHU_TRY(d->status);
    KOSHU_TRY(ops->add(engine_of(d)));
    koshu_particles_settle(d->here); /* the host has time now */
    KOSHU_TRY(ops->finish(engine_of(d), report, exposed));
    if (report->particles > 0)
        koshu_n_crit_learn(&d->treecode->n_crit,
                           report->seconds.walk / (double)report->particles);
    return KOSHU_OK;
}

/* ---- counts -------------------------------------------------------------- */

uint64_t
koshu_tree_device_imported(const struct koshu_tree_device *device)
{
    uint64_t n = 0;
    for (size_t r = 0; r < device->ranks; r++)
        n += device->come[r].n_cells + device->come[r].n_particles;
    return n;
}

uint64_t
koshu_tree_device_bytes(const struct koshu_tree_device *device)
{
    const struct koshu_tree_parts_ops *ops = ops_of(device);
    uint64_t n = 0;
    for (size_t r = 0; r < device->ranks; r++)
        n += device->cut[r].n_cells * ops->cell_bytes +
             device->cut[r].n_particles * ops->particle_bytes;
    return n;
}

void
koshu_tree_device_free(struct koshu_tree_device *device)
{
    koshu_device_all_to_all_destroy(device->traffic);
    koshu_free(device->bounds);
    koshu_free(device->n_bounds);
    koshu_free(device->cut);
    koshu_free(device->come);
    koshu_free(device->window);
    koshu_free(device->theirs);
    koshu_free(device->one);
}
