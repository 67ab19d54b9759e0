/* SPDX-License-Identifier: MIT */
/* What the velocity of an incompressible fluid on a periodic mesh holds. */
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
 * Skewness of the slope of a velocity, the mean of three axes:
 *
 *     <(du_a / dx_a)^3> / <(du_a / dx_a)^2>^(3/2),
 *
 * by spectral derivatives; 0 of a fluid at rest. Of turbulence -0.4 to -0.5
 * (Batchelor & Townsend 1947). As koshu_flow_spectrum_find().
 */
KOSHU_MUST_CHECK koshu_status koshu_flow_skewness(struct koshu_context *context,
                                                  size_t n, double box,
                                                  const double *velocity,
                                                  double *skewness);

/* <d^3> / <d^2>^(3/2) of values on a cubic mesh, as of the layout of meshes; 0
 * of zeros. The same for any number of threads. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_field_skewness(
        struct koshu_context *context, const struct koshu_mesh *mesh,
        const double *field, double *skewness);

/*
 * The second invariant of the velocity derivative tensor, sum_ij (du_i / dx_j)
 * (du_j / dx_i), n^3 numbers: below 0 where the fluid turns more than it is
 * strained (Hamada09 section 5.2); Q = -1/2 of it.
 */
KOSHU_MUST_CHECK koshu_status
koshu_flow_invariant(struct koshu_context *context, size_t n, double box,
                     const double *velocity, double *invariant);

#endif
