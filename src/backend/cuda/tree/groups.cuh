/* SPDX-License-Identifier: MIT */
/* Groups from the bits that mark where they start (groups.cu). */
#ifndef KOSHU_BACKEND_CUDA_TREE_GROUPS_CUH
#define KOSHU_BACKEND_CUDA_TREE_GROUPS_CUH

#include "backend/cuda/tree/build.cuh"
#include "backend/cuda/tree/moments.cuh"

namespace koshu {

/* Makes the groups that start in one word of bits. */
KOSHU_HD void
start_groups(const uint32_t *bits, const uint32_t *before, uint32_t word,
             tree_group *group)
{
    uint32_t number = before[word];
    for (uint32_t left = bits[word]; left != 0; left &= left - 1)
        group[number++].first = 32 * word + count_bits((left & -left) - 1);
}

/* The factor of struct tree_group. */
KOSHU_HD float
factor_of(const tree_criterion &o, float a)
{
    if (!o.relative) return 0;
    return powf((float)o.alpha * a, o.quadrupole ? -0.2f : -0.25f);
}

/* Sets the box of a group from the extent low ... high of its particles. */
KOSHU_HD void
set_box(tree_group *g, const double low[3], const double high[3])
{
    double middle[3];
    float half[3];
    for (int c = 0; c < 3; c++) {
        middle[c] = low[c] + 0.5 * (high[c] - low[c]);
        half[c] = round_up(fmax(high[c] - middle[c], middle[c] - low[c]));
    }
    g->x = middle[0];
    g->y = middle[1];
    g->z = middle[2];
    g->half_x = half[0];
    g->half_y = half[1];
    g->half_z = half[2];
}

} /* namespace koshu */

#endif
