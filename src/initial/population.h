/* SPDX-License-Identifier: MIT */
/*
 * The stars of a model: masses, binaries, and who is where. A system is a
 * single star or a binary; system s has the stars koshu_first_star(s), and the
 * next where it is a binary. Everything is drawn from the seed and the number
 * of the system.
 */
#ifndef KOSHU_INITIAL_POPULATION_H
#define KOSHU_INITIAL_POPULATION_H

#include "initial/distribution.h"
#include "initial/initial.h"

struct koshu_population {
    struct koshu_initial_options options;
    size_t n_binaries, n_systems;
    struct koshu_distribution masses, periods;
    double total;    /* of all stars, in solar masses; equal masses without a
                        mass_msun: their number */
    double days;     /* that the model, in which G and the mass are 1, calls 1;
                        with binaries */
    uint32_t *orbit; /* of each system, by its number among those of the model;
                        NULL: its own */
};

/* Two stars, the second of mass 0 in a single one; in solar masses, or 1 each
 * (see total). */
struct koshu_system {
    double mass[2];
};

static inline size_t
koshu_system_of(const struct koshu_population *p, size_t star)
{
    return star < 2 * p->n_binaries ? star / 2 : star - p->n_binaries;
}

/* Is all in range? KOSHU_ERROR_INVALID_ARGUMENT. */
koshu_status koshu_population_check(struct koshu_context *context,
                                    const struct koshu_initial_options *o,
                                    const struct koshu_model_ops *model);

/* Collective, as the sum of all masses is. The caller frees it, whatever the
 * status. What koshu_mass_function_make() and koshu_periods_make() return. */
koshu_status koshu_population_make(struct koshu_context *context,
                                   const struct koshu_initial_options *o,
                                   struct koshu_population *p);
void koshu_population_free(struct koshu_population *p);

/* ---- systems.c ----------------------------------------------------------- */

/* The stars of a system. */
struct koshu_system
koshu_population_system(const struct koshu_population *p, size_t system);

/* ---- segregate.c --------------------------------------------------------- */

/* Where mass_segregation > 0, p->orbit; table: of the model's prepare().
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_INVALID_ARGUMENT: more than 2^32
 * orbits. */
koshu_status koshu_segregate(struct koshu_context *context,
                             struct koshu_population *p, const void *table);

/* ---- binaries.c ---------------------------------------------------------- */

/* p->days, once the total is known. */
koshu_status koshu_population_days(struct koshu_context *context,
                                   struct koshu_population *p);

/* What a binary is like; lengths and velocities are the model's. */
struct koshu_binary {
    double period; /* days */
    double semi_major_axis, eccentricity;
    double x[3], v[3]; /* of the second star beside the first */
};
struct koshu_binary koshu_population_binary(const struct koshu_population *p,
                                            size_t system,
                                            const struct koshu_system *stars);

/* Moves the stars of binaries from their centres of mass, where they are.
 * KOSHU_ERROR_OUT_OF_MEMORY: the store's fields. */
koshu_status koshu_place_binaries(const struct koshu_population *p,
                                  struct koshu_particles *particles);

#endif
