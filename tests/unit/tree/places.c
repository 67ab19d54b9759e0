/* SPDX-License-Identifier: MIT */
#include "places.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"

double
places_uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Density proportional to r^-1.5 within radius 1. */
static void
in_ball(uint64_t *state, double at[3])
{
    double r2, u[3];
    do {
        for (int c = 0; c < 3; c++) u[c] = 2 * places_uniform(state) - 1;
        r2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    } while (r2 > 1);
    for (int c = 0; c < 3; c++) at[c] = u[c] * sqrt(r2);
}

static void
place(enum distribution distribution, size_t i, uint64_t *state,
      const double before[3], double at[3])
{
    in_ball(state, at);
    switch (distribution) {
    case LINE:
        for (int c = 0; c < 3; c++) at[c] = (double)(i + 1) * (0.1 + c);
        return;
    case POINT:
        for (int c = 0; c < 3; c++) at[c] = i == 0 ? 1 : 0.3;
        return;
    case PAIRS:
        if (i % 2 == 1)
            for (int c = 0; c < 3; c++) at[c] = before[c] + 1e-12 * at[c];
        return;
    case ESCAPER:
        if (i == 7) at[0] += 1e12;
        return;
    case FAR_AWAY:
        for (int c = 0; c < 3; c++) at[c] += 1e6;
        return;
    case LATTICE:
        for (int c = 0; c < 3; c++) at[c] = floor(4 * at[c]);
        return;
    case TINY:
        for (int c = 0; c < 3; c++) at[c] *= 1e-300;
        return;
    default: return;
    }
}

struct places
places_make(enum distribution distribution, size_t n)
{
    struct places p = {n, calloc(n, sizeof *p.x), calloc(n, sizeof *p.y),
                       calloc(n, sizeof *p.z), calloc(n, sizeof *p.mass)};
    uint64_t state = 17;
    double at[3] = {0, 0, 0}, before[3];
    assert_true(p.x && p.y && p.z && p.mass);
    for (size_t i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) before[c] = at[c];
        place(distribution, i, &state, before, at);
        p.x[i] = at[0];
        p.y[i] = at[1];
        p.z[i] = at[2];
        p.mass[i] = (0.5 + places_uniform(&state)) / (double)n;
        if (distribution == LOPSIDED && i == n / 2) p.mass[i] = 1e6;
        if (distribution == MASSLESS && i % 2) p.mass[i] = 0;
    }
    return p;
}

void
places_free(struct places *places)
{
    free(places->x);
    free(places->y);
    free(places->z);
    free(places->mass);
}

struct koshu_tree
places_tree(struct koshu_context *context,
            const struct koshu_tree_options *options,
            const struct places *places)
{
    struct koshu_tree tree = {.context = context, .options = *options};
    struct koshu_tree_seconds seconds;
    assert_ok(context, koshu_tree_make(&tree, places->n, places->x, places->y,
                                       places->z, places->mass, &seconds));
    return tree;
}
