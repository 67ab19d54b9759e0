/* SPDX-License-Identifier: MIT */
#include "host_plan.h"

#include <vector>

#include "backend/cuda/pairs/mutual_plan.cuh"

using namespace koshu;

namespace {

struct counts {
    const host_distribution *distribution;
    unsigned *summed, *found;

    size_t at(size_t source, size_t b, size_t which) const
    {
        return (source * distribution->blocks + b) * distribution->tiles +
               which;
    }
};

/* Loops as mutual() does over the tiles of a device's chunks. */
void
count_summed(const counts &c, const mutual_plan &plan)
{
    for (size_t tile = plan.own_begin; tile < plan.own_end; tile++) {
        const size_t source = plan.block_of(tile);
        const size_t k = tile - plan.first_tile(source);
        const size_t d = plan.d_first + k / plan.tiles;
        c.summed[c.at(source, (source + d) % plan.blocks, k % plan.tiles)]++;
    }
}

/* Loops as finish_mutual() does over the rows for a tile's particles. */
bool
count_found(const counts &c, const mutual_plan &plan, size_t b, size_t which,
            std::vector<bool> *taken)
{
    for (size_t to = b; to < 2 * plan.blocks; to += plan.blocks) {
        const met_rows rows = rows_of(plan, to, which);
        for (long d = rows.low; d < rows.low + rows.n; d++) {
            const size_t source = to - (size_t)d;
            const size_t place = plan.place(source, (size_t)d - plan.d_first);
            const size_t row = place * plan.tiles + which;
            if (place >= plan.rows * plan.own || (*taken)[row]) return false;
            (*taken)[row] = true;
            c.found[c.at(source, b, which)]++;
        }
    }
    return true;
}

bool
count(const counts &c, const mutual_plan &plan)
{
    std::vector<bool> taken(plan.rows * plan.own * plan.tiles);
    if (plan.own_chunks > 0) count_summed(c, plan);
    for (size_t b = 0; b < plan.blocks; b++)
        for (size_t which = 0; which < plan.tiles; which++)
            if (!count_found(c, plan, b, which, &taken)) return false;
    return true;
}

} /* namespace */

bool
host_plan_distribute(const struct host_distribution *distribution,
                     size_t left_out, unsigned *summed, unsigned *found)
{
    const counts c = {distribution, summed, found};
    size_t all = 0;
    for (size_t k = 0; k < distribution->n_devices; k++)
        all += distribution->units[k];
    for (size_t d = 0; d < mutual_d_end(distribution->blocks);) {
        const mutual_plan whole = mutual_range(
                distribution->blocks, distribution->tiles, d,
                distribution->max_rows, all * distribution->chunks_each);
        size_t first = 0;
        for (size_t k = 0; k < distribution->n_devices;
             first += distribution->units[k++])
            if (k != left_out &&
                !count(c, mutual_partition(whole, first, distribution->units[k],
                                           all)))
                return false;
        d += whole.rows;
    }
    return true;
}
