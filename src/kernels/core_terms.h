/* SPDX-License-Identifier: MIT */
/* Lengths of the polynomials of a vortex's core, of orders up to 12: of P
 * (kernels/vortex_core.h), and of what its Gaussian is multiplied by. */
#ifndef KOSHU_KERNELS_CORE_TERMS_H
#define KOSHU_KERNELS_CORE_TERMS_H

enum { VORTEX_CORE_TERMS = 5, VORTEX_GAUSSIAN_TERMS = 6 };

#endif
