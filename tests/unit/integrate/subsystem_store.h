/* SPDX-License-Identifier: MIT */
/* Particles with block steps that form groups, in the context of fixture.h. */
#ifndef KOSHU_TESTS_SUBSYSTEM_STORE_H
#define KOSHU_TESTS_SUBSYSTEM_STORE_H

#include <string.h>

#include "block_arrays.h"
#include "few_bodies.h"
#include "integrate/subsystems.h"

#include "fixture.h" /* its context is no parameter's name before */

/* Particles for block steps, all at tick 0, about (7, 7, 7). */
struct store {
    struct koshu_block_particles p;
    double mass[FEW], real[13][FEW];
    uint64_t tick[FEW], step[FEW];
    struct koshu_subsystems *groups;
};

static inline void
fill(struct store *s, const struct few_bodies *b)
{
    const struct koshu_subsystem_options options = {
            .distance = 0.1, .tolerance = 1e-13, .perturbation = 1e-5};
    memset(s, 0, sizeof *s);
    s->p = block_arrays(b->n, s->mass, s->real[0], FEW, s->tick, s->step);
    for (size_t k = 0; k < b->n; k++) {
        s->mass[k] = b->mass[k];
        s->step[k] = 1024;
        for (int d = 0; d < 3; d++) {
            s->real[d][k] = 7 + b->x[d][k];
            s->real[3 + d][k] = b->v[d][k] - 2;
        }
    }
    assert_ok(context, koshu_subsystems_create(context, &options, 1e-6, 0,
                                               &s->p, s->mass, &s->groups));
}

/* Makes a group of the first two particles. */
static inline struct koshu_subsystem *
form_pair(struct store *s)
{
    const struct koshu_clump pair = {.n = 2, .first = 0, .last = 1};
    s->groups->next[0] = 1;
    assert_ok(context, koshu_subsystems_form(s->groups, &pair));
    assert_int_equal(s->groups->n, 1);
    return s->groups->group[0];
}

/* A group of a hard binary and a third body about it, which takes long to
 * integrate, and a heavy fourth particle at x. */
static inline struct koshu_subsystem *
form_triple(struct store *s, double x)
{
    const struct elements inner = {1, 0.002, 0.1, 0.5, 0, 1},
                          outer = {2, 0.09, 0.1, 0, 0, 1};
    const struct koshu_clump triple = {.n = 3, .first = 0, .last = 2};
    struct few_bodies b = few_triple(0.25, 0.75, 1, &inner, &outer);
    b.mass[b.n] = 20;
    b.x[0][b.n++] = x;
    fill(s, &b);
    s->groups->next[0] = 1;
    s->groups->next[1] = 2;
    assert_ok(context, koshu_subsystems_form(s->groups, &triple));
    return s->groups->group[0];
}

#endif
