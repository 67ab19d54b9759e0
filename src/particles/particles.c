/* SPDX-License-Identifier: MIT */
/* The particle store: its arrays, which fields are valid on the host and on
 * the device, and the views that callers have. */
#include "particles/particles.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "particles/store.h"

enum { ELEMENT = KOSHU_ARRAY_ELEMENT };

/* Allocates the arrays of those fields that the store does not have yet. */
static koshu_status
add_fields(struct koshu_particles *p, unsigned fields)
{
    unsigned missing = fields & ~p->fields;
    bool whole = true;
    for (size_t k = 0; k < KOSHU_ARRAYS && whole; k++) {
        if (!(koshu_particle_arrays[k].field & missing)) continue;
        if (!koshu_particle_array(&p->view, k))
            whole = koshu_particle_add_block(&p->view, k, p->capacity);
    }
    if (!whole)
        return koshu_fail_memory(p->context, p->view.n * KOSHU_ARRAYS * ELEMENT,
                                 "particle arrays");
    p->fields |= missing;
    p->on_host |= missing;
    p->unwritten |= missing & ~KOSHU_FIELD_ID;
    return KOSHU_OK;
}

/* ---- life ---------------------------------------------------------------- */

static koshu_status
require(struct koshu_context *context, size_t n, size_t each, int processes)
{
    char purpose[64];
    uint64_t bytes;
    if (__builtin_mul_overflow(n, each, &bytes)) bytes = UINT64_MAX;
    snprintf(purpose, sizeof purpose, "%zu particles", n);
    return koshu_require_memory_of(
            context, koshu_memory_limits(NULL, processes), bytes, purpose,
            "take fewer, or more machines (mpirun)");
}

koshu_status
koshu_particles_require(struct koshu_context *context, size_t n, size_t each)
{
    const size_t max = koshu_slice_of(n, 0, koshu_context_ranks(context)).n;
    return require(context, max, each, koshu_processes_here());
}

/* The caller has called koshu_particles_require(). */
static koshu_status
create(struct koshu_context *context, size_t total, struct koshu_slice slice,
       struct koshu_particles **particles)
{
    struct koshu_particles *p = calloc(1, sizeof *p);
    if (!p) return koshu_fail_memory(context, sizeof *p, "particle store");
    p->context = context;
    p->view.size = sizeof p->view;
    p->view.n = p->capacity = slice.n;
    p->first = slice.first;
    p->total = total;
    koshu_status status = add_fields(p, KOSHU_FIELD_ALL);
    if (status != KOSHU_OK) {
        koshu_particles_destroy(p);
        return status;
    }
    for (size_t i = 0; i < slice.n; i++) p->view.id[i] = slice.first + i;
    *particles = p;
    return KOSHU_OK;
}

koshu_status
koshu_particles_create(struct koshu_context *context, size_t n,
                       struct koshu_particles **particles)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, particles);
    *particles = NULL;
    if (n == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the number of particles must be at least 1, got 0");
    struct koshu_slice slice = koshu_slice_of(n, koshu_context_rank(context),
                                              koshu_context_ranks(context));
    KOSHU_TRY(koshu_particles_require(context, n, KOSHU_PARTICLE_BYTES));
    return create(context, n, slice, particles);
}

/* May be called on one rank alone, as when a file is read. */
koshu_status
koshu_particles_create_slice(struct koshu_context *context, size_t total,
                             struct koshu_slice slice,
                             struct koshu_particles **particles)
{
    *particles = NULL;
    KOSHU_TRY(require(context, slice.n, KOSHU_PARTICLE_BYTES, 1));
    return create(context, total, slice, particles);
}

void
koshu_particles_destroy(struct koshu_particles *particles)
{
    if (!particles) return;
    if (particles->copy_ops) particles->copy_ops->destroy(particles->copy);
    koshu_particle_free_arrays(&particles->view);
    koshu_late_ids_free(&particles->late);
    free(particles);
}

size_t
koshu_particles_count(const struct koshu_particles *particles)
{
    if (!particles) return 0;
    return particles->view.n;
}

void
koshu_particles_set_slice(struct koshu_particles *particles, size_t first,
                          size_t total)
{
    particles->first = first;
    particles->total = total;
}

size_t
koshu_particles_total(const struct koshu_particles *particles)
{
    if (!particles) return 0;
    return particles->total;
}

size_t
koshu_particles_first(const struct koshu_particles *particles)
{
    if (!particles) return 0;
    return particles->first;
}

struct koshu_context *
koshu_particles_context(const struct koshu_particles *particles)
{
    if (!particles) return NULL;
    return particles->context;
}

unsigned
koshu_particles_fields(const struct koshu_particles *particles)
{
    return particles->fields;
}

/* ---- host and device ----------------------------------------------------- */

static uint64_t
bytes_of(const struct koshu_particles *p, unsigned fields)
{
    uint64_t n = 0;
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        n += (koshu_particle_arrays[k].field & fields) != 0;
    return n * p->view.n * ELEMENT;
}

static koshu_status
check_fields(struct koshu_particles *p, unsigned fields, unsigned known)
{
    if ((fields & ~known) == 0) return KOSHU_OK;
    return koshu_fail(p->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "unknown particle fields 0x%x", fields);
}

/* Makes fields valid on one side: *here are the fields valid there, *there
 * those valid on the other side, from where copy() fetches what is missing. */
static koshu_status
use_fields(struct koshu_particles *p, unsigned fields, enum koshu_access access,
           unsigned *here, unsigned *there, koshu_copy_fields *copy)
{
    unsigned stale = fields & ~*here;
    if (access != KOSHU_ACCESS_WRITE && stale) {
        KOSHU_TRY(copy(p->copy, stale, &p->view));
        p->bytes_copied += bytes_of(p, stale);
    }
    *here |= fields;
    if (access == KOSHU_ACCESS_READ) return KOSHU_OK;
    *there &= ~fields;
    p->unwritten &= ~fields;
    return KOSHU_OK;
}

koshu_status
koshu_particles_on_host(struct koshu_particles *particles, unsigned fields,
                        enum koshu_access access,
                        struct koshu_particle_view *view)
{
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_REQUIRE(NULL, view);
    struct koshu_particles *p = particles;
    KOSHU_TRY(check_fields(p, fields,
                           KOSHU_FIELD_ALL | KOSHU_FIELD_JERK |
                                   KOSHU_FIELD_STEP | KOSHU_FIELD_WORK |
                                   KOSHU_FIELD_INITIAL_MASS));
    koshu_particles_settle(p);
    KOSHU_TRY(add_fields(p, fields));
    KOSHU_TRY(use_fields(p, fields, access, &p->on_host, &p->on_device,
                         p->copy_ops ? p->copy_ops->to_host : NULL));
    *view = p->view;
    return KOSHU_OK;
}

koshu_status
koshu_particles_download(struct koshu_particles *particles, unsigned fields,
                         const struct koshu_particle_view *view,
                         unsigned *downloaded)
{
    struct koshu_particles *p = particles;
    *downloaded = fields & ~p->on_host;
    if (*downloaded == 0) return KOSHU_OK;
    KOSHU_TRY(p->copy_ops->to_host(p->copy, *downloaded, view));
    p->bytes_copied += bytes_of(p, *downloaded);
    return KOSHU_OK;
}

void
koshu_particles_leave_host(struct koshu_particles *particles)
{
    particles->leaves_host = true;
}

static void
leave_host(struct koshu_particles *p, unsigned fields)
{
    const size_t bytes = p->view.n * ELEMENT;
    const unsigned gone = fields & p->on_host;
    if (gone == 0 || bytes < KOSHU_LARGE_BLOCK) return;
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (koshu_particle_arrays[k].field & gone)
            koshu_give_back(koshu_particle_array(&p->view, k), bytes);
    p->on_host &= ~gone;
}

koshu_status
koshu_particles_on_device(struct koshu_particles *particles, unsigned fields,
                          enum koshu_access access)
{
    struct koshu_particles *p = particles;
    KOSHU_TRY(check_fields(p, fields, KOSHU_FIELD_ALL | KOSHU_FIELD_WORK));
    KOSHU_TRY(add_fields(p, fields));
    if (!p->copy_ops)
        return koshu_fail(p->context, KOSHU_ERROR_INTERNAL,
                          "the particle store has no device copy");
    KOSHU_TRY(use_fields(p, fields, access, &p->on_device, &p->on_host,
                         p->copy_ops->from_host));
    if (p->leaves_host) leave_host(p, fields);
    return KOSHU_OK;
}

unsigned
koshu_particles_unwritten(const struct koshu_particles *particles)
{
    return particles->unwritten | ~particles->fields;
}

koshu_status
koshu_particles_set_device_copy(struct koshu_particles *particles,
                                const struct koshu_device_copy_ops *ops,
                                void *self)
{
    struct koshu_particles *p = particles;
    struct koshu_particle_view view;
    if (p->copy_ops) {
        KOSHU_TRY(koshu_particles_on_host(p, p->fields, KOSHU_ACCESS_READ,
                                          &view));
        p->copy_ops->destroy(p->copy);
    }
    p->copy_ops = ops;
    p->copy = ops ? self : NULL;
    p->on_device = 0;
    return KOSHU_OK;
}

koshu_status
koshu_particles_leave_device(struct koshu_particles *particles)
{
    struct koshu_particle_view all;
    KOSHU_TRY(koshu_particles_on_host(particles, particles->fields,
                                      KOSHU_ACCESS_READ_WRITE, &all));
    return koshu_particles_set_device_copy(particles, NULL, NULL);
}

void *
koshu_particles_device_copy(const struct koshu_particles *particles,
                            const struct koshu_device_copy_ops *ops)
{
    return particles->copy_ops == ops ? particles->copy : NULL;
}

const struct koshu_device_copy_ops *
koshu_particles_device_sums(const struct koshu_particles *particles,
                            unsigned fields, void **self)
{
    const struct koshu_device_copy_ops *ops = particles->copy_ops;
    if (!ops || !ops->sum || (fields & ~particles->on_device)) return NULL;
    *self = particles->copy;
    return ops;
}

const struct koshu_resident_ops *
koshu_particles_resident(const struct koshu_particles *particles, void **self)
{
    *self = particles->copy;
    return particles->copy_ops ? particles->copy_ops->resident : NULL;
}

uint64_t
koshu_particles_bytes_copied(const struct koshu_particles *particles)
{
    return particles->bytes_copied;
}

/* ---- views of callers ---------------------------------------------------- */

static_assert(sizeof(struct koshu_particle_view) ==
                      sizeof(struct koshu_particle_const_view),
              "the views are one struct but for const");

/* Puts the arrays into a caller's view, which counts until its release. */
static koshu_status
lend(struct koshu_particles *p, unsigned fields, enum koshu_access access,
     const char *name, void *view, size_t *count)
{
    struct koshu_particle_view arrays;
    KOSHU_TRY(koshu_particles_on_host(p, fields, access, &arrays));
    KOSHU_TRY(
            koshu_report_write(p->context, name, view, &arrays, sizeof arrays));
    ++*count;
    return KOSHU_OK;
}

koshu_status
koshu_particles_acquire_read(struct koshu_particles *particles, unsigned fields,
                             struct koshu_particle_const_view *view)
{
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_REQUIRE(particles->context, view);
    return lend(particles, fields, KOSHU_ACCESS_READ,
                "koshu_particle_const_view", view, &particles->n_reading);
}

koshu_status
koshu_particles_acquire_write(struct koshu_particles *particles,
                              unsigned fields, enum koshu_access access,
                              struct koshu_particle_view *view)
{
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_REQUIRE(particles->context, view);
    if (access != KOSHU_ACCESS_WRITE && access != KOSHU_ACCESS_READ_WRITE)
        return koshu_fail(particles->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "access %d of koshu_particles_acquire_write(): it is "
                          "KOSHU_ACCESS_WRITE or KOSHU_ACCESS_READ_WRITE",
                          (int)access);
    return lend(particles, fields, access, "koshu_particle_view", view,
                &particles->n_writing);
}

void
koshu_particles_release_read(struct koshu_particles *particles)
{
    if (particles && particles->n_reading > 0) particles->n_reading--;
}

void
koshu_particles_release_write(struct koshu_particles *particles)
{
    if (particles && particles->n_writing > 0) particles->n_writing--;
}

koshu_status
koshu_particles_refuse_views(struct koshu_particles *particles,
                             enum koshu_access of, const char *caller)
{
    const bool writing = particles->n_writing > 0;
    if (!writing && (of != KOSHU_ACCESS_READ || particles->n_reading == 0))
        return KOSHU_OK;
    return koshu_fail(particles->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%s: a view of the particles for %s is not released; "
                      "call koshu_particles_release_%s() first",
                      caller, writing ? "writing" : "reading",
                      writing ? "write" : "read");
}
