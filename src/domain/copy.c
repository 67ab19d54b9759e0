/* SPDX-License-Identifier: MIT */
/*
 * The particles of a domain as a store of their own, a copy of part of the main
 * store. They are in the order of the whole, so that nothing depends on where
 * they were before, not even after a restart.
 */
#include <math.h>
#include <stdlib.h>

#include "domain/domain.h"
#include "domain/migration.h"

static const char purpose[] = "particles of a domain";

/* ---- with the store ------------------------------------------------------ */

/* Finds out where the store's particles are. */
static koshu_status
trace(struct koshu_domain_copy *c)
{
    struct koshu_particle_view v;
    if (c->traced) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_on_host(c->here, KOSHU_FIELD_ID,
                                      KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(koshu_particle_exchange_trace(&c->home, c->total, v.n, v.id));
    c->traced = true;
    return KOSHU_OK;
}

/* Acquires arrays, for all of these fields on all ranks or, if one fails,
 * none. */
static koshu_status
acquire(struct koshu_domain_copy *c, unsigned fields, enum koshu_access access,
        struct koshu_particle_view *v)
{
    const koshu_status status =
            koshu_particles_on_host(c->here, fields, access, v);
    KOSHU_TRY(koshu_ranks_collective_status(c->context, status));
    c->fields |= fields;
    return KOSHU_OK;
}

static koshu_status
send_field(struct koshu_domain_copy *c, unsigned field,
           const struct koshu_particle_view *host)
{
    struct koshu_particle_view v;
    KOSHU_TRY(acquire(c, field, KOSHU_ACCESS_WRITE, &v));
    KOSHU_TRY(trace(c));
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (koshu_particle_arrays[k].field & field)
            KOSHU_TRY(koshu_particle_exchange_send(
                    &c->home, koshu_particle_array(host, k),
                    koshu_particle_array(&v, k)));
    return KOSHU_OK;
}

static koshu_status
to_device(struct koshu_domain_copy *c, unsigned field)
{
    void *device;
    koshu_status status = KOSHU_OK;
    if (koshu_particles_resident(c->here, &device))
        status = koshu_particles_on_device(c->here, field, KOSHU_ACCESS_READ);
    return koshu_ranks_collective_status(c->context, status);
}

/* One field after another is sent, and leaves the host if there is a device.
 * Those that are zero on all ranks are zero here, too. */
static koshu_status
from_host(void *self, unsigned fields, const struct koshu_particle_view *host)
{
    struct koshu_domain_copy *c = self;
    struct koshu_particle_view v;
    unsigned written = ~(koshu_particles_unwritten(c->store) &
                         koshu_particles_unwritten(c->here));
    KOSHU_TRY(koshu_collective_status(c->context, KOSHU_OK, &written));
    for (unsigned field = 1; field <= fields; field <<= 1) {
        if (!(field & fields)) continue;
        KOSHU_TRY(field & written ? send_field(c, field, host)
                                  : acquire(c, field, KOSHU_ACCESS_READ, &v));
        KOSHU_TRY(to_device(c, field));
    }
    return KOSHU_OK;
}

static koshu_status
to_host(void *self, unsigned fields, const struct koshu_particle_view *host)
{
    struct koshu_domain_copy *c = self;
    struct koshu_particle_view v;
    KOSHU_TRY(acquire(c, fields, KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(trace(c));
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (koshu_particle_arrays[k].field & fields)
            KOSHU_TRY(koshu_particle_exchange_return(
                    &c->home, koshu_particle_array(&v, k),
                    koshu_particle_array(host, k)));
    return KOSHU_OK;
}

/* ---- life ---------------------------------------------------------------- */

static void
destroy(void *self)
{
    struct koshu_domain_copy *c = self;
    koshu_particles_destroy(c->here);
    koshu_particle_exchange_free(&c->home);
    koshu_particle_exchange_free(&c->next);
    koshu_free(c->other);
    koshu_free(c->go);
    koshu_free(c->cuts);
    free(c);
}

static const struct koshu_device_copy_ops ops = {
        .to_host = to_host, .from_host = from_host, .destroy = destroy};

static koshu_status
begin_cuts(struct koshu_domain_copy *c)
{
    const size_t n = KOSHU_CUTS_OF(koshu_context_ranks(c->context));
    KOSHU_TRY(KOSHU_GROW(c, cuts, n, c->context, purpose));
    for (size_t k = 0; k < n; k++) c->cuts[k] = NAN;
    return KOSHU_OK;
}

/* At first each rank owns the particles that it has in the store. */
static koshu_status
begin(struct koshu_domain_copy *c, struct koshu_particles *particles)
{
    const struct koshu_slice slice = {koshu_particles_first(particles),
                                      koshu_particles_count(particles)};
    c->context = c->home.context = c->next.context =
            koshu_particles_context(particles);
    c->store = particles;
    c->total = koshu_particles_total(particles);
    c->home.first = slice.first;
    KOSHU_TRY(koshu_particle_exchange_begin(&c->home, slice.n));
    koshu_status status = begin_cuts(c);
    if (status == KOSHU_OK)
        status = koshu_particles_create_slice(c->context, c->total, slice,
                                              &c->here);
    return koshu_ranks_collective_status(c->context, status);
}

/* On all ranks or none: the store before may have had a copy on a device, which
 * is copied back. The store owns the new one. */
static koshu_status
attach(struct koshu_particles *particles, struct koshu_domain_copy *c)
{
    const koshu_status own =
            koshu_particles_set_device_copy(particles, &ops, c);
    koshu_status status = koshu_ranks_collective_status(c->context, own);
    if (status == KOSHU_OK) return KOSHU_OK;
    if (own != KOSHU_OK)
        destroy(c);
    else if (koshu_particles_set_device_copy(particles, NULL, NULL) != KOSHU_OK)
        status = KOSHU_ERROR_INTERNAL;
    return status;
}

koshu_status
koshu_domain_copy_attach(struct koshu_particles *particles)
{
    struct koshu_context *context = koshu_particles_context(particles);
    if (koshu_domain_copy_of(particles)) return KOSHU_OK;
    struct koshu_domain_copy *c = calloc(1, sizeof *c);
    koshu_status status = KOSHU_OK;
    if (!c) status = koshu_fail_memory(context, sizeof *c, purpose);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = begin(c, particles);
    if (status == KOSHU_OK) return attach(particles, c);
    if (c) destroy(c);
    return status;
}

struct koshu_domain_copy *
koshu_domain_copy_of(const struct koshu_particles *particles)
{
    return koshu_particles_device_copy(particles, &ops);
}

/* Adds missing fields, on all ranks or none. */
static koshu_status
add_to_store(struct koshu_particles *particles, unsigned fields)
{
    struct koshu_particle_view view;
    const koshu_status status = koshu_particles_on_host(
            particles, fields & ~koshu_particles_fields(particles),
            KOSHU_ACCESS_READ, &view);
    return koshu_ranks_collective_status(koshu_particles_context(particles),
                                         status);
}

koshu_status
koshu_particles_at_owners(struct koshu_particles *particles, unsigned fields,
                          enum koshu_access access,
                          struct koshu_particles **here)
{
    struct koshu_domain_copy *c = koshu_domain_copy_of(particles);
    struct koshu_particle_view v;
    *here = particles;
    if (!c) return KOSHU_OK;
    if (fields & ~c->fields) {
        KOSHU_TRY(add_to_store(particles, fields));
        KOSHU_TRY(acquire(c, fields & ~c->fields, KOSHU_ACCESS_READ, &v));
    }
    *here = c->here;
    return koshu_particles_on_device(particles, fields, access);
}

uint64_t
koshu_domain_copy_take_bytes(struct koshu_domain_copy *copy)
{
    const uint64_t bytes = copy->home.bytes_sent + copy->next.bytes_sent;
    copy->home.bytes_sent = copy->next.bytes_sent = 0;
    return bytes;
}
