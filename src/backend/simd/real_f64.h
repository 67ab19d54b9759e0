/* SPDX-License-Identifier: MIT */
/* Everything included from here to real_end.h is compiled for vectors of
 * doubles. */
#define KOSHU_REAL vector_f64
#define KOSHU_TYPED(name) name##_f64
#define OF(name) name##_f64
#define SCALAR double
#define MASK mask_f64
#define LANES LANES_F64
#define PACKED(name) VECTOR_INTRINSIC(name##_pd)
#define INTERLEAVE INTERLEAVE_F64
