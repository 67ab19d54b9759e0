/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_BACKEND_SIMD_COST_H
#define KOSHU_BACKEND_SIMD_COST_H

#include "backend/backend.h"

/* See enum koshu_cost; KOSHU_ERROR_UNSUPPORTED: what only a device does. */
koshu_status koshu_simd_cost(enum koshu_cost what, size_t n, int threads);

#endif
