/* SPDX-License-Identifier: MIT */
/* Finds from ids which j-particle of its set an i-particle is itself. */
#ifndef KOSHU_SOLVE_SELF_H
#define KOSHU_SOLVE_SELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/force.h>

/* Sets as of koshu_force_direct_sets(), with checked offsets. */
struct koshu_id_sets {
    size_t n;
    const size_t *i_offset, *j_offset;
    const struct koshu_i_particles *i;
    const struct koshu_j_particles *j;
};

/*
 * *self: as in struct koshu_force_targets; NULL if no ids are given. *memory
 * belongs to the caller, for koshu_free(); NULL if *self points to the ids
 * themselves. KOSHU_ERROR_INVALID_ARGUMENT: an id of an i-particle is below
 * KOSHU_NO_ID, one of a j-particle is negative, or two of a set are equal;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_self_find(struct koshu_context *context,
                             const struct koshu_id_sets *sets,
                             const uint64_t **self, uint64_t **memory);

/* Extends `self`, which holds 0 ... n_self - 1, to at least n indices, for
 * particles that are both i- and j-particles. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_self_reserve(struct koshu_context *context, uint64_t **self,
                                size_t *n_self, size_t n);

/* KOSHU_ERROR_INVALID_ARGUMENT: as above, except for equal ids; NULL: none. */
koshu_status koshu_check_ids(struct koshu_context *context, size_t n,
                             const int64_t *id, bool of_j);

#endif
