/* SPDX-License-Identifier: MIT */
/* Measures a star cluster: density centre, pairs, profile, segregation. */
#include "analysis/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "domain/domain.h"
#include "output/output.h"
#include "particles/particles.h"

KOSHU_DEFINE_DEFAULT(koshu_cluster_options, .gravitational_constant = 1,
                     .n_shells = 20, .n_massive = 10, .n_samples = 200,
                     .seed = 1)

enum { CORE_LEAST = 7, MASSIVE_MAX = 1000 };

/* ---- stars --------------------------------------------------------------- */

enum { COLUMNS = 9 }; /* id, mass, potential, x, v */

enum {
    FIELDS = KOSHU_FIELD_ID | KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
             KOSHU_FIELD_VELOCITY | KOSHU_FIELD_POTENTIAL
};

static void
set_member(struct koshu_cluster_body *b, int column, const double *value)
{
    if (column == 0)
        memcpy(&b->id, value, sizeof b->id);
    else if (column == 1)
        b->mass = *value;
    else if (column == 2)
        b->phi = *value;
    else if (column < 6)
        b->x[column - 3] = *value;
    else
        b->v[column - 6] = *value;
}

/* Gathers the stars of all ranks; column: work space for one column. */
static koshu_status
gather(struct koshu_particles *particles, struct koshu_cluster *c,
       double *column)
{
    struct koshu_particle_view v;
    const koshu_status status =
            koshu_particles_on_host(particles, FIELDS, KOSHU_ACCESS_READ, &v);
    KOSHU_TRY(koshu_ranks_collective_status(c->context, status));
    const double *const mine[COLUMNS] = {(const double *)(const void *)v.id,
                                         v.mass,
                                         v.potential,
                                         v.x,
                                         v.y,
                                         v.z,
                                         v.vx,
                                         v.vy,
                                         v.vz};
    for (int k = 0; k < COLUMNS; k++) {
        KOSHU_TRY(koshu_gather_column(particles, mine[k], column));
        for (size_t i = 0; i < c->n; i++)
            set_member(&c->star[i], k, &column[i]);
    }
    return KOSHU_OK;
}

static koshu_status
check_stars(const struct koshu_cluster *c)
{
    bool mass = false, potential = false, finite = true;
    size_t heavy = 0;
    for (size_t i = 0; i < c->n; i++) {
        mass = mass || c->star[i].mass > 0;
        heavy += c->star[i].mass > 0;
        potential = potential || c->star[i].phi != 0;
        finite = finite && isfinite(c->star[i].phi);
    }
    if (!mass)
        return koshu_fail(c->context, KOSHU_ERROR_BAD_INPUT,
                          "none of %zu particles has a mass: they are no "
                          "cluster; give masses to them",
                          c->n);
    if (!finite)
        return koshu_fail(c->context, KOSHU_ERROR_NOT_FINITE,
                          "a potential is not finite: compute them before a "
                          "cluster is measured (koshu_solver_forces() with "
                          "KOSHU_FIELD_POTENTIAL)");
    if (potential || heavy < 2) return KOSHU_OK;
    return koshu_fail(c->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "every potential is 0: the stars are at one place, or "
                      "potentials were not computed (koshu_solver_forces() "
                      "with KOSHU_FIELD_POTENTIAL)");
}

static koshu_status
read_stars(struct koshu_particles *particles, struct koshu_cluster *c)
{
    double *column = koshu_alloc(c->n, sizeof *column);
    koshu_status status = koshu_particles_check(particles);
    if (!column)
        status = koshu_fail_memory(c->context, c->n * sizeof *column,
                                   "stars of a cluster");
    status = koshu_ranks_collective_status(c->context, status);
    if (status == KOSHU_OK) status = gather(particles, c, column);
    koshu_free(column);
    for (size_t i = 0; i < c->n; i++) c->star[i].pair = -1;
    return status == KOSHU_OK ? check_stars(c) : status;
}

/* ---- the centre ---------------------------------------------------------- */

static void
find_centre_of_mass(struct koshu_cluster *c)
{
    struct koshu_sum mass = {0}, x[3] = {{0}};
    for (size_t i = 0; i < c->n; i++) {
        koshu_sum_add(&mass, c->star[i].mass);
        for (int k = 0; k < 3; k++)
            koshu_sum_add(&x[k], c->star[i].mass * c->star[i].x[k]);
    }
    for (int k = 0; k < 3; k++)
        c->summary.centre[k] = koshu_sum_value(x[k]) / koshu_sum_value(mass);
}

static koshu_status
find_centre(struct koshu_particles *particles, struct koshu_cluster *c)
{
    struct koshu_cluster_summary *s = &c->summary;
    if (c->n >= CORE_LEAST)
        KOSHU_TRY(koshu_core(particles, s->centre, &s->core_radius));
    if (c->n >= CORE_LEAST && isfinite(s->core_radius)) return KOSHU_OK;
    s->core_radius = 0; /* no density: all stars are at one position */
    find_centre_of_mass(c);
    return KOSHU_OK;
}

/* ---- the order of pairs -------------------------------------------------- */

struct order {
    double energy;
    size_t k;
};

static int
harder_first(const void *a, const void *b)
{
    const struct order *p = a, *q = b;
    if (p->energy != q->energy) return p->energy > q->energy ? -1 : 1;
    return (p->k > q->k) - (p->k < q->k);
}

static koshu_status
sort_pairs(struct koshu_cluster *c)
{
    const size_t n = c->n_pairs;
    struct order *order = koshu_alloc(n + 1, sizeof *order);
    int64_t *place = koshu_alloc(n + 1, sizeof *place);
    struct koshu_cluster_pair *sorted = koshu_alloc(n + 1, sizeof *sorted);
    if (!order || !place || !sorted) {
        koshu_free(order);
        koshu_free(place);
        koshu_free(sorted);
        return koshu_fail_memory(c->context, n * sizeof *sorted,
                                 "pairs of stars");
    }
    for (size_t k = 0; k < n; k++)
        order[k] = (struct order){c->pair[k].energy, k};
    qsort(order, n, sizeof *order, harder_first);
    for (size_t k = 0; k < n; k++) place[order[k].k] = (int64_t)k;
    for (size_t k = 0; k < n; k++) {
        struct koshu_cluster_pair *p = &sorted[k];
        *p = c->pair[order[k].k];
        for (int m = 0; m < 2; m++)
            if (p->inner[m] >= 0) p->inner[m] = place[p->inner[m]];
        if (p->outer >= 0) p->outer = place[p->outer];
    }
    koshu_free(c->pair);
    c->pair = sorted;
    koshu_free(order);
    koshu_free(place);
    return KOSHU_OK;
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_cluster_options *o)
{
    const double g = o->gravitational_constant;
    if (!(g > 0 && isfinite(g) && o->softening >= 0 && isfinite(o->softening)))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a cluster has a gravitational constant above 0 and "
                          "a softening of 0 or more; got %g, %g",
                          g, o->softening);
    if (o->n_shells >= 1 && o->n_massive >= 2 && o->n_massive <= MASSIVE_MAX &&
        o->n_samples >= 2 && o->n_samples <= UINT32_MAX)
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "a cluster has 1 shell or more, 2 to %d massive systems, "
                      "2 samples or more; got %zu, %zu, %zu",
                      MASSIVE_MAX, o->n_shells, o->n_massive, o->n_samples);
}

static koshu_status
allocate(struct koshu_cluster *c)
{
    const size_t n = c->n;
    if (n > UINT32_MAX)
        return koshu_fail(c->context, KOSHU_ERROR_UNSUPPORTED,
                          "a cluster of %zu stars: 2^32 at most", n);
    c->star = koshu_alloc(n, sizeof *c->star);
    c->pair = koshu_alloc(n, sizeof *c->pair);
    c->pair_body = koshu_alloc(n, sizeof *c->pair_body);
    c->child = koshu_alloc(n, sizeof *c->child);
    c->systems.body = koshu_alloc(n, sizeof *c->systems.body);
    if (c->star && c->pair && c->pair_body && c->child && c->systems.body)
        return KOSHU_OK;
    return koshu_fail_memory(c->context, n * sizeof *c->star, "a cluster");
}

/* Frees what the results do not need. */
static void
release_stars(struct koshu_cluster *c)
{
    koshu_free(c->star);
    koshu_free(c->pair_body);
    koshu_free(c->child);
    koshu_free(c->systems.body);
    c->star = c->pair_body = c->systems.body = NULL;
    c->child = NULL;
}

static koshu_status
measure(struct koshu_particles *particles, struct koshu_cluster *c)
{
    KOSHU_TRY(koshu_ranks_collective_status(c->context, allocate(c)));
    KOSHU_TRY(read_stars(particles, c));
    KOSHU_TRY(find_centre(particles, c));
    koshu_status status = koshu_cluster_find_pairs(c);
    if (status == KOSHU_OK) {
        koshu_cluster_find_systems(c);
        status = koshu_cluster_measure_radii(c);
    }
    if (status == KOSHU_OK) status = koshu_cluster_measure_segregation(c);
    if (status == KOSHU_OK) status = sort_pairs(c);
    release_stars(c);
    return koshu_ranks_collective_status(c->context, status);
}

koshu_status
koshu_cluster_create(struct koshu_particles *particles,
                     const struct koshu_cluster_options *options,
                     struct koshu_cluster **cluster)
{
    KOSHU_REQUIRE(NULL, particles);
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_cluster_options o;
    KOSHU_REQUIRE(context, cluster);
    *cluster = NULL;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_cluster_options, options, &o));
    KOSHU_TRY(check_options(context, &o));
    struct koshu_cluster *c = calloc(1, sizeof *c);
    koshu_status status =
            c ? KOSHU_OK : koshu_fail_memory(context, sizeof *c, "a cluster");
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) {
        c->context = context;
        c->options = o;
        c->n = koshu_particles_total(particles);
        c->summary.size = sizeof c->summary;
        status = measure(particles, c);
    }
    if (status == KOSHU_OK)
        *cluster = c;
    else
        koshu_cluster_destroy(c);
    return status;
}

void
koshu_cluster_destroy(struct koshu_cluster *c)
{
    if (!c) return;
    release_stars(c);
    koshu_free(c->pair);
    koshu_free(c->shell);
    free(c);
}

/* ---- results ------------------------------------------------------------- */

KOSHU_DEFINE_REPORT(koshu_cluster_summary, cluster, koshu_cluster_summary,
                    summary, cluster->summary)

const struct koshu_cluster_shell *
koshu_cluster_shells(const struct koshu_cluster *cluster, size_t *n)
{
    if (n) *n = cluster ? cluster->n_shells : 0;
    return cluster ? cluster->shell : NULL;
}

const struct koshu_cluster_pair *
koshu_cluster_pairs(const struct koshu_cluster *cluster, size_t *n)
{
    if (n) *n = cluster ? cluster->n_pairs : 0;
    return cluster ? cluster->pair : NULL;
}
