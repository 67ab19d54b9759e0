/* SPDX-License-Identifier: MIT */
/*
 * A field of double on a mesh that several ranks share. Of values each rank has
 * planes of one x; of waves those of some y, for all x. On one rank it is a
 * field as in mesh.h.
 *
 * All functions but koshu_mesh_ranks_destroy() are collective.
 */
#ifndef KOSHU_FIELDS_MESH_RANKS_H
#define KOSHU_FIELDS_MESH_RANKS_H

#include "fields/assign.h"

/* Plane x is element (x - first_plane) n[1] row of a field's values; wave (i,
 * j, l) is element (i rows + j - first_row) row + l, with row =
 * koshu_mesh_row().
 */
struct koshu_mesh_ranks {
    struct koshu_context *context;
    struct koshu_mesh mesh;
    size_t ranks, planes, rows; /* at most so many of a rank; this one has: */
    size_t first_plane, n_planes, first_row, n_rows;
    void *of_planes, *of_columns; /* engines of transforms; of one rank one */
    int threads;
};

/* *m is to be destroyed, whatever the status. KOSHU_ERROR_OUT_OF_MEMORY;
 * KOSHU_ERROR_EXTERNAL. */
KOSHU_MUST_CHECK koshu_status koshu_mesh_ranks_create(
        struct koshu_context *context, const struct koshu_mesh *mesh,
        struct koshu_mesh_ranks *m);
void koshu_mesh_ranks_destroy(struct koshu_mesh_ranks *m);

/* Zeros of values, to be freed by koshu_free(), whatever the status. */
KOSHU_MUST_CHECK koshu_status
koshu_mesh_ranks_field(const struct koshu_mesh_ranks *m, double **field);

/* Values to waves, as koshu_transform_forward(), into another array, which
 * takes the place of *field. */
KOSHU_MUST_CHECK koshu_status
koshu_mesh_ranks_forward(const struct koshu_mesh_ranks *m, double **field);

/* As koshu_points_assign(), of the points of all ranks, which go to those that
 * have the planes they reach. The same bits as on one rank, where these are
 * slices of those. KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_UNSUPPORTED. */
KOSHU_MUST_CHECK koshu_status koshu_mesh_ranks_assign(
        const struct koshu_mesh_ranks *m, const struct koshu_points *points,
        enum koshu_assignment assignment, double shift, double *field);

#endif
