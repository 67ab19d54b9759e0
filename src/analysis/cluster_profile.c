/* SPDX-License-Identifier: MIT */
/* Radii, time scales and shells of the bound systems, by distance from the
 * density centre. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/cluster.h"
#include "base/base.h"

/* Minimum number of systems in a shell; index of 1/2 among the fractions. */
enum { LEAST = 10, HALF = 4 };

/* ---- distances ----------------------------------------------------------- */

static double
distance(const struct koshu_cluster *c, const double x[3])
{
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
        const double d = x[k] - c->summary.centre[k];
        r2 += d * d;
    }
    return sqrt(r2);
}

static int
nearer_first(const void *a, const void *b)
{
    const struct koshu_cluster_ranked *p = a, *q = b;
    if (p->r != q->r) return p->r < q->r ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

static void
rank(const struct koshu_cluster *c, struct koshu_cluster_ranked *order)
{
    size_t n = 0;
    for (size_t i = 0; i < c->systems.n; i++)
        if (c->systems.body[i].bound)
            order[n++] = (struct koshu_cluster_ranked){
                    distance(c, c->systems.body[i].x), (uint32_t)i};
    qsort(order, n, sizeof *order, nearer_first);
}

static const struct koshu_cluster_body *
body_of(const struct koshu_cluster *c, const struct koshu_cluster_ranked *order,
        size_t i)
{
    return &c->systems.body[order[i].index];
}

/* ---- of the whole -------------------------------------------------------- */

/* The velocity relative to the cluster's: along the radius; *across2: across
 * it, squared. */
static double
radial(const struct koshu_cluster *c, const struct koshu_cluster_body *b,
       double r, double *across2)
{
    double v2 = 0, along = 0;
    for (int k = 0; k < 3; k++) {
        const double v = b->v[k] - c->summary.velocity[k];
        v2 += v * v;
        if (r > 0) along += v * (b->x[k] - c->summary.centre[k]) / r;
    }
    *across2 = v2 - along * along;
    return along;
}

static void
find_radii(struct koshu_cluster *c, const struct koshu_cluster_ranked *order)
{
    struct koshu_cluster_summary *s = &c->summary;
    struct koshu_sum within = {0};
    int k = 0;
    for (size_t i = 0; i < s->n_bound; i++) {
        koshu_sum_add(&within, body_of(c, order, i)->mass);
        const double mass = koshu_sum_value(within);
        if (order[i].r <= s->core_radius) s->core_mass = mass;
        /* half of ten equal masses is five of them */
        while (k < KOSHU_LAGRANGIAN_COUNT &&
               mass >= (koshu_lagrangian_fractions[k] - 4 * DBL_EPSILON) *
                               s->bound_mass)
            s->lagrangian_radius[k++] = order[i].r;
    }
}

static void
find_anisotropy(struct koshu_cluster *c,
                const struct koshu_cluster_ranked *order)
{
    struct koshu_sum along = {0}, across = {0};
    for (size_t i = 0; i < c->summary.n_bound; i++) {
        const struct koshu_cluster_body *b = body_of(c, order, i);
        double t2;
        const double v = radial(c, b, order[i].r, &t2);
        koshu_sum_add(&along, b->mass * v * v);
        koshu_sum_add(&across, b->mass * t2);
    }
    const double r2 = koshu_sum_value(along), t2 = koshu_sum_value(across);
    c->summary.anisotropy = r2 > 0 ? 1 - t2 / (2 * r2) : 0;
}

static void
find_times(struct koshu_cluster *c)
{
    struct koshu_cluster_summary *s = &c->summary;
    const double n = (double)s->n_bound, m = s->bound_mass,
                 g = c->options.gravitational_constant;
    if (!(m > 0)) return;
    const double rms = sqrt(2 * s->kinetic / m);
    s->velocity_dispersion = rms / sqrt(3);
    if (rms > 0) s->crossing_time = 2 * s->virial_radius / rms;
    if (s->n_bound >= 10) /* ln(0.11 N) > 0 */
        s->relaxation_time =
                0.138 * n * sqrt(pow(s->lagrangian_radius[HALF], 3) / (g * m)) /
                log(0.11 * n);
}

/* ---- shells -------------------------------------------------------------- */

/* Sums over a shell. */
struct sums {
    double mass, radius, along, along2, across2;
};

static struct sums
sum_shell(const struct koshu_cluster *c,
          const struct koshu_cluster_ranked *order, size_t begin, size_t end)
{
    struct sums s = {0};
    for (size_t i = begin; i < end; i++) {
        const struct koshu_cluster_body *b = body_of(c, order, i);
        double t2;
        const double v = radial(c, b, order[i].r, &t2);
        s.mass += b->mass;
        s.radius += b->mass * order[i].r;
        s.along += b->mass * v;
        s.along2 += b->mass * v * v;
        s.across2 += b->mass * t2;
    }
    return s;
}

static void
fill_shell(struct koshu_cluster_shell *p, const struct sums *s)
{
    const double volume = 4 * M_PI / 3 * (pow(p->outer, 3) - pow(p->inner, 3));
    const double n = (double)p->n;
    p->mass = s->mass;
    p->mean_mass = s->mass / n;
    if (volume > 0) {
        p->density = s->mass / volume;
        p->number_density = n / volume;
    }
    if (!(s->mass > 0)) return;
    p->radius = s->radius / s->mass;
    p->radial_velocity = s->along / s->mass;
    const double r2 = fmax(0, s->along2 / s->mass -
                                      p->radial_velocity * p->radial_velocity),
                 t2 = s->across2 / s->mass / 2;
    p->radial_dispersion = sqrt(r2);
    p->tangential_dispersion = sqrt(t2);
    p->velocity_dispersion = sqrt((r2 + 2 * t2) / 3);
    p->anisotropy = r2 > 0 ? 1 - t2 / r2 : 0;
}

static void
cut_shells(struct koshu_cluster *c, const struct koshu_cluster_ranked *order)
{
    const size_t n = c->summary.n_bound, shells = c->n_shells;
    double inner = 0, within = 0;
    for (size_t k = 0; k < shells; k++) {
        /* n * k cannot overflow for n that fit in memory */
        const size_t begin = n * k / shells, end = n * (k + 1) / shells;
        const struct sums s = sum_shell(c, order, begin, end);
        c->shell[k] = (struct koshu_cluster_shell){
                .n = end - begin, .inner = inner, .outer = order[end - 1].r};
        fill_shell(&c->shell[k], &s);
        c->shell[k].mass_within = within += s.mass;
        inner = c->shell[k].outer;
    }
}

/* ---- all ----------------------------------------------------------------- */

koshu_status
koshu_cluster_measure_radii(struct koshu_cluster *c)
{
    const size_t n = c->summary.n_bound, wanted = c->options.n_shells;
    for (size_t k = 0; k < c->n_pairs; k++)
        c->pair[k].radius = distance(c, c->pair[k].position);
    if (n == 0) return KOSHU_OK;
    const size_t shells = n / LEAST < wanted ? n / LEAST : wanted;
    struct koshu_cluster_ranked *order = koshu_alloc(n, sizeof *order);
    c->n_shells = shells;
    c->shell = koshu_alloc(shells + 1, sizeof *c->shell);
    if (!order || !c->shell) {
        koshu_free(order);
        return koshu_fail_memory(c->context, n * sizeof *order,
                                 "profiles of a cluster");
    }
    rank(c, order);
    find_radii(c, order);
    find_anisotropy(c, order);
    find_times(c);
    cut_shells(c, order);
    koshu_free(order);
    return KOSHU_OK;
}
