/* SPDX-License-Identifier: MIT */
/* The particles of a domain. Internal to this module. */
#ifndef KOSHU_DOMAIN_MIGRATION_H
#define KOSHU_DOMAIN_MIGRATION_H

#include "domain/domain.h"
#include "particles/particles.h"

struct koshu_domain_copy {
    struct koshu_context *context;
    struct koshu_particles *store; /* of which it is the copy */
    size_t total;                  /* of all ranks */
    /* home: exchange with the store, if `traced`; next: with new owners. */
    struct koshu_particle_exchange home, next;
    bool traced;
    unsigned fields; /* existing ones */
    /* Those of this rank's domain. Their ids are numbers in the whole. */
    struct koshu_particles *here;
    /* Those that now have other owners: number << 32 | owner, ascending. There
     * is memory for twice as many, and for their numbers. */
    size_t n_others;
    uint64_t *other;
    int turns;   /* number of turns in which they go */
    size_t n_go; /* those of the present turn, by number */
    uint32_t *go;
    double *cuts; /* the previous ones */
    size_t capacity_other, capacity_go, capacity_cuts;
};

#endif
