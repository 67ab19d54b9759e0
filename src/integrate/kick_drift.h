/* SPDX-License-Identifier: MIT */
/*
 * What a leapfrog does to the particles of a store: by the backend, where it
 * keeps them on its device, else by the host. KOSHU_ERROR_NOT_FINITE, without a
 * message: a result is infinite or NaN.
 */
#ifndef KOSHU_INTEGRATE_KICK_DRIFT_H
#define KOSHU_INTEGRATE_KICK_DRIFT_H

#include "backend/backend.h"

/* v += a dt, and x += v dt. */
koshu_status koshu_kick(struct koshu_backend *backend,
                        struct koshu_particles *particles, double dt);
koshu_status koshu_drift(struct koshu_backend *backend,
                         struct koshu_particles *particles, double dt);

/* The largest |a| of all ranks. Collective. */
koshu_status koshu_largest_acceleration(struct koshu_backend *backend,
                                        struct koshu_particles *particles,
                                        double *a);

#endif
