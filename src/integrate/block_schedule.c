/* SPDX-License-Identifier: MIT */
/* Particles sorted by level: see block_schedule.h. */
#include <string.h>

#include "base/base.h"
#include "integrate/block_schedule.h"

/* The base-2 logarithm of a power of two. */
static unsigned
level_of(uint64_t step)
{
    return (unsigned)__builtin_ctzll(step);
}

koshu_status
koshu_block_schedule_create(struct koshu_context *context, size_t n,
                            const uint64_t *step,
                            struct koshu_block_schedule *s)
{
    *s = (struct koshu_block_schedule){.n = n};
    s->order = koshu_alloc(n, sizeof *s->order);
    s->scratch = koshu_alloc(n, sizeof *s->scratch);
    if (!s->order || !s->scratch) {
        koshu_block_schedule_destroy(s);
        return koshu_fail_memory(context, 2 * n * sizeof *s->order,
                                 "schedule of block steps");
    }
    for (size_t i = 0; i < n; i++) s->scratch[i] = i;
    koshu_block_give(s, n, s->scratch, step);
    return KOSHU_OK;
}

void
koshu_block_schedule_destroy(struct koshu_block_schedule *schedule)
{
    koshu_free(schedule->order);
    koshu_free(schedule->scratch);
    *schedule = (struct koshu_block_schedule){0};
}

uint64_t
koshu_block_next(const struct koshu_block_schedule *schedule, uint64_t now)
{
    unsigned lowest = 0;
    if (schedule->n == 0) return UINT64_MAX;
    while (schedule->count[lowest] == 0) lowest++;
    return ((now >> lowest) + 1) << lowest;
}

size_t
koshu_block_count(const struct koshu_block_schedule *schedule, uint64_t end)
{
    size_t n = 0;
    for (unsigned level = 0; level <= level_of(end); level++)
        n += schedule->count[level];
    return n;
}

/* Merges two adjacent ascending runs. */
static void
merge(uint64_t *run, size_t n_first, size_t n_both, uint64_t *scratch)
{
    size_t a = 0, b = n_first, k = n_first;
    memcpy(scratch, run, n_first * sizeof *run);
    for (k = 0; a < n_first && b < n_both; k++)
        run[k] = scratch[a] < run[b] ? scratch[a++] : run[b++];
    memcpy(run + k, scratch + a, (n_first - a) * sizeof *run);
}

size_t
koshu_block_take(struct koshu_block_schedule *s, uint64_t end,
                 uint64_t *members)
{
    size_t n = 0;
    for (unsigned level = 0; level <= level_of(end); level++) {
        size_t more = s->count[level];
        memcpy(members + n, s->order + n, more * sizeof *members);
        if (n > 0 && more > 0) merge(members, n, n + more, s->scratch);
        n += more;
        s->count[level] = 0;
    }
    return n;
}

void
koshu_block_give(struct koshu_block_schedule *s, size_t n,
                 const uint64_t *members, const uint64_t *step)
{
    size_t first[KOSHU_BLOCK_LEVELS], sum = 0;
    for (size_t m = 0; m < n; m++) s->count[level_of(step[members[m]])]++;
    for (unsigned level = 0; level < KOSHU_BLOCK_LEVELS; level++) {
        first[level] = sum;
        sum += s->count[level];
    }
    for (size_t m = 0; m < n; m++)
        s->order[first[level_of(step[members[m]])]++] = members[m];
}
