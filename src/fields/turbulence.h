/* SPDX-License-Identifier: MIT */
/* Initial waves of turbulence, and flows by the spectral method. */
#ifndef KOSHU_FIELDS_TURBULENCE_H
#define KOSHU_FIELDS_TURBULENCE_H

#include "fields/mesh.h"
#include "flow/flow.h"

/* ---- turbulence.c ----------------------------------------------------------
 */

/* u_k of k, three integers: depends on them, the seed and the spectrum alone,
 * so that a finer grid has the same field. 0 where the grid has no such wave.
 */
void koshu_turbulence_wave(const struct koshu_turbulence *turbulence,
                           const long k[3], double complex u[3]);

/* All of a mesh of double, or those of omega = i k x u. */
void koshu_turbulence_waves(const struct koshu_turbulence *turbulence,
                            const struct koshu_mesh *mesh, bool of_vorticity,
                            double complex *const to[3]);

/* The same into fields that are made, and to be freed, whatever the status. */
KOSHU_MUST_CHECK koshu_status
koshu_turbulence_fields(struct koshu_transform *transform,
                        const struct koshu_turbulence *turbulence,
                        bool of_vorticity, void *field[3]);

/* omega at n^3 points, 3 n^3 numbers. */
KOSHU_MUST_CHECK koshu_status koshu_turbulence_vorticity(
        struct koshu_context *context,
        const struct koshu_turbulence *turbulence, size_t n, double *omega);

/* ---- spectral_flow.c -------------------------------------------------------
 */

/* What koshu_flow_create() takes. */
extern const struct koshu_flow_fields koshu_flow_fields;

#endif
