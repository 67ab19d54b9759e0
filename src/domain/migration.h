/* SPDX-License-Identifier: MIT */
/* The particles of a domain, within the module. */
#ifndef KOSHU_DOMAIN_MIGRATION_H
#define KOSHU_DOMAIN_MIGRATION_H

#include "domain/domain.h"
#include "particles/particles.h"

struct koshu_domain_copy {
    struct koshu_context *context;
    size_t total; /* particles of all ranks */
    /* With the store, if `traced`; and to other owners. */
    struct koshu_particle_exchange home, next;
    bool traced;
    unsigned fields; /* that there are */
    /* Of this rank's domain. Ids are which of the whole they are. */
    struct koshu_particles *here;
    /* Those that have other owners by now: their number << 32 | the owner,
     * ascending; memory for another as many, and for their numbers. */
    size_t n_others;
    uint64_t *other;
    int turns;   /* in which they go */
    size_t n_go; /* those of a turn: their numbers */
    uint32_t *go;
    double *cuts; /* of the last time */
    size_t capacity_other, capacity_go, capacity_cuts;
};

#endif
