/* SPDX-License-Identifier: MIT */
/* The cost of few-body groups. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_COST_H
#define KOSHU_INTEGRATE_SUBSYSTEM_COST_H

#include <stddef.h>
#include <stdint.h>

/* Number of evaluations of the mutual forces of all bodies of a group: the sum
 * over groups, and the largest of one group, with its number of bodies and one
 * of their indices. */
struct koshu_group_cost {
    uint64_t forces, largest, bodies, body;
};

/* Adds the cost of a group of n bodies; body: one of them. */
static inline void
koshu_group_cost_add(struct koshu_group_cost *cost, uint64_t forces, size_t n,
                     size_t body)
{
    cost->forces += forces;
    if (forces <= cost->largest) return;
    cost->largest = forces;
    cost->bodies = n;
    cost->body = body;
}

#endif
