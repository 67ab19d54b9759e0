/* SPDX-License-Identifier: MIT */
/*
 * The particles of a domain, as the copy of a store. They are in the order of
 * the store, so that nothing depends on where they have been before: not after
 * a restart, either.
 */
#include <stdlib.h>
#include <string.h>

#include "domain/domain.h"
#include "domain/migration.h"

static const char purpose[] = "particles of a domain";

/* ---- memory -------------------------------------------------------------- */

/* Of arrays that are there, the old ones where they are as long. */
static void
take_lanes(struct koshu_domain_copy *c, unsigned fields, size_t capacity,
           void *const lane[KOSHU_LANES])
{
    for (size_t k = 0; k < KOSHU_LANES; k++) {
        if (!lane[k]) continue;
        if (c->lane[k]) memcpy(lane[k], c->lane[k], c->n * KOSHU_ARRAY_ELEMENT);
        koshu_free(c->lane[k]);
        c->lane[k] = lane[k];
    }
    c->fields |= fields;
    c->capacity = capacity;
}

koshu_status
koshu_domain_copy_reserve(struct koshu_domain_copy *copy, unsigned fields,
                          size_t n)
{
    struct koshu_domain_copy *c = copy;
    void *lane[KOSHU_LANES] = {NULL};
    const size_t capacity = n > c->capacity ? n + n / 8 + 1 : c->capacity;
    bool whole = true;
    for (size_t k = 0; k < KOSHU_LANES; k++) {
        if (!koshu_is_lane(fields | c->fields, k)) continue;
        if (c->lane[k] && capacity == c->capacity) continue;
        lane[k] = koshu_alloc(capacity, KOSHU_ARRAY_ELEMENT);
        whole = whole && lane[k];
    }
    koshu_status status = KOSHU_OK;
    if (!whole)
        status = koshu_fail_memory(c->context,
                                   capacity * KOSHU_ARRAY_ELEMENT * KOSHU_LANES,
                                   purpose);
    status = koshu_ranks_collective_status(c->context, status);
    if (status == KOSHU_OK)
        take_lanes(c, fields, capacity, lane);
    else
        for (size_t k = 0; k < KOSHU_LANES; k++) koshu_free(lane[k]);
    return status;
}

static koshu_status
add_fields(struct koshu_domain_copy *c, unsigned fields)
{
    return fields & ~c->fields ? koshu_domain_copy_reserve(c, fields, c->n)
                               : KOSHU_OK;
}

/* ---- with the store ------------------------------------------------------ */

/* Where the store's particles are. */
static koshu_status
trace(struct koshu_domain_copy *c)
{
    if (c->traced) return KOSHU_OK;
    KOSHU_TRY(koshu_particle_exchange_trace(&c->home, c->total, c->n,
                                            c->lane[KOSHU_LANE_INDEX]));
    c->traced = true;
    return KOSHU_OK;
}

static koshu_status
from_host(void *self, unsigned fields, const struct koshu_particle_view *host)
{
    struct koshu_domain_copy *c = self;
    KOSHU_TRY(add_fields(c, fields));
    KOSHU_TRY(trace(c));
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (koshu_particle_arrays[k].field & fields)
            KOSHU_TRY(koshu_particle_exchange_send(
                    &c->home, koshu_particle_array(host, k), c->lane[k]));
    return KOSHU_OK;
}

static koshu_status
to_host(void *self, unsigned fields, const struct koshu_particle_view *host)
{
    struct koshu_domain_copy *c = self;
    KOSHU_TRY(trace(c));
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (koshu_particle_arrays[k].field & fields)
            KOSHU_TRY(koshu_particle_exchange_return(
                    &c->home, c->lane[k], koshu_particle_array(host, k)));
    return KOSHU_OK;
}

/* ---- life ---------------------------------------------------------------- */

static void
destroy(void *self)
{
    struct koshu_domain_copy *c = self;
    for (size_t k = 0; k < KOSHU_LANES; k++) koshu_free(c->lane[k]);
    koshu_particle_exchange_free(&c->home);
    koshu_particle_exchange_free(&c->next);
    free(c);
}

static const struct koshu_device_copy_ops ops = {
        .to_host = to_host, .from_host = from_host, .destroy = destroy};

/* At first each rank has those that it has in the store. */
static koshu_status
begin(struct koshu_domain_copy *c, struct koshu_particles *particles)
{
    const uint64_t first = koshu_particles_first(particles);
    const size_t n = koshu_particles_count(particles);
    c->context = c->home.context = c->next.context =
            koshu_particles_context(particles);
    c->total = koshu_particles_total(particles);
    KOSHU_TRY(koshu_particle_exchange_begin(&c->home, n));
    KOSHU_TRY(koshu_domain_copy_reserve(c, 0, n));
    c->n = n;
    c->home.first = first;
    for (size_t i = 0; i < n; i++)
        ((uint64_t *)c->lane[KOSHU_LANE_INDEX])[i] = first + i;
    return KOSHU_OK;
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
    if (status == KOSHU_OK)
        status = koshu_particles_set_device_copy(particles, &ops, c);
    if (status != KOSHU_OK && c) destroy(c);
    return status;
}

struct koshu_domain_copy *
koshu_domain_copy_of(const struct koshu_particles *particles)
{
    return koshu_particles_device_copy(particles, &ops);
}

struct koshu_particle_view
koshu_domain_copy_view(const struct koshu_domain_copy *copy)
{
    struct koshu_particle_view v = {.size = sizeof v, .n = copy->n};
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        memcpy((char *)&v + koshu_particle_arrays[k].offset, &copy->lane[k],
               sizeof copy->lane[k]);
    return v;
}

/* Fields that it does not have yet, on all ranks or none. */
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
                          struct koshu_particle_view *view)
{
    struct koshu_domain_copy *c = koshu_domain_copy_of(particles);
    if (!c) return koshu_particles_on_host(particles, fields, access, view);
    if (fields & ~c->fields) KOSHU_TRY(add_to_store(particles, fields));
    KOSHU_TRY(add_fields(c, fields));
    KOSHU_TRY(koshu_particles_on_device(particles, fields, access));
    *view = koshu_domain_copy_view(c);
    return KOSHU_OK;
}

uint64_t
koshu_domain_copy_take_bytes(struct koshu_domain_copy *copy)
{
    const uint64_t bytes = copy->home.bytes_sent + copy->next.bytes_sent;
    copy->home.bytes_sent = copy->next.bytes_sent = 0;
    return bytes;
}
