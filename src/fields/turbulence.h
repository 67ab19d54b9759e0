/* SPDX-License-Identifier: MIT */
/* Waves of the initial turbulence, and flows by the spectral method. */
#ifndef KOSHU_FIELDS_TURBULENCE_H
#define KOSHU_FIELDS_TURBULENCE_H

#include "fields/mesh.h"
#include "flow/flow.h"

/* ---- turbulence.c ------------------------------------------------------- */

/* u_k for an integer vector k. It depends only on k, the seed and the spectrum,
 * so that a finer grid has the same field. 0 if the grid has no such wave. */
void koshu_turbulence_wave(const struct koshu_turbulence *turbulence,
                           const long k[3], double complex u[3]);

/* Fills all waves of a mesh of double, with u or with omega = i k x u. */
void koshu_turbulence_waves(const struct koshu_turbulence *turbulence,
                            const struct koshu_mesh *mesh, bool of_vorticity,
                            double complex *const to[3]);

/* The same into newly allocated fields, which the caller frees whatever the
 * status. */
KOSHU_MUST_CHECK koshu_status
koshu_turbulence_fields(struct koshu_transform *transform,
                        const struct koshu_turbulence *turbulence,
                        bool of_vorticity, void *field[3]);

/* The vorticity at n^3 points, 3 n^3 numbers. */
KOSHU_MUST_CHECK koshu_status koshu_turbulence_vorticity(
        struct koshu_context *context,
        const struct koshu_turbulence *turbulence, size_t n, double *omega);

/* ---- spectral_flow.c ---------------------------------------------------- */

/* To be passed to koshu_flow_create(). */
extern const struct koshu_flow_fields koshu_flow_fields;

#endif
