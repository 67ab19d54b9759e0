/* SPDX-License-Identifier: MIT */
/* The list of tiles of mutual(), distributed to devices, by the functions of
 * the kernels (backend/cuda/pairs/mutual_plan.cuh) as the host compiles them.
 */
#ifndef HOST_PLAN_H
#define HOST_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Devices with so many multiprocessors each, and memory for so many rows. */
struct host_distribution {
    size_t blocks, tiles, max_rows, chunks_each;
    size_t n_devices, units[8];
};

/* [source block][block][tile of it]: how many devices sum that tile; and how
 * many find a row for that tile's particles, when they add up what all blocks
 * have summed for them. left_out: a device that does nothing, or n_devices.
 * false: two rows of a device share a place, or one has none. */
bool host_plan_distribute(const struct host_distribution *distribution,
                          size_t left_out, unsigned *summed, unsigned *found);

#ifdef __cplusplus
}
#endif

#endif
