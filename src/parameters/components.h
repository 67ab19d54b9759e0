/* SPDX-License-Identifier: MIT */
/* initial.components as it is read. Part of parameters.h. */
#ifndef KOSHU_PARAMETERS_COMPONENTS_H
#define KOSHU_PARAMETERS_COMPONENTS_H

#include <stdint.h>

#include <koshu/parameters.h>

/* A model, its place and its rotation. */
struct koshu_component {
    struct koshu_parameters *keys; /* initial.* of it, in the units of all */
    double x[3], v[3];
    double inclination, node; /* degrees */
    double rotation_period;   /* 0: none */
};

struct koshu_components {
    size_t n;
    struct koshu_component *component;
};

/* From a text (koshu/components.h), to be freed whatever the status.
 * KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_components_parse(
        struct koshu_context *context, const char *text, uint64_t seed,
        const struct koshu_units *units, struct koshu_components *components);
void koshu_components_free(struct koshu_components *components);

#endif
