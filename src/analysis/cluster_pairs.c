/* SPDX-License-Identifier: MIT */
/*
 * Finds pairs and hierarchies level by level: bodies that are each other's
 * nearest are paired, and a pair replaces its members. Ends when a level adds
 * no hierarchy.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/cluster.h"
#include "base/base.h"
#include "output/output.h"

enum { FEW = 1024 }; /* starting threads would take longer */

/* The bodies of a level, what each one is, and its nearest neighbour. */
struct level {
    size_t n;
    struct koshu_cluster_body *body;
    uint32_t *origin; /* index of a star, or of a pair if it is one */
    uint32_t *nearest;
    double *x;         /* 3 n numbers */
    double (*axis)[3]; /* of pairs: direction of the angular momentum */
};

static void
release(struct level *l)
{
    koshu_free(l->body);
    koshu_free(l->origin);
    koshu_free(l->nearest);
    koshu_free(l->x);
    koshu_free(l->axis);
}

static koshu_status
begin(const struct koshu_cluster *c, struct level *l)
{
    const size_t n = c->n;
    *l = (struct level){.n = n};
    l->body = koshu_alloc(n, sizeof *l->body);
    l->origin = koshu_alloc(n, sizeof *l->origin);
    l->nearest = koshu_alloc(n, sizeof *l->nearest);
    l->x = koshu_alloc(3 * n, sizeof *l->x);
    l->axis = koshu_alloc(n, sizeof *l->axis);
    if (!l->body || !l->origin || !l->nearest || !l->x || !l->axis)
        return koshu_fail_memory(c->context, n * sizeof *l->body,
                                 "pairs of stars");
    for (size_t i = 0; i < n; i++) {
        l->body[i] = c->star[i];
        l->origin[i] = (uint32_t)i;
    }
    return KOSHU_OK;
}

static koshu_status
find_nearest(const struct koshu_cluster *c, struct level *l)
{
    const size_t n = l->n;
    const int threads = koshu_region_threads(c->context, n > FEW);
    const double *const x[3] = {l->x, l->x + n, l->x + 2 * n};
    struct koshu_neighbour_tree *tree;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) l->x[k * n + i] = l->body[i].x[k];
    KOSHU_TRY(koshu_neighbour_tree_create(c->context, n, x, &tree));
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (size_t i = 0; i < n; i++) {
        struct koshu_neighbours near = {.n = 1};
        koshu_neighbours_find(tree, i, &near);
        l->nearest[i] = near.index[0];
    }
    koshu_neighbour_tree_destroy(tree);
    return KOSHU_OK;
}

/* ---- one pair ------------------------------------------------------------ */

static double
angle(const double a[3], const double b[3])
{
    const double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return acos(fmin(1, fmax(-1, cosine)));
}

/* Sets the inclination relative to the closest of the inner orbits. */
static bool
is_hierarchy(const struct koshu_cluster *c, const struct level *l,
             struct koshu_cluster_pair *p, const double axis[3])
{
    double closest = INFINITY;
    for (int k = 0; k < 2; k++) {
        if (p->inner[k] < 0) continue;
        const struct koshu_cluster_pair *inner = &c->pair[p->inner[k]];
        const double i = angle(axis, l->axis[p->inner[k]]);
        if (!koshu_hierarchy_is_stable(inner, p, p->mass[k], p->mass[1 - k], i))
            return false;
        if (inner->semi_major_axis >= closest) continue;
        closest = inner->semi_major_axis;
        p->inclination = i;
    }
    return true;
}

static size_t
stars_of(const struct koshu_cluster *c, const struct koshu_cluster_body *b)
{
    return b->pair < 0 ? 1 : c->pair[b->pair].n;
}

/* Replaces bodies i and j by one in the place of i; j is marked for removal. */
static bool
pair_up(struct koshu_cluster *c, struct level *l, size_t i, size_t j,
        bool of_stars)
{
    struct koshu_cluster_body *a = &l->body[i], *b = &l->body[j];
    struct koshu_cluster_pair p;
    double axis[3];
    const bool stars = a->pair < 0 && b->pair < 0;
    if (stars != of_stars ||
        !koshu_cluster_orbit_of(&c->options, a, b, &p, axis) ||
        !is_hierarchy(c, l, &p, axis))
        return false;
    const size_t k = c->n_pairs++;
    struct koshu_cluster_body *both = &c->pair_body[k];
    *both = koshu_cluster_body_of(&c->options, a, b);
    both->pair = (int64_t)k;
    p.n = stars_of(c, a) + stars_of(c, b);
    for (int d = 0; d < 3; d++) {
        p.position[d] = both->x[d];
        p.velocity[d] = both->v[d];
        l->axis[k][d] = axis[d];
    }
    c->child[k][0] = l->origin[i];
    c->child[k][1] = l->origin[j];
    for (int m = 0; m < 2; m++)
        if (p.inner[m] >= 0) c->pair[p.inner[m]].outer = (int64_t)k;
    c->pair[k] = p;
    *a = *both;
    l->origin[i] = (uint32_t)k;
    return true;
}

/* ---- levels -------------------------------------------------------------- */

/* Returns the number of pairs found. Removes the marked bodies. */
static size_t
pair_level(struct koshu_cluster *c, struct level *l, bool of_stars)
{
    const size_t before = c->n_pairs;
    size_t kept = 0;
    for (size_t i = 0; i < l->n; i++) {
        const size_t j = l->nearest[i];
        if (l->nearest[j] != i || j < i) continue;
        if (pair_up(c, l, i, j, of_stars)) l->origin[j] = UINT32_MAX;
    }
    for (size_t i = 0; i < l->n; i++) {
        if (l->origin[i] == UINT32_MAX) continue;
        l->body[kept] = l->body[i];
        l->origin[kept++] = l->origin[i];
    }
    l->n = kept;
    return c->n_pairs - before;
}

koshu_status
koshu_cluster_find_pairs(struct koshu_cluster *c)
{
    struct level l;
    size_t found = 1;
    koshu_status status = begin(c, &l);
    for (bool stars = true; status == KOSHU_OK && found > 0 && l.n > 1;
         stars = false) {
        status = find_nearest(c, &l);
        if (status == KOSHU_OK) found = pair_level(c, &l, stars);
    }
    release(&l);
    return status;
}
