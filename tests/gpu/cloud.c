/* SPDX-License-Identifier: MIT */
#include "cloud.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "particles/particles.h"

double *
poisoned(size_t n)
{
    double *array = malloc((n + 1) * sizeof *array);
    assert_non_null(array);
    for (size_t k = 0; k <= n; k++) array[k] = NAN;
    return array;
}

struct cloud
cloud_from(uint64_t seed, size_t n, double offset, bool rounded)
{
    struct koshu_context *context = test_context("ref", 0);
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_particles *particles;
    struct koshu_particle_view v;
    options.n = n;
    options.seed = seed;
    assert_ok(context, koshu_initial_create(context, &options, &particles));
    assert_ok(context, koshu_particles_on_host(particles, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ, &v));
    struct cloud c = {n,           poisoned(n), poisoned(n),
                      poisoned(n), poisoned(n), poisoned(n),
                      poisoned(n), poisoned(n), poisoned(n)};
    for (size_t k = 0; k < n; k++) {
        double x = v.x[k] + offset;
        c.x[k] = rounded ? (float)x : x;
        c.y[k] = rounded ? (float)v.y[k] : v.y[k];
        c.z[k] = rounded ? (float)v.z[k] : v.z[k];
        c.mass[k] = (0.5 + (double)(k % 7)) / (double)n;
    }
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
    return c;
}

struct cloud
cloud_make(size_t n, double offset, bool rounded)
{
    return cloud_from(1, n, offset, rounded);
}

void
cloud_free(struct cloud *c)
{
    double *all[] = {c->x,  c->y,  c->z,  c->mass,
                     c->ax, c->ay, c->az, c->potential};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
}

struct cloud
cloud_same(const struct cloud *c)
{
    struct cloud s = *c;
    s.ax = poisoned(c->n);
    s.ay = poisoned(c->n);
    s.az = poisoned(c->n);
    s.potential = poisoned(c->n);
    return s;
}

void
cloud_free_results(struct cloud *c)
{
    free(c->ax);
    free(c->ay);
    free(c->az);
    free(c->potential);
}

/* ---- forces ------------------------------------------------------------- */

void
cloud_fields(struct koshu_context *context,
             const struct koshu_solver_options *options, unsigned fields,
             struct cloud *c)
{
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_particle_view v;
    const size_t bytes = c->n * sizeof *c->x;
    assert_ok(context, koshu_particles_create(context, c->n, &particles));
    assert_ok(context,
              koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_WRITE, &v));
    memcpy(v.x, c->x, bytes);
    memcpy(v.y, c->y, bytes);
    memcpy(v.z, c->z, bytes);
    memcpy(v.mass, c->mass, bytes);
    assert_ok(context, koshu_solver_create(context, options, &solver));
    /* a GPU that fails must not be silently replaced by the CPU */
    assert_int_equal(strcmp(koshu_solver_backend(solver), "cuda") == 0,
                     strcmp(koshu_context_backend(context), "cuda") == 0);
    assert_ok(context, koshu_solver_forces(solver, particles, fields));
    assert_ok(context, koshu_particles_on_host(particles, fields,
                                               KOSHU_ACCESS_READ, &v));
    memcpy(c->ax, v.ax, bytes);
    memcpy(c->ay, v.ay, bytes);
    memcpy(c->az, v.az, bytes);
    if (fields & KOSHU_FIELD_POTENTIAL)
        memcpy(c->potential, v.potential, bytes);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
}

void
cloud_forces(struct koshu_context *context,
             const struct koshu_solver_options *options, struct cloud *c)
{
    cloud_fields(context, options,
                 KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL, c);
}

void
cloud_forces_on(const char *backend, const struct koshu_solver_options *options,
                struct cloud *c)
{
    struct koshu_context *context = test_context(backend, 0);
    cloud_forces(context, options, c);
    koshu_context_destroy(context);
}

void
cloud_forces_of_sets(const char *backend,
                     const struct koshu_force_options *options, size_t n_sets,
                     const size_t *i_offset, const size_t *j_offset,
                     const int64_t *id, struct cloud *c)
{
    struct koshu_context *context = test_context(backend, 0);
    const struct koshu_i_particles i = {
            .n = i_offset[n_sets], .x = c->x, .y = c->y, .z = c->z, .id = id};
    const struct koshu_j_particles j = {.n = j_offset[n_sets],
                                        .x = c->x,
                                        .y = c->y,
                                        .z = c->z,
                                        .mass = c->mass};
    const struct koshu_force_result result = {
            .ax = c->ax, .ay = c->ay, .az = c->az, .potential = c->potential};
    assert_ok(context,
              koshu_force_direct_sets(context, n_sets, i_offset, j_offset, &i,
                                      &j, options, &result));
    koshu_context_destroy(context);
}

/* ---- comparing ---------------------------------------------------------- */

struct deviation
cloud_deviation(const struct cloud *b, const struct cloud *a, double floor)
{
    struct deviation d = {0};
    double largest = 0;
    for (size_t k = 0; k < a->n; k++)
        largest = fmax(largest, hypot(hypot(a->ax[k], a->ay[k]), a->az[k]));
    for (size_t k = 0; k < a->n; k++) {
        double size = hypot(hypot(a->ax[k], a->ay[k]), a->az[k]);
        double error = hypot(hypot(b->ax[k] - a->ax[k], b->ay[k] - a->ay[k]),
                             b->az[k] - a->az[k]) /
                       fmax(fmax(size, floor * largest), 1e-300);
        assert_true(isfinite(error));
        assert_true(isfinite(b->potential[k]));
        d.rms += error * error;
        d.max = fmax(d.max, error);
        d.potential =
                fmax(d.potential, fabs(b->potential[k] - a->potential[k]) /
                                          fmax(fabs(a->potential[k]), 1e-300));
    }
    d.rms = sqrt(d.rms / (double)a->n);
    return d;
}

double
cloud_largest_error(const struct cloud *b, const struct cloud *a, size_t n)
{
    double max = 0;
    for (size_t k = 0; k < n; k++) {
        double off = hypot(hypot(b->ax[k] - a->ax[k], b->ay[k] - a->ay[k]),
                           b->az[k] - a->az[k]);
        double size = hypot(hypot(a->ax[k], a->ay[k]), a->az[k]);
        assert_true(isfinite(off));
        max = fmax(max, off / size);
    }
    return max;
}
