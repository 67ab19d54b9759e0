/* SPDX-License-Identifier: MIT */
/* Adds up the sources of all ranks in a periodic box. Each rank's root cell
 * fills the box, so their multipoles have the same centre. */
#include "base/base.h"
#include "devices/devices.h"
#include "solve/fmm_ranks.h"

static void
add_root(const struct koshu_fmm *f, const struct koshu_fmm_root *from,
         struct koshu_fmm_root *to)
{
    const int terms = (f->options.order + 1) * (f->options.order + 1);
    for (int k = 0; k < terms; k++) to->multipole[k] += from->multipole[k];
    to->total += from->total;
    to->second += from->second;
}

/* Adds in rank order. */
koshu_status
koshu_fmm_sum_roots(const struct koshu_fmm *fmm, koshu_status status,
                    const struct koshu_fmm_root *mine,
                    struct koshu_fmm_root *all)
{
    struct koshu_context *context = fmm->backend->context;
    const size_t ranks = (size_t)koshu_context_ranks(context);
    void *memory;
    status = koshu_gather_ranks(context, status, mine, sizeof *mine,
                                "multipoles of ranks", &memory);
    const struct koshu_fmm_root *const each = memory;
    *all = (struct koshu_fmm_root){.total = 0};
    for (size_t r = 0; status == KOSHU_OK && r < ranks; r++)
        add_root(fmm, &each[r], all);
    koshu_free(memory);
    return status;
}
