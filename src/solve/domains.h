/* SPDX-License-Identifier: MIT */
/* The particles of all ranks, each on the rank whose domain it is in, while
 * their forces are computed. */
#ifndef KOSHU_SOLVE_DOMAINS_H
#define KOSHU_SOLVE_DOMAINS_H

#include "domain/domain.h"
#include "particles/particles.h"
#include "tree/tree.h"

struct koshu_tree_report;

/* What is to be known of the particles of one rank, or of all. */
struct koshu_outline {
    struct koshu_tree_extent extent; /* infinite: there are no particles */
    struct koshu_tree_masses masses;
    double mass; /* the sum of all |m| */
    uint64_t n;
    bool has_accelerations;
};

/* Collective. KOSHU_ERROR_NOT_FINITE, which names the particle;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_outline_of_all(struct koshu_context *context,
                                  const struct koshu_particle_view *particles,
                                  struct koshu_outline *all);

double koshu_outline_side(const struct koshu_outline *outline);

/* Begun as {0} but for the context. */
struct koshu_domains {
    struct koshu_context *context;
    struct koshu_particle_exchange exchange;
    struct koshu_particle_view here; /* of this rank's domain; may be none */
    double *column;
    size_t capacity_column;
    /* Seconds in the present forces, in all and of what: as in the report. */
    struct koshu_exposed {
        double all, domains, particles, essential, wait;
    } exposed;
};

/* What was done since then is exposed: of these seconds of the present forces.
 * Returns the time. */
double
koshu_domains_expose(struct koshu_domains *domains, double *of, double since);

/*
 * This rank's particles to the ranks that own them, by their work in the last
 * forces; with accelerations where these are requested. Their work becomes 0,
 * to be counted again. Collective. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_domains_bring(struct koshu_domains *domains,
                                 const struct koshu_particle_view *particles,
                                 const struct koshu_outline *all,
                                 bool accelerations);

/* Their work, accelerations and, where requested, potentials back. Collective.
 */
koshu_status
koshu_domains_give_back(struct koshu_domains *domains, bool potential,
                        const struct koshu_particle_view *particles);

/* A report's counts become those of all ranks; work: of this rank, which the
 * imbalance is of. Collective. */
koshu_status koshu_domains_add_reports(struct koshu_domains *domains,
                                       double work,
                                       struct koshu_tree_report *report);

void koshu_domains_free(struct koshu_domains *domains);

#endif
