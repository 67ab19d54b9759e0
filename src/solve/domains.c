/* SPDX-License-Identifier: MIT */
#include "solve/domains.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "solve/treecode.h"

enum { COLUMNS = 9 }; /* x y z mass ax ay az potential work */

/* ---- what is to be known of all particles -------------------------------- */

static double
sum_of_sizes(size_t n, const double *mass)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += fabs(mass[i]);
    return sum;
}

static koshu_status
outline_of(struct koshu_context *context, const struct koshu_particle_view *v,
           struct koshu_outline *o)
{
    const int threads = koshu_region_threads(context, v->n > 1 << 13);
    *o = (struct koshu_outline){.extent = {{INFINITY, INFINITY, INFINITY},
                                           {-INFINITY, -INFINITY, -INFINITY}},
                                .masses = {.least = INFINITY, .finite = true}};
    if (v->n == 0) return KOSHU_OK;
    if (koshu_tree_extent_of(v->n, v->x, v->y, v->z, threads, &o->extent) !=
        KOSHU_OK)
        return koshu_tree_name_culprit(context, v->n, v->x, v->y, v->z);
    o->masses = koshu_tree_masses_of(v->n, v->mass, threads);
    o->mass = sum_of_sizes(v->n, v->mass);
    o->n = v->n;
    o->has_accelerations = koshu_has_accelerations(v);
    return o->masses.finite
                   ? KOSHU_OK
                   : koshu_tree_name_units(context, KOSHU_ERROR_NOT_FINITE,
                                           v->n, v->mass, 0, 0);
}

static void
merge(struct koshu_outline *to, const struct koshu_outline *from)
{
    for (int c = 0; c < 3; c++) {
        to->extent.low[c] = fmin(to->extent.low[c], from->extent.low[c]);
        to->extent.high[c] = fmax(to->extent.high[c], from->extent.high[c]);
    }
    to->masses.largest = fmax(to->masses.largest, from->masses.largest);
    to->masses.least = fmin(to->masses.least, from->masses.least);
    to->mass += from->mass;
    to->n += from->n;
    to->has_accelerations |= from->has_accelerations;
}

koshu_status
koshu_outline_of_all(struct koshu_context *context,
                     const struct koshu_particle_view *particles,
                     struct koshu_outline *all)
{
    const size_t ranks = (size_t)koshu_context_ranks(context);
    struct koshu_outline *each = koshu_alloc(ranks, sizeof *each), mine;
    koshu_status status = outline_of(context, particles, &mine);
    if (status == KOSHU_OK && !each)
        status = koshu_fail_memory(context, ranks * sizeof *each,
                                   "outlines of ranks");
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK)
        status = koshu_all_gather(context, &mine, sizeof mine, each);
    *all = mine;
    for (size_t k = 0; k < ranks && status == KOSHU_OK; k++)
        if (k == 0)
            *all = each[0];
        else
            merge(all, &each[k]);
    koshu_free(each);
    return status;
}

double
koshu_outline_side(const struct koshu_outline *outline)
{
    const struct koshu_tree_extent *e = &outline->extent;
    return fmax(e->high[0] - e->low[0],
                fmax(e->high[1] - e->low[1], e->high[2] - e->low[2]));
}

/* ---- to the owners, and back --------------------------------------------- */

double
koshu_domains_expose(struct koshu_domains *domains, double *of, double since)
{
    const double now = koshu_now();
    *of += now - since;
    domains->exposed.all += now - since;
    return now;
}

/* Where the particles are that this rank has: their owners. */
static koshu_status
decompose(struct koshu_domains *d, const struct koshu_particle_view *v,
          const struct koshu_outline *all)
{
    struct koshu_decomposition to = {.context = d->context,
                                     .n = v->n,
                                     .x = {v->x, v->y, v->z},
                                     .weight = v->work};
    memcpy(to.low, all->extent.low, sizeof to.low);
    memcpy(to.high, all->extent.high, sizeof to.high);
    KOSHU_TRY(koshu_particle_exchange_begin(&d->exchange, v->n));
    KOSHU_TRY(koshu_bisect(&to, d->exchange.owner));
    return koshu_particle_exchange_count(&d->exchange);
}

/* Columns of so many each. */
static void
lay_out(struct koshu_domains *d, size_t n)
{
    double *const c = d->column;
    d->here = (struct koshu_particle_view){.size = sizeof d->here,
                                           .n = d->exchange.n_here,
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
reserve(struct koshu_domains *d)
{
    const size_t line = KOSHU_ALIGNMENT / sizeof(double);
    const size_t n = (d->exchange.n_here / line + 1) * line;
    koshu_status status = KOSHU_GROW(d, column, COLUMNS * n, d->context,
                                     "particles of a domain");
    if (status == KOSHU_OK) lay_out(d, n);
    return koshu_ranks_collective_status(d->context, status);
}

static koshu_status
send_columns(struct koshu_domains *d, const struct koshu_particle_view *v,
             bool accelerations)
{
    const struct koshu_particle_view *h = &d->here;
    const double *const from[] = {v->x,  v->y,  v->z, v->mass,
                                  v->ax, v->ay, v->az};
    double *const to[] = {h->x, h->y, h->z, h->mass, h->ax, h->ay, h->az};
    for (int k = 0; k < (accelerations ? 7 : 4); k++)
        KOSHU_TRY(koshu_particle_exchange_send(&d->exchange, from[k], to[k]));
    memset(h->work, 0, h->n * sizeof *h->work);
    return KOSHU_OK;
}

koshu_status
koshu_domains_bring(struct koshu_domains *domains,
                    const struct koshu_particle_view *particles,
                    const struct koshu_outline *all, bool accelerations)
{
    struct koshu_exposed *exposed = &domains->exposed;
    double since = koshu_now();
    domains->exchange.context = domains->context;
    KOSHU_TRY(decompose(domains, particles, all));
    since = koshu_domains_expose(domains, &exposed->domains, since);
    KOSHU_TRY(reserve(domains));
    KOSHU_TRY(send_columns(domains, particles, accelerations));
    koshu_domains_expose(domains, &exposed->particles, since);
    return KOSHU_OK;
}

koshu_status
koshu_domains_give_back(struct koshu_domains *domains, bool potential,
                        const struct koshu_particle_view *particles)
{
    const struct koshu_particle_view *h = &domains->here, *v = particles;
    const double since = koshu_now();
    double *const from[] = {h->work, h->ax, h->ay, h->az, h->potential};
    double *const to[] = {v->work, v->ax, v->ay, v->az, v->potential};
    for (int k = 0; k < (potential ? 5 : 4); k++)
        KOSHU_TRY(koshu_particle_exchange_return(&domains->exchange, from[k],
                                                 to[k]));
    koshu_domains_expose(domains, &domains->exposed.particles, since);
    return KOSHU_OK;
}

void
koshu_domains_free(struct koshu_domains *domains)
{
    koshu_particle_exchange_free(&domains->exchange);
    koshu_free(domains->column);
}

/* ---- counts of all ranks ------------------------------------------------- */

/* The rank with the largest work has it times all interactions over the work of
 * all; where interactions are the work, just those. */
static koshu_status
find_largest(struct koshu_domains *d, double work, uint64_t all_work,
             struct koshu_tree_report *report)
{
    KOSHU_TRY(koshu_largest(d->context, &work));
    if (all_work == 0) return KOSHU_OK;
    const double part = work / (double)all_work;
    report->largest_interactions =
            (uint64_t)(part * (double)report->interactions + 0.5);
    return KOSHU_OK;
}

static void
write_exposed(const struct koshu_exposed *exposed,
              struct koshu_tree_report *report)
{
    report->exposed = exposed->all;
    report->exposed_seconds.domains = exposed->domains;
    report->exposed_seconds.particles = exposed->particles;
    report->exposed_seconds.essential = exposed->essential;
    report->exposed_seconds.wait = exposed->wait;
}

koshu_status
koshu_domains_add_reports(struct koshu_domains *domains, double work,
                          struct koshu_tree_report *report)
{
    uint64_t all_work = (uint64_t)work;
    uint64_t *const of[] = {&report->particles,     &report->cells,
                            &report->groups,        &report->interactions,
                            &report->with_cells,    &report->cells_tested,
                            &report->translations,  &report->imported,
                            &report->bytes_sent,    &all_work,
                            &report->device.batches};
    enum { COUNTS = sizeof of / sizeof of[0] };
    uint64_t counts[COUNTS];
    report->bytes_sent += domains->exchange.bytes_sent;
    domains->exchange.bytes_sent = 0;
    for (int k = 0; k < COUNTS; k++) counts[k] = *of[k];
    KOSHU_TRY(koshu_sum_counts(domains->context, counts, COUNTS));
    for (int k = 0; k < COUNTS; k++) *of[k] = counts[k];
    write_exposed(&domains->exposed, report);
    return find_largest(domains, work, all_work, report);
}
