/* SPDX-License-Identifier: MIT */
/* Brings particles to the domains of ranks: see domains.h. */
#include "solve/domains.h"

#include <math.h>
#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "devices/devices.h"
#include "solve/treecode.h"

/* ---- outlines ------------------------------------------------------------ */

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
    o->n = v->n;
    o->has_accelerations = v->ax && koshu_has_accelerations(v);
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
    to->n += from->n;
    to->has_accelerations |= from->has_accelerations;
}

/* Merges the outlines of all ranks; status: whether this rank has made its
 * own. */
static koshu_status
outline_of_all(struct koshu_context *context, koshu_status status,
               const struct koshu_outline *mine, struct koshu_outline *all)
{
    const size_t ranks = (size_t)koshu_context_ranks(context);
    void *memory;
    status = koshu_gather_ranks(context, status, mine, sizeof *mine,
                                "outlines of ranks", &memory);
    const struct koshu_outline *const each = memory;
    *all = *mine;
    for (size_t k = 0; k < ranks && status == KOSHU_OK; k++)
        if (k == 0)
            *all = each[0];
        else
            merge(all, &each[k]);
    koshu_free(memory);
    return status;
}

/* The outline of the domain's particles, on the host or the device. A particle
 * that is not finite is not named yet. */
static koshu_status
outline_here(const struct koshu_domains *d, const struct koshu_particle_view *v,
             struct koshu_outline *o)
{
    void *self;
    struct koshu_particle_outline p;
    const struct koshu_resident_ops *ops =
            koshu_particles_resident(d->store, &self);
    if (!d->device) return outline_of(d->context, v, o);
    KOSHU_TRY(ops->outline(self, (d->fields & KOSHU_FIELD_ACCELERATION) != 0,
                           &p));
    *o = (struct koshu_outline){.masses = {p.largest_mass, p.least_mass, true},
                                .n = koshu_particles_count(d->store),
                                .has_accelerations = p.has_accelerations};
    memcpy(o->extent.low, p.low, sizeof p.low);
    memcpy(o->extent.high, p.high, sizeof p.high);
    return p.finite ? KOSHU_OK : KOSHU_ERROR_NOT_FINITE;
}

/* Names particles by their index in the store. */
koshu_status
koshu_domains_outline(struct koshu_domains *domains,
                      const struct koshu_particle_view *v,
                      struct koshu_outline *all)
{
    struct koshu_domains *d = domains;
    struct koshu_particle_view stored;
    struct koshu_outline mine;
    koshu_status status = outline_here(d, v, &mine);
    status = outline_of_all(d->context, status, &mine, all);
    if (status != KOSHU_ERROR_NOT_FINITE) return status;
    KOSHU_TRY(koshu_particles_on_host(d->particles,
                                      KOSHU_FIELD_POSITION | KOSHU_FIELD_MASS,
                                      KOSHU_ACCESS_READ, &stored));
    const koshu_status named = outline_of(d->context, &stored, &mine);
    KOSHU_TRY(koshu_ranks_collective_status(d->context, named));
    return status;
}

/* The sum is taken in the order of the store, so that it depends on the domains
 * alone. */
static koshu_status
sum_masses(struct koshu_domains *d, struct koshu_outline *all)
{
    const size_t ranks = (size_t)koshu_context_ranks(d->context);
    const double mine = sum_of_sizes(d->here.n, d->here.mass);
    void *memory;
    const koshu_status status =
            koshu_gather_ranks(d->context, KOSHU_OK, &mine, sizeof mine,
                               "masses of ranks", &memory);
    const double *const each = memory;
    all->mass = 0;
    for (size_t r = 0; status == KOSHU_OK && r < ranks; r++)
        all->mass += each[r];
    koshu_free(memory);
    return status;
}

double
koshu_outline_side(const struct koshu_outline *outline)
{
    const struct koshu_tree_extent *e = &outline->extent;
    return fmax(e->high[0] - e->low[0],
                fmax(e->high[1] - e->low[1], e->high[2] - e->low[2]));
}

struct koshu_tree_box
koshu_outline_box(const struct koshu_outline *outline)
{
    struct koshu_tree_box box = {.side = koshu_outline_side(outline)};
    memcpy(box.corner, outline->extent.low, sizeof box.corner);
    return box;
}

/* ---- to the owners, and back --------------------------------------------- */

void
koshu_domains_expose_seconds(struct koshu_domains *domains, double *of,
                             double seconds)
{
    *of += seconds;
    domains->exposed.all += seconds;
}

double
koshu_domains_expose(struct koshu_domains *domains, double *of, double since)
{
    const double now = koshu_now();
    koshu_domains_expose_seconds(domains, of, now - since);
    return now;
}

enum { NEEDED = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_WORK };

/* Makes fields of the domain's store available where the sums are computed. On
 * a device it has its copy there before its fields are sent, so that each goes
 * there at once. */
static koshu_status
acquire(struct koshu_domains *d, unsigned fields, enum koshu_access access)
{
    koshu_status status = KOSHU_OK;
    if (d->device) status = d->device->ops->keep(d->device, d->store);
    KOSHU_TRY(
            koshu_particles_at_owners(d->particles, fields, access, &d->store));
    if (status == KOSHU_OK)
        status = d->device ? koshu_particles_on_device(d->store, fields, access)
                           : koshu_particles_on_host(d->store, fields, access,
                                                     &d->here);
    return koshu_ranks_collective_status(d->context, status);
}

koshu_status
koshu_domains_begin(struct koshu_domains *domains,
                    struct koshu_particles *particles, bool accelerations)
{
    struct koshu_domains *d = domains;
    const double since = koshu_now();
    d->particles = particles;
    d->fields = NEEDED | (accelerations ? KOSHU_FIELD_ACCELERATION : 0u);
    KOSHU_TRY(koshu_domain_copy_attach(particles));
    KOSHU_TRY(koshu_particles_at_owners(particles, 0, KOSHU_ACCESS_READ,
                                        &d->store));
    if (d->device) koshu_particles_leave_host(d->store);
    KOSHU_TRY(acquire(d, d->fields, KOSHU_ACCESS_READ));
    koshu_domains_expose(d, &d->exposed.particles, since);
    return KOSHU_OK;
}

/* Ignores values that are not finite: a kick may have made them, and the
 * outline finds those in positions. */
static koshu_status
wrap_here(struct koshu_domains *d, const double corner[3], double edge)
{
    koshu_status status = KOSHU_OK;
    if (koshu_particles_count(d->store) > 0)
        status = d->device->ops->wrap(d->device, d->store, corner, edge);
    return status == KOSHU_ERROR_NOT_FINITE ? KOSHU_OK : status;
}

koshu_status
koshu_domains_wrap(struct koshu_domains *domains, const double corner[3],
                   double edge)
{
    struct koshu_domains *d = domains;
    KOSHU_TRY(acquire(d, KOSHU_FIELD_POSITION, KOSHU_ACCESS_READ_WRITE));
    return koshu_ranks_collective_status(d->context,
                                         wrap_here(d, corner, edge));
}

/* Makes the root cube the extent of all particles. */
static void
set_root(const struct koshu_cube *cube, struct koshu_outline *all)
{
    for (int c = 0; c < 3; c++) {
        all->extent.low[c] = cube->corner[c];
        all->extent.high[c] = cube->corner[c] + cube->side;
    }
}

/* Computes new domains from the positions in v. */
static koshu_status
divide(struct koshu_domains *d, const struct koshu_particle_view *v,
       struct koshu_outline *all)
{
    struct koshu_cube cube;
    struct koshu_decomposition to = {.context = d->context,
                                     .on_device = d->device};
    if (!to.on_device) {
        to.n = v->n;
        to.x[0] = v->x, to.x[1] = v->y, to.x[2] = v->z;
        to.weight = v->work;
    }
    memcpy(to.low, all->extent.low, sizeof to.low);
    memcpy(to.high, all->extent.high, sizeof to.high);
    if (!d->periodic) to.cube = &cube;
    KOSHU_TRY(
            koshu_domain_copy_divide(koshu_domain_copy_of(d->particles), &to));
    if (to.cube) set_root(&cube, all);
    return KOSHU_OK;
}

koshu_status
koshu_domains_migrate(struct koshu_domains *domains,
                      const struct koshu_particle_view *v,
                      struct koshu_outline *all, unsigned fields)
{
    struct koshu_domains *d = domains;
    double since = koshu_now();
    KOSHU_TRY(divide(d, v, all));
    since = koshu_domains_expose(d, &d->exposed.domains, since);
    KOSHU_TRY(koshu_domain_copy_migrate(koshu_domain_copy_of(d->particles)));
    KOSHU_TRY(acquire(d, d->fields, KOSHU_ACCESS_READ));
    KOSHU_TRY(acquire(d, fields | KOSHU_FIELD_WORK, KOSHU_ACCESS_WRITE));
    if (!d->device) {
        memset(d->here.work, 0, d->here.n * sizeof *d->here.work);
        KOSHU_TRY(sum_masses(d, all));
    }
    koshu_domains_expose(d, &d->exposed.particles, since);
    return KOSHU_OK;
}

/* ---- counts of all ranks ------------------------------------------------- */

/* The interactions of the busiest rank: its part of the work times all
 * interactions. If the work counts interactions, these are its own. */
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

static uint64_t
bytes_sent(struct koshu_domains *d)
{
    struct koshu_domain_copy *copy = koshu_domain_copy_of(d->particles);
    return copy ? koshu_domain_copy_take_bytes(copy) : 0;
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
    report->bytes_sent += bytes_sent(domains);
    for (int k = 0; k < COUNTS; k++) counts[k] = *of[k];
    KOSHU_TRY(koshu_sum_counts(domains->context, counts, COUNTS));
    for (int k = 0; k < COUNTS; k++) *of[k] = counts[k];
    write_exposed(&domains->exposed, report);
    return find_largest(domains, work, all_work, report);
}
