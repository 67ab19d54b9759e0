/* SPDX-License-Identifier: MIT */
/*
 * The treecode over ranks (Salmon 1990; Warren & Salmon 1992; Hamada10 section
 * 3): each rank makes the tree of a domain, and sums over it while what others'
 * groups need of it is on its way to them (their local essential trees); then
 * over those that have come.
 */
#include "solve/tree_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "domain/domain.h"
#include "solve/tree_imports.h"

enum { COLUMNS = 9 }; /* x y z mass ax ay az potential work */

struct koshu_tree_ranks {
    struct koshu_treecode *tree;
    struct koshu_context *context;
    struct koshu_particle_exchange exchange;
    struct koshu_tree_imports imports;
    /* The particles of this rank's domain. */
    double *column;
    struct koshu_particle_view here;
    size_t capacity_column;
    struct koshu_tree_report exposed; /* of the present forces: those seconds */
};

/* ---- life ---------------------------------------------------------------- */

koshu_status
koshu_tree_ranks_create(struct koshu_treecode *treecode,
                        struct koshu_tree_ranks **ranks)
{
    struct koshu_context *context = treecode->backend->context;
    *ranks = NULL;
    if (treecode->options.tree->box != 0)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "a tree in a periodic box over several ranks is not "
                          "there yet; run on one rank");
    struct koshu_tree_ranks *r = calloc(1, sizeof *r);
    if (!r) return koshu_fail_memory(context, sizeof *r, "treecode");
    r->tree = treecode;
    r->context = r->exchange.context = context;
    treecode->tree.own_units = false;
    *ranks = r;
    return KOSHU_OK;
}

void
koshu_tree_ranks_destroy(struct koshu_tree_ranks *ranks)
{
    if (!ranks) return;
    koshu_particle_exchange_free(&ranks->exchange);
    koshu_tree_imports_free(&ranks->imports);
    koshu_free(ranks->column);
    free(ranks);
}

/* ---- what is to be known of all particles -------------------------------- */

/* Of one rank's, or of all. */
struct outline {
    struct koshu_tree_extent extent; /* infinite: there are no particles */
    struct koshu_tree_masses masses;
    uint64_t n;
    bool has_accelerations;
};

static koshu_status
outline_of(struct koshu_context *context, const struct koshu_particle_view *v,
           struct outline *o)
{
    const int threads = koshu_region_threads(context, v->n > 1 << 13);
    *o = (struct outline){.extent = {{INFINITY, INFINITY, INFINITY},
                                     {-INFINITY, -INFINITY, -INFINITY}},
                          .masses = {.least = INFINITY, .finite = true}};
    if (v->n == 0) return KOSHU_OK;
    if (koshu_tree_extent_of(v->n, v->x, v->y, v->z, threads, &o->extent) !=
        KOSHU_OK)
        return koshu_tree_name_culprit(context, v->n, v->x, v->y, v->z);
    o->masses = koshu_tree_masses_of(v->n, v->mass, threads);
    o->n = v->n;
    o->has_accelerations = koshu_has_accelerations(v);
    return o->masses.finite
                   ? KOSHU_OK
                   : koshu_tree_name_units(context, KOSHU_ERROR_NOT_FINITE,
                                           v->n, v->mass, 0, 0);
}

static void
merge(struct outline *to, const struct outline *from)
{
    for (int c = 0; c < 3; c++) {
        to->extent.low[c] = fmin(to->extent.low[c], from->extent.low[c]);
        to->extent.high[c] = fmax(to->extent.high[c], from->extent.high[c]);
    }
    to->masses.largest = fmax(to->masses.largest, from->masses.largest);
    to->masses.least = fmin(to->masses.least, from->masses.least);
    to->n += from->n;
    to->has_accelerations |= from->has_accelerations;
}

static koshu_status
outline_of_all(struct koshu_tree_ranks *r, const struct koshu_particle_view *v,
               struct outline *all)
{
    const size_t ranks = (size_t)koshu_context_ranks(r->context);
    struct outline *each = koshu_alloc(ranks, sizeof *each), mine;
    koshu_status status = outline_of(r->context, v, &mine);
    if (status == KOSHU_OK && !each)
        status = koshu_fail_memory(r->context, ranks * sizeof *each,
                                   "outlines of ranks");
    status = koshu_ranks_collective_status(r->context, status);
    if (status == KOSHU_OK)
        status = koshu_all_gather(r->context, &mine, sizeof mine, each);
    *all = mine;
    for (size_t k = 0; k < ranks && status == KOSHU_OK; k++)
        if (k == 0)
            *all = each[0];
        else
            merge(all, &each[k]);
    koshu_free(each);
    return status;
}

static double
longest_side(const struct koshu_tree_extent *e)
{
    return fmax(e->high[0] - e->low[0],
                fmax(e->high[1] - e->low[1], e->high[2] - e->low[2]));
}

/* Those of all particles, so that essential trees have them too. */
static koshu_status
choose_units(struct koshu_tree_ranks *r, const struct outline *all, double eps)
{
    const double side = longest_side(&all->extent);
    struct koshu_tree *t = &r->tree->tree;
    const koshu_status status =
            koshu_tree_units_of(side, eps, all->n, &all->masses, &t->units);
    return koshu_tree_name_units(r->context, status, 0, NULL, side, eps);
}

/* ---- to the owners, and back --------------------------------------------- */

/* Where the particles are that this rank has: their owners. */
static koshu_status
decompose(struct koshu_tree_ranks *r, const struct koshu_particle_view *v,
          const struct outline *all)
{
    struct koshu_decomposition d = {.context = r->context,
                                    .n = v->n,
                                    .x = {v->x, v->y, v->z},
                                    .weight = v->work};
    memcpy(d.low, all->extent.low, sizeof d.low);
    memcpy(d.high, all->extent.high, sizeof d.high);
    KOSHU_TRY(koshu_particle_exchange_begin(&r->exchange, v->n));
    KOSHU_TRY(koshu_bisect(&d, r->exchange.owner));
    return koshu_particle_exchange_count(&r->exchange);
}

/* Columns of so many each. */
static void
lay_out(struct koshu_tree_ranks *r, size_t n)
{
    double *const c = r->column;
    r->here = (struct koshu_particle_view){.size = sizeof r->here,
                                           .n = r->exchange.n_here,
                                           .x = c,
                                           .y = c + n,
                                           .z = c + 2 * n,
                                           .mass = c + 3 * n,
                                           .ax = c + 4 * n,
                                           .ay = c + 5 * n,
                                           .az = c + 6 * n,
                                           .potential = c + 7 * n,
                                           .work = c + 8 * n};
}

static koshu_status
reserve(struct koshu_tree_ranks *r)
{
    const size_t line = KOSHU_ALIGNMENT / sizeof(double);
    const size_t n = (r->exchange.n_here / line + 1) * line;
    koshu_status status = KOSHU_GROW(r, column, COLUMNS * n, r->context,
                                     "particles of a domain");
    if (status == KOSHU_OK) lay_out(r, n);
    return koshu_ranks_collective_status(r->context, status);
}

static koshu_status
take_in(struct koshu_tree_ranks *r, const struct koshu_particle_view *v,
        bool first)
{
    const struct koshu_particle_view *h = &r->here;
    const double *const from[] = {v->x,  v->y,  v->z, v->mass,
                                  v->ax, v->ay, v->az};
    double *const to[] = {h->x, h->y, h->z, h->mass, h->ax, h->ay, h->az};
    for (int k = 0; k < (first ? 4 : 7); k++)
        KOSHU_TRY(koshu_particle_exchange_send(&r->exchange, from[k], to[k]));
    memset(h->work, 0, h->n * sizeof *h->work);
    return KOSHU_OK;
}

static koshu_status
give_back(struct koshu_tree_ranks *r, const struct koshu_force_task *task,
          const struct koshu_particle_view *v)
{
    const struct koshu_particle_view *h = &r->here;
    double *const from[] = {h->work, h->ax, h->ay, h->az, h->potential};
    double *const to[] = {v->work, v->ax, v->ay, v->az, v->potential};
    for (int k = 0; k < (task->potential ? 5 : 4); k++)
        KOSHU_TRY(koshu_particle_exchange_return(&r->exchange, from[k], to[k]));
    return KOSHU_OK;
}

/* ---- sums ---------------------------------------------------------------- */

/* A domain may be empty. */
static koshu_status
make_tree(struct koshu_tree_ranks *r, const struct koshu_force_task *task,
          bool first, struct koshu_tree_report *report)
{
    struct koshu_treecode *t = r->tree;
    *report = (struct koshu_tree_report){.evaluations = 1};
    t->tree.n = t->tree.n_cells = t->groups.n = 0;
    if (r->here.n == 0) return KOSHU_OK;
    return koshu_treecode_prepare(t, task, first, &r->here, report);
}

/* What was done since then is exposed: of these seconds. Returns the time. */
static double
expose(struct koshu_tree_ranks *r, double *of, double since)
{
    const double now = koshu_now();
    *of += now - since;
    r->exposed.exposed += now - since;
    return now;
}

/* Over the rank's own tree, while others' come; then over those. */
static koshu_status
sum(struct koshu_tree_ranks *r, const struct koshu_force_task *task,
    struct koshu_tree_report *report)
{
    struct koshu_treecode *t = r->tree;
    struct koshu_tree_job job;
    koshu_status status = KOSHU_OK;
    const double start = koshu_now();
    if (r->here.n > 0) status = koshu_treecode_job(t, task, &r->here, &job);
    job.work = r->here.work;
    job.moves_messages = true;
    if (r->here.n > 0 && status == KOSHU_OK)
        status = koshu_tree_sums_do(t->sums, &job, report);
    const double since = koshu_now();
    KOSHU_TRY(koshu_tree_imports_wait(&r->imports, r->context));
    expose(r, &r->exposed.exposed_seconds.wait, since);
    job.others = &r->imports.forest.tree;
    job.task.own = job.moves_messages = false;
    if (r->here.n > 0 && status == KOSHU_OK && job.others->n_cells > 0)
        status = koshu_tree_sums_do(t->sums, &job, report);
    if (r->here.n > 0 && status == KOSHU_OK)
        koshu_treecode_finish(t, task, &r->here, koshu_now() - start, report);
    return status;
}

/* Counts of all ranks. */
static koshu_status
add_reports(struct koshu_tree_ranks *r, struct koshu_tree_report *report)
{
    uint64_t *const of[] = {&report->particles,     &report->cells,
                            &report->groups,        &report->interactions,
                            &report->with_cells,    &report->cells_tested,
                            &report->imported,      &report->bytes_sent,
                            &report->device.batches};
    enum { COUNTS = sizeof of / sizeof of[0] };
    uint64_t counts[COUNTS];
    double largest = (double)report->interactions;
    report->imported =
            r->imports.forest.tree.n_cells + r->imports.forest.tree.n;
    report->bytes_sent = r->imports.bytes_sent + r->exchange.bytes_sent;
    r->exchange.bytes_sent = 0;
    for (int k = 0; k < COUNTS; k++) counts[k] = *of[k];
    KOSHU_TRY(koshu_sum_counts(r->context, counts, COUNTS));
    KOSHU_TRY(koshu_largest(r->context, &largest));
    for (int k = 0; k < COUNTS; k++) *of[k] = counts[k];
    report->largest_interactions = (uint64_t)largest;
    return KOSHU_OK;
}

/* The particles of this rank's domain, from all. */
static koshu_status
bring(struct koshu_tree_ranks *r, const struct koshu_particle_view *v,
      double eps, bool *first)
{
    double since = koshu_now();
    struct outline all;
    KOSHU_TRY(outline_of_all(r, v, &all));
    *first = !all.has_accelerations;
    KOSHU_TRY(choose_units(r, &all, eps));
    KOSHU_TRY(decompose(r, v, &all));
    since = expose(r, &r->exposed.exposed_seconds.domains, since);
    KOSHU_TRY(reserve(r));
    KOSHU_TRY(take_in(r, v, *first));
    expose(r, &r->exposed.exposed_seconds.particles, since);
    return KOSHU_OK;
}

static koshu_status
start_imports(struct koshu_tree_ranks *r)
{
    const struct koshu_treecode *t = r->tree;
    const double since = koshu_now();
    KOSHU_TRY(
            koshu_tree_imports_start(&r->imports, &t->tree, &t->groups, t->a));
    expose(r, &r->exposed.exposed_seconds.essential, since);
    return KOSHU_OK;
}

koshu_status
koshu_tree_ranks_forces(struct koshu_tree_ranks *ranks,
                        const struct koshu_force_task *task,
                        const struct koshu_particle_view *particles,
                        struct koshu_tree_report *report)
{
    struct koshu_tree_ranks *r = ranks;
    bool first;
    r->exposed = (struct koshu_tree_report){0};
    KOSHU_TRY(bring(r, particles, task->eps, &first));
    koshu_status status = make_tree(r, task, first, report);
    KOSHU_TRY(koshu_ranks_collective_status(r->context, status));
    KOSHU_TRY(start_imports(r));
    status = sum(r, task, report);
    KOSHU_TRY(koshu_ranks_collective_status(r->context, status));
    const double since = koshu_now();
    KOSHU_TRY(give_back(r, task, particles));
    expose(r, &r->exposed.exposed_seconds.particles, since);
    report->exposed = r->exposed.exposed;
    report->exposed_seconds = r->exposed.exposed_seconds;
    return add_reports(r, report);
}
