/* SPDX-License-Identifier: MIT */
/* What few-body groups take. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_COST_H
#define KOSHU_INTEGRATE_SUBSYSTEM_COST_H

#include <stddef.h>
#include <stdint.h>

/* How often forces of all bodies of a group on each other have been evaluated:
 * of all groups; and of one, the largest number, how many bodies it has, and
 * one of them. */
struct koshu_group_cost {
    uint64_t forces, largest, bodies, body;
};

/* Adds what a group of n bodies has taken, one of which is given. */
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
