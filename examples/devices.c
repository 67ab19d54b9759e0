/* SPDX-License-Identifier: MIT */
/*
 * Lists the devices that koshu can use on this machine, and opens a context on
 * one of them.
 *
 *     cc devices.c $(pkg-config --cflags --libs koshu) -o devices
 *     ./devices [BACKEND]
 */
#include <stdio.h>
#include <stdlib.h>

#include <koshu/koshu.h>

static koshu_status
list_devices(struct koshu_context *context)
{
    for (size_t k = 0; k < koshu_device_count(context); k++) {
        struct koshu_device device = {.size = sizeof device};
        const koshu_status status = koshu_device_get(context, k, &device);
        if (status != KOSHU_OK) return status;
        printf("%-4s  %-50s  %6.1f GiB  %s\n", device.backend, device.name,
               (double)device.memory / (1 << 30),
               device.usable ? "usable" : device.reason);
    }
    return KOSHU_OK;
}

int
main(int argc, char **argv)
{
    struct koshu_context_options options = koshu_context_options_default();
    if (argc > 1) options.backend = argv[1];

    struct koshu_context *context;
    if (koshu_context_create(&options, &context) != KOSHU_OK) {
        fprintf(stderr, "devices: %s\n", koshu_context_message(NULL));
        return EXIT_FAILURE;
    }
    printf("backend %s, %d threads\n", koshu_context_backend(context),
           koshu_context_threads(context));
    const koshu_status status = list_devices(context);
    if (status != KOSHU_OK)
        fprintf(stderr, "devices: %s\n", koshu_context_message(context));
    koshu_context_destroy(context);
    return status == KOSHU_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
