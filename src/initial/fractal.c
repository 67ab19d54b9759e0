/* SPDX-License-Identifier: MIT */
/*
 * Fractal clusters (Goodwin & Whitworth 2004). A cube of edge 2 is divided into
 * eight, each of which matures with probability 2^(D - 3). Those that mature
 * are divided again, and so on, until the cubes of the last level would give at
 * least twice as many particles inside the sphere of radius 1 as are needed. A
 * cube has the velocity of its parent plus a Gaussian part, 2^(-g) at level g.
 * Each cube of the last level gives one particle, at a random place in it.
 */
#include <math.h>

#include "base/base.h"
#include "initial/initial.h"

struct cube {
    double x[3], v[3]; /* of its centre; in the end of a particle */
};

struct level {
    struct koshu_context *context;
    uint64_t seed;
    uint32_t attempt, g;
    size_t n, capacity;
    struct cube *cube;
};

/* Each cube of each level has a random stream of its own. */
static struct koshu_random
stream_of(const struct level *of, size_t k)
{
    enum { LEVELS = 64, BLOCKS = 256 };
    struct koshu_random random =
            koshu_random_start(of->seed, k, KOSHU_DRAW_FRACTAL);
    random.block = (of->attempt * LEVELS + of->g) * BLOCKS;
    return random;
}

static koshu_status
append(struct level *to, const struct cube *cube)
{
    if (to->n == to->capacity) {
        const size_t more = 2 * to->capacity + 64;
        struct cube *grown = koshu_alloc(more, sizeof *grown);
        if (!grown)
            return koshu_fail_memory(to->context, more * sizeof *grown,
                                     "a fractal");
        for (size_t k = 0; k < to->n; k++) grown[k] = to->cube[k];
        koshu_free(to->cube);
        to->cube = grown;
        to->capacity = more;
    }
    to->cube[to->n++] = *cube;
    return KOSHU_OK;
}

/* ---- levels --------------------------------------------------------- */

/* Cubes outside the sphere are dropped: all their descendants would be outside
 * too. */
static bool
reaches_sphere(const struct cube *c, double half)
{
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
        const double nearest = fmax(0, fabs(c->x[k]) - half);
        r2 += nearest * nearest;
    }
    return r2 < 1;
}

/* Appends those of the eight parts of cube k that mature. */
static koshu_status
divide(const struct level *from, size_t k, double matures, struct level *to)
{
    const struct cube *parent = &from->cube[k];
    const double half = ldexp(1, -(int)to->g);
    struct koshu_random random = stream_of(to, k);
    for (int part = 0; part < 8; part++) {
        struct cube c;
        const bool grown = koshu_random_uniform(&random) < matures;
        for (int d = 0; d < 3; d++) {
            c.x[d] = parent->x[d] + (part >> d & 1 ? half : -half);
            c.v[d] = parent->v[d] + half * koshu_random_gaussian(&random);
        }
        if (grown && reaches_sphere(&c, half)) KOSHU_TRY(append(to, &c));
    }
    return KOSHU_OK;
}

/* Replaces *now by the next level. */
static koshu_status
grow(struct level *now, double matures)
{
    struct level next = *now;
    koshu_status status = KOSHU_OK;
    next.cube = NULL;
    next.n = next.capacity = 0;
    next.g++;
    for (size_t k = 0; k < now->n && status == KOSHU_OK; k++)
        status = divide(now, k, matures, &next);
    koshu_free(now->cube);
    *now = next;
    return status;
}

/* Places the particle of cube k. Is it in the sphere? */
static bool
put_particle(const struct level *of, size_t k, double x[3])
{
    const double half = ldexp(1, -(int)of->g);
    struct koshu_random random = stream_of(of, k);
    random.purpose = KOSHU_DRAW_POSITION;
    double r2 = 0;
    for (int d = 0; d < 3; d++) {
        const double u = 2 * koshu_random_uniform(&random) - 1;
        x[d] = of->cube[k].x[d] + half * u;
        r2 += x[d] * x[d];
    }
    return r2 < 1;
}

static size_t
count_particles(const struct level *of)
{
    size_t n = 0;
    double x[3];
    for (size_t k = 0; k < of->n; k++) n += put_particle(of, k, x);
    return n;
}

/* A fractal that has died out is started again. */
static koshu_status
grow_all(const struct koshu_initial_options *o, struct level *now)
{
    const double matures = pow(2, o->fractal_dimension - 3);
    const struct cube whole = {{0}, {0}};
    while (count_particles(now) < 2 * o->n) {
        if (now->n == 0) {
            now->attempt++;
            now->g = 0;
            KOSHU_TRY(append(now, &whole));
        }
        KOSHU_TRY(grow(now, matures));
    }
    return KOSHU_OK;
}

/* ---- particles ----------------------------------------------------------- */

/* Replaces the cubes by the particles in the sphere, and moves n of them,
 * chosen at random, to the front. */
static void
select_particles(const struct koshu_initial_options *o, struct level *all)
{
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++) {
        struct cube particle = all->cube[k];
        if (put_particle(all, k, particle.x)) all->cube[n++] = particle;
    }
    for (size_t k = 0; k < o->n; k++) {
        struct koshu_random random =
                koshu_random_start(o->seed, k, KOSHU_DRAW_SELECTION);
        size_t other =
                k + (size_t)(koshu_random_uniform(&random) * (double)(n - k));
        if (other >= n) other = n - 1;
        const struct cube chosen = all->cube[other];
        all->cube[other] = all->cube[k];
        all->cube[k] = chosen;
    }
}

static koshu_status
prepare(struct koshu_context *context,
        const struct koshu_initial_options *options, void **table)
{
    struct level all = {.context = context, .seed = options->seed};
    const koshu_status status = grow_all(options, &all);
    if (status == KOSHU_OK)
        select_particles(options, &all);
    else
        koshu_free(all.cube);
    *table = status == KOSHU_OK ? all.cube : NULL;
    return status;
}

static void
draw(const struct koshu_initial_options *options, struct koshu_body *body)
{
    const struct cube *particle =
            (const struct cube *)body->table + body->particle;
    const bool moves = options->virial_ratio > 0;
    for (int k = 0; k < 3; k++) {
        body->x[k] = particle->x[k];
        body->v[k] = moves ? particle->v[k] : 0;
    }
}

static koshu_status
check(struct koshu_context *context,
      const struct koshu_initial_options *options)
{
    const double D = options->fractal_dimension;
    if (!(D >= 1 && D <= 3))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "fractal_dimension = %g: it must be in [1, 3]", D);
    return koshu_check_virial_ratio(context, options);
}

const struct koshu_model_ops koshu_model_fractal = {
        .summary = "Goodwin & Whitworth 2004, a fractal inside radius 1, at "
                   "rest or of a given virial ratio",
        .check = check,
        .prepare = prepare,
        .draw = draw,
        .continuous_potential = -INFINITY,
};
