/* SPDX-License-Identifier: MIT */
/* Kicks, drifts and the largest acceleration of particles in a store. */
#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "integrate/integrate.h"
#include "kernels/wrapped.h"
#include "particles/particles.h"

/* Few particles are moved by one thread, as starting others takes longer. */
static int
threads_for(struct koshu_particles *particles, size_t n)
{
    enum { FEW = 4096 };
    return koshu_region_threads(koshu_particles_context(particles), n > FEW);
}

/* The particles that this rank owns; field `changed` is to be updated from
 * field `by`. */
static koshu_status
find_owned(struct koshu_particles *particles, unsigned by, unsigned changed,
           struct koshu_particles **here)
{
    KOSHU_TRY(
            koshu_particles_at_owners(particles, by, KOSHU_ACCESS_READ, here));
    return koshu_particles_at_owners(particles, changed,
                                     KOSHU_ACCESS_READ_WRITE, here);
}

/* The same, with the fields on the host. */
static koshu_status
acquire(struct koshu_particles *here, unsigned by, unsigned changed,
        struct koshu_particle_view *v)
{
    KOSHU_TRY(koshu_particles_on_host(here, by, KOSHU_ACCESS_READ, v));
    return koshu_particles_on_host(here, changed, KOSHU_ACCESS_READ_WRITE, v);
}

/* On a device, a rank without particles has nothing to do. */
static bool
has_none(struct koshu_particles *particles)
{
    return koshu_particles_count(particles) == 0;
}

/* ---- kick and drift ------------------------------------------------------ */

/* x += rate dt in each of the three components. */
static koshu_status
add(struct koshu_particles *particles, size_t n, double *const x[3],
    const double *const rate[3], double dt)
{
    int bad = 0, threads = threads_for(particles, n);
#pragma omp parallel for simd num_threads(threads) reduction(| : bad)
    for (size_t i = 0; i < n; i++) {
        x[0][i] += rate[0][i] * dt;
        x[1][i] += rate[1][i] * dt;
        x[2][i] += rate[2][i] * dt;
        bad |= !isfinite(x[0][i]) | !isfinite(x[1][i]) | !isfinite(x[2][i]);
    }
    return bad ? KOSHU_ERROR_NOT_FINITE : KOSHU_OK;
}

koshu_status
koshu_kick(struct koshu_backend *backend, struct koshu_particles *particles,
           double dt)
{
    const unsigned by = KOSHU_FIELD_ACCELERATION;
    struct koshu_particle_view v;
    struct koshu_particles *here;
    /* positions are requested here too, so that a rank which fails to get them
     * does not drift */
    KOSHU_TRY(find_owned(particles, by | KOSHU_FIELD_POSITION,
                         KOSHU_FIELD_VELOCITY, &here));
    if (backend->ops->kick)
        return has_none(here) ? KOSHU_OK
                              : backend->ops->kick(backend, here, dt);
    KOSHU_TRY(acquire(here, by, KOSHU_FIELD_VELOCITY, &v));
    return add(here, v.n, (double *[]){v.vx, v.vy, v.vz},
               (const double *[]){v.ax, v.ay, v.az}, dt);
}

koshu_status
koshu_kick_outward(struct koshu_particles *particles, double c)
{
    const unsigned by = KOSHU_FIELD_POSITION;
    struct koshu_particle_view v;
    struct koshu_particles *here;
    KOSHU_TRY(find_owned(particles, by, KOSHU_FIELD_VELOCITY, &here));
    KOSHU_TRY(acquire(here, by, KOSHU_FIELD_VELOCITY, &v));
    return add(here, v.n, (double *[]){v.vx, v.vy, v.vz},
               (const double *[]){v.x, v.y, v.z}, c);
}

koshu_status
koshu_drift(struct koshu_backend *backend, struct koshu_particles *particles,
            double dt)
{
    const unsigned by = KOSHU_FIELD_VELOCITY;
    struct koshu_particle_view v;
    struct koshu_particles *here;
    KOSHU_TRY(find_owned(particles, by, KOSHU_FIELD_POSITION, &here));
    if (backend->ops->drift)
        return has_none(here) ? KOSHU_OK
                              : backend->ops->drift(backend, here, dt);
    KOSHU_TRY(acquire(here, by, KOSHU_FIELD_POSITION, &v));
    return add(here, v.n, (double *[]){v.x, v.y, v.z},
               (const double *[]){v.vx, v.vy, v.vz}, dt);
}

/* ---- external fields ----------------------------------------------------- */

koshu_status
koshu_kick_external(struct koshu_particles *particles,
                    const struct koshu_external *external, double dt)
{
    static const double rest[3];
    struct koshu_particle_view v;
    struct koshu_particles *here;
    int bad = 0;
    KOSHU_TRY(find_owned(particles, KOSHU_FIELD_POSITION, KOSHU_FIELD_VELOCITY,
                         &here));
    KOSHU_TRY(acquire(here, KOSHU_FIELD_POSITION, KOSHU_FIELD_VELOCITY, &v));
    const int threads = threads_for(here, v.n);
#pragma omp parallel for num_threads(threads) reduction(| : bad)
    for (size_t i = 0; i < v.n; i++) {
        const double x[3] = {v.x[i], v.y[i], v.z[i]};
        const struct koshu_field_sum s = koshu_external_at(external, x, rest);
        v.vx[i] += s.a[0] * dt;
        v.vy[i] += s.a[1] * dt;
        v.vz[i] += s.a[2] * dt;
        bad |= !isfinite(v.vx[i]) | !isfinite(v.vy[i]) | !isfinite(v.vz[i]);
    }
    return bad ? KOSHU_ERROR_NOT_FINITE : KOSHU_OK;
}

koshu_status
koshu_drift_turning(struct koshu_particles *particles, double omega, double dt)
{
    const unsigned changed = KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY;
    struct koshu_particle_view view;
    struct koshu_particles *here;
    int bad = 0;
    KOSHU_TRY(find_owned(particles, KOSHU_FIELD_VELOCITY, changed, &here));
    KOSHU_TRY(acquire(here, KOSHU_FIELD_VELOCITY, changed, &view));
    const int threads = threads_for(here, view.n);
#pragma omp parallel for num_threads(threads) reduction(| : bad)
    for (size_t i = 0; i < view.n; i++) {
        double x[3] = {view.x[i], view.y[i], view.z[i]};
        double v[3] = {view.vx[i], view.vy[i], view.vz[i]};
        koshu_field_drift(omega, dt, x, v);
        view.x[i] = x[0];
        view.y[i] = x[1];
        view.z[i] = x[2];
        view.vx[i] = v[0];
        view.vy[i] = v[1];
        bad |= !isfinite(x[0]) | !isfinite(x[1]) | !isfinite(x[2]);
    }
    return bad ? KOSHU_ERROR_NOT_FINITE : KOSHU_OK;
}

/* ---- a periodic box ------------------------------------------------------ */

static void
wrap_on_host(int threads, size_t n, double *x, double box)
{
#pragma omp parallel for num_threads(threads)
    for (size_t i = 0; i < n; i++) x[i] = koshu_wrapped(x[i], 0, box);
}

koshu_status
koshu_wrap(struct koshu_backend *backend, struct koshu_particles *particles,
           double box)
{
    static const double corner[3] = {0, 0, 0};
    struct koshu_particle_view v;
    struct koshu_particles *here;
    KOSHU_TRY(find_owned(particles, 0, KOSHU_FIELD_POSITION, &here));
    if (backend->ops->wrap)
        return has_none(here) ? KOSHU_OK
                              : backend->ops->wrap(backend, here, corner, box);
    KOSHU_TRY(acquire(here, 0, KOSHU_FIELD_POSITION, &v));
    const int threads = threads_for(here, v.n);
    wrap_on_host(threads, v.n, v.x, box);
    wrap_on_host(threads, v.n, v.y, box);
    wrap_on_host(threads, v.n, v.z, box);
    return KOSHU_OK;
}

/* ---- the largest acceleration -------------------------------------------- */

static double
square(double ax, double ay, double az)
{
    return ax * ax + ay * ay + az * az;
}

/* The largest |a + c x|^2. */
static koshu_status
largest_on_host(struct koshu_particles *particles, double c, double *a2)
{
    struct koshu_particle_view v;
    double largest = 0;
    KOSHU_TRY(koshu_particles_on_host(
            particles, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POSITION,
            KOSHU_ACCESS_READ, &v));
    const int threads = threads_for(particles, v.n);
#pragma omp parallel for simd num_threads(threads) reduction(max : largest)
    for (size_t i = 0; i < v.n; i++) {
        const double a2_i = square(v.ax[i] + c * v.x[i], v.ay[i] + c * v.y[i],
                                   v.az[i] + c * v.z[i]);
        largest = a2_i > largest ? a2_i : largest;
    }
    *a2 = largest;
    return KOSHU_OK;
}

/* The largest |a + a of the fields|^2. */
static koshu_status
largest_in_fields(struct koshu_particles *particles,
                  const struct koshu_external *external, double *a2)
{
    static const double rest[3];
    struct koshu_particle_view v;
    double largest = 0;
    KOSHU_TRY(koshu_particles_on_host(
            particles, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POSITION,
            KOSHU_ACCESS_READ, &v));
    const int threads = threads_for(particles, v.n);
#pragma omp parallel for num_threads(threads) reduction(max : largest)
    for (size_t i = 0; i < v.n; i++) {
        const double x[3] = {v.x[i], v.y[i], v.z[i]};
        const struct koshu_field_sum s = koshu_external_at(external, x, rest);
        const double a2_i =
                square(v.ax[i] + s.a[0], v.ay[i] + s.a[1], v.az[i] + s.a[2]);
        largest = a2_i > largest ? a2_i : largest;
    }
    *a2 = largest;
    return KOSHU_OK;
}

koshu_status
koshu_largest_acceleration(struct koshu_backend *backend,
                           struct koshu_particles *particles,
                           const struct koshu_beside *beside, double *a)
{
    const double c = beside->c;
    const bool on_host = c != 0 || beside->external;
    struct koshu_context *context = koshu_particles_context(particles);
    const struct koshu_backend_ops *ops = backend->ops;
    double a2 = 0;
    struct koshu_particles *here;
    koshu_status status = koshu_particles_at_owners(
            particles,
            KOSHU_FIELD_ACCELERATION | (on_host ? KOSHU_FIELD_POSITION : 0u),
            KOSHU_ACCESS_READ, &here);
    if (status == KOSHU_OK && beside->external)
        status = largest_in_fields(here, beside->external, &a2);
    else if (status == KOSHU_OK && (on_host || !ops->largest_acceleration))
        status = largest_on_host(here, c, &a2);
    else if (status == KOSHU_OK && !has_none(here))
        status = ops->largest_acceleration(backend, here, &a2);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    *a = sqrt(a2);
    return koshu_largest(context, a);
}
