/* SPDX-License-Identifier: MIT */
/* Centring and virial scaling, which depend on all particles. */
#include <math.h>
#include <stdlib.h>

#include <koshu/force.h>

#include "base/base.h"
#include "domain/domain.h"
#include "initial/initial.h"
#include "particles/particles.h"

/* ---- sums ---------------------------------------------------------------- */

/* A sum is divided into a constant number of parts, so that the order of
 * additions does not depend on the number of threads or ranks. */
enum { N_PARTS = 256, MAX_SUMS = 6 };

/* sum m_k a_k b_k of several pairs of arrays; b NULL: sum m_k a_k. */
struct products {
    size_t n;
    const double *m, *a[MAX_SUMS], *b[MAX_SUMS];
};

static void
add_products(const void *user, size_t begin, size_t end, struct koshu_sum *sums)
{
    const struct products *p = user;
    for (size_t s = 0; s < p->n; s++)
        for (size_t k = begin; k < end; k++)
            koshu_sum_add(&sums[s],
                          p->m[k] * p->a[s][k] * (p->b[s] ? p->b[s][k] : 1));
}

static koshu_status
sum(struct koshu_particles *particles, const struct products *products,
    double sums[MAX_SUMS])
{
    struct koshu_summation s = koshu_summation_of(particles);
    s.block = s.total / N_PARTS + 1;
    s.n_sums = products->n;
    s.add = add_products;
    s.user = products;
    return koshu_sum_particles(&s, sums);
}

static koshu_status
mass_and_motion(struct koshu_particles *particles,
                struct koshu_particle_view *view)
{
    return koshu_particles_on_host(particles,
                                   KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                           KOSHU_FIELD_VELOCITY,
                                   KOSHU_ACCESS_READ_WRITE, view);
}

koshu_status
koshu_initial_kinetic(struct koshu_particles *particles, double *energy)
{
    struct koshu_particle_view v;
    double twice[MAX_SUMS];
    KOSHU_TRY(mass_and_motion(particles, &v));
    const struct products squares = {
            3, v.mass, {v.vx, v.vy, v.vz}, {v.vx, v.vy, v.vz}};
    KOSHU_TRY(sum(particles, &squares, twice));
    *energy = (twice[0] + twice[1] + twice[2]) / 2;
    return KOSHU_OK;
}

/* ---- the potential energy ------------------------------------------------ */

/* i-particles per call: a constant, so that the calls are the same for any
 * number of ranks. */
enum { CHUNK = 4096 };

/* The particles of all ranks, and memory for the sums on a chunk of them. */
struct all_particles {
    struct koshu_context *context;
    size_t n;
    double *x, *y, *z, *mass; /* n each, one allocation */
    struct koshu_force_result result;
    int64_t *id;
    struct koshu_slice chunks; /* this rank's */
    koshu_status *status;      /* of the first sum that failed */
};

static koshu_status
allocate_all(struct all_particles *c)
{
    const size_t n = c->n, doubles = 4 * n + 4 * (size_t)CHUNK;
    double *memory = c->x = koshu_alloc(doubles, sizeof *memory);
    c->id = koshu_alloc(CHUNK, sizeof *c->id);
    if (!memory || !c->id)
        return koshu_fail_memory(c->context, doubles * sizeof *memory,
                                 "potential of an initial model");
    c->y = memory + n;
    c->z = memory + 2 * n;
    c->mass = memory + 3 * n;
    memory += 4 * n;
    c->result = (struct koshu_force_result){.ax = memory,
                                            .ay = memory + CHUNK,
                                            .az = memory + 2 * CHUNK,
                                            .potential = memory + 3 * CHUNK};
    return KOSHU_OK;
}

/* The potentials of n particles from `first` on. */
static koshu_status
compute_potentials(const struct all_particles *c, size_t first, size_t n)
{
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    const struct koshu_i_particles i = {.n = n,
                                        .x = c->x + first,
                                        .y = c->y + first,
                                        .z = c->z + first,
                                        .id = c->id};
    const struct koshu_j_particles j = {
            .n = c->n, .x = c->x, .y = c->y, .z = c->z, .mass = c->mass};
    for (size_t k = 0; k < n; k++) c->id[k] = (int64_t)(first + k);
    return koshu_force_direct(c->context, &i, &j, &options, &c->result);
}

/* Adds 2 W of the particles in this rank's chunks. */
static void
add_chunks(const void *user, size_t begin, size_t end, struct koshu_sum *energy)
{
    const struct all_particles *c = user;
    for (size_t i = (c->chunks.first + begin) * CHUNK;
         i < c->n && i < (c->chunks.first + end) * CHUNK; i += CHUNK) {
        const size_t n = c->n - i < CHUNK ? c->n - i : CHUNK;
        if (*c->status == KOSHU_OK) *c->status = compute_potentials(c, i, n);
        for (size_t k = 0; k < n; k++)
            koshu_sum_add(energy, c->mass[i + k] * c->result.potential[k]);
    }
}

static koshu_status
gather_all(struct koshu_particles *particles, const struct all_particles *c)
{
    struct koshu_particle_view v;
    KOSHU_TRY(mass_and_motion(particles, &v));
    KOSHU_TRY(koshu_gather_column(particles, v.x, c->x));
    KOSHU_TRY(koshu_gather_column(particles, v.y, c->y));
    KOSHU_TRY(koshu_gather_column(particles, v.z, c->z));
    return koshu_gather_column(particles, v.mass, c->mass);
}

/* Each rank sums an equal part of the chunks. */
static koshu_status
sum_potentials(struct all_particles *c, double *energy)
{
    const size_t n_chunks = (c->n + CHUNK - 1) / CHUNK;
    c->chunks = koshu_slice_of(n_chunks, koshu_context_rank(c->context),
                               koshu_context_ranks(c->context));
    const struct koshu_summation chunks = {.context = c->context,
                                           /* each sum uses all threads */
                                           .threads = 1,
                                           .slice = c->chunks,
                                           .total = n_chunks,
                                           .block = 1,
                                           .n_sums = 1,
                                           .add = add_chunks,
                                           .user = c};
    KOSHU_TRY(koshu_sum_particles(&chunks, energy));
    *energy /= 2;
    return koshu_ranks_collective_status(c->context, *c->status);
}

koshu_status
koshu_initial_potential(struct koshu_particles *particles, double *energy)
{
    struct koshu_context *context = koshu_particles_context(particles);
    koshu_status status = KOSHU_OK;
    struct all_particles c = {.context = context,
                              .n = koshu_particles_total(particles),
                              .status = &status};
    status = koshu_ranks_collective_status(context, allocate_all(&c));
    if (status == KOSHU_OK) status = gather_all(particles, &c);
    if (status == KOSHU_OK) status = sum_potentials(&c, energy);
    koshu_free(c.x);
    koshu_free(c.id);
    return status;
}

/* ---- moving all ---------------------------------------------------------- */

static void
shift(int threads, size_t n, double *a, double by)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < n; k++) a[k] += by;
}

static void
scale(int threads, size_t n, double *a, double by)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = 0; k < n; k++) a[k] *= by;
}

static int
threads_of(const struct koshu_particles *particles)
{
    return koshu_region_threads(koshu_particles_context(particles),
                                koshu_particles_count(particles) > 1 << 14);
}

/* Twice, because the first shift still has the rounding errors of distant
 * coordinates. */
koshu_status
koshu_initial_centre(struct koshu_particles *particles)
{
    int threads = threads_of(particles);
    struct koshu_particle_view v;
    double moment[MAX_SUMS];
    KOSHU_TRY(mass_and_motion(particles, &v));
    double *const array[] = {v.x, v.y, v.z, v.vx, v.vy, v.vz};
    const struct products moments = {
            6, v.mass, {v.x, v.y, v.z, v.vx, v.vy, v.vz}, {NULL}};
    for (int pass = 0; pass < 2; pass++) {
        KOSHU_TRY(sum(particles, &moments, moment));
        for (int k = 0; k < 6; k++)
            if (moment[k] != 0) shift(threads, v.n, array[k], -moment[k]);
    }
    return KOSHU_OK;
}

/* Scales the velocities so that the kinetic energy is T. */
static koshu_status
scale_velocities(struct koshu_particles *particles, double T)
{
    int threads = threads_of(particles);
    struct koshu_particle_view v;
    double now;
    KOSHU_TRY(mass_and_motion(particles, &v));
    KOSHU_TRY(koshu_initial_kinetic(particles, &now));
    double *const array[] = {v.vx, v.vy, v.vz};
    for (int k = 0; k < 3; k++) scale(threads, v.n, array[k], sqrt(T / now));
    return KOSHU_OK;
}

koshu_status
koshu_initial_virial_ratio(struct koshu_particles *particles,
                           double continuous_potential, double ratio)
{
    size_t n = koshu_particles_total(particles);
    if (n == 1) return KOSHU_OK;
    double W = (1 - 1 / (double)n) * continuous_potential;
    if (n <= KOSHU_PAIR_SUM_LIMIT || isinf(continuous_potential))
        KOSHU_TRY(koshu_initial_potential(particles, &W));
    return scale_velocities(particles, ratio * -W);
}

koshu_status
koshu_initial_exact_virial(struct koshu_particles *particles)
{
    int threads = threads_of(particles);
    struct koshu_particle_view v;
    double W;
    KOSHU_TRY(koshu_initial_potential(particles, &W));
    KOSHU_TRY(mass_and_motion(particles, &v));
    double *const array[] = {v.x, v.y, v.z};
    double longer = W / -0.5; /* W scales as 1 / length */
    for (int k = 0; k < 3; k++) scale(threads, v.n, array[k], longer);
    return scale_velocities(particles, 0.25);
}
