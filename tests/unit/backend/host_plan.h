/* SPDX-License-Identifier: MIT */
/* How mutual() distributes its tiles over devices, computed by the kernels'
 * functions (backend/cuda/pairs/mutual_plan.cuh) compiled for the host. */
#ifndef HOST_PLAN_H
#define HOST_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Devices with these numbers of multiprocessors, each with memory for
 * max_rows. */
struct host_distribution {
    size_t blocks, tiles, max_rows, chunks_each;
    size_t n_devices, units[8];
};

/*
 * Arrays indexed [source block][block][tile of it]. summed: how many devices
 * sum that tile. found: how many find a row for that tile's particles when they
 * add up the sums of all blocks. left_out: a device that does nothing, or
 * n_devices for none. Returns false if two rows of a device share a place, or
 * one has none.
 */
bool host_plan_distribute(const struct host_distribution *distribution,
                          size_t left_out, unsigned *summed, unsigned *found);

#ifdef __cplusplus
}
#endif

#endif
