/* SPDX-License-Identifier: MIT */
/*
 * Determines which pairs are hard, which systems are bound, and kT. Whether a
 * pair is hard depends on kT, which depends on the systems: the search starts
 * with every pair as a system, and repeats until the set of hard pairs is
 * stable.
 */
#include <math.h>
#include <string.h>

#include "analysis/cluster.h"
#include "base/base.h"

enum { MAX_ROUNDS = 20 };

/* ---- bound --------------------------------------------------------------- */

static double
speed2(const struct koshu_cluster_body *b, const double u[3])
{
    const double x = b->v[0] - u[0], y = b->v[1] - u[1], z = b->v[2] - u[2];
    return x * x + y * y + z * z;
}

/* The mean velocity of bound systems, or of all; false: there are none. */
static bool
mean_velocity(const struct koshu_cluster_bodies *s, bool all, double u[3])
{
    struct koshu_sum mass = {0}, momentum[3] = {{0}};
    for (size_t i = 0; i < s->n; i++) {
        const struct koshu_cluster_body *b = &s->body[i];
        if (!all && !b->bound) continue;
        koshu_sum_add(&mass, b->mass);
        for (int k = 0; k < 3; k++)
            koshu_sum_add(&momentum[k], b->mass * b->v[k]);
    }
    const double m = koshu_sum_value(mass);
    if (!(m > 0)) return false;
    for (int k = 0; k < 3; k++) u[k] = koshu_sum_value(momentum[k]) / m;
    return true;
}

static size_t
mark_bound(struct koshu_cluster_bodies *s, const double u[3])
{
    size_t changed = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct koshu_cluster_body *b = &s->body[i];
        const bool bound = speed2(b, u) / 2 + b->phi < 0;
        changed += bound != b->bound;
        b->bound = bound;
    }
    return changed;
}

/* Which systems are bound depends on the mean velocity of the bound ones:
 * iterates. */
static void
find_bound(struct koshu_cluster_bodies *s, double u[3])
{
    for (size_t i = 0; i < s->n; i++) s->body[i].bound = false;
    if (!mean_velocity(s, true, u)) memset(u, 0, 3 * sizeof *u);
    for (int k = 0; k < MAX_ROUNDS && mark_bound(s, u) > 0; k++)
        if (!mean_velocity(s, false, u)) return;
}

/* 3/2 kT is the mean of m v^2 / 2. */
static double
temperature(const struct koshu_cluster_bodies *s, const double u[3])
{
    struct koshu_sum sum = {0};
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!s->body[i].bound) continue;
        koshu_sum_add(&sum, s->body[i].mass * speed2(&s->body[i], u));
        n++;
    }
    return n > 0 ? koshu_sum_value(sum) / (3 * (double)n) : 0;
}

/* ---- hard ---------------------------------------------------------------- */

static void
add_star(struct koshu_cluster *c, size_t i)
{
    c->systems.body[c->systems.n++] = c->star[i];
}

/* Adds a pair as a system or, if it is soft, its members as separate ones. */
static void
add_system(struct koshu_cluster *c, size_t k)
{
    const struct koshu_cluster_pair *p = &c->pair[k];
    if (p->hard) {
        c->systems.body[c->systems.n++] = c->pair_body[k];
        return;
    }
    for (int m = 0; m < 2; m++) {
        if (p->inner[m] < 0)
            add_star(c, c->child[k][m]);
        else
            add_system(c, (size_t)p->inner[m]);
    }
}

static void
list_systems(struct koshu_cluster *c)
{
    c->systems.n = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->star[i].pair < 0) add_star(c, i);
    for (size_t k = 0; k < c->n_pairs; k++)
        if (c->pair[k].outer < 0) add_system(c, k);
}

static size_t
mark_hard(struct koshu_cluster *c, double kt)
{
    size_t changed = 0;
    for (size_t k = 0; k < c->n_pairs; k++) {
        struct koshu_cluster_pair *p = &c->pair[k];
        const int hard = p->energy > kt;
        changed += hard != p->hard;
        p->hard = hard;
    }
    return changed;
}

/* Marks the stars that are members of hard pairs. */
static void
mark_members(struct koshu_cluster *c)
{
    for (size_t k = 0; k < c->n_pairs; k++) {
        c->pair[k].hard = 1;
        for (int m = 0; m < 2; m++)
            if (c->pair[k].inner[m] < 0)
                c->star[c->child[k][m]].pair = (int64_t)k;
    }
}

/* ---- sums ---------------------------------------------------------------- */

static void
count_pairs(struct koshu_cluster *c)
{
    struct koshu_cluster_summary *s = &c->summary;
    struct koshu_sum energy = {0};
    for (size_t k = 0; k < c->n_pairs; k++) {
        struct koshu_cluster_pair *p = &c->pair[k];
        p->energy_kt = s->kt > 0 ? p->energy / s->kt : 0;
        s->n_pairs += p->n == 2;
        s->n_hard += p->n == 2 && p->hard;
        s->n_hierarchies += p->n > 2 && p->hard;
        if (p->hard) koshu_sum_add(&energy, p->energy);
    }
    s->binding_energy = koshu_sum_value(energy);
}

static void
sum_up(struct koshu_cluster *c)
{
    struct koshu_cluster_summary *s = &c->summary;
    struct koshu_sum mass = {0}, bound = {0}, twice_t = {0}, twice_w = {0};
    for (size_t i = 0; i < c->systems.n; i++) {
        const struct koshu_cluster_body *b = &c->systems.body[i];
        koshu_sum_add(&mass, b->mass);
        if (!b->bound) continue;
        s->n_bound++;
        koshu_sum_add(&bound, b->mass);
        koshu_sum_add(&twice_t, b->mass * speed2(b, s->velocity));
        koshu_sum_add(&twice_w, b->mass * b->phi);
    }
    s->n = c->n;
    s->n_systems = c->systems.n;
    s->mass = koshu_sum_value(mass);
    s->bound_mass = koshu_sum_value(bound);
    s->kinetic = koshu_sum_value(twice_t) / 2;
    s->potential = koshu_sum_value(twice_w) / 2;
    if (!(s->potential < 0)) return;
    s->virial_ratio = s->kinetic / -s->potential;
    s->virial_radius = c->options.gravitational_constant * s->bound_mass *
                       s->bound_mass / (-2 * s->potential);
}

void
koshu_cluster_find_systems(struct koshu_cluster *c)
{
    struct koshu_cluster_summary *s = &c->summary;
    size_t changed = 1;
    mark_members(c);
    for (int k = 0; k < MAX_ROUNDS && changed > 0; k++) {
        list_systems(c);
        find_bound(&c->systems, s->velocity);
        s->kt = temperature(&c->systems, s->velocity);
        changed = mark_hard(c, s->kt);
    }
    sum_up(c);
    count_pairs(c);
}
