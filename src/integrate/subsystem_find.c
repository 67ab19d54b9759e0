/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "integrate/subsystem_find.h"

/* What is no further from a group than this many times its radius is of it: its
 * bodies would meet that otherwise. Two groups are points to each other's
 * bodies, or pairs that go on as they are, which takes (r / R)^5 of the energy
 * of the smaller at a distance of R; so they are one before, at this many radii
 * of the smaller: to a large one beside it that is a point. But not where it is
 * further than any two bodies of a pair can be: a group that grows by what it
 * reaches, and reaches further then, would draw in all there is. */
static const double reach_of_radius = 1.5, reach_of_groups = 16;

/* Two that pass each other, unbound, are left to block steps until they are
 * nearer by this. A group of them is large, and a point to other groups: where
 * these are not far, the energy would be off by some of what is between them.
 */
static const double passing = 8;

/* What meets a hard binary is left to block steps until it is nearer by this:
 * in a group with it, its every revolution would be integrated. */
static const double deeper = 16;

/* But what goes round a binary, and comes so near it, in radii, is moved by
 * every revolution: its block steps would be as short as those of a chain. One
 * in which the binary is slowed takes few steps at any distance, and loses no
 * energy on the way round. */
static double
reach_of_pair(const struct koshu_grouping *how)
{
    return how->slows ? INFINITY : 50;
}

static double
dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double
koshu_pair_apocentre(double mass, const double *x, const double *v,
                     double *semi_major)
{
    const double r = sqrt(dot(x, x)), along = dot(x, v);
    const double energy = dot(v, v) / 2 - mass / r;
    *semi_major = -mass / (2 * energy);
    if (!(energy < 0)) return 0;
    const double a = *semi_major, e_cos = 1 - r / a;
    return a * (1 + sqrt(e_cos * e_cos + along * along / (a * mass)));
}

double
koshu_usual_mass(size_t n, const double *mass)
{
    double sum = 0, squares = 0;
    for (size_t k = 0; k < n; k++) {
        sum += mass[k];
        squares += mass[k] * mass[k];
    }
    return sum > 0 ? squares / sum : 0;
}

/* Bodies of a hierarchy: of more the outer ones are left to block steps, and
 * chains stay short. */
enum { MAX_HIERARCHY = 5 };

/* ---- two clusters -------------------------------------------------------- */

static void
between(const struct koshu_clump *a, const struct koshu_clump *b, double *x,
        double *v)
{
    for (int d = 0; d < 3; d++) {
        x[d] = b->x[d] - a->x[d];
        v[d] = b->v[d] - a->v[d];
    }
}

/* Two groups, or a star and one, on a narrow orbit about each other. A star
 * that goes round a triple would take block steps as short as those of a chain.
 */
static bool
are_hierarchy(const struct koshu_clump *a, const struct koshu_clump *b,
              const double *x, const double *v, double distance, double reach)
{
    double semi_major;
    if (a->n + b->n > MAX_HIERARCHY) return false;
    const double far =
            koshu_pair_apocentre(a->mass + b->mass, x, v, &semi_major);
    return far > 0 && semi_major < distance &&
           2 * semi_major - far < reach * (a->radius + b->radius);
}

/* Two bodies. */
static bool
are_pair(double mass, double r, const double *x, const double *v,
         double distance, double limit)
{
    double semi_major;
    const bool bound = koshu_pair_apocentre(mass, x, v, &semi_major) > 0;
    if (!bound) return r < distance / passing;
    return r < distance || (r < limit && semi_major < distance);
}

static bool
are_near(const struct koshu_clump *a, const struct koshu_clump *b,
         const struct koshu_grouping *how)
{
    double x[3], v[3];
    between(a, b, x, v);
    const double mass = a->mass + b->mass, r = sqrt(dot(x, x));
    const size_t n = a->n + b->n;
    const double distance = koshu_grouping_distance(how, mass, n),
                 limit = koshu_grouping_limit(how, mass, n);
    if (n == 2) return are_pair(mass, r, x, v, distance, limit);
    const double reach =
            how->wider * fmax(reach_of_radius * (a->radius + b->radius),
                              reach_of_groups * fmin(a->radius, b->radius));
    return r < fmax(distance / deeper, fmin(limit, reach)) ||
           (r < limit && are_hierarchy(a, b, x, v, distance,
                                       how->wider * reach_of_pair(how)));
}

static double
radius_of_both(const struct koshu_clump *a, const struct koshu_clump *b)
{
    double x[3], v[3], semi_major;
    between(a, b, x, v);
    const double r = sqrt(dot(x, x)), m = a->mass + b->mass;
    if (a->n + b->n > 2)
        return fmax(b->mass / m * r + a->radius, a->mass / m * r + b->radius);
    return fmax(r, koshu_pair_apocentre(m, x, v, &semi_major));
}

static void
join(struct koshu_clump *a, const struct koshu_clump *b, size_t *next)
{
    const double radius = radius_of_both(a, b), m = a->mass + b->mass,
                 part = b->mass / m;
    for (int d = 0; d < 3; d++) {
        a->x[d] += part * (b->x[d] - a->x[d]);
        a->v[d] += part * (b->v[d] - a->v[d]);
    }
    a->mass = m;
    a->radius = radius;
    a->n += b->n;
    next[a->last] = b->first;
    a->last = b->last;
}

/* ---- all of them --------------------------------------------------------- */

/* Along x, so that what is near is soon found. Of those that are near a cluster
 * the one with which it would be the smallest: what is hard in a group is found
 * before what is around it, in whatever order they lie, and no radius is that
 * of an orbit of one body of a binary about a third. */
struct mark {
    double x[3];
    size_t cluster, partner; /* a mark; or its own: none */
    double radius;           /* of both */
};

static int
compare(const void *a, const void *b)
{
    const struct mark *p = a, *q = b;
    if (p->x[0] != q->x[0]) return p->x[0] < q->x[0] ? -1 : 1;
    return p->cluster < q->cluster ? -1 : 1;
}

static void
mark_all(size_t n, const struct koshu_clump *c, struct mark *mark)
{
    for (size_t k = 0; k < n; k++)
        mark[k] = (struct mark){.x = {c[k].x[0], c[k].x[1], c[k].x[2]},
                                .cluster = k};
    qsort(mark, n, sizeof *mark, compare);
    for (size_t k = 0; k < n; k++) {
        mark[k].partner = k;
        mark[k].radius = INFINITY;
    }
}

/* Along y and z. */
static inline bool
may_be_near(const struct mark *a, const struct mark *b, double reach)
{
    return fabs(b->x[1] - a->x[1]) < reach && fabs(b->x[2] - a->x[2]) < reach;
}

/* The largest mean mass of the bodies of a cluster. */
static double
heaviest_of(size_t n, const struct koshu_clump *c)
{
    double heaviest = 0;
    for (size_t k = 0; k < n; k++)
        heaviest = fmax(heaviest, c[k].mass / (double)c[k].n);
    return heaviest;
}

static void
propose(struct mark *mark, size_t i, size_t j, double radius)
{
    if (!(radius < mark[i].radius)) return;
    mark[i].partner = j;
    mark[i].radius = radius;
}

/* Each cluster with those after it along x. */
static void
find_partners(size_t n, const struct koshu_clump *c, struct mark *mark,
              const struct koshu_grouping *how)
{
    const double reach = koshu_grouping_limit(how, heaviest_of(n, c), 1);
    for (size_t i = 0; i < n; i++) {
        const struct koshu_clump *a = &c[mark[i].cluster];
        for (size_t j = i + 1; j < n && mark[j].x[0] - mark[i].x[0] < reach;
             j++) {
            const struct koshu_clump *b = &c[mark[j].cluster];
            if (!may_be_near(&mark[i], &mark[j], reach)) continue;
            if (!are_near(a, b, how)) continue;
            const double radius = radius_of_both(a, b);
            propose(mark, i, j, radius);
            propose(mark, j, i, radius);
        }
    }
}

/* Those that are each other's partners, as at least the smallest of all are;
 * what is joined to another has no bodies left. False: some that are near are
 * too many for a group. */
static bool
join_partners(size_t n, struct koshu_clump *c, const struct mark *mark,
              size_t *next, bool *joined)
{
    *joined = false;
    for (size_t i = 0; i < n; i++) {
        const size_t j = mark[i].partner;
        struct koshu_clump *a = &c[mark[i].cluster];
        struct koshu_clump *b = &c[mark[j].cluster];
        if (j <= i || mark[j].partner != i) continue;
        if (a->n + b->n > KOSHU_FEWBODY_MAX) return false;
        join(a, b, next);
        b->n = 0;
        *joined = true;
    }
    return true;
}

static size_t
remove_empty(size_t n, struct koshu_clump *c)
{
    size_t left = 0;
    for (size_t k = 0; k < n; k++)
        if (c[k].n > 0) c[left++] = c[k];
    return left;
}

koshu_status
koshu_find_subsystems(struct koshu_context *context,
                      const struct koshu_grouping *how, size_t *n,
                      struct koshu_clump *cluster, size_t *next)
{
    bool joined = true, fit = true;
    if (*n < 2) return KOSHU_OK;
    struct mark *mark = koshu_alloc(*n, sizeof *mark);
    if (!mark) return koshu_fail_memory(context, *n * sizeof *mark, "groups");
    while (fit && joined && *n > 1) {
        mark_all(*n, cluster, mark);
        find_partners(*n, cluster, mark, how);
        fit = join_partners(*n, cluster, mark, next, &joined);
        *n = remove_empty(*n, cluster);
    }
    koshu_free(mark);
    if (fit) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "more than %d bodies are near each other, too many for a "
                      "few-body group: regularisation (%g) must be smaller",
                      KOSHU_FEWBODY_MAX, how->distance);
}
