/* SPDX-License-Identifier: MIT */
/* Ranks and the devices they have; for solver.c. */
#ifndef KOSHU_SOLVE_SHARING_H
#define KOSHU_SOLVE_SHARING_H

#include "backend/backend.h"

/*
 * Does each rank have a device for itself? Warns where a node has fewer devices
 * than ranks, so that some share one, and where only some ranks have one: rank
 * 0, the first time in a process. Collective. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_sharing_look(struct koshu_backend *backend, bool *one_each);

#endif
