/* SPDX-License-Identifier: MIT */
/*
 * The interface to a library of transforms: of one plane (y, z), real to
 * complex, and along x of all waves of one y. A transform does all planes, then
 * all y, each by one thread: so results do not depend on the number of threads.
 */
#ifndef KOSHU_FIELDS_TRANSFORM_H
#define KOSHU_FIELDS_TRANSFORM_H

#include "fields/mesh.h"

enum koshu_transform_direction {
    KOSHU_TRANSFORM_FORWARD,
    KOSHU_TRANSFORM_BACKWARD,
};

/* In double or in single precision. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_EXTERNAL. */
koshu_status koshu_transform_engine_create(struct koshu_context *context,
                                           const struct koshu_mesh *mesh,
                                           bool in_double, void **engine);
void koshu_transform_engine_destroy(void *engine);

/* Transforms one plane in place. Not scaled. false: out of memory. */
bool koshu_transform_plane(const void *engine,
                           enum koshu_transform_direction direction,
                           void *plane);

/* Transforms the waves of one y along x in place; waves: the first of them. Not
 * scaled. */
bool koshu_transform_columns(const void *engine,
                             enum koshu_transform_direction direction,
                             void *waves);

/* Transforms the rows of a plane along z, out of place; overwrites `from`. Not
 * scaled. */
bool koshu_transform_lines(const void *engine,
                           enum koshu_transform_direction direction, void *from,
                           void *to);

/* The rms error of a transform per log2 of cells, in this precision. */
double koshu_transform_engine_error(bool in_double);

#endif
