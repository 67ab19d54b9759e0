/* SPDX-License-Identifier: MIT */
/* A chain as pairs of pairs: each of its links is between two parts of it. */
#ifndef KOSHU_FEWBODY_HIERARCHY_H
#define KOSHU_FEWBODY_HIERARCHY_H

#include "fewbody/fewbody.h"
#include "fewbody/pair.h"

enum {
    KOSHU_HIERARCHY_BODIES = 8,
    KOSHU_HIERARCHY_NODES = KOSHU_HIERARCHY_BODIES - 1
};

/* Bodies first ... k of the chain and bodies k + 1 ... last, for the link k:
 * from the centre of mass of the left ones to that of the right ones. */
struct koshu_hierarchy_node {
    size_t first, last;
    double left, right, mass; /* of either part, and their sum */
    double of_left, of_right; /* -right / mass, left / mass: where they are */
    double x[3], v[3];
};

struct koshu_hierarchy {
    size_t n; /* bodies; nodes are one less */
    struct koshu_hierarchy_node node[KOSHU_HIERARCHY_NODES];
};

/* Whether that is a node of two bodies. */
static inline bool
koshu_hierarchy_is_pair(const struct koshu_hierarchy_node *node)
{
    return node->last == node->first + 1;
}

/* How much of the vector of node m, whose bodies i is among, is in where i
 * stands. */
static inline double
koshu_hierarchy_part(const struct koshu_hierarchy *h, size_t m, size_t i)
{
    return i <= m ? h->node[m].of_left : h->node[m].of_right;
}

/* Of a chain of at most KOSHU_HIERARCHY_BODIES: parts that are near each other
 * first. */
void koshu_hierarchy_take(struct koshu_hierarchy *hierarchy,
                          const struct koshu_chain *chain);

/* The links of the chain by their nodes; nothing else changes. */
void koshu_hierarchy_give(const struct koshu_hierarchy *hierarchy,
                          struct koshu_chain *chain);

/* Bodies about the centre of mass, by their places in the chain. */
void
koshu_hierarchy_bodies(const struct koshu_hierarchy *hierarchy, double (*x)[3]);

/* A node as a pair of its two parts. */
struct koshu_pair
koshu_hierarchy_pair(const struct koshu_hierarchy *hierarchy, size_t node);

#endif
