/* SPDX-License-Identifier: MIT */
/* The particles of all ranks, each on the rank whose domain it is in; there
 * they stay. */
#ifndef KOSHU_SOLVE_DOMAINS_H
#define KOSHU_SOLVE_DOMAINS_H

#include "domain/domain.h"
#include "particles/particles.h"
#include "tree/tree.h"

struct koshu_backend;
struct koshu_tree_report;

/* What is to be known of the particles of one rank, or of all. */
struct koshu_outline {
    struct koshu_tree_extent extent; /* infinite: there are no particles */
    struct koshu_tree_masses masses;
    double mass; /* the sum of all |m| */
    uint64_t n;
    bool has_accelerations;
};

double koshu_outline_side(const struct koshu_outline *outline);
struct koshu_tree_box koshu_outline_box(const struct koshu_outline *outline);

/* Begun as {0} but for the context. */
struct koshu_domains {
    struct koshu_context *context;
    struct koshu_particles *particles;
    unsigned fields;              /* that sums need */
    struct koshu_backend *device; /* that keeps them; NULL: the host */
    struct koshu_particles
            *store; /* those of this rank's domain; may be none */
    struct koshu_particle_view here; /* the same, on the host */
    /* Seconds in the present forces, in all and of what: as in the report. */
    struct koshu_exposed {
        double all, domains, particles, essential, wait;
    } exposed;
};

/* So many seconds are exposed, or what was done since then: of these seconds of
 * the present forces. Returns the time. */
void koshu_domains_expose_seconds(struct koshu_domains *domains, double *of,
                                  double seconds);
double
koshu_domains_expose(struct koshu_domains *domains, double *of, double since);

/* The particles that this rank owns by now, and what sums need of them, on the
 * host or the device; accelerations where these are requested. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domains_begin(struct koshu_domains *domains,
                                 struct koshu_particles *particles,
                                 bool accelerations);

/* Of a device: the positions become those in a periodic box. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domains_wrap(struct koshu_domains *domains,
                                const double corner[3], double edge);

/* Those that have crossed a cut, which are by the work in the last forces and
 * the positions in v, go to their owners. All then have memory for the fields
 * that are to be computed, and no work, to be counted again; and all->mass is
 * known. Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domains_migrate(struct koshu_domains *domains,
                                   const struct koshu_particle_view *v,
                                   struct koshu_outline *all, unsigned fields);

/* Of the positions in v, or those on the device, but for the mass. Collective.
 * KOSHU_ERROR_NOT_FINITE, which names the particle; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_domains_outline(struct koshu_domains *domains,
                                   const struct koshu_particle_view *v,
                                   struct koshu_outline *all);

/* A report's counts become those of all ranks; work: of this rank, which the
 * imbalance is of. Collective. */
koshu_status koshu_domains_add_reports(struct koshu_domains *domains,
                                       double work,
                                       struct koshu_tree_report *report);

#endif
