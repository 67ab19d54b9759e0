/* SPDX-License-Identifier: MIT */
/* Waves between the planes and the slabs of all ranks. */
#include "base/base.h"
#include "fields/spectral_work.h"

koshu_status
koshu_spectral_status(const struct koshu_spectral *s, bool fine)
{
    if (fine) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_OUT_OF_MEMORY,
                      "out of memory for the work space of a transform");
}

koshu_status
koshu_spectral_exchange(struct koshu_spectral *s, size_t fields)
{
    size_t n[KOSHU_SPECTRAL_RANKS];
    if (s->ranks == 1) return KOSHU_OK;
    for (size_t r = 0; r < s->ranks; r++) n[r] = s->planes * fields * s->slabs;
    return koshu_all_to_all(s->context, s->outgoing,
                            s->k * koshu_spectral_bytes_of(s), n, s->mixed);
}

koshu_status
koshu_spectral_ready(struct koshu_spectral *s)
{
    if (s->engine) return koshu_spectral_engine_set(s);
    const bool fine = koshu_spectral_columns(s, SPECTRAL_PREPARE);
    KOSHU_TRY(koshu_spectral_exchange(s, SPECTRAL_MIXED));
    return koshu_ranks_collective_status(s->context,
                                         koshu_spectral_status(s, fine));
}
