/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: the text above the rows. */
#include <stdio.h>

#include "bench/cases/scaling.h"

void
scaling_print_costs(const struct scaling *s)
{
    const struct koshu_rank_costs *c = &s->costs.costs;
    printf("t_kernel = %.3g us a launch (Miki13: 2.69 us)\n", s->launch * 1e6);
    for (size_t k = 0; k < s->ranks.n; k++)
        if (s->sync[k].n > 0)
            printf("t_sync   = %.3g us, %zu %s\n", s->sync[k].fit.a * 1e6,
                   s->ranks.value[k], s->gpus ? "GPUs" : "ranks");
    if (c->sync > 0 || c->sync_doubling > 0)
        printf("t_sync(K) = %.3g us + %.3g us log2(K) (Miki13, 4 ... 256 GPUs: "
               "62 us + 4.6 us log2(K))\n",
               c->sync * 1e6, c->sync_doubling * 1e6);
    if (s->transfer.n > 0)
        printf("a transfer of n particles between %s: %.3g us + %.3g ns n "
               "(%.3g GB/s in each direction)\n",
               s->gpus ? "GPUs" : "hosts' memories", c->message * 1e6,
               c->particle * 1e9, (s->gpus ? 16e-9 : 32e-9) / c->particle);
    printf("a sum of one %s: %.3g us + %.3g ns max(N, %.0f) N, within "
           "%.1f%%\n\n",
           s->gpus ? "GPU" : "rank", c->call * 1e6, c->pair * 1e9, c->full,
           100 * s->largest);
}

void
scaling_print_machine(const struct scaling *s)
{
    const char *transport = s->transport;
    if (s->gpus) {
        printf("%s; 1 to %d GPUs of one process%s%s\n", s->costs.device,
               s->costs.ranks, s->exchange[0] ? "; exchange: " : "",
               s->exchange);
        return;
    }
    printf("%s, each of %d rank%s%s%s\n", s->costs.device, s->costs.ranks,
           s->costs.ranks == 1 ? " (start it with mpirun -n K)" : "s",
           transport[0] ? "; " : "", transport);
    if (s->crowded)
        printf("more threads than processors: the ranks take them from each "
               "other, and efficiencies have no meaning\n");
}
