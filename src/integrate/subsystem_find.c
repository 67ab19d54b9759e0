/* SPDX-License-Identifier: MIT */
/* Finds few-body groups: see subsystem_find.h. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "integrate/subsystem_find.h"

/* Factors of the radius. A particle or group within reach_of_radius radii of a
 * group belongs to it, because the bodies would otherwise come near each other
 * outside a chain. Two groups act on each other's bodies as points, or as pairs
 * on unperturbed orbits, which at a distance R costs (r / R)^5 of the energy of
 * the smaller group, of radius r. They are therefore joined within
 * reach_of_groups radii of the smaller one, which is a point to a large group
 * beside it. Neither applies beyond the largest separation of a pair: a group
 * whose reach grows with its size would absorb everything. */
static const double reach_of_radius = 1.5, reach_of_groups = 16;

/* Two unbound bodies that pass each other are left to block steps until they
 * are nearer by this factor. Their group would be large, and a point to other
 * groups; near those, the energy would be wrong by some of the energy between
 * them. */
static const double passing = 8;

/* A particle near a hard binary is left to block steps until it is nearer by
 * this factor: in one group with the binary, each revolution of it would be
 * integrated. */
static const double deeper = 16;

/* Up to this pericentre, in radii of the binary, a bound companion joins its
 * group: each revolution of the binary disturbs it, and its block steps would
 * be as short as those of a chain. If binaries in chains can be slowed down,
 * the chain takes few steps at any distance and loses no energy along the
 * orbit, so there is no limit. */
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

/* Largest number of bodies of a hierarchy. The outer bodies of a larger one are
 * left to block steps, which keeps chains short. */
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

/* Whether two groups, or a star and a group, are on a narrow orbit about each
 * other. A star that orbits a triple would take block steps as short as those
 * of a chain. */
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

/* Whether two single bodies form a group. */
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

/* A cluster in the order of x, in which near ones are found fast. Its partner
 * is, of the clusters near it, the one with which it would form the smallest
 * group. So hard subsystems are found before those around them, whatever the
 * order of the particles, and no radius is computed from the orbit of a third
 * body about one body of a binary. */
struct mark {
    double x[3];
    /* indices; partner: of a mark, its own if there is none */
    size_t cluster, partner;
    double radius; /* of the group with the partner */
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

/* Whether two are near along y and z. */
static inline bool
may_be_near(const struct mark *a, const struct mark *b, double reach)
{
    return fabs(b->x[1] - a->x[1]) < reach && fabs(b->x[2] - a->x[2]) < reach;
}

/* The largest mean mass per body of a cluster. */
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

/* Compares each cluster with those after it along x. */
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

/* Joins clusters that are each other's partners, as the closest pair always
 * are. A cluster that has been joined to another is left with no bodies. false:
 * too many bodies are near each other for one group. */
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
