/* SPDX-License-Identifier: MIT */
/* Everything included from here to real_end.h is compiled for vectors of
 * floats. */
#define KOSHU_REAL vector_f32
#define KOSHU_TYPED(name) name##_f32
#define OF(name) name##_f32
#define SCALAR float
#define MASK mask_f32
#define LANES LANES_F32
#define PACKED(name) VECTOR_INTRINSIC(name##_ps)
#define INTERLEAVE INTERLEAVE_F32
