/* SPDX-License-Identifier: MIT */
/* Order and theta for an accuracy, from measured errors. */
#include <math.h>

#include "solve/fmm.h"

/*
 * Relative L2 errors of the gradients, the larger of those in a uniform cube
 * and in a Plummer sphere: of
 *
 *     koshu bench fmm --n 20000 --n-leaf 32 --precision double --error all
 *         --order 1,2,... --theta 0.5 (0.35) --model cube (plummer)
 *
 * From one order to the next they fall by 0.47 where theta is 0.5, by 0.34
 * where it is 0.35.
 */
struct measured {
    int order;
    double theta, error;
};

static const struct measured table[] = {
        {1, 0.5, 7.3e-2},    {2, 0.5, 9.2e-3},    {3, 0.5, 1.5e-3},
        {4, 0.5, 3.4e-4},    {5, 0.5, 1.0e-4},    {6, 0.5, 3.6e-5},
        {7, 0.5, 1.4e-5},    {8, 0.5, 6.2e-6},    {9, 0.5, 3.2e-6},
        {10, 0.5, 1.4e-6},   {11, 0.5, 7.4e-7},   {12, 0.5, 3.4e-7},
        {13, 0.5, 1.8e-7},   {14, 0.5, 8.2e-8},   {15, 0.5, 4.3e-8},
        {16, 0.5, 2.0e-8},   {17, 0.5, 1.0e-8},   {18, 0.5, 4.7e-9},
        {19, 0.5, 2.5e-9},   {14, 0.35, 3.1e-10}, {15, 0.35, 1.1e-10},
        {16, 0.35, 3.5e-11}, {17, 0.35, 1.2e-11}, {18, 0.35, 4.2e-12},
        {19, 0.35, 1.4e-12}, {20, 0.35, 4.9e-13}};

/* Other sets of particles have other errors. */
#define MARGIN 1.4

void
koshu_fmm_choose(struct koshu_fmm_options *options, double tolerance)
{
    const size_t n = sizeof table / sizeof table[0];
    size_t k = 0;
    while (k + 1 < n && MARGIN * table[k].error > tolerance) k++;
    options->order = table[k].order;
    options->theta = table[k].theta;
}

double
koshu_fmm_error(int order, double theta)
{
    const int last = 19; /* of those with theta = 0.5 */
    const int measured = order > last ? last : order;
    const double error = order > 0 ? table[measured - 1].error : 0.5;
    return error * pow(0.47, order - measured) * pow(theta / 0.5, order + 1.5);
}
