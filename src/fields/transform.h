/* SPDX-License-Identifier: MIT */
/*
 * What a library of transforms gives: those of one plane (y, z), real to
 * complex, and those along x of all waves of one y. A transform is all planes
 * and then all y, each by one thread: so bits do not depend on their number.
 */
#ifndef KOSHU_FIELDS_TRANSFORM_H
#define KOSHU_FIELDS_TRANSFORM_H

#include "fields/mesh.h"

enum koshu_transform_direction {
    KOSHU_TRANSFORM_FORWARD,
    KOSHU_TRANSFORM_BACKWARD,
};

/* For arrays of double, or of float. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_EXTERNAL. */
koshu_status koshu_transform_engine_create(struct koshu_context *context,
                                           const struct koshu_mesh *mesh,
                                           bool in_double, void **engine);
void koshu_transform_engine_destroy(void *engine);

/* One plane, which begins there. Not scaled. false: out of memory. */
bool koshu_transform_plane(const void *engine,
                           enum koshu_transform_direction direction,
                           void *plane);

/* The waves of one y, all x: the first stands there. Not scaled. */
bool koshu_transform_columns(const void *engine,
                             enum koshu_transform_direction direction,
                             void *waves);

/* The rows of a plane, along z alone, out of place; what they come from is
 * lost. Not scaled. */
bool koshu_transform_lines(const void *engine,
                           enum koshu_transform_direction direction, void *from,
                           void *to);

/* Rms error of a transform, in this precision, of one cell. */
double koshu_transform_engine_error(bool in_double);

#endif
