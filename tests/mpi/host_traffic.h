/* SPDX-License-Identifier: MIT */
/* Host arrays that stand in for devices in tests of transports, including the
 * copies staged through host buffers. The test defines struct
 * koshu_device_arrays. */
#ifndef KOSHU_TESTS_MPI_HOST_TRAFFIC_H
#define KOSHU_TESTS_MPI_HOST_TRAFFIC_H

#include <string.h>

#include "ranks.h"

static inline koshu_status
do_nothing(struct koshu_device_arrays *arrays)
{
    (void)arrays;
    return KOSHU_OK;
}

static inline void *
stage_buffer(const struct koshu_device_arrays *arrays, bool out, int k)
{
    static uint64_t buffers[2][KOSHU_TRAFFIC_BUFFERS]
                           [KOSHU_TRAFFIC_BUFFER / sizeof(uint64_t)];
    (void)arrays;
    return buffers[out][k];
}

static inline koshu_status
stage_copy(struct koshu_device_arrays *arrays, bool out, int k,
           const struct koshu_traffic_chunk *chunk)
{
    void *const buffer = stage_buffer(arrays, out, k);
    assert_in_range(chunk->bytes, 1, KOSHU_TRAFFIC_BUFFER);
    memcpy(out ? buffer : chunk->memory, out ? chunk->memory : buffer,
           chunk->bytes);
    return KOSHU_OK;
}

static inline koshu_status
stage_wait(struct koshu_device_arrays *arrays, bool out, int k)
{
    (void)arrays, (void)out, (void)k;
    return KOSHU_OK;
}

static const struct koshu_traffic_stage_ops host_stage = {.open = do_nothing,
                                                          .buffer =
                                                                  stage_buffer,
                                                          .copy = stage_copy,
                                                          .wait = stage_wait};

#endif
