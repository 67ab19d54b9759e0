/* SPDX-License-Identifier: MIT */
/* Interactions of the user's own, compiled for the chosen instruction set. */
#ifndef KOSHU_BACKEND_SIMD_INTERACTION_H
#define KOSHU_BACKEND_SIMD_INTERACTION_H

#include "backend/backend.h"

extern const struct koshu_interaction_ops koshu_simd_interaction;

#endif
