/* SPDX-License-Identifier: MIT */
/*
 * Which particles step when, with block time steps.
 *
 * A step is 2^level ticks long and divides the tick at which it begins, so all
 * particles of a level are synchronised. The next block ends where the step of
 * the lowest occupied level ends, and it contains all levels whose step divides
 * that tick. Particles are kept in order of level, so the members of any block
 * come first, and finding them takes time proportional to the size of the block
 * alone.
 */
#ifndef KOSHU_INTEGRATE_BLOCK_SCHEDULE_H
#define KOSHU_INTEGRATE_BLOCK_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/status.h>

struct koshu_context;

enum { KOSHU_BLOCK_LEVELS = 64 };

struct koshu_block_schedule {
    size_t n;
    uint64_t *order;   /* particles by level, within a level by index */
    uint64_t *scratch; /* of length n as well */
    size_t count[KOSHU_BLOCK_LEVELS];
};

/* A schedule of particles with the given steps. KOSHU_ERROR_OUT_OF_MEMORY:
 * leaves {0}. */
koshu_status koshu_block_schedule_create(struct koshu_context *context,
                                         size_t n, const uint64_t *step,
                                         struct koshu_block_schedule *schedule);
/* Leaves {0}, which may be destroyed again. */
void koshu_block_schedule_destroy(struct koshu_block_schedule *schedule);

/* The tick at which the next block ends, after one that ended at `now`;
 * UINT64_MAX where there are no particles. */
uint64_t
koshu_block_next(const struct koshu_block_schedule *schedule, uint64_t now);

/* How many particles have steps that end at `end`. */
size_t
koshu_block_count(const struct koshu_block_schedule *schedule, uint64_t end);

/* Lists the particles whose steps end at `end`, in ascending order, and
 * returns their number. `end` must be no later than the result of
 * koshu_block_next(). */
size_t koshu_block_take(struct koshu_block_schedule *schedule, uint64_t end,
                        uint64_t *members);

/* Gives those particles their new steps, which must divide `end`. */
void koshu_block_give(struct koshu_block_schedule *schedule, size_t n,
                      const uint64_t *members, const uint64_t *step);

#endif
