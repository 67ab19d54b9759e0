/* SPDX-License-Identifier: MIT */
/*
 * A field of double on a mesh divided among ranks. As values, each rank holds
 * planes of x; as waves, rows of y for all x. On one rank it is a field as in
 * mesh.h.
 *
 * All functions but koshu_mesh_ranks_destroy() are collective.
 */
#ifndef KOSHU_FIELDS_MESH_RANKS_H
#define KOSHU_FIELDS_MESH_RANKS_H

#include "fields/assign.h"

/* Plane x begins at row (x - first_plane) n[1] of the field's values; wave (i,
 * j, l) is element (i rows + j - first_row) row + l, with row =
 * koshu_mesh_row(). */
struct koshu_mesh_ranks {
    struct koshu_context *context;
    struct koshu_mesh mesh;
    size_t ranks, planes, rows; /* the largest numbers on a rank; this one
                                   has: */
    size_t first_plane, n_planes, first_row, n_rows;
    void *of_planes, *of_columns; /* transform engines; the same one on one
                                     rank */
    int threads;
};

/* The caller destroys *m, whatever the status. KOSHU_ERROR_OUT_OF_MEMORY;
 * KOSHU_ERROR_EXTERNAL. */
KOSHU_MUST_CHECK koshu_status koshu_mesh_ranks_create(
        struct koshu_context *context, const struct koshu_mesh *mesh,
        struct koshu_mesh_ranks *m);
void koshu_mesh_ranks_destroy(struct koshu_mesh_ranks *m);

/* Allocates zero values; freed with koshu_free(), whatever the status. */
KOSHU_MUST_CHECK koshu_status
koshu_mesh_ranks_field(const struct koshu_mesh_ranks *m, double **field);

/* Transforms values to waves, as koshu_transform_forward(), into a new array
 * that replaces *field. */
KOSHU_MUST_CHECK koshu_status
koshu_mesh_ranks_forward(const struct koshu_mesh_ranks *m, double **field);

/* As koshu_points_assign(), with the planes of this rank and the points of all
 * ranks; each goes to the ranks that hold the planes it reaches. The result
 * equals that on one rank bit for bit if the ranks' points are slices of that
 * rank's. KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_UNSUPPORTED. */
KOSHU_MUST_CHECK koshu_status koshu_mesh_ranks_assign(
        const struct koshu_mesh_ranks *m, const struct koshu_points *points,
        enum koshu_assignment assignment, double shift, double *field);

#endif
