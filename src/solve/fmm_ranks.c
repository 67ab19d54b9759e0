/* SPDX-License-Identifier: MIT */
/*
 * The FMM over ranks (Hamada09 section 4). Each rank builds the tree and the
 * multipoles of a domain, and sums over these while the essential trees that
 * other ranks need are in transit. A second downward pass then adds the
 * contributions of the trees that have arrived.
 */
#include "solve/fmm_ranks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "devices/devices.h"
#include "solve/domains.h"
#include "solve/fmm_device.h"
#include "solve/fmm_imports.h"

struct koshu_fmm_ranks {
    struct koshu_domains domains;
    struct koshu_fmm_imports imports;
    struct koshu_fmm_side others; /* the received trees, as sources */
    /* used instead of the host; NULL: the host sums */
    struct koshu_fmm_device *device;
};

/* ---- life ---------------------------------------------------------------- */

/* Fails if the engine does not work over ranks. */
static koshu_status
check_engine(const struct koshu_fmm *f)
{
    struct koshu_context *context = f->backend->context;
    if (!f->backend->ops->fmm_engine->parts)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s has no FMM over several ranks; take "
                          "--backend cpu, or solver.method: tree",
                          f->backend->ops->name);
    return KOSHU_OK;
}

/* Checks that all ranks have engines, or none. */
static koshu_status
check_engines(const struct koshu_fmm *f)
{
    struct koshu_context *context = f->backend->context;
    const uint64_t ranks = (uint64_t)koshu_context_ranks(context);
    uint64_t engines = f->engine != NULL;
    KOSHU_TRY(koshu_sum_counts(context, &engines, 1));
    if (engines == 0) return KOSHU_OK;
    if (engines == ranks) return check_engine(f);
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "an FMM over ranks is by the GPUs of all of them or by "
                      "none, and %" PRIu64 " of %" PRIu64
                      " ranks have one; take --backend cpu, or ranks on "
                      "hosts with GPUs",
                      engines, ranks);
}

static koshu_status
make(struct koshu_fmm *f)
{
    struct koshu_context *context = f->backend->context;
    struct koshu_fmm_ranks *r = f->ranks = calloc(1, sizeof *r);
    if (!r) return koshu_fail_memory(context, sizeof *r, "FMM");
    r->domains.context = context;
    r->domains.periodic = f->lattice != NULL;
    if (!f->engine) return KOSHU_OK;
    r->device = calloc(1, sizeof *r->device);
    if (!r->device) return koshu_fail_memory(context, sizeof *r->device, "FMM");
    r->device->fmm = f;
    r->domains.device = f->backend;
    return KOSHU_OK;
}

koshu_status
koshu_fmm_ranks_create(struct koshu_fmm *fmm, enum koshu_transport transport)
{
    struct koshu_context *context = fmm->backend->context;
    bool one_each; /* set with a warning if devices are shared */
    KOSHU_TRY(check_engines(fmm));
    const koshu_status status = make(fmm);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    if (!fmm->engine) return KOSHU_OK;
    KOSHU_TRY(koshu_sharing_look(context, fmm->backend->unit, &one_each));
    return koshu_fmm_device_open(fmm->ranks->device, transport, one_each);
}

void
koshu_fmm_ranks_destroy(struct koshu_fmm *fmm)
{
    if (!fmm || !fmm->ranks) return;
    koshu_fmm_imports_free(&fmm->ranks->imports);
    if (fmm->ranks->device)
        koshu_part_exchange_free(&fmm->ranks->device->parts);
    free(fmm->ranks->device);
    free(fmm->ranks);
    fmm->ranks = NULL;
}

/* ---- domains ------------------------------------------------------------- */

/* Takes from the outline what the expansions need to know of all particles. */
static koshu_status
take_outline(struct koshu_fmm *f, const struct koshu_outline *all)
{
    const double half = koshu_outline_side(all) / 2;
    f->sources.tree.root = koshu_outline_box(all);
    f->whole = (struct koshu_fmm_whole){.radius = sqrt(3) * half,
                                        .charge = all->mass,
                                        .leaf = all->n <= f->options.n_leaf};
    return koshu_fmm_check_half(f->backend->context, half);
}

/* Wraps positions into a periodic box: in the view, with memory of the targets,
 * or on the device. */
static koshu_status
wrap(struct koshu_fmm *f, struct koshu_particle_view *v)
{
    const struct koshu_fmm_box *box = &f->options.box;
    struct koshu_laplace_points p = {
            .n = v->n, .x = v->x, .y = v->y, .z = v->z};
    if (!f->lattice) return KOSHU_OK;
    if (f->ranks->device)
        return koshu_domains_wrap(&f->ranks->domains, box->corner, box->edge);
    const koshu_status status = koshu_fmm_wrap(f, &f->targets, &p);
    KOSHU_TRY(koshu_ranks_collective_status(f->backend->context, status));
    v->x = f->targets.wrapped;
    v->y = v->x + v->n;
    v->z = v->y + v->n;
    return KOSHU_OK;
}

/* Brings the particles of this rank's domain to this rank. */
static koshu_status
bring(struct koshu_fmm *f, struct koshu_particles *particles, unsigned fields,
      struct koshu_outline *all)
{
    struct koshu_domains *d = &f->ranks->domains;
    d->exposed = (struct koshu_exposed){0};
    KOSHU_TRY(koshu_domains_begin(d, particles, false));
    const double since = koshu_now();
    struct koshu_particle_view v = d->here;
    KOSHU_TRY(wrap(f, &v));
    KOSHU_TRY(koshu_domains_outline(d, &v, all));
    koshu_domains_expose(d, &d->exposed.domains, since);
    KOSHU_TRY(koshu_domains_migrate(d, &v, all, fields));
    return take_outline(f, all);
}

/* ---- sums ---------------------------------------------------------------- */

/* Builds the tree of the domain, which may be empty, with multipoles. */
static koshu_status
make_sources(struct koshu_fmm *f, double eps)
{
    const struct koshu_particle_view *h = &f->ranks->domains.here;
    const struct koshu_laplace_points points = {.n = h->n,
                                                .x = h->x,
                                                .y = h->y,
                                                .z = h->z,
                                                .n_rhs = 1,
                                                .charge = h->mass};
    f->sources.cells.n = f->sources.tree.n = 0;
    if (h->n == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_fmm_make_trees(f, &points, NULL));
    return koshu_fmm_rise(f, eps, &f->sources);
}

/* Clears what the first pass has already added for the box as a whole. */
static void
begin_again(struct koshu_fmm *f)
{
    if (f->background) f->background[0] = 0;
    if (f->lattice) koshu_fmm_top_clear(&f->sources);
}

static koshu_status
descend(struct koshu_fmm *f, const struct koshu_force_task *task, bool adds)
{
    struct koshu_fmm_ranks *r = f->ranks;
    const struct koshu_particle_view *h = &r->domains.here;
    const struct koshu_fmm_pass pass = {
            .sources = adds ? &r->others : &f->sources,
            .targets = &f->sources,
            .roots = adds ? r->imports.forest.n_roots : 1,
            .adds = adds,
            .moves_messages = !adds,
            .work = h->work};
    const struct koshu_fmm_results to = {
            .field = {task->potential ? h->potential : NULL, h->ax, h->ay,
                      h->az}};
    if (h->n == 0 || pass.roots == 0) return KOSHU_OK;
    if (adds) begin_again(f);
    const double start = koshu_now();
    const koshu_status status = koshu_fmm_descend(f, task, &pass, &to);
    f->report.seconds.down += koshu_now() - start;
    return status;
}

static koshu_status
start_imports(struct koshu_fmm *f, double eps)
{
    struct koshu_fmm_ranks *r = f->ranks;
    const double since = koshu_now();
    KOSHU_TRY(koshu_fmm_imports_start(&r->imports, f, eps));
    koshu_domains_expose(&f->ranks->domains,
                         &f->ranks->domains.exposed.essential, since);
    return KOSHU_OK;
}

static koshu_status
wait_for_imports(struct koshu_fmm *f)
{
    struct koshu_fmm_ranks *r = f->ranks;
    const struct koshu_fmm_forest *forest = &r->imports.forest;
    const double since = koshu_now();
    KOSHU_TRY(koshu_fmm_imports_wait(&r->imports));
    koshu_domains_expose(&r->domains, &r->domains.exposed.wait, since);
    r->others.cells = forest->cells;
    r->others.top = forest->top;
    r->others.n_top_sources = forest->n_top;
    return KOSHU_OK;
}

/* Sums over the rank's own particles while those of others are in transit; then
 * over those. */
static koshu_status
sum(struct koshu_fmm *f, const struct koshu_force_task *task)
{
    KOSHU_TRY(start_imports(f, task->eps));
    koshu_status status = descend(f, task, false);
    KOSHU_TRY(wait_for_imports(f));
    if (status == KOSHU_OK) status = descend(f, task, true);
    return koshu_ranks_collective_status(f->backend->context, status);
}

/* Adds the images that are not cells. */
static koshu_status
add_beyond(struct koshu_fmm *f, const struct koshu_force_task *task,
           unsigned fields)
{
    const double start = koshu_now();
    if (!f->lattice) return KOSHU_OK;
    KOSHU_TRY(
            koshu_fmm_engine_beyond(f, task, f->ranks->domains.store, fields));
    f->report.seconds.down += koshu_now() - start;
    return KOSHU_OK;
}

/* The same on a device, whose clock tells how long it waited for what
 * arrived. */
static koshu_status
sum_on_device(struct koshu_fmm *f, const struct koshu_force_task *task,
              unsigned fields)
{
    struct koshu_fmm_device *device = f->ranks->device;
    struct koshu_domains *d = &f->ranks->domains;
    struct koshu_part_exposed exposed = {0};
    KOSHU_TRY(koshu_part_exchange_cut(&device->parts));
    KOSHU_TRY(koshu_part_exchange_fit(&device->parts));
    koshu_fmm_device_sum(device);
    KOSHU_TRY(koshu_part_exchange_move(&device->parts));
    const koshu_status status = koshu_fmm_device_finish(device, &exposed);
    KOSHU_TRY(koshu_ranks_collective_status(d->context, status));
    koshu_domains_expose_seconds(d, &d->exposed.essential, exposed.cut);
    koshu_domains_expose_seconds(d, &d->exposed.wait, exposed.wait);
    return add_beyond(f, task, fields);
}

/* Gives potentials the sign of gravity. */
static void
turn_potentials(const struct koshu_particle_view *v)
{
    for (size_t i = 0; i < v->n; i++) v->potential[i] = -v->potential[i];
}

koshu_status
koshu_fmm_ranks_forces(struct koshu_fmm *fmm,
                       const struct koshu_force_task *task,
                       struct koshu_particles *particles, unsigned fields)
{
    struct koshu_domains *d = &fmm->ranks->domains;
    struct koshu_fmm_device *device = fmm->ranks->device;
    struct koshu_outline all;
    KOSHU_TRY(bring(fmm, particles, fields, &all));
    const koshu_status status =
            device ? koshu_fmm_device_make(device, task, &all, d->store, fields)
                   : make_sources(fmm, task->eps);
    KOSHU_TRY(koshu_ranks_collective_status(d->context, status));
    if (device) return sum_on_device(fmm, task, fields);
    KOSHU_TRY(koshu_fmm_add_lattice_of_all(fmm, task->eps));
    KOSHU_TRY(sum(fmm, task));
    if (task->potential) turn_potentials(&d->here);
    fmm->report.seconds.near /= koshu_region_threads(d->context, true);
    return KOSHU_OK;
}

koshu_status
koshu_fmm_ranks_report(struct koshu_fmm *fmm, struct koshu_tree_report *report)
{
    struct koshu_fmm_ranks *r = fmm->ranks;
    const double work =
            (double)report->interactions +
            (double)report->translations * koshu_fmm_pairs_of_translation(fmm);
    const struct koshu_fmm_forest *forest = &r->imports.forest;
    const struct koshu_part_exchange *parts =
            r->device ? &r->device->parts : NULL;
    report->particles = koshu_particles_count(r->domains.store);
    report->imported = parts ? koshu_part_exchange_imported(parts)
                             : forest->n_cells + forest->n_particles;
    report->bytes_sent = parts ? koshu_part_exchange_bytes(parts)
                               : r->imports.all.bytes_sent;
    return koshu_domains_add_reports(&r->domains, work, report);
}
