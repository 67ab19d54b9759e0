/* SPDX-License-Identifier: MIT */
/* Removes stars that leave: outside a tidal radius, or far away and unbound. */
#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/events.h"
#include "simulation/simulation.h"
#include "solve/solve.h"

/* The centre of mass of the particles within some distance of it. */
struct centre {
    double x[3], v[3];
};

static double
distance2(const struct koshu_particle_view *p, size_t k, const double *x)
{
    const double to[] = {p->x[k] - x[0], p->y[k] - x[1], p->z[k] - x[2]};
    return to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
}

/* That of all particles within `distance` of c. */
static struct centre
mean_within(const struct koshu_particle_view *p, const struct centre *c,
            double distance)
{
    struct centre sum = {0};
    double mass = 0;
    for (size_t k = 0; k < p->n; k++) {
        if (!(distance2(p, k, c->x) <= distance * distance)) continue;
        const double x[] = {p->x[k], p->y[k], p->z[k]},
                     v[] = {p->vx[k], p->vy[k], p->vz[k]};
        mass += p->mass[k];
        for (int d = 0; d < 3; d++) {
            sum.x[d] += p->mass[k] * x[d];
            sum.v[d] += p->mass[k] * v[d];
        }
    }
    if (!(mass > 0)) return *c;
    for (int d = 0; d < 3; d++) {
        sum.x[d] /= mass;
        sum.v[d] /= mass;
    }
    return sum;
}

/* Iterates from the centre of mass of all. */
static struct centre
find_centre(const struct koshu_particle_view *p, double distance)
{
    enum { TURNS = 10 };
    struct centre c = {0};
    c = mean_within(p, &c, INFINITY);
    for (int k = 0; k < TURNS; k++) c = mean_within(p, &c, distance);
    return c;
}

/* Minus the potential at particle i, from the particles that have not left: the
 * sum of m / r. */
static double
depth_of(const struct koshu_simulation *s, const struct koshu_particle_view *p,
         size_t i, const bool *left)
{
    const double eps = s->solver->options.softening,
                 x[] = {p->x[i], p->y[i], p->z[i]};
    double depth = 0;
    for (size_t k = 0; k < p->n; k++)
        if (k != i && !left[k])
            depth += p->mass[k] / sqrt(distance2(p, k, x) + eps * eps);
    return depth;
}

static bool
is_unbound(const struct koshu_simulation *s,
           const struct koshu_particle_view *p, size_t k,
           const struct centre *c, const bool *left)
{
    const double v[] = {p->vx[k] - c->v[0], p->vy[k] - c->v[1],
                        p->vz[k] - c->v[2]};
    const double v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return v2 / 2 > depth_of(s, p, k, left);
}

/* The energy that the particles lose with particle k, without those that have
 * left before. */
static double
energy_of(const struct koshu_simulation *s, const struct koshu_particle_view *p,
          size_t k, const bool *left)
{
    const double x[] = {p->x[k], p->y[k], p->z[k]},
                 v[] = {p->vx[k], p->vy[k], p->vz[k]};
    double per_mass = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 -
                      depth_of(s, p, k, left);
    if (s->external) per_mass += koshu_external_at(s->external, x, v).potential;
    return p->mass[k] * per_mass;
}

static koshu_status
leave(struct koshu_simulation *s, const struct koshu_particle_view *p, size_t k,
      enum koshu_event_kind kind, bool *left)
{
    const struct koshu_event event = {
            .kind = kind,
            .time = s->integrator->clock.time,
            .body = {{p->id[k],
                      p->mass[k],
                      koshu_integrator_radius(s->integrator, p->mass[k]),
                      {p->x[k], p->y[k], p->z[k]},
                      {p->vx[k], p->vy[k], p->vz[k]}}},
            .energy = energy_of(s, p, k, left)};
    left[k] = true;
    s->kept.removed_energy += event.energy;
    return koshu_events_log_write(s, &event);
}

/* Finds those that leave by one criterion, in the order of the store. */
static koshu_status
find(struct koshu_simulation *s, const struct koshu_particle_view *p,
     enum koshu_event_kind kind, double distance, bool *left)
{
    if (distance == 0) return KOSHU_OK;
    const struct centre c = find_centre(p, distance);
    for (size_t k = 0; k < p->n; k++) {
        if (left[k] || distance2(p, k, c.x) <= distance * distance) continue;
        if (kind == KOSHU_EVENT_KIND_TIDE || is_unbound(s, p, k, &c, left))
            KOSHU_TRY(leave(s, p, k, kind, left));
    }
    return KOSHU_OK;
}

static koshu_status
remove_left(struct koshu_simulation *s, size_t n, const bool *left,
            bool *changed)
{
    size_t gone = 0;
    uint32_t *go = koshu_alloc(n, sizeof *go);
    if (!go) return koshu_fail_memory(s->context, n * sizeof *go, "escapers");
    for (size_t k = 0; k < n; k++)
        if (left[k]) go[gone++] = (uint32_t)k;
    *changed = gone > 0;
    const koshu_status status =
            gone < n ? koshu_particles_remove(s->particles, gone, go)
                     : koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                                  "all %zu stars have left: make "
                                  "stars.tidal_radius or "
                                  "stars.escape_distance larger",
                                  n);
    koshu_free(go);
    return status;
}

/* On one rank, which has all particles. */
static koshu_status
remove_here(struct koshu_simulation *s, bool *changed)
{
    const struct koshu_parameter_values *v = s->values;
    struct koshu_particle_view p;
    KOSHU_TRY(koshu_particles_on_host(s->particles,
                                      KOSHU_FIELD_ID | KOSHU_FIELD_MASS |
                                              KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ, &p));
    bool *left = koshu_alloc(p.n, sizeof *left);
    if (!left) return koshu_fail_memory(s->context, p.n, "escapers");
    koshu_status status =
            find(s, &p, KOSHU_EVENT_KIND_TIDE, v->stars.tidal_radius, left);
    if (status == KOSHU_OK)
        status = find(s, &p, KOSHU_EVENT_KIND_ESCAPE, v->stars.escape_distance,
                      left);
    if (status == KOSHU_OK) status = remove_left(s, p.n, left, changed);
    koshu_free(left);
    return status;
}

koshu_status
koshu_escapers_remove(struct koshu_simulation *s, bool *changed)
{
    const struct koshu_parameter_values *v = s->values;
    *changed = false;
    if (v->stars.escape_distance == 0 && v->stars.tidal_radius == 0)
        return KOSHU_OK;
    KOSHU_TRY(koshu_particles_to_first_rank(s->particles));
    koshu_status status = koshu_is_first_rank(s->context)
                                  ? remove_here(s, changed)
                                  : KOSHU_OK;
    status = koshu_ranks_collective_status(s->context, status);
    KOSHU_TRY(koshu_particles_to_all_ranks(s->particles));
    KOSHU_TRY(status);
    return koshu_broadcast(s->context, 0, changed, sizeof *changed);
}
