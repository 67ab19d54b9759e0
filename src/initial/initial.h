/* SPDX-License-Identifier: MIT */
/*
 * The inside of the initial models: random numbers of one particle, the table
 * of models, and what is done to all particles after they are drawn.
 *
 * A model draws particle i from the seed and i alone. Everything that looks
 * at all particles (centring, virial scaling) comes after, in adjust.c; before
 * it, particle i of n is particle i of any other n.
 */
#ifndef KOSHU_INITIAL_INITIAL_H
#define KOSHU_INITIAL_INITIAL_H

#include <koshu/initial.h>

/* ---- random numbers --------------------------------------------------- */

/* What a stream of random numbers is for: a particle has one of each. */
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
 * A stream of one particle: Philox 4x32-10 (Salmon et al. 2011) with the seed
 * as key and (particle, purpose, block) as counter; a block is two numbers.
 */
struct koshu_random {
    uint64_t seed, particle;
    uint32_t purpose, block;
    double spare; /* the second number of the last block; 0: used up */
};

struct koshu_random koshu_random_start(uint64_t seed, uint64_t particle,
                                       enum koshu_purpose purpose);

/* Uniform in the open interval (0, 1): an odd multiple of 2^-53. */
double koshu_random_uniform(struct koshu_random *random);

/* A vector of this length, isotropic. */
void koshu_random_direction(struct koshu_random *random, double length,
                            double vector[3]);

/* Gaussian, of mean 0 and variance 1. */
double koshu_random_gaussian(struct koshu_random *random);

/* A point of the unit ball, uniform. */
void koshu_random_ball(struct koshu_random *random, double point[3]);

/* ---- models ----------------------------------------------------------- */

/* What a model draws, and what from. */
struct koshu_body {
    uint64_t particle; /* its number */
    struct koshu_random position, velocity;
    const void *table; /* of prepare() */
    double mass;       /* 1/n when a model gets it; two-body sets its own */
    double x[3], v[3];
};

struct koshu_model_ops {
    const char *summary; /* one line, with the source */

    /* Are the model's own options in range? KOSHU_ERROR_INVALID_ARGUMENT. */
    koshu_status (*check)(struct koshu_context *context,
                          const struct koshu_initial_options *options);

    /* OPTIONAL. A table that bodies get; freed by koshu_free(). */
    koshu_status (*prepare)(struct koshu_context *context,
                            const struct koshu_initial_options *options,
                            void **table);

    /* One particle; called by many threads at once. */
    void (*draw)(const struct koshu_initial_options *options,
                 struct koshu_body *body);

    /* W of the continuous model where virial_ratio sets the velocities,
     * -INFINITY where there is none: that of the particles is then summed,
     * however many they are; 0 for a model that comes with its own. */
    double continuous_potential;

    bool equilibrium; /* spherical, with an energy for each orbit */
};

extern const struct koshu_model_ops koshu_model_plummer, koshu_model_sphere,
        koshu_model_cube, koshu_model_king, koshu_model_hernquist,
        koshu_model_two_body, koshu_model_dehnen, koshu_model_nfw,
        koshu_model_eff, koshu_model_fractal, koshu_model_galaxy;

/* NULL: there is no such model. */
const struct koshu_model_ops *koshu_model_of(enum koshu_model model);

/* The part h(q) of Hernquist's distribution function that is met by rejection;
 * q in [0, 1], relative error below 1e-8 (test_hernquist). */
double koshu_hernquist_h(double q);

/* mass_fraction in (0, 1]; KOSHU_ERROR_INVALID_ARGUMENT. */
koshu_status
koshu_check_mass_fraction(struct koshu_context *context,
                          const struct koshu_initial_options *options);

/* virial_ratio finite, >= 0, and 1/2 with exact_virial. */
koshu_status
koshu_check_virial_ratio(struct koshu_context *context,
                         const struct koshu_initial_options *options);

/* Particle i of the model of these options, with what its prepare() made. */
struct koshu_body koshu_draw_body(const struct koshu_initial_options *options,
                                  const void *table, uint64_t particle);

/* Uniform in the unit ball, or zero where virial_ratio is 0; to be scaled by
 * koshu_initial_virial_ratio(). */
void koshu_draw_unscaled_velocity(const struct koshu_initial_options *options,
                                  struct koshu_body *body);

/* ---- all particles ---------------------------------------------------- */

/*
 * Functions of the particles of all ranks: the same bits on any number of ranks
 * and threads. Collective; KOSHU_ERROR_OUT_OF_MEMORY.
 */

/* 1/2 sum m v^2. */
koshu_status
koshu_initial_kinetic(struct koshu_particles *particles, double *energy);

/* 1/2 sum m pot, softening 0, in double precision: O(n^2), which ranks share,
 * each with 32 bytes for every particle. What koshu_force_direct() returns. */
koshu_status
koshu_initial_potential(struct koshu_particles *particles, double *energy);

/* Centre of mass and momentum to zero; the masses sum to 1. */
koshu_status koshu_initial_centre(struct koshu_particles *particles);

/*
 * Velocities to T / |W| = ratio, with the T of these particles. W is theirs
 * too up to KOSHU_PAIR_SUM_LIMIT particles; above that, where the pair sum
 * would take longer than all the rest, it is (1 - 1/n) continuous_potential,
 * the mean of W over all seeds, about which W scatters by 0.25 / sqrt(n) of
 * itself (test_uniform); -INFINITY: always theirs. One particle stays at rest.
 */
enum { KOSHU_PAIR_SUM_LIMIT = 32768 };
koshu_status koshu_initial_virial_ratio(struct koshu_particles *particles,
                                        double continuous_potential,
                                        double ratio);

/* Positions and velocities to W = -1/2 and T = 1/4. */
koshu_status koshu_initial_exact_virial(struct koshu_particles *particles);

#endif
