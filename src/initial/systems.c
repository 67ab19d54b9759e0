/* SPDX-License-Identifier: MIT */
/* The masses of the stars of a system. */
#include <math.h>

#include "initial/population.h"

static double
draw_mass(const struct koshu_population *p, struct koshu_random *random)
{
    return koshu_distribution_at(&p->masses, koshu_random_uniform(random));
}

/* Draws the mass of the second star of a binary, given the first. */
static double
draw_second(const struct koshu_population *p, struct koshu_random *random,
            double first)
{
    const struct koshu_initial_options *o = &p->options;
    switch (o->mass_ratio_law) {
    case KOSHU_MASS_RATIO_LAW_UNIFORM: {
        const double low =
                fmax(o->mass_ratio_min, p->masses.segment[0].low / first);
        return first * (low + (1 - low) * koshu_random_uniform(random));
    }
    case KOSHU_MASS_RATIO_LAW_RANDOM: return draw_mass(p, random);
    case KOSHU_MASS_RATIO_LAW_EQUAL: break;
    }
    return first;
}

struct koshu_system
koshu_population_system(const struct koshu_population *p, size_t system)
{
    const bool binary = system < p->n_binaries;
    if (p->options.mass_function == KOSHU_MASS_FUNCTION_EQUAL)
        return (struct koshu_system){{1, binary ? 1 : 0}};
    struct koshu_random random =
            koshu_random_start(p->options.seed, system, KOSHU_DRAW_MASS);
    const double first = draw_mass(p, &random);
    if (!binary) return (struct koshu_system){{first, 0}};
    const double second = draw_second(p, &random, first);
    return (struct koshu_system){{fmax(first, second), fmin(first, second)}};
}
