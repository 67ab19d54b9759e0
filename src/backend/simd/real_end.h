/* SPDX-License-Identifier: MIT */
/* Ends what real_f32.h or real_f64.h began. */
#undef KOSHU_REAL
#undef KOSHU_TYPED
#undef OF
#undef SCALAR
#undef MASK
#undef LANES
#undef PACKED
#undef INTERLEAVE
