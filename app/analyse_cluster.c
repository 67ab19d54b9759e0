/* SPDX-License-Identifier: MIT */
/* koshu analyse --cluster, --profiles, --binaries: star clusters. */
#include "analyse_cluster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "info_state.h"

/* ---- one snapshot -------------------------------------------------------- */

/* Potentials in double precision for few particles, whatever the file has: in a
 * hard pair, most digits of the potential are the pair's own. */
static koshu_status
find_potentials(const struct analyse_snapshot *s)
{
    const bool few = koshu_particles_total(s->particles) <= PAIRS_LIMIT;
    if (few)
        return compute_potential(s->particles, &s->info, KOSHU_PRECISION_DOUBLE,
                                 false);
    if (s->info.has_potential) return KOSHU_OK;
    return compute_potential(s->particles, &s->info, KOSHU_PRECISION_MIXED,
                             true);
}

static koshu_status
measure(struct analysis *w, const struct analyse_snapshot *s,
        struct cluster_of *c)
{
    struct koshu_cluster_options o = koshu_cluster_options_default();
    o.gravitational_constant =
            koshu_units_gravitational_constant(&s->info.units);
    o.softening = s->info.softening;
    o.n_shells = w->a->shells;
    o.n_massive = w->a->massive;
    KOSHU_TRY(find_potentials(s));
    KOSHU_TRY(koshu_cluster_create(s->particles, &o, &c->cluster));
    c->summary.size = sizeof c->summary;
    KOSHU_TRY(koshu_cluster_summary(c->cluster, &c->summary));
    c->shell = koshu_cluster_shells(c->cluster, &c->n_shells);
    c->pair = koshu_cluster_pairs(c->cluster, &c->n_pairs);
    analyse_time_text(s, sizeof c->label, c->label);
    c->step = s->info.step;
    c->time = s->info.time;
    return KOSHU_OK;
}

/* The bound mass lost since the snapshot before, as a fraction per time. */
static double
escape_rate(const struct cluster_of *before, const struct cluster_of *now)
{
    const double mass = before->summary.bound_mass,
                 time = now->time - before->time;
    if (!(mass > 0) || time == 0) return NAN;
    return (mass - now->summary.bound_mass) / (mass * time);
}

static koshu_status
measure_file(struct analysis *w, size_t k, struct cluster_of *c)
{
    struct analyse_snapshot s;
    koshu_status status = analyse_read_isolated(w, k, &s);
    if (status == KOSHU_OK) {
        printf("%s  %zu particles\n", printable(s.path),
               koshu_particles_total(s.particles));
        status = measure(w, &s, &c[k]);
    }
    analyse_free(&s);
    if (status != KOSHU_OK) return status;
    c[k].escape_rate = k > 0 ? escape_rate(&c[k - 1], &c[k]) : NAN;
    if (w->a->cluster) print_cluster(w, &c[k]);
    if (w->a->profiles) print_profile(w, &c[k]);
    if (w->a->binaries) print_binaries(w, &c[k]);
    return KOSHU_OK;
}

/* ---- all ----------------------------------------------------------------- */

/* All ranks have the same results. */
static koshu_status
show(const struct analysis *w, const struct cluster_of *c)
{
    koshu_status status = KOSHU_OK;
    if (koshu_ranks_rank(w->context) == 0) {
        if (w->a->output) status = write_clusters(w, c);
        if (status == KOSHU_OK && w->a->picture) status = draw_clusters(w, c);
    }
    return koshu_ranks_collective_status(w->context, status);
}

koshu_status
analyse_clusters(struct analysis *w)
{
    const size_t n = w->a->files.n;
    struct cluster_of *c = calloc(n, sizeof *c);
    if (!c) return koshu_fail_memory(w->context, n * sizeof *c, "clusters");
    koshu_status status = KOSHU_OK;
    for (size_t k = 0; k < n && status == KOSHU_OK; k++)
        status = measure_file(w, k, c);
    if (status == KOSHU_OK) status = show(w, c);
    for (size_t k = 0; k < n; k++) koshu_cluster_destroy(c[k].cluster);
    free(c);
    return status;
}
