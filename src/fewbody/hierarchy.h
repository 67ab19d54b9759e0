/* SPDX-License-Identifier: MIT */
/* A chain as a hierarchy of pairs: each link joins two parts of the chain. */
#ifndef KOSHU_FEWBODY_HIERARCHY_H
#define KOSHU_FEWBODY_HIERARCHY_H

#include "fewbody/fewbody.h"
#include "fewbody/pair.h"

enum {
    KOSHU_HIERARCHY_BODIES = 8,
    KOSHU_HIERARCHY_NODES = KOSHU_HIERARCHY_BODIES - 1
};

/* Link k joins bodies first ... k and bodies k + 1 ... last of the chain. x, v:
 * from the centre of mass of the left ones to that of the right ones. */
struct koshu_hierarchy_node {
    size_t first, last;
    double left, right, mass; /* masses of both parts, and their sum */
    double of_left, of_right; /* -right / mass, left / mass: positions of the
                                 parts in units of x */
    double x[3], v[3];
};

struct koshu_hierarchy {
    size_t n; /* bodies; there is one node fewer */
    struct koshu_hierarchy_node node[KOSHU_HIERARCHY_NODES];
};

/* Whether both parts are single bodies. */
static inline bool
koshu_hierarchy_is_pair(const struct koshu_hierarchy_node *node)
{
    return node->last == node->first + 1;
}

/* The factor of node m's vector in the position of body i, which is in it. */
static inline double
koshu_hierarchy_part(const struct koshu_hierarchy *h, size_t m, size_t i)
{
    return i <= m ? h->node[m].of_left : h->node[m].of_right;
}

/* The hierarchy of a chain of up to KOSHU_HIERARCHY_BODIES bodies: parts close
 * to each other are joined first. */
void koshu_hierarchy_take(struct koshu_hierarchy *hierarchy,
                          const struct koshu_chain *chain);

/* Sets the links of the chain from the nodes; changes nothing else. */
void koshu_hierarchy_give(const struct koshu_hierarchy *hierarchy,
                          struct koshu_chain *chain);

/* Positions about the centre of mass, in chain order. */
void
koshu_hierarchy_bodies(const struct koshu_hierarchy *hierarchy, double (*x)[3]);

/* A node as a pair of its two parts. */
struct koshu_pair
koshu_hierarchy_pair(const struct koshu_hierarchy *hierarchy, size_t node);

#endif
