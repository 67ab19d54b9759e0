/* SPDX-License-Identifier: MIT */
/* Random numbers: Philox streams and the distributions drawn from them. */
#include <math.h>

#include <Random123/philox.h>

#include "initial/initial.h"

struct koshu_random
koshu_random_start(uint64_t seed, uint64_t particle, enum koshu_purpose purpose)
{
    return (struct koshu_random){
            .seed = seed, .particle = particle, .purpose = purpose};
}

/* (52 random bits + 1/2) / 2^52: never 0, never 1. */
static double
open_unit(uint32_t low, uint32_t high)
{
    uint64_t bits = (uint64_t)high << 32 | low;
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

double
koshu_random_uniform(struct koshu_random *random)
{
    if (random->spare > 0) {
        double u = random->spare;
        random->spare = 0;
        return u;
    }
    philox4x32_key_t key = {
            {(uint32_t)random->seed, (uint32_t)(random->seed >> 32)}};
    philox4x32_ctr_t counter = {{(uint32_t)random->particle,
                                 (uint32_t)(random->particle >> 32),
                                 random->purpose, random->block++}};
    philox4x32_ctr_t bits = philox4x32(counter, key);
    random->spare = open_unit(bits.v[2], bits.v[3]);
    return open_unit(bits.v[0], bits.v[1]);
}

void
koshu_random_direction(struct koshu_random *random, double length,
                       double vector[3])
{
    double cosine = 2 * koshu_random_uniform(random) - 1;
    double azimuth = 2 * M_PI * koshu_random_uniform(random);
    double across = length * sqrt((1 - cosine) * (1 + cosine));
    vector[0] = across * cos(azimuth);
    vector[1] = across * sin(azimuth);
    vector[2] = length * cosine;
}

/* Box & Muller 1958, with the first of the two numbers only, so that no state
 * is kept. */
double
koshu_random_gaussian(struct koshu_random *random)
{
    const double length = sqrt(-2 * log(koshu_random_uniform(random)));
    return length * cos(2 * M_PI * koshu_random_uniform(random));
}

void
koshu_random_ball(struct koshu_random *random, double point[3])
{
    double radius = cbrt(koshu_random_uniform(random));
    koshu_random_direction(random, radius, point);
}
