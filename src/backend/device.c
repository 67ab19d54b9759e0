/* SPDX-License-Identifier: MIT */
/* The public list of devices: those of all backends, in the backends' order. */
#include <koshu/device.h>

#include <stdio.h>

#include "backend/backend.h"

static uint64_t
host_memory(void)
{
    const uint64_t bytes =
            koshu_memory_limits(NULL, koshu_processes_here()).capacity;
    return bytes == UINT64_MAX ? 0 : bytes;
}

/* The k-th device of a backend; false: there are no more. */
static bool
describe(const struct koshu_backend_ops *ops, int k,
         struct koshu_device *device)
{
    *device = (struct koshu_device){.size = sizeof *device, .number = -1};
    snprintf(device->backend, sizeof device->backend, "%s", ops->name);
    if (!ops->describe(k, device)) return false;
    device->usable = !device->reason[0];
    if (device->usable && device->number < 0) device->memory = host_memory();
    return true;
}

#ifndef KOSHU_HAVE_CUDA
static const struct koshu_device missing = {
        .size = sizeof missing,
        .backend = "cuda",
        .reason = "this koshu was built without CUDA",
        .number = -1};
#endif

/* The device at this index; after the devices comes a backend that this build
 * lacks. false: the index is past the last, and *n is their number. */
static bool
find(size_t index, struct koshu_device *device, size_t *n)
{
    const struct koshu_backend_ops *ops;
    *n = 0;
    for (size_t b = 0; (ops = koshu_backend_at(b)); b++)
        for (int k = 0; describe(ops, k, device); k++)
            if ((*n)++ == index) return true;
#ifndef KOSHU_HAVE_CUDA
    *device = missing;
    if ((*n)++ == index) return true;
#endif
    return false;
}

size_t
koshu_device_count(const struct koshu_context *context)
{
    struct koshu_device device;
    size_t n;
    if (!context) return 0;
    return find(SIZE_MAX, &device, &n) ? 0 : n;
}

koshu_status
koshu_device_get(struct koshu_context *context, size_t index,
                 struct koshu_device *device)
{
    struct koshu_device found;
    size_t n;
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, device);
    if (!find(index, &found, &n))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "device %zu: there are %zu, from 0", index, n);
    return koshu_report_write(context, "koshu_device", device, &found,
                              sizeof found);
}
