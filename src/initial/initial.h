/* SPDX-License-Identifier: MIT */
/*
 * Internals of the initial models: random numbers for each particle, the table
 * of models, and what is done to all particles after they are drawn.
 *
 * A model draws particle i from the seed and i alone. Everything that depends
 * on all particles (centring, virial scaling) comes afterwards, in adjust.c;
 * before that, particle i of n is the same for any n.
 */
#ifndef KOSHU_INITIAL_INITIAL_H
#define KOSHU_INITIAL_INITIAL_H

#include <koshu/initial.h>

/* ---- random numbers --------------------------------------------------- */

/* What a stream of random numbers is for: each particle has one of each. */
enum koshu_purpose {
    KOSHU_DRAW_POSITION,
    KOSHU_DRAW_VELOCITY,
    KOSHU_DRAW_SELECTION, /* of some particles among many */
    KOSHU_DRAW_MASS,
    KOSHU_DRAW_BINARY,
    KOSHU_DRAW_SEGREGATION,
    KOSHU_DRAW_FRACTAL
};

/*
 * A random stream of one particle: Philox 4x32-10 (Salmon et al. 2011) with the
 * seed as key and (particle, purpose, block) as counter. A block gives two
 * numbers.
 */
struct koshu_random {
    uint64_t seed, particle;
    uint32_t purpose, block;
    double spare; /* the second number of the last block; 0: used */
};

struct koshu_random koshu_random_start(uint64_t seed, uint64_t particle,
                                       enum koshu_purpose purpose);

/* Uniform in the open interval (0, 1): an odd multiple of 2^-53. */
double koshu_random_uniform(struct koshu_random *random);

/* An isotropic random vector of this length. */
void koshu_random_direction(struct koshu_random *random, double length,
                            double vector[3]);

/* Gaussian, of mean 0 and variance 1. */
double koshu_random_gaussian(struct koshu_random *random);

/* A point uniformly distributed in the unit ball. */
void koshu_random_ball(struct koshu_random *random, double point[3]);

/* ---- models ----------------------------------------------------------- */

/* A particle being drawn: its random streams and the result. */
struct koshu_body {
    uint64_t particle; /* its index */
    struct koshu_random position, velocity;
    const void *table; /* made by prepare() */
    double mass;       /* 1/n initially; only two-body sets another */
    double x[3], v[3];
};

struct koshu_model_ops {
    const char *summary; /* one line, with the reference */

    /* Are the model's own options in range? KOSHU_ERROR_INVALID_ARGUMENT. */
    koshu_status (*check)(struct koshu_context *context,
                          const struct koshu_initial_options *options);

    /* OPTIONAL. Makes a table for koshu_body.table; freed by koshu_free(). */
    koshu_status (*prepare)(struct koshu_context *context,
                            const struct koshu_initial_options *options,
                            void **table);

    /* Draws one particle; called by many threads at once. */
    void (*draw)(const struct koshu_initial_options *options,
                 struct koshu_body *body);

    /* For models whose velocities are scaled to virial_ratio: W of the
     * continuous model, or -INFINITY where there is none, so that W of the
     * particles is summed however many they are. 0: the model has velocities of
     * its own. */
    double continuous_potential;

    /* a sphere in equilibrium, in which each orbit has an energy */
    bool equilibrium;
};

extern const struct koshu_model_ops koshu_model_plummer, koshu_model_sphere,
        koshu_model_cube, koshu_model_king, koshu_model_hernquist,
        koshu_model_two_body, koshu_model_dehnen, koshu_model_nfw,
        koshu_model_eff, koshu_model_fractal, koshu_model_galaxy;

/* NULL: there is no such model. */
const struct koshu_model_ops *koshu_model_of(enum koshu_model model);

/* The factor h(q) of Hernquist's distribution function, applied by rejection; q
 * in [0, 1], relative error below 1e-8 (test_hernquist). */
double koshu_hernquist_h(double q);

/* Requires mass_fraction in (0, 1]. KOSHU_ERROR_INVALID_ARGUMENT. */
koshu_status
koshu_check_mass_fraction(struct koshu_context *context,
                          const struct koshu_initial_options *options);

/* Requires a finite virial_ratio >= 0, and 1/2 with exact_virial. */
koshu_status
koshu_check_virial_ratio(struct koshu_context *context,
                         const struct koshu_initial_options *options);

/* Draws particle i of the model with these options and the table that prepare()
 * made. */
struct koshu_body koshu_draw_body(const struct koshu_initial_options *options,
                                  const void *table, uint64_t particle);

/* A velocity that is uniform in the unit ball, or zero where virial_ratio is 0;
 * koshu_initial_virial_ratio() scales it. */
void koshu_draw_unscaled_velocity(const struct koshu_initial_options *options,
                                  struct koshu_body *body);

/* ---- all particles ---------------------------------------------------- */

/*
 * Functions of the particles of all ranks, with bitwise identical results for
 * any number of ranks and threads. Collective; KOSHU_ERROR_OUT_OF_MEMORY.
 */

/* 1/2 sum m v^2. */
koshu_status
koshu_initial_kinetic(struct koshu_particles *particles, double *energy);

/* 1/2 sum m pot, softening 0, in double precision: O(n^2), divided among the
 * ranks, each with 32 bytes for every particle. Returns what
 * koshu_force_direct() returns. */
koshu_status
koshu_initial_potential(struct koshu_particles *particles, double *energy);

/* Moves the centre of mass to 0 with momentum 0; the masses then sum to 1. */
koshu_status koshu_initial_centre(struct koshu_particles *particles);

/*
 * Scales velocities to T / |W| = ratio. T is that of these particles. So is W
 * up to KOSHU_PAIR_SUM_LIMIT particles; above that, the pair sum would take
 * longer than all the rest, and W is (1 - 1/n) continuous_potential: the mean
 * of W over all seeds, around which W scatters by 0.25 / sqrt(n) of itself
 * (test_uniform). With -INFINITY, W is always summed. A single particle stays
 * at rest.
 */
enum { KOSHU_PAIR_SUM_LIMIT = 32768 };
koshu_status koshu_initial_virial_ratio(struct koshu_particles *particles,
                                        double continuous_potential,
                                        double ratio);

/* Scales positions to W = -1/2 and velocities to T = 1/4. */
koshu_status koshu_initial_exact_virial(struct koshu_particles *particles);

#endif
