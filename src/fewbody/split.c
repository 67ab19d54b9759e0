/* SPDX-License-Identifier: MIT */
/*
 * Pairs that are little disturbed: their own motion is split from the
 * disturbance as in Wisdom & Holman (1991),
 *
 *     H = sum H_k / kappa_k + W,
 *
 * with Keplerian motions of the pairs, and of pairs and bodies about each other
 * (hierarchy.h); W is what remains, the tides. Steps are SABA4 of Laskar &
 * Robutel (2001): energy errors are W h^8 and W^2 h^2 / 24, h in units of the
 * time in which W changes. These oscillate, but they change when steps change,
 * as at each landing: with SABA2, whose error is W h^4, that made a random
 * walk. Steps are equal in the universal variable of the fastest pair, dt = r
 * dX, which is its eccentric anomaly. In it the tides of an ellipse have only a
 * few harmonics, which eight steps per revolution sum exactly for any
 * eccentricity. Steps equal in time, say eighths of a period, would alias
 * higher harmonics to a constant, which changes energies by 1e-3.
 */
#include "fewbody/split.h"

#include <math.h>

struct split {
    const struct koshu_chain *chain;
    struct koshu_hierarchy *nodes;
    const struct koshu_split *how;
    size_t fastest;
    double start, since;              /* chain time at the start, and since
                                         then */
    double r2[KOSHU_HIERARCHY_NODES]; /* squared distances of nodes at the
                                         start */
};

/* ---- Kepler's motions --------------------------------------------------- */

/* Moves all nodes but the fastest. */
static void
move_others(struct split *s, double dt)
{
    for (size_t k = 0; k + 1 < s->nodes->n; k++) {
        struct koshu_hierarchy_node *node = &s->nodes->node[k];
        if (k != s->fastest)
            koshu_kepler_move_for(node->mass, s->chain->rate[k] * dt, node->x,
                                  node->v);
    }
    s->since += dt;
}

/* Moves the fastest by X, the others by the same time. */
static void
drift_by(struct split *s, double dx)
{
    struct koshu_hierarchy_node *node = &s->nodes->node[s->fastest];
    move_others(s, koshu_kepler_move_by(node->mass, dx, node->x, node->v) /
                           s->chain->rate[s->fastest]);
}

static void
drift_for(struct split *s, double dt)
{
    struct koshu_hierarchy_node *node = &s->nodes->node[s->fastest];
    koshu_kepler_move_for(node->mass, s->chain->rate[s->fastest] * dt, node->x,
                          node->v);
    move_others(s, dt);
}

/* ---- W ------------------------------------------------------------------ */

/* Accelerations of bodies by each other, except within a pair. */
static void
attract(const struct split *s, double (*x)[3], double (*a)[3])
{
    const struct koshu_hierarchy *h = s->nodes;
    const double *mass = s->chain->mass;
    for (size_t i = 0; i < h->n; i++)
        for (size_t j = i + 1; j < h->n; j++) {
            if (j == i + 1 && koshu_hierarchy_is_pair(&h->node[i])) continue;
            const double r[3] = {x[j][0] - x[i][0], x[j][1] - x[i][1],
                                 x[j][2] - x[i][2]};
            const double r2 = koshu_dot(r, r), q3 = 1 / (r2 * sqrt(r2));
            for (size_t d = 0; d < 3; d++) {
                a[i][d] += mass[j] * q3 * r[d];
                a[j][d] -= mass[i] * q3 * r[d];
            }
        }
}

/* The mean acceleration of bodies from ... to - 1, of that total mass. */
static void
mean(const struct split *s, double (*a)[3], size_t from, size_t to, double mass,
     double *of_part)
{
    for (size_t d = 0; d < 3; d++) {
        double sum = 0;
        for (size_t i = from; i < to; i++) sum += s->chain->mass[i] * a[i][d];
        of_part[d] = sum / mass;
    }
}

/* Kicks a node by the accelerations of its bodies, less that of its Keplerian
 * motion. */
static void
kick_node(struct split *s, size_t k, double (*a)[3], double dt)
{
    struct koshu_hierarchy_node *node = &s->nodes->node[k];
    const double r2 = koshu_dot(node->x, node->x);
    const double own =
            koshu_hierarchy_is_pair(node) ? 0 : node->mass / (r2 * sqrt(r2));
    double left[3], right[3];
    mean(s, a, node->first, k + 1, node->left, left);
    mean(s, a, k + 1, node->last + 1, node->right, right);
    for (size_t d = 0; d < 3; d++)
        node->v[d] += dt * (right[d] - left[d] + own * node->x[d]);
}

/* The tidal tensor of the perturbers, from differences across the pair. */
static void
find_tides(const struct split *s, const struct koshu_mean_pair *p,
           struct koshu_mean_field *field)
{
    double x[6][3], f[6][3];
    if (!s->chain->perturbers) return;
    for (size_t k = 0; k < 6; k++)
        for (size_t d = 0; d < 3; d++)
            x[k][d] = field->x[p->point][d] +
                      (d == k / 2 ? (k % 2 ? p->a : -p->a) : 0);
    koshu_perturbers_fields(s->chain->perturbers, s->start + s->since, 6,
                            (const double(*)[3])x, f);
    for (size_t k = 0; k < 3; k++)
        for (size_t d = 0; d < 3; d++)
            field->tides[k][d] = (f[2 * k + 1][d] - f[2 * k][d]) / (2 * p->a);
}

/* Turns each averaged pair by half a step before it attracts, and by half
 * after. */
static void
turn_and_attract(const struct split *s, double (*x)[3], double (*a)[3],
                 double dt)
{
    for (size_t k = 0; k < s->how->n_mean; k++) {
        struct koshu_mean_pair *pair = &s->how->mean[k];
        struct koshu_mean_field field = {s->nodes->n, s->chain->mass, x, {{0}}};
        find_tides(s, pair, &field);
        koshu_mean_pair_turn(pair, &field, dt / 2);
        koshu_mean_pair_attract(pair, &field, a);
        koshu_mean_pair_turn(pair, &field, dt / 2);
    }
}

static void
kick(struct split *s, double dt)
{
    const struct koshu_chain *c = s->chain;
    double x[KOSHU_HIERARCHY_BODIES][3], a[KOSHU_HIERARCHY_BODIES][3] = {{0}};
    koshu_hierarchy_bodies(s->nodes, x);
    if (c->perturbers)
        koshu_perturbers_fields(c->perturbers, s->start + s->since, c->n,
                                (const double(*)[3])x, a);
    attract(s, x, a);
    turn_and_attract(s, x, a, dt);
    for (size_t k = 0; k + 1 < c->n; k++) kick_node(s, k, a, dt);
}

/* ---- steps -------------------------------------------------------------- */

/* The positions of the kicks in a step, and their weights: Gaussian quadrature
 * (SABA4). */
enum { KICKS = 4 };
static const double at[KICKS] = {0.06943184420297371239, 0.33000947820757186760,
                                 0.66999052179242813240,
                                 0.93056815579702628761},
                    weight[KICKS] = {
                            0.17392742256872692869, 0.32607257743127307131,
                            0.32607257743127307131, 0.17392742256872692869};

/* dt / dX. */
static double
slowness(const struct split *s)
{
    const double *x = s->nodes->node[s->fastest].x;
    return sqrt(koshu_dot(x, x)) / s->chain->rate[s->fastest];
}

static void
step_by(struct split *s, double dx)
{
    double done = 0;
    for (int k = 0; k < KICKS; done = at[k++]) {
        drift_by(s, (at[k] - done) * dx);
        kick(s, slowness(s) * weight[k] * dx);
    }
    drift_by(s, (1 - done) * dx);
}

static void
step_for(struct split *s, double dt)
{
    double done = 0;
    for (int k = 0; k < KICKS; done = at[k++]) {
        drift_for(s, (at[k] - done) * dt);
        kick(s, weight[k] * dt);
    }
    drift_for(s, (1 - done) * dt);
}

static double
distance2(const struct split *s, size_t k)
{
    const double *x = s->nodes->node[k].x;
    return koshu_dot(x, x);
}

static bool
is_mean(const struct split *s, size_t point)
{
    for (size_t k = 0; k < s->how->n_mean; k++)
        if (s->how->mean[k].point == point) return true;
    return false;
}

/* Whether tides have changed by a fifth; except by two bodies that orbit each
 * other, which may be slowed themselves. */
static bool
have_others_moved(const struct split *s)
{
    for (size_t k = 0; k + 1 < s->nodes->n; k++) {
        const double change = distance2(s, k) / s->r2[k] - 1;
        if (k == s->fastest || !(fabs(change) > 1.0 / 8)) continue;
        if (!koshu_hierarchy_is_pair(&s->nodes->node[k]) || is_mean(s, k) ||
            is_mean(s, k + 1))
            return true;
    }
    return false;
}

static bool
may_touch(const struct split *s)
{
    for (size_t k = 0; k < s->how->n_mean; k++) {
        const struct koshu_mean_pair *p = &s->how->mean[k];
        const double e = sqrt(koshu_dot(p->e, p->e));
        if (p->a * (1 - e) < p->reach) return true;
    }
    return false;
}

static struct split
begin(const struct koshu_chain *chain, struct koshu_hierarchy *nodes,
      const struct koshu_split *how)
{
    struct split s = {.chain = chain,
                      .nodes = nodes,
                      .how = how,
                      .fastest = how->fastest,
                      .start = koshu_chain_time(chain)};
    for (size_t k = 0; k + 1 < nodes->n; k++) s.r2[k] = distance2(&s, k);
    return s;
}

static void
end(const struct split *s, struct koshu_chain *chain)
{
    koshu_hierarchy_give(s->nodes, chain);
    koshu_sum_add(&chain->y[2 * koshu_chain_half(chain)], s->since);
    koshu_chain_bind(chain);
}

/* Divides the whole way into equal steps, including what tides change in its
 * time. A last step of another length would leave an error at each landing,
 * always of the same sign if landings are regular. */
void
koshu_chain_split(struct koshu_chain *chain, struct koshu_hierarchy *nodes,
                  const struct koshu_split *how, uint64_t *evaluations)
{
    struct split s = begin(chain, nodes, how);
    const struct koshu_hierarchy_node *node = &nodes->node[how->fastest];
    const double until = koshu_chain_until(chain, how->time),
                 rate = chain->rate[how->fastest],
                 x = koshu_kepler_find(node->mass, rate * until, node->x,
                                       node->v),
                 beta = 2 * node->mass / sqrt(distance2(&s, how->fastest)) -
                        koshu_dot(node->v, node->v),
                 turns = x * sqrt(beta) / (2 * acos(-1)),
                 steps = fmax(ceil(turns * how->steps), 1);
    bool stays = true;
    unsigned k = 0;
    for (; k < steps && k < how->steps * how->revolutions && stays; k++) {
        step_by(&s, x / steps);
        *evaluations += KICKS;
        stays = !have_others_moved(&s) && !may_touch(&s);
    }
    const bool ends = k == steps;
    if (ends) step_for(&s, until - s.since);
    end(&s, chain);
    if (ends)
        chain->y[2 * koshu_chain_half(chain)] =
                (struct koshu_sum){how->time, 0};
}
