/* SPDX-License-Identifier: MIT */
/* How long P of a vortex's core is (kernels/vortex_core.h): orders up to 12. */
#ifndef KOSHU_KERNELS_CORE_TERMS_H
#define KOSHU_KERNELS_CORE_TERMS_H

enum { VORTEX_CORE_TERMS = 5 };

#endif
