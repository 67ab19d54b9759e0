/* SPDX-License-Identifier: MIT */
/*
 * Devices: the processors and GPUs of this machine, and how koshu can use them.
 *
 * Threads: as koshu/context.h: one thread at a time for each context.
 */
#ifndef KOSHU_DEVICE_H
#define KOSHU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A device. */
struct koshu_device {
    size_t size;      /* set by the caller: sizeof(struct koshu_device) */
    char backend[16]; /* for koshu_context_options.backend: "cuda", "simd" */
    char name[128];   /* "NVIDIA H200, 132 multiprocessors, 139 GiB" */
    char reason[256]; /* why it cannot be used; "" where it can be */
    uint64_t memory;  /* total bytes; of a processor, what this process can
                         get; 0: unknown */
    int number;       /* for koshu_context_options.devices; -1: none needed */
    bool usable;
};

/*
 * Number of devices in the list: those of each backend, in the order in which
 * "auto" prefers the backends. A backend without a device has one entry with
 * the reason: no driver, or not in this build.
 */
KOSHU_API size_t koshu_device_count(const struct koshu_context *context);

/*
 * Describes the device at an index, 0 to koshu_device_count() - 1.
 * Ownership: fills the caller's struct, as far as its size goes.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: context or device is NULL, the index is
 *   too large, or device->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_device_get(struct koshu_context *context, size_t index,
                 struct koshu_device *device);

#ifdef __cplusplus
}
#endif

#endif
