/* SPDX-License-Identifier: MIT */
/* Treats fast pairs of a chain as points with the moments of an ellipse. The
 * chain of points is split like any other, with steps that suit its slower
 * motion. */
#include "fewbody/mean.h"

#include <math.h>

#include "fewbody/split.h"
#include "fewbody/tides.h"

/* The chain of points, and which of them are pairs. */
struct points {
    struct koshu_chain chain;
    size_t first[KOSHU_HIERARCHY_BODIES]; /* index of its first body in the
                                             chain */
    size_t n_pairs;
    struct koshu_mean_pair pair[KOSHU_HIERARCHY_BODIES / 2];
};

/* ---- which pairs -------------------------------------------------------- */

/* Twice the distance at which its bodies touch: the pericentre must be watched
 * before it shrinks to that. */
static double
reach_of(const struct koshu_chain *c, size_t k,
         const struct koshu_radius_law *law)
{
    if (!law) return 0;
    return 2 * (koshu_radius_of(law, c->mass[k]) +
                koshu_radius_of(law, c->mass[k + 1]));
}

static bool
is_mean(const struct koshu_hierarchy *h, const struct koshu_chain *c, size_t k,
        double tolerance, const struct koshu_radius_law *law)
{
    const double small = sqrt(tolerance) / 2;
    const double round = 1e-4; /* limit of 1 - e^2, below which j turns too
                                  far in a step */
    if (!koshu_hierarchy_is_pair(&h->node[k])) return false;
    const struct koshu_pair pair = koshu_hierarchy_pair(h, k);
    if (!(pair.energy < 0)) return false;
    const struct koshu_pair_orbit o = koshu_pair_orbit_of(&pair);
    const struct koshu_tides t = koshu_hierarchy_tides(h, c, k, &o);
    return 1 - o.e * o.e > round && t.size <= small &&
           o.a * (1 - o.e) >= reach_of(c, k, law) &&
           o.period <= 2 * koshu_tides_stillness(tolerance) * t.time;
}

/* The first body of each point; pairs have two bodies. */
static size_t
find_points(const struct koshu_hierarchy *h, const struct koshu_chain *c,
            double tolerance, const struct koshu_radius_law *law, size_t *first)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; n++) {
        first[n] = i;
        i += i + 1 < c->n && is_mean(h, c, i, tolerance, law) ? 2 : 1;
    }
    return n;
}

/* ---- bodies and points -------------------------------------------------- */

static size_t
last_of(const struct points *p, size_t k, size_t n)
{
    return (k + 1 < p->chain.n ? p->first[k + 1] : n) - 1;
}

/* Positions or velocities (`at`) of a point's first or last body relative to
 * the point's centre. */
static void
from_centre(const struct points *p, const struct koshu_chain *c, size_t k,
            bool to_last, size_t at, double *off)
{
    const size_t i = p->first[k], last = last_of(p, k, c->n);
    for (size_t d = 0; d < 3; d++) off[d] = 0;
    if (last == i) return;
    const double m = c->mass[i] + c->mass[last],
                 part = to_last ? c->mass[i] / m : -c->mass[last] / m;
    for (size_t d = 0; d < 3; d++)
        off[d] = part * koshu_sum_value(c->y[at + 3 * i + d]);
}

/* The vector of a link less that between the centres of its points. */
static void
beyond(const struct points *p, const struct koshu_chain *c, size_t k, size_t at,
       double *more)
{
    double left[3], right[3];
    from_centre(p, c, k, true, at, left);
    from_centre(p, c, k + 1, false, at, right);
    for (size_t d = 0; d < 3; d++) more[d] = right[d] - left[d];
}

static void
take_links(struct points *p, const struct koshu_chain *c, size_t at, size_t to)
{
    for (size_t k = 0; k + 1 < p->chain.n; k++) {
        const size_t link = last_of(p, k, c->n);
        double more[3];
        beyond(p, c, k, at, more);
        for (size_t d = 0; d < 3; d++) {
            struct koshu_sum y = c->y[at + 3 * link + d];
            koshu_sum_add(&y, -more[d]);
            p->chain.y[to + 3 * k + d] = y;
        }
    }
}

static void
give_links(const struct points *p, struct koshu_chain *c, size_t at,
           size_t from)
{
    for (size_t k = 0; k + 1 < p->chain.n; k++) {
        const size_t link = last_of(p, k, c->n);
        double more[3];
        beyond(p, c, k, at, more);
        for (size_t d = 0; d < 3; d++) {
            struct koshu_sum y = p->chain.y[from + 3 * k + d];
            koshu_sum_add(&y, more[d]);
            c->y[at + 3 * link + d] = y;
        }
    }
}

static void
take_pair(struct points *p, const struct koshu_chain *c, size_t k,
          const struct koshu_radius_law *law)
{
    const size_t i = p->first[k], half = koshu_chain_half(c);
    double x[3], v[3];
    for (size_t d = 0; d < 3; d++) {
        x[d] = koshu_sum_value(c->y[3 * i + d]);
        v[d] = koshu_sum_value(c->y[half + 3 * i + d]);
    }
    p->pair[p->n_pairs] = koshu_mean_pair_of(c->mass[i], c->mass[i + 1], x, v);
    p->pair[p->n_pairs].reach = reach_of(c, i, law);
    p->pair[p->n_pairs++].point = k;
}

static void
take_points(struct points *p, const struct koshu_chain *c,
            const struct koshu_radius_law *law)
{
    struct koshu_chain *to = &p->chain;
    p->n_pairs = 0;
    const size_t half = koshu_chain_half(to);
    to->total_mass = c->total_mass;
    to->perturbers = c->perturbers;
    for (size_t k = 0; k < to->n; k++) {
        const size_t i = p->first[k], last = last_of(p, k, c->n);
        to->mass[k] = c->mass[i];
        if (k + 1 < to->n) to->rate[k] = c->rate[last];
        if (last == i) continue;
        to->mass[k] += c->mass[last];
        take_pair(p, c, k, law);
    }
    take_links(p, c, 0, 0);
    take_links(p, c, koshu_chain_half(c), half);
    to->y[2 * half] = c->y[2 * koshu_chain_half(c)];
    koshu_chain_bind(to);
}

/* Sets the chain from the points, a time dt later. */
static void
give_points(const struct points *p, struct koshu_chain *c, double dt)
{
    const size_t half = koshu_chain_half(c);
    for (size_t k = 0; k < p->n_pairs; k++) {
        const size_t at = 3 * p->first[p->pair[k].point];
        double x[3], v[3];
        koshu_mean_pair_place(&p->pair[k], dt, x, v);
        for (size_t d = 0; d < 3; d++) {
            c->y[at + d] = (struct koshu_sum){x[d], 0};
            c->y[half + at + d] = (struct koshu_sum){v[d], 0};
        }
    }
    give_links(p, c, 0, 0);
    give_links(p, c, half, koshu_chain_half(&p->chain));
    c->y[2 * half] = p->chain.y[2 * koshu_chain_half(&p->chain)];
}

/* ---- the motion --------------------------------------------------------- */

/* Changes pairs from instantaneous energies to their means, or back. */
static void
change_swings(const struct points *p, struct koshu_chain *c, bool to_mean)
{
    for (size_t k = 0; k < p->n_pairs; k++) {
        const size_t link = p->first[p->pair[k].point];
        const double kappa = 1 / c->rate[link];
        koshu_chain_change_swing(c, link, to_mean ? kappa : 0, to_mean ? 0 : 1);
        c->rate[link] = 1;
    }
}

/* Steps per revolution: more if tides are brief, at a pericentre. */
static unsigned
steps_for(const struct koshu_hierarchy *h, size_t fastest)
{
    const double usual = 12, largest = 240;
    const struct koshu_pair pair = koshu_hierarchy_pair(h, fastest);
    const double nearest = 1 - koshu_pair_orbit_of(&pair).e;
    return (unsigned)fmin(usual / sqrt(nearest), largest);
}

/* Updates the slow-down of the other pairs. */
static void
slow_others(struct koshu_chain *c, const struct points *p, double tolerance)
{
    bool left_out[KOSHU_CHAIN_LINKS] = {false};
    for (size_t k = 0; k < p->chain.n; k++)
        if (last_of(p, k, c->n) != p->first[k]) left_out[p->first[k]] = true;
    koshu_chain_slow_others(c, tolerance, left_out);
}

bool
koshu_chain_move_mean(struct koshu_chain *chain, double tolerance, double time,
                      const struct koshu_radius_law *law, uint64_t *evaluations)
{
    struct koshu_chain *c = chain;
    struct koshu_hierarchy h;
    struct points p = {.n_pairs = 0};
    struct koshu_split how = {.time = time, .revolutions = 4};
    if (tolerance == 0 || c->n < 3 || c->n > KOSHU_HIERARCHY_BODIES)
        return false;
    koshu_hierarchy_take(&h, c);
    p.chain.n = find_points(&h, c, tolerance, law, p.first);
    if (p.chain.n == c->n) return false;
    slow_others(c, &p, tolerance);
    take_points(&p, c, law);
    if (!koshu_chain_is_calm(&p.chain, tolerance, &h, &how.fastest))
        return false;
    change_swings(&p, c, true);
    take_points(&p, c, law);
    koshu_hierarchy_take(&h, &p.chain);
    how.steps = steps_for(&h, how.fastest);
    how.n_mean = p.n_pairs;
    how.mean = p.pair;
    const double before = koshu_chain_time(c);
    koshu_chain_split(&p.chain, &h, &how, evaluations);
    give_points(&p, c, koshu_chain_time(&p.chain) - before);
    change_swings(&p, c, false);
    koshu_chain_bind(c);
    return true;
}
