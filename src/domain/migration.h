/* SPDX-License-Identifier: MIT */
/* The arrays of a domain's particles, within the module. */
#ifndef KOSHU_DOMAIN_MIGRATION_H
#define KOSHU_DOMAIN_MIGRATION_H

#include "domain/domain.h"
#include "particles/particles.h"

/* Arrays of a store's particles, of which some are there; then which of the
 * store they are, ascending; then memory for another. */
enum { KOSHU_LANE_INDEX = KOSHU_ARRAYS, KOSHU_LANE_SPARE, KOSHU_LANES };

struct koshu_domain_copy {
    struct koshu_context *context;
    size_t total; /* particles of all ranks */
    /* With the store, if `traced`; and to other owners. */
    struct koshu_particle_exchange home, next;
    bool traced;
    unsigned fields;    /* that there are */
    size_t n, capacity; /* of each array */
    void *lane[KOSHU_LANES];
};

/* Is it one where there are these fields? */
static inline bool
koshu_is_lane(unsigned fields, size_t k)
{
    return k >= KOSHU_ARRAYS || (koshu_particle_arrays[k].field & fields);
}

/* Memory for these fields, too, of n particles. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domain_copy_reserve(struct koshu_domain_copy *copy,
                                       unsigned fields, size_t n);

#endif
