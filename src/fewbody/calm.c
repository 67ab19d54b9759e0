/* SPDX-License-Identifier: MIT */
/* Decides whether a chain's pairs are disturbed so little that their own motion
 * may be split from the disturbance. */
#include <math.h>

#include "fewbody/split.h"
#include "fewbody/tides.h"

/* The closest approach of the two parts of a node: the pericentre, or the
 * present distance if they escape. */
static double
nearest(const struct koshu_hierarchy_node *node)
{
    const double *x = node->x, *v = node->v, mu = node->mass;
    const double r2 = koshu_dot(x, x), r = sqrt(r2), along = koshu_dot(x, v),
                 twice = koshu_dot(v, v) - 2 * mu / r,
                 turn2 = fmax(r2 * koshu_dot(v, v) - along * along, 0);
    if (twice >= 0 && along >= 0) return r;
    return turn2 / (mu + sqrt(fmax(mu * mu + twice * turn2, 0)));
}

struct koshu_tides
koshu_hierarchy_tides(const struct koshu_hierarchy *h,
                      const struct koshu_chain *c, size_t k,
                      const struct koshu_pair_orbit *orbit)
{
    const struct koshu_pair pair = koshu_hierarchy_pair(h, k);
    struct koshu_tides t = {INFINITY, 0};
    for (size_t m = 0; m + 1 < h->n; m++) {
        const struct koshu_hierarchy_node *above = &h->node[m];
        if (m == k || above->first > k || above->last < k + 1) continue;
        const double q = nearest(above), x[3] = {q, 0, 0},
                     v[3] = {0, sqrt(2 * above->mass / q), 0};
        koshu_tides_add(&t, orbit, k < m ? above->right : above->left, x, v);
    }
    koshu_tides_add_outside(&t, c, &pair, orbit);
    return t;
}

/* Finds the pair that revolves fastest, with slow-down. */
static bool
find_fastest(const struct koshu_hierarchy *h, const struct koshu_chain *c,
             size_t *node, double *period)
{
    *period = INFINITY;
    for (size_t k = 0; k + 1 < h->n; k++) {
        const struct koshu_pair pair = koshu_hierarchy_pair(h, k);
        if (!koshu_hierarchy_is_pair(&h->node[k])) {
            if (c->rate[k] != 1) return false;
            continue;
        }
        if (!(pair.energy < 0)) return false;
        const double of_pair = koshu_pair_orbit_of(&pair).period / c->rate[k];
        if (!(of_pair < *period)) continue;
        *period = of_pair;
        *node = k;
    }
    return isfinite(*period);
}

/* Steps are fractions of the fastest period. They are finer for slower nodes,
 * whose errors are smaller by the square of the ratio or more; but a node's
 * motion at its pericentre must be slow as well. */
static bool
is_node_calm(const struct koshu_hierarchy *h, const struct koshu_chain *c,
             size_t k, double calm, double period, bool is_fastest)
{
    const double largest = 0.1, slower = 4;
    const struct koshu_pair pair = koshu_hierarchy_pair(h, k);
    if (!(pair.energy < 0))
        return h->node[k].last - h->node[k].first + 1 == h->n;
    const struct koshu_pair_orbit orbit = koshu_pair_orbit_of(&pair);
    const struct koshu_tides t = koshu_hierarchy_tides(h, c, k, &orbit);
    const double ratio = orbit.period / (c->rate[k] * period), q = 1 - orbit.e;
    return t.size <= fmin(calm * ratio * ratio, largest) &&
           c->rate[k] * period <= t.time &&
           (is_fastest || ratio * q * sqrt(q) >= slower);
}

bool
koshu_chain_is_calm(const struct koshu_chain *chain, double tolerance,
                    struct koshu_hierarchy *hierarchy, size_t *fastest)
{
    const struct koshu_chain *c = chain;
    struct koshu_hierarchy *h = hierarchy;
    double period;
    if (tolerance == 0 || c->n < 2 || c->n > KOSHU_HIERARCHY_BODIES)
        return false;
    koshu_hierarchy_take(h, c);
    if (!find_fastest(h, c, fastest, &period)) return false;
    for (size_t k = 0; k + 1 < h->n; k++)
        if (!is_node_calm(h, c, k, sqrt(tolerance), period, k == *fastest))
            return false;
    return true;
}
