/* SPDX-License-Identifier: MIT */
/* 1 / sqrt(r2) with the precision of ROOT, and 0 for r2 = 0; between real_*.h
 * and real_end.h. */
VECTOR_FN KOSHU_REAL
KOSHU_TYPED(inverse_root)(KOSHU_REAL r2)
{
    const KOSHU_REAL y = OF(root_refine)(r2, OF(root_begin)(r2, ROOT), ROOT);
    return OF(keep)(y * (SCALAR)(1 / root_factor(ROOT)), r2 != 0);
}
