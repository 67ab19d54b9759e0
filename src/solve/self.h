/* SPDX-License-Identifier: MIT */
/* Which j-particle of its set an i-particle is itself: from ids. */
#ifndef KOSHU_SOLVE_SELF_H
#define KOSHU_SOLVE_SELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/force.h>

/* Sets as those of koshu_force_direct_sets(), their offsets checked. */
struct koshu_id_sets {
    size_t n;
    const size_t *i_offset, *j_offset;
    const struct koshu_i_particles *i;
    const struct koshu_j_particles *j;
};

/*
 * *self: as in struct koshu_force_targets; NULL where no ids are given.
 * *memory is the caller's, for koshu_free(); NULL where *self is of the ids
 * themselves. KOSHU_ERROR_INVALID_ARGUMENT: an id of an i-particle below
 * KOSHU_NO_ID, a negative one of a j-particle, or two of a set that are the
 * same; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_self_find(struct koshu_context *context,
                             const struct koshu_id_sets *sets,
                             const uint64_t **self, uint64_t **memory);

/* Grows `self`, which has 0 ... n_self - 1, to n indices at least: for
 * particles that are i- and j-particles. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_self_reserve(struct koshu_context *context, uint64_t **self,
                                size_t *n_self, size_t n);

/* KOSHU_ERROR_INVALID_ARGUMENT: as above, but for ids that are the same; NULL:
 * there are none. */
koshu_status koshu_check_ids(struct koshu_context *context, size_t n,
                             const int64_t *id, bool of_j);

#endif
