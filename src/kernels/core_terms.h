/* SPDX-License-Identifier: MIT */
/* The number of coefficients of P of a vortex core (kernels/vortex_core.h),
 * enough for orders up to 12. */
#ifndef KOSHU_KERNELS_CORE_TERMS_H
#define KOSHU_KERNELS_CORE_TERMS_H

enum { VORTEX_CORE_TERMS = 5 };

#endif
