/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "integrate/integrate.h"
#include "kernels/wrapped.h"
#include "particles/particles.h"

/* Few particles are moved by one thread: to start others would take longer. */
static int
threads_for(struct koshu_particles *particles, size_t n)
{
    enum { FEW = 4096 };
    return koshu_region_threads(koshu_particles_context(particles), n > FEW);
}

/* On a device: there is nothing to do for a rank without particles. */
static bool
has_none(struct koshu_particles *particles)
{
    return koshu_particles_count(particles) == 0;
}

/* ---- kick and drift ------------------------------------------------------ */

/* Three components, each x += rate dt. */
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
    struct koshu_particle_view v;
    if (backend->ops->kick)
        return has_none(particles) ? KOSHU_OK
                                   : backend->ops->kick(backend, particles, dt);
    KOSHU_TRY(koshu_particles_at_owners(
            particles, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POSITION,
            KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(koshu_particles_at_owners(particles, KOSHU_FIELD_VELOCITY,
                                        KOSHU_ACCESS_READ_WRITE, &v));
    return add(particles, v.n, (double *[]){v.vx, v.vy, v.vz},
               (const double *[]){v.ax, v.ay, v.az}, dt);
}

koshu_status
koshu_drift(struct koshu_backend *backend, struct koshu_particles *particles,
            double dt)
{
    struct koshu_particle_view v;
    if (backend->ops->drift)
        return has_none(particles)
                       ? KOSHU_OK
                       : backend->ops->drift(backend, particles, dt);
    KOSHU_TRY(koshu_particles_at_owners(particles, KOSHU_FIELD_VELOCITY,
                                        KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(koshu_particles_at_owners(particles, KOSHU_FIELD_POSITION,
                                        KOSHU_ACCESS_READ_WRITE, &v));
    return add(particles, v.n, (double *[]){v.x, v.y, v.z},
               (const double *[]){v.vx, v.vy, v.vz}, dt);
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
    struct koshu_particle_view v;
    if (backend->ops->wrap)
        return has_none(particles)
                       ? KOSHU_OK
                       : backend->ops->wrap(backend, particles, box);
    KOSHU_TRY(koshu_particles_at_owners(particles, KOSHU_FIELD_POSITION,
                                        KOSHU_ACCESS_READ_WRITE, &v));
    const int threads = threads_for(particles, v.n);
    wrap_on_host(threads, v.n, v.x, box);
    wrap_on_host(threads, v.n, v.y, box);
    wrap_on_host(threads, v.n, v.z, box);
    return KOSHU_OK;
}

/* ---- the largest acceleration -------------------------------------------- */

static koshu_status
largest_on_host(struct koshu_particles *particles, double *a2)
{
    struct koshu_particle_view v;
    double largest = 0;
    KOSHU_TRY(koshu_particles_at_owners(particles, KOSHU_FIELD_ACCELERATION,
                                        KOSHU_ACCESS_READ, &v));
    const int threads = threads_for(particles, v.n);
#pragma omp parallel for simd num_threads(threads) reduction(max : largest)
    for (size_t i = 0; i < v.n; i++) {
        double a2_i = v.ax[i] * v.ax[i] + v.ay[i] * v.ay[i] + v.az[i] * v.az[i];
        largest = a2_i > largest ? a2_i : largest;
    }
    *a2 = largest;
    return KOSHU_OK;
}

koshu_status
koshu_largest_acceleration(struct koshu_backend *backend,
                           struct koshu_particles *particles, double *a)
{
    struct koshu_context *context = koshu_particles_context(particles);
    const struct koshu_backend_ops *ops = backend->ops;
    double a2 = 0;
    koshu_status status = KOSHU_OK;
    if (!ops->largest_acceleration)
        status = largest_on_host(particles, &a2);
    else if (!has_none(particles))
        status = ops->largest_acceleration(backend, particles, &a2);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    *a = sqrt(a2);
    return koshu_largest(context, a);
}
