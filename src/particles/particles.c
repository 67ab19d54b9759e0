/* SPDX-License-Identifier: MIT */
#include "particles/particles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { N_ARRAYS = 12 }; /* one of ids, eleven of doubles */

struct koshu_particles {
    struct koshu_context *context;
    struct koshu_particle_view view;
    unsigned on_host, on_mirror; /* fields that are valid there */
    const struct koshu_mirror_ops *mirror_ops;
    void *mirror;
    uint64_t bytes_copied;
};

/* The doubles of a view, to be treated alike. */
static size_t
double_arrays(struct koshu_particle_view *v, double **arrays[N_ARRAYS - 1])
{
    size_t k = 0;
    arrays[k++] = &v->mass;
    arrays[k++] = &v->x;
    arrays[k++] = &v->y;
    arrays[k++] = &v->z;
    arrays[k++] = &v->vx;
    arrays[k++] = &v->vy;
    arrays[k++] = &v->vz;
    arrays[k++] = &v->ax;
    arrays[k++] = &v->ay;
    arrays[k++] = &v->az;
    arrays[k++] = &v->potential;
    return k;
}

static void
free_arrays(struct koshu_particle_view *v)
{
    double **arrays[N_ARRAYS - 1];
    size_t n_arrays = double_arrays(v, arrays);
    koshu_free(v->id);
    for (size_t k = 0; k < n_arrays; k++) koshu_free(*arrays[k]);
}

static bool
alloc_arrays(struct koshu_particle_view *v)
{
    double **arrays[N_ARRAYS - 1];
    size_t n_arrays = double_arrays(v, arrays);
    v->id = koshu_alloc(v->n, sizeof *v->id);
    bool whole = v->id != NULL;
    for (size_t k = 0; k < n_arrays; k++) {
        *arrays[k] = koshu_alloc(v->n, sizeof **arrays[k]);
        whole = whole && *arrays[k];
    }
    return whole;
}

koshu_status
koshu_particles_create(struct koshu_context *context, size_t n,
                       struct koshu_particles **particles)
{
    *particles = NULL;
    if (n == 0)
        return koshu_fail(context, KOSHU_INVALID_ARGUMENT,
                          "the number of particles must be at least 1, got 0");
    struct koshu_particles *p = calloc(1, sizeof *p);
    if (!p) return koshu_fail_memory(context, sizeof *p, "particle store");
    p->context = context;
    p->view.n = n;
    p->on_host = KOSHU_ALL_FIELDS;
    if (!alloc_arrays(&p->view)) {
        koshu_particles_destroy(p);
        return koshu_fail_memory(context, n * N_ARRAYS * sizeof(double),
                                 "particle arrays");
    }
    for (size_t i = 0; i < n; i++) p->view.id[i] = i;
    *particles = p;
    return KOSHU_OK;
}

void
koshu_particles_destroy(struct koshu_particles *particles)
{
    if (!particles) return;
    if (particles->mirror_ops)
        particles->mirror_ops->destroy(particles->mirror);
    free_arrays(&particles->view);
    free(particles);
}

size_t
koshu_particles_count(const struct koshu_particles *particles)
{
    return particles->view.n;
}

struct koshu_context *
koshu_particles_context(const struct koshu_particles *particles)
{
    return particles->context;
}

static uint64_t
bytes_of(const struct koshu_particles *p, unsigned fields)
{
    static const struct {
        unsigned field, arrays;
    } width[] = {{KOSHU_ID, 1},           {KOSHU_MASS, 1},
                 {KOSHU_POSITION, 3},     {KOSHU_VELOCITY, 3},
                 {KOSHU_ACCELERATION, 3}, {KOSHU_POTENTIAL, 1}};
    uint64_t arrays = 0;
    for (size_t k = 0; k < sizeof width / sizeof width[0]; k++)
        if (fields & width[k].field) arrays += width[k].arrays;
    return arrays * p->view.n * sizeof(double);
}

static koshu_status
check_fields(struct koshu_particles *p, unsigned fields)
{
    if ((fields & ~(unsigned)KOSHU_ALL_FIELDS) == 0) return KOSHU_OK;
    return koshu_fail(p->context, KOSHU_INVALID_ARGUMENT,
                      "unknown particle fields 0x%x", fields);
}

koshu_status
koshu_particles_acquire(struct koshu_particles *particles, unsigned fields,
                        enum koshu_access access,
                        struct koshu_particle_view *view)
{
    struct koshu_particles *p = particles;
    KOSHU_TRY(check_fields(p, fields));
    unsigned stale = fields & ~p->on_host;
    if (access != KOSHU_WRITE && stale) {
        KOSHU_TRY(p->mirror_ops->to_host(p->mirror, stale, &p->view));
        p->bytes_copied += bytes_of(p, stale);
    }
    p->on_host |= fields;
    if (access != KOSHU_READ) p->on_mirror &= ~fields;
    *view = p->view;
    return KOSHU_OK;
}

koshu_status
koshu_particles_acquire_mirror(struct koshu_particles *particles,
                               unsigned fields, enum koshu_access access)
{
    struct koshu_particles *p = particles;
    KOSHU_TRY(check_fields(p, fields));
    if (!p->mirror_ops)
        return koshu_fail(p->context, KOSHU_INTERNAL,
                          "the particle store has no mirror");
    unsigned stale = fields & ~p->on_mirror;
    if (access != KOSHU_WRITE && stale) {
        KOSHU_TRY(p->mirror_ops->from_host(p->mirror, stale, &p->view));
        p->bytes_copied += bytes_of(p, stale);
    }
    p->on_mirror |= fields;
    if (access != KOSHU_READ) p->on_host &= ~fields;
    return KOSHU_OK;
}

koshu_status
koshu_particles_set_mirror(struct koshu_particles *particles,
                           const struct koshu_mirror_ops *ops, void *self)
{
    struct koshu_particles *p = particles;
    struct koshu_particle_view view;
    if (p->mirror_ops) {
        KOSHU_TRY(koshu_particles_acquire(p, KOSHU_ALL_FIELDS, KOSHU_READ,
                                          &view));
        p->mirror_ops->destroy(p->mirror);
    }
    p->mirror_ops = ops;
    p->mirror = ops ? self : NULL;
    p->on_mirror = 0;
    return KOSHU_OK;
}

void *
koshu_particles_mirror(const struct koshu_particles *particles,
                       const struct koshu_mirror_ops *ops)
{
    return particles->mirror_ops == ops ? particles->mirror : NULL;
}

uint64_t
koshu_particles_bytes_copied(const struct koshu_particles *particles)
{
    return particles->bytes_copied;
}

static koshu_status
check_permutation(struct koshu_particles *p, const size_t *order)
{
    size_t n = p->view.n;
    unsigned char *seen = calloc(n, 1);
    if (!seen) return koshu_fail_memory(p->context, n, "permutation check");
    koshu_status status = KOSHU_OK;
    for (size_t k = 0; k < n && status == KOSHU_OK; k++) {
        if (order[k] >= n || seen[order[k]])
            status = koshu_fail(p->context, KOSHU_INVALID_ARGUMENT,
                                "order[%zu] = %zu: %s", k, order[k],
                                order[k] >= n ? "no such particle"
                                              : "named twice");
        else
            seen[order[k]] = 1;
    }
    free(seen);
    return status;
}

koshu_status
koshu_particles_permute(struct koshu_particles *particles, const size_t *order)
{
    struct koshu_particle_view v;
    KOSHU_TRY(check_permutation(particles, order));
    KOSHU_TRY(koshu_particles_acquire(particles, KOSHU_ALL_FIELDS,
                                      KOSHU_READ_WRITE, &v));
    double *old = koshu_alloc(v.n, sizeof *old);
    uint64_t *old_id = koshu_alloc(v.n, sizeof *old_id);
    if (!old || !old_id) {
        koshu_free(old);
        koshu_free(old_id);
        return koshu_fail_memory(particles->context, 2 * v.n * sizeof *old,
                                 "permutation of particles");
    }
    memcpy(old_id, v.id, v.n * sizeof *old_id);
    for (size_t k = 0; k < v.n; k++) v.id[k] = old_id[order[k]];
    double **arrays[N_ARRAYS - 1];
    size_t n_arrays = double_arrays(&v, arrays);
    for (size_t a = 0; a < n_arrays; a++) {
        double *array = *arrays[a];
        memcpy(old, array, v.n * sizeof *old);
        for (size_t k = 0; k < v.n; k++) array[k] = old[order[k]];
    }
    koshu_free(old);
    koshu_free(old_id);
    return KOSHU_OK;
}

koshu_status
koshu_particles_check(struct koshu_particles *particles)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_acquire(
            particles, KOSHU_ID | KOSHU_MASS | KOSHU_POSITION | KOSHU_VELOCITY,
            KOSHU_READ, &v));
    const struct {
        const char *name;
        const double *array;
    } field[] = {{"mass", v.mass}, {"x", v.x},   {"y", v.y},  {"z", v.z},
                 {"vx", v.vx},     {"vy", v.vy}, {"vz", v.vz}};
    for (size_t i = 0; i < v.n; i++) {
        for (size_t k = 0; k < sizeof field / sizeof field[0]; k++)
            if (!isfinite(field[k].array[i]))
                return koshu_fail(particles->context, KOSHU_NOT_FINITE,
                                  "particle %zu (id %llu): %s = %g", i,
                                  (unsigned long long)v.id[i], field[k].name,
                                  field[k].array[i]);
        if (v.mass[i] < 0)
            return koshu_fail(particles->context, KOSHU_BAD_INPUT,
                              "particle %zu (id %llu): mass = %g, "
                              "a mass cannot be negative",
                              i, (unsigned long long)v.id[i], v.mass[i]);
    }
    return KOSHU_OK;
}
