/* SPDX-License-Identifier: MIT */
/* The number of coefficients, enough for orders up to 12, of P of a vortex core
 * (kernels/vortex_core.h) and of the polynomial that its Gaussian is multiplied
 * by. */
#ifndef KOSHU_KERNELS_CORE_TERMS_H
#define KOSHU_KERNELS_CORE_TERMS_H

enum { VORTEX_CORE_TERMS = 5, VORTEX_GAUSSIAN_TERMS = 6 };

#endif
