/* SPDX-License-Identifier: MIT */
/*
 * The stars of a model: their masses, the binaries, and which orbit each system
 * gets. A system is a single star or a binary: system s has star
 * koshu_first_star(s) and, if it is a binary, the next one. Everything is drawn
 * from the seed and the index of the system.
 */
#ifndef KOSHU_INITIAL_POPULATION_H
#define KOSHU_INITIAL_POPULATION_H

#include "initial/distribution.h"
#include "initial/initial.h"

struct koshu_population {
    struct koshu_initial_options options;
    size_t n_binaries, n_systems;
    struct koshu_distribution masses, periods;
    /* the mass of all stars in solar masses; for equal masses without a
     * mass_msun, their number */
    double total;
    /* the model's unit of time in days, where G and the mass are 1; set with
     * binaries only */
    double days;
    /* the index of the model's orbit that each system gets; NULL: the system's
     * own index */
    uint32_t *orbit;
};

/* The masses of two stars, in solar masses, or 1 each (see `total`). The second
 * is 0 in a single star. */
struct koshu_system {
    double mass[2];
};

static inline size_t
koshu_system_of(const struct koshu_population *p, size_t star)
{
    return star < 2 * p->n_binaries ? star / 2 : star - p->n_binaries;
}

/* Are the options in range? KOSHU_ERROR_INVALID_ARGUMENT. */
koshu_status koshu_population_check(struct koshu_context *context,
                                    const struct koshu_initial_options *o,
                                    const struct koshu_model_ops *model);

/* Collective, because of the sum of all masses. The caller frees it, whatever
 * the status. Returns what koshu_mass_function_make() and koshu_periods_make()
 * return. */
koshu_status koshu_population_make(struct koshu_context *context,
                                   const struct koshu_initial_options *o,
                                   struct koshu_population *p);
void koshu_population_free(struct koshu_population *p);

/* ---- systems.c ----------------------------------------------------------- */

/* The masses of the stars of a system. */
struct koshu_system
koshu_population_system(const struct koshu_population *p, size_t system);

/* ---- segregate.c --------------------------------------------------------- */

/* Makes p->orbit for mass_segregation > 0. table: from the model's prepare().
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_INVALID_ARGUMENT: more than 2^32
 * orbits. */
koshu_status koshu_segregate(struct koshu_context *context,
                             struct koshu_population *p, const void *table);

/* ---- binaries.c ---------------------------------------------------------- */

/* Sets p->days, once the total is known. */
koshu_status koshu_population_days(struct koshu_context *context,
                                   struct koshu_population *p);

/* The orbit of a binary; lengths and velocities are in the model's units. */
struct koshu_binary {
    double period; /* days */
    double semi_major_axis, eccentricity;
    double x[3], v[3]; /* of the second star relative to the first */
};
struct koshu_binary koshu_population_binary(const struct koshu_population *p,
                                            size_t system,
                                            const struct koshu_system *stars);

/* Moves the stars of binaries from their centres of mass, where they have
 * been placed, to their orbits. KOSHU_ERROR_OUT_OF_MEMORY: for the store's
 * fields. */
koshu_status koshu_place_binaries(const struct koshu_population *p,
                                  struct koshu_particles *particles);

#endif
