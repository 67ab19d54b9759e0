/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: finds the GPUs. */
#include <string.h>

#include <koshu/device.h>

#include "bench/cases/scaling.h"

size_t
scaling_gpus(struct koshu_context *context, int number[KOSHU_MAX_DEVICES])
{
    const struct koshu_device_list *list = koshu_context_device_list(context);
    struct koshu_device device = {.size = sizeof device};
    size_t n = list->n;
    memcpy(number, list->number, n * sizeof *number);
    if (n > 0) return n;
    const size_t listed = koshu_device_count(context);
    for (size_t k = 0; k < listed; k++)
        if (koshu_device_get(context, k, &device) == KOSHU_OK &&
            device.usable && device.number >= 0 && n < KOSHU_MAX_DEVICES)
            number[n++] = device.number;
    return n;
}
