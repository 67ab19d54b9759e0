/* SPDX-License-Identifier: MIT */
/* Collects the state of all ranks on the first, or copies an engine's to the
 * host, for output. */
#include <string.h>

#include "base/base.h"
#include "fields/spectral_work.h"

/* Bytes of n slabs. */
static size_t
slab_bytes(const struct koshu_spectral *s, size_t n)
{
    return n * 3 * s->m * s->k * koshu_spectral_bytes_of(s);
}

/* Gathers the state of all ranks in the memory of the first. */
static koshu_status
gather_state(const struct koshu_spectral *s, char *all)
{
    const size_t mine = slab_bytes(s, s->n_slabs);
    if (s->first_slab == 0 && all) memcpy(all, s->state, mine);
    if (!koshu_is_first_rank(s->context))
        return mine > 0 ? koshu_send(s->context, 0, s->state, mine) : KOSHU_OK;
    for (size_t r = 1; r < s->ranks && r * s->slabs < s->m; r++) {
        const size_t left = s->m - r * s->slabs,
                     n = left < s->slabs ? left : s->slabs;
        KOSHU_TRY(koshu_receive(s->context, (int)r,
                                all + slab_bytes(s, r * s->slabs),
                                slab_bytes(s, n)));
    }
    return KOSHU_OK;
}

koshu_status
koshu_spectral_make_whole(const struct koshu_spectral *s,
                          struct koshu_spectral *whole)
{
    *whole = *s;
    if (s->engine) return koshu_spectral_engine_get(s);
    if (s->ranks == 1) return KOSHU_OK;
    const bool first = koshu_is_first_rank(s->context);
    koshu_status status = KOSHU_OK;
    whole->state = first ? koshu_alloc(1, slab_bytes(s, s->m)) : s->state;
    if (!whole->state)
        status = koshu_fail_memory(s->context, slab_bytes(s, s->m),
                                   "the flow of all ranks");
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(gather_state(s, first ? whole->state : NULL));
    if (first) whole->n_slabs = s->m;
    return KOSHU_OK;
}

void
koshu_spectral_free_whole(const struct koshu_spectral *s,
                          struct koshu_spectral *whole)
{
    if (whole->state != s->state) koshu_free(whole->state);
}
