/* SPDX-License-Identifier: MIT */
/* The parsed initial.components. Part of parameters.h. */
#ifndef KOSHU_PARAMETERS_COMPONENTS_H
#define KOSHU_PARAMETERS_COMPONENTS_H

#include <stdint.h>

#include <koshu/parameters.h>

/* A model with its position, velocity and rotation. */
struct koshu_component {
    /* its initial.* keys, in the units of the run */
    struct koshu_parameters *keys;
    double x[3], v[3];
    double inclination, node; /* degrees */
    double rotation_period;   /* 0: none */
};

struct koshu_components {
    size_t n;
    struct koshu_component *component;
};

/* Parses a text (koshu/components.h); free the result whatever the status.
 * KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_components_parse(
        struct koshu_context *context, const char *text, uint64_t seed,
        const struct koshu_units *units, struct koshu_components *components);
void koshu_components_free(struct koshu_components *components);

#endif
