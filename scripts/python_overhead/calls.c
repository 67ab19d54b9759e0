/* SPDX-License-Identifier: MIT */
/* The C calls that scripts/python-overhead times: the forces of n particles in
 * columns of x, y, z and mass, as a C program would ask for them. Each returns
 * its seconds, negative after a failure. */
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <koshu/koshu.h>

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of arrays; id: 0 ... n-1, which are those of j-particles without any. out:
 * 4 n. */
double
direct_call(struct koshu_context *context, size_t n, const double *x,
            const double *mass, const int64_t *id, double softening,
            double *out)
{
    struct koshu_force_options options = koshu_force_options_default();
    options.softening = softening;
    const struct koshu_i_particles i = {
            .n = n, .x = x, .y = x + n, .z = x + 2 * n, .id = id};
    const struct koshu_j_particles j = {
            .n = n, .x = x, .y = x + n, .z = x + 2 * n, .mass = mass};
    const struct koshu_force_result result = {.ax = out,
                                              .ay = out + n,
                                              .az = out + 2 * n,
                                              .potential = out + 3 * n};
    const double start = now();
    koshu_status status =
            koshu_force_direct(context, &i, &j, &options, &result);
    return status == KOSHU_OK ? now() - start : -1;
}

static koshu_status
fill(struct koshu_particles *p, size_t n, const double *x, const double *mass)
{
    struct koshu_particle_view v = {.size = sizeof v};
    koshu_status status = koshu_particles_acquire_write(
            p, KOSHU_FIELD_POSITION | KOSHU_FIELD_MASS, KOSHU_ACCESS_WRITE, &v);
    if (status != KOSHU_OK) return status;
    memcpy(v.x, x, n * sizeof *x);
    memcpy(v.y, x + n, n * sizeof *x);
    memcpy(v.z, x + 2 * n, n * sizeof *x);
    memcpy(v.mass, mass, n * sizeof *mass);
    koshu_particles_release_write(p);
    return koshu_particles_check(p);
}

static koshu_status
read_out(struct koshu_particles *p)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    koshu_status status = koshu_particles_acquire_read(
            p, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL, &v);
    if (status == KOSHU_OK) koshu_particles_release_read(p);
    return status;
}

/* Of a new store, by a tree or the FMM with the defaults. */
double
store_call(struct koshu_context *context, size_t n, const double *x,
           const double *mass, int method, double softening)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.method = (enum koshu_method)method;
    options.softening = softening;
    struct koshu_particles *particles = NULL;
    struct koshu_solver *solver = NULL;
    const double start = now();
    koshu_status status = koshu_particles_create(context, n, &particles);
    if (status == KOSHU_OK) status = fill(particles, n, x, mass);
    if (status == KOSHU_OK)
        status = koshu_solver_create(context, &options, &solver);
    if (status == KOSHU_OK)
        status = koshu_solver_forces(solver, particles,
                                     KOSHU_FIELD_ACCELERATION |
                                             KOSHU_FIELD_POTENTIAL);
    if (status == KOSHU_OK) status = read_out(particles);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
    return status == KOSHU_OK ? now() - start : -1;
}
