/* SPDX-License-Identifier: MIT */
/* Converts links between bodies to links between groups of them, and back,
 * without subtracting large coordinates. */
#include "fewbody/hierarchy.h"

static bool
holds(const struct koshu_hierarchy_node *node, size_t body)
{
    return node->first <= body && body <= node->last;
}

/* The vector of link k minus that of node k: from the centres of the node's two
 * parts to the bodies that the link joins. */
static void
link_beyond(const struct koshu_hierarchy *h, size_t k, double x[3], double v[3])
{
    const struct koshu_hierarchy_node *at = &h->node[k];
    for (size_t d = 0; d < 3; d++) x[d] = v[d] = 0;
    for (size_t m = at->first; m < at->last; m++) {
        const struct koshu_hierarchy_node *in = &h->node[m];
        double part = 0;
        if (m == k) continue;
        if (holds(in, k)) part -= koshu_hierarchy_part(h, m, k);
        if (holds(in, k + 1)) part += koshu_hierarchy_part(h, m, k + 1);
        for (size_t d = 0; d < 3; d++) {
            x[d] += part * in->x[d];
            v[d] += part * in->v[d];
        }
    }
}

/* The group that a body is in so far. */
struct part {
    size_t first, last;
    double mass;
};

/* The node of link k if the groups on both sides of it are joined. */
static struct koshu_hierarchy_node
join(struct koshu_hierarchy *h, const struct koshu_chain *c, size_t k,
     const struct part *left, const struct part *right)
{
    const size_t half = koshu_chain_half(c), at = 3 * k;
    double x[3], v[3];
    const double mass = left->mass + right->mass;
    h->node[k] = (struct koshu_hierarchy_node){.first = left->first,
                                               .last = right->last,
                                               .left = left->mass,
                                               .right = right->mass,
                                               .mass = mass,
                                               .of_left = -right->mass / mass,
                                               .of_right = left->mass / mass};
    link_beyond(h, k, x, v);
    struct koshu_hierarchy_node *node = &h->node[k];
    for (size_t d = 0; d < 3; d++) {
        node->x[d] = koshu_sum_value(c->y[at + d]) - x[d];
        node->v[d] = koshu_sum_value(c->y[half + at + d]) - v[d];
    }
    return *node;
}

void
koshu_hierarchy_take(struct koshu_hierarchy *hierarchy,
                     const struct koshu_chain *chain)
{
    struct koshu_hierarchy *h = hierarchy;
    struct part part[KOSHU_HIERARCHY_BODIES];
    size_t n = chain->n;
    h->n = n;
    for (size_t k = 0; k < n; k++)
        part[k] = (struct part){k, k, chain->mass[k]};
    for (; n > 1; n--) {
        size_t best = 0;
        double least = INFINITY;
        for (size_t p = 0; p + 1 < n; p++) {
            const struct koshu_hierarchy_node node =
                    join(h, chain, part[p].last, &part[p], &part[p + 1]);
            const double r2 = koshu_dot(node.x, node.x);
            if (!(r2 < least)) continue;
            least = r2;
            best = p;
        }
        part[best].last = part[best + 1].last;
        part[best].mass += part[best + 1].mass;
        for (size_t p = best + 1; p + 1 < n; p++) part[p] = part[p + 1];
    }
}

void
koshu_hierarchy_give(const struct koshu_hierarchy *hierarchy,
                     struct koshu_chain *chain)
{
    const struct koshu_hierarchy *h = hierarchy;
    const size_t half = koshu_chain_half(chain);
    for (size_t k = 0; k + 1 < h->n; k++) {
        const struct koshu_hierarchy_node *node = &h->node[k];
        double x[3], v[3];
        link_beyond(h, k, x, v);
        for (size_t d = 0; d < 3; d++) {
            struct koshu_sum *y = &chain->y[3 * k + d];
            y[0] = (struct koshu_sum){node->x[d] + x[d], 0};
            y[half] = (struct koshu_sum){node->v[d] + v[d], 0};
        }
    }
}

void
koshu_hierarchy_bodies(const struct koshu_hierarchy *hierarchy, double (*x)[3])
{
    const struct koshu_hierarchy *h = hierarchy;
    for (size_t i = 0; i < h->n; i++) x[i][0] = x[i][1] = x[i][2] = 0;
    for (size_t m = 0; m + 1 < h->n; m++) {
        const struct koshu_hierarchy_node *node = &h->node[m];
        for (size_t i = node->first; i <= node->last; i++) {
            const double part = koshu_hierarchy_part(h, m, i);
            for (size_t d = 0; d < 3; d++) x[i][d] += part * node->x[d];
        }
    }
}

struct koshu_pair
koshu_hierarchy_pair(const struct koshu_hierarchy *hierarchy, size_t node)
{
    const struct koshu_hierarchy *h = hierarchy;
    const struct koshu_hierarchy_node *at = &h->node[node];
    struct koshu_pair p = {.mass = at->mass};
    for (size_t d = 0; d < 3; d++) {
        p.x[d] = at->x[d];
        p.v[d] = at->v[d];
        for (size_t m = 0; m + 1 < h->n; m++) {
            const struct koshu_hierarchy_node *above = &h->node[m];
            const bool is_in =
                    holds(above, at->first) && holds(above, at->last);
            if (m == node || !is_in) continue;
            const double part = koshu_hierarchy_part(h, m, node);
            p.centre[d] += part * above->x[d];
            p.velocity[d] += part * above->v[d];
        }
    }
    p.energy = koshu_dot(p.v, p.v) / 2 - p.mass / sqrt(koshu_dot(p.x, p.x));
    return p;
}
