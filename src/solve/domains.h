/* SPDX-License-Identifier: MIT */
/* The particles of all ranks, each on the rank whose domain contains it, where
 * they stay between evaluations. */
#ifndef KOSHU_SOLVE_DOMAINS_H
#define KOSHU_SOLVE_DOMAINS_H

#include "domain/domain.h"
#include "particles/particles.h"
#include "tree/tree.h"

struct koshu_backend;
struct koshu_tree_report;

/* Global properties of the particles of one rank, or of all. */
struct koshu_outline {
    struct koshu_tree_extent extent; /* infinite: no particles */
    struct koshu_tree_masses masses;
    double mass; /* the sum of all |m| */
    uint64_t n;
    bool has_accelerations;
};

double koshu_outline_side(const struct koshu_outline *outline);
struct koshu_tree_box koshu_outline_box(const struct koshu_outline *outline);

/* Initialised as {0} except for the context. */
struct koshu_domains {
    struct koshu_context *context;
    struct koshu_particles *particles;
    unsigned fields; /* needed by the sums */
    /* where the sums are computed; NULL: the host */
    struct koshu_backend *device;
    bool periodic; /* the root cube is that of the bounding box */
    struct koshu_particles
            *store; /* those in this rank's domain, which may be empty */
    struct koshu_particle_view here; /* the same, on the host */
    /* Exposed seconds in the present forces: total and by cause, as in the
     * report. */
    struct koshu_exposed {
        double all, domains, particles, essential, wait;
    } exposed;
};

/* Adds exposed seconds of the present forces to *of and to the total: the given
 * number, or the time since `since`. koshu_domains_expose() returns the present
 * time. */
void koshu_domains_expose_seconds(struct koshu_domains *domains, double *of,
                                  double seconds);
double
koshu_domains_expose(struct koshu_domains *domains, double *of, double since);

/* Provides the particles in this rank's present domain, with the fields that
 * the sums need and, if requested, accelerations, on the host or the device.
 * Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domains_begin(struct koshu_domains *domains,
                                 struct koshu_particles *particles,
                                 bool accelerations);

/* Wraps positions on a device into a periodic box. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domains_wrap(struct koshu_domains *domains,
                                const double corner[3], double edge);

/* Computes new domains from the work in the last forces and the positions in v,
 * and moves particles that have crossed a cut to their owners. Afterwards the
 * fields to be computed have memory, the work is 0, and all->mass is set.
 * Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domains_migrate(struct koshu_domains *domains,
                                   const struct koshu_particle_view *v,
                                   struct koshu_outline *all, unsigned fields);

/* The outline of all ranks except for the mass, from the positions in v or on
 * the device. Collective. KOSHU_ERROR_NOT_FINITE, which names the particle;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domains_outline(struct koshu_domains *domains,
                                   const struct koshu_particle_view *v,
                                   struct koshu_outline *all);

/* Turns a report's counts into those of all ranks; work: of this rank, for the
 * imbalance. Collective. */
koshu_status koshu_domains_add_reports(struct koshu_domains *domains,
                                       double work,
                                       struct koshu_tree_report *report);

#endif
