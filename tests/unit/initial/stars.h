/* SPDX-License-Identifier: MIT */
/* Star models for the tests of populations and binaries. */
#ifndef KOSHU_TESTS_INITIAL_STARS_H
#define KOSHU_TESTS_INITIAL_STARS_H

#include "initial/population.h"
#include "sampling.h"

/* A Plummer model of 1 pc whose stars have the masses of Kroupa 2001, 0.08 to
 * 100 solar masses. */
static inline struct koshu_initial_options
stars(size_t n, uint64_t seed)
{
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_PLUMMER, n, seed);
    o.mass_function = KOSHU_MASS_FUNCTION_KROUPA;
    o.mass_min = 0.08;
    o.mass_max = 100;
    o.length_pc = 1;
    return o;
}

static inline struct koshu_population
population(const struct koshu_initial_options *o)
{
    struct koshu_population p;
    assert_ok(context, koshu_population_make(context, o, &p));
    return p;
}

#endif
