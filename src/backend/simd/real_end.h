/* SPDX-License-Identifier: MIT */
#undef KOSHU_REAL
#undef KOSHU_TYPED
#undef OF
#undef SCALAR
#undef MASK
#undef LANES
#undef PACKED
#undef INTERLEAVE
