/* SPDX-License-Identifier: MIT */
/*
 * The treecode over ranks (Salmon 1990; Warren & Salmon 1992; Hamada10 section
 * 3). Each rank builds the tree of a domain, and sums over it while the parts
 * that other ranks' groups need (their locally essential trees) are in transit;
 * then over the parts that have arrived.
 */
#include "solve/tree_ranks.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "devices/devices.h"
#include "solve/domains.h"
#include "solve/tree_device.h"
#include "solve/tree_imports.h"

struct koshu_tree_ranks {
    struct koshu_treecode *tree;
    struct koshu_context *context;
    struct koshu_domains domains;
    struct koshu_tree_imports imports;
    /* used instead of lists of the host; or NULL */
    struct koshu_tree_device *device;
};

/* ---- life ---------------------------------------------------------------- */

static koshu_status
make(struct koshu_treecode *treecode, struct koshu_tree_ranks **ranks)
{
    struct koshu_context *context = treecode->backend->context;
    struct koshu_tree_ranks *r = *ranks = calloc(1, sizeof *r);
    if (!r) return koshu_fail_memory(context, sizeof *r, "treecode");
    r->tree = treecode;
    r->context = r->domains.context = context;
    r->domains.periodic = treecode->box != NULL;
    treecode->tree.own_units = false;
    if (!treecode->engine) return KOSHU_OK;
    r->device = calloc(1, sizeof *r->device);
    if (!r->device)
        return koshu_fail_memory(context, sizeof *r->device, "treecode");
    r->device->treecode = treecode;
    r->domains.device = treecode->backend;
    return KOSHU_OK;
}

/* To be destroyed by the caller after a failure too. */
koshu_status
koshu_tree_ranks_create(struct koshu_treecode *treecode, bool one_each,
                        struct koshu_tree_ranks **ranks)
{
    struct koshu_context *context = treecode->backend->context;
    const koshu_status status = make(treecode, ranks);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    if (!treecode->engine) return KOSHU_OK;
    return koshu_tree_device_open((*ranks)->device, treecode->options.transport,
                                  one_each);
}

void
koshu_tree_ranks_destroy(struct koshu_tree_ranks *ranks)
{
    if (!ranks) return;
    koshu_tree_imports_free(&ranks->imports);
    if (ranks->device) koshu_part_exchange_free(&ranks->device->parts);
    free(ranks->device);
    free(ranks);
}

/* ---- sums ---------------------------------------------------------------- */

/* Chooses units for the particles of all ranks, so that essential trees have
 * the same; a device chooses its own. */
static koshu_status
choose_units(struct koshu_tree_ranks *r, const struct koshu_outline *all,
             double eps)
{
    struct koshu_tree *t = &r->tree->tree;
    const double side = fmax(koshu_outline_side(all),
                             koshu_tree_box_images(r->tree->box).extent);
    koshu_status status = KOSHU_OK;
    if (!r->device)
        status =
                koshu_tree_units_of(side, eps, all->n, &all->masses, &t->units);
    return koshu_tree_name_units(r->context, status, 0, NULL, side, eps);
}

/* Builds the tree of the domain, which may be empty. */
static koshu_status
make_tree(struct koshu_tree_ranks *r, const struct koshu_force_task *task,
          const struct koshu_outline *all, struct koshu_tree_report *report)
{
    struct koshu_treecode *t = r->tree;
    *report = (struct koshu_tree_report){.evaluations = 1};
    if (r->device)
        return koshu_tree_device_make(r->device, task, all, r->domains.store);
    t->tree.n = t->tree.n_cells = t->groups.n = 0;
    if (r->domains.here.n == 0) return KOSHU_OK;
    return koshu_treecode_prepare(t, task, !all->has_accelerations,
                                  &r->domains.here, report);
}

/* Sums over the rank's own tree while those of others are in transit; then over
 * those. */
static koshu_status
sum(struct koshu_tree_ranks *r, const struct koshu_force_task *task,
    struct koshu_tree_report *report)
{
    struct koshu_treecode *t = r->tree;
    struct koshu_tree_job job;
    koshu_status status = KOSHU_OK;
    const double start = koshu_now();
    if (r->domains.here.n > 0)
        status = koshu_treecode_job(t, task, &r->domains.here, &job);
    job.work = r->domains.here.work;
    job.moves_messages = true;
    if (r->domains.here.n > 0 && status == KOSHU_OK)
        status = koshu_tree_sums_do(t->sums, &job, report);
    const double since = koshu_now();
    KOSHU_TRY(koshu_tree_imports_wait(&r->imports));
    koshu_domains_expose(&r->domains, &r->domains.exposed.wait, since);
    job.others = &r->imports.forest.tree;
    job.task.own = job.moves_messages = false;
    if (r->domains.here.n > 0 && status == KOSHU_OK && job.others->n_cells > 0)
        status = koshu_tree_sums_do(t->sums, &job, report);
    if (r->domains.here.n > 0 && status == KOSHU_OK)
        koshu_treecode_finish(t, task, &r->domains.here, koshu_now() - start,
                              report);
    return status;
}

/* The same on a device, whose clock tells what is exposed. */
static koshu_status
sum_on_device(struct koshu_tree_ranks *r, struct koshu_tree_report *report)
{
    struct koshu_domains *const d = &r->domains;
    struct koshu_part_exposed exposed;
    koshu_tree_device_walk(r->device);
    KOSHU_TRY(koshu_part_exchange_fit(&r->device->parts));
    KOSHU_TRY(koshu_part_exchange_move(&r->device->parts));
    KOSHU_TRY(koshu_tree_device_finish(r->device, report, &exposed));
    koshu_domains_expose_seconds(d, &d->exposed.essential, exposed.cut);
    koshu_domains_expose_seconds(d, &d->exposed.wait, exposed.wait);
    return KOSHU_OK;
}

/* Wraps positions into a periodic box: in the view, or on the device. */
static koshu_status
wrap(struct koshu_tree_ranks *r, struct koshu_particle_view *v)
{
    const struct koshu_tree_options *o = r->tree->options.tree;
    if (r->device && r->tree->box)
        return koshu_domains_wrap(&r->domains, o->corner, o->box);
    return koshu_ranks_collective_status(r->context,
                                         koshu_tree_box_wrap(r->tree->box, v));
}

/* Brings the particles of this rank's domain to this rank. */
static koshu_status
bring(struct koshu_tree_ranks *r, struct koshu_particles *particles,
      unsigned fields, double eps, struct koshu_outline *all)
{
    struct koshu_domains *d = &r->domains;
    KOSHU_TRY(koshu_domains_begin(d, particles, true));
    const double since = koshu_now();
    struct koshu_particle_view v = d->here;
    KOSHU_TRY(wrap(r, &v));
    KOSHU_TRY(koshu_domains_outline(d, &v, all));
    koshu_domains_expose(d, &d->exposed.domains, since);
    KOSHU_TRY(koshu_domains_migrate(d, &v, all, fields));
    r->tree->tree.root = koshu_outline_box(all);
    KOSHU_TRY(choose_units(r, all, eps));
    return r->device ? KOSHU_OK : wrap(r, &d->here);
}

static koshu_status
start_imports(struct koshu_tree_ranks *r)
{
    const struct koshu_treecode *t = r->tree;
    const double since = koshu_now();
    if (r->device) return koshu_part_exchange_cut(&r->device->parts);
    KOSHU_TRY(
            koshu_tree_imports_start(&r->imports, &t->tree, &t->groups, t->a));
    koshu_domains_expose(&r->domains, &r->domains.exposed.essential, since);
    return KOSHU_OK;
}

static koshu_status
add_reports(struct koshu_tree_ranks *r, struct koshu_tree_report *report)
{
    const struct koshu_tree *imported = &r->imports.forest.tree;
    const struct koshu_part_exchange *parts =
            r->device ? &r->device->parts : NULL;
    report->imported = parts ? koshu_part_exchange_imported(parts)
                             : imported->n_cells + imported->n;
    report->bytes_sent = parts ? koshu_part_exchange_bytes(parts)
                               : r->imports.all.bytes_sent;
    return koshu_domains_add_reports(&r->domains, (double)report->interactions,
                                     report);
}

static koshu_status
add_box(struct koshu_tree_ranks *r, const struct koshu_force_task *task,
        double mass, unsigned fields, struct koshu_tree_report *report)
{
    struct koshu_treecode *t = r->tree;
    const double start = koshu_now();
    if (r->device)
        return koshu_tree_box_add_store(t->box, task, r->domains.store, fields,
                                        report);
    KOSHU_TRY(koshu_tree_box_add(t->box, task, mass, &r->domains.here));
    report->seconds.moments += koshu_now() - start;
    return KOSHU_OK;
}

static koshu_status
sum_once(struct koshu_tree_ranks *r, const struct koshu_force_task *task,
         struct koshu_particles *particles, unsigned fields,
         struct koshu_tree_report *report, bool *lacks)
{
    struct koshu_outline all;
    KOSHU_TRY(bring(r, particles, fields, task->eps, &all));
    *lacks = !all.has_accelerations;
    koshu_status status = make_tree(r, task, &all, report);
    KOSHU_TRY(koshu_ranks_collective_status(r->context, status));
    KOSHU_TRY(start_imports(r));
    status = r->device ? sum_on_device(r, report) : sum(r, task, report);
    KOSHU_TRY(koshu_ranks_collective_status(r->context, status));
    return add_box(r, task, all.mass, fields, report);
}

koshu_status
koshu_tree_ranks_forces(struct koshu_tree_ranks *ranks,
                        const struct koshu_force_task *task,
                        struct koshu_particles *particles, unsigned fields,
                        struct koshu_tree_report *report)
{
    struct koshu_tree_ranks *r = ranks;
    bool lacks;
    r->domains.exposed = (struct koshu_exposed){0};
    KOSHU_TRY(sum_once(r, task, particles, fields, report, &lacks));
    /* as in koshu_treecode_forces() */
    if (lacks && koshu_treecode_wants_accelerations(r->tree))
        KOSHU_TRY(sum_once(r, task, particles, fields, report, &lacks));
    return add_reports(r, report);
}
