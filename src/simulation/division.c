/* SPDX-License-Identifier: MIT */
/* Decides into how many files the snapshots of a run are divided. */
#include <stdlib.h>

#include "base/base.h"
#include "devices/devices.h"
#include "simulation/simulation.h"

/* The number of hosts; 0: unknown. */
static uint64_t
count_hosts(struct koshu_context *context)
{
    const int ranks = koshu_context_ranks(context);
    int *host = calloc((size_t)ranks, sizeof *host);
    uint64_t n = 0;
    const koshu_status status = koshu_ranks_collective_status(
            context, host ? KOSHU_OK : KOSHU_ERROR_OUT_OF_MEMORY);
    if (status == KOSHU_OK && koshu_ranks_hosts(context, host) == KOSHU_OK)
        for (int r = 0; r < ranks; r++) n += host[r] == r;
    free(host);
    return n;
}

/* One file for each host, unless that would give files of few particles. */
void
koshu_divide_snapshots(struct koshu_simulation *s)
{
    const uint64_t worth_it = 1 << 24,
                   max = koshu_particles_total(s->particles) / worth_it;
    const enum koshu_format format = s->values->snapshot.format;
    s->snapshot_files = s->values->snapshot.files;
    if (s->snapshot_files > 0) return;
    s->snapshot_files = 1;
    if (max <= 1 || !koshu_format_in_files(format)) return;
    const uint64_t hosts = count_hosts(s->context);
    s->snapshot_files = hosts < max ? hosts : max;
}
