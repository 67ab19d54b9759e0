/* SPDX-License-Identifier: MIT */
/* Statistics of the velocity of an incompressible fluid on a periodic mesh. */
#ifndef KOSHU_FIELDS_FLOW_SPECTRUM_H
#define KOSHU_FIELDS_FLOW_SPECTRUM_H

#include "fields/mesh.h"
#include "flow/flow.h"

/*
 * The energy spectrum of a velocity at n^3 points, 3 n^3 numbers.
 * Error: that of the transforms; tests/unit/fields/test_flow_spectrum.c.
 * Status: KOSHU_ERROR_OUT_OF_MEMORY; as koshu_transform_create().
 */
KOSHU_MUST_CHECK koshu_status koshu_flow_spectrum_find(
        struct koshu_context *context, size_t n, double box,
        const double *velocity, struct koshu_flow_spectrum *spectrum);

/*
 * Skewness of the velocity derivative, averaged over the three axes,
 *
 *     <(du_a / dx_a)^3> / <(du_a / dx_a)^2>^(3/2),
 *
 * with spectral derivatives; 0 for a fluid at rest. In turbulence it is -0.4 to
 * -0.5 (Batchelor & Townsend 1947). Status: as koshu_flow_spectrum_find().
 */
KOSHU_MUST_CHECK koshu_status koshu_flow_skewness(struct koshu_context *context,
                                                  size_t n, double box,
                                                  const double *velocity,
                                                  double *skewness);

/* <d^3> / <d^2>^(3/2) of values d on a mesh, stored as fields are (mesh.h); 0
 * for zeros. Does not depend on the number of threads.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_field_skewness(
        struct koshu_context *context, const struct koshu_mesh *mesh,
        const double *field, double *skewness);

/*
 * The second invariant of the velocity gradient, sum_ij (du_i / dx_j) (du_j /
 * dx_i), n^3 numbers: negative where rotation exceeds strain (Hamada09 section
 * 5.2). Q is -1/2 of it.
 */
KOSHU_MUST_CHECK koshu_status
koshu_flow_invariant(struct koshu_context *context, size_t n, double box,
                     const double *velocity, double *invariant);

#endif
