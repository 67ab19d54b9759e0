/* SPDX-License-Identifier: MIT */
/* Chooses order and theta for an accuracy, from measured errors. */
#include <math.h>

#include "solve/fmm.h"

/*
 * Relative L2 errors of the gradients, the larger of those in a uniform cube
 * and in a Plummer sphere, from
 *
 *     koshu bench fmm --n 20000 --n-leaf 32 --precision double --error all
 *         --order 1,2,... --theta 0.7 (0.6, 0.5, 0.35) --model cube (plummer)
 *
 * Of the orders and thetas with about the same error, the table has the one
 * that takes the least time for 1e6 particles in a cube on a CPU in single
 * precision. As the error decreases this means higher orders at a large theta,
 * until the expansions cost more than the pairs.
 */
struct measured {
    int order;
    double theta, error;
};

static const struct measured table[] = {
        {1, 0.7, 1.0e-1},    {2, 0.7, 1.7e-2},    {3, 0.7, 4.0e-3},
        {4, 0.7, 1.2e-3},    {5, 0.7, 5.8e-4},    {6, 0.7, 3.0e-4},
        {7, 0.7, 1.8e-4},    {8, 0.7, 1.1e-4},    {9, 0.7, 7.1e-5},
        {10, 0.7, 4.5e-5},   {8, 0.6, 2.8e-5},    {9, 0.6, 1.7e-5},
        {10, 0.6, 8.8e-6},   {11, 0.6, 5.2e-6},   {12, 0.6, 3.0e-6},
        {13, 0.6, 1.8e-6},   {14, 0.6, 9.8e-7},   {11, 0.5, 7.4e-7},
        {12, 0.5, 3.4e-7},   {13, 0.5, 1.8e-7},   {14, 0.5, 8.2e-8},
        {15, 0.5, 4.3e-8},   {16, 0.5, 2.0e-8},   {17, 0.5, 1.0e-8},
        {18, 0.5, 4.7e-9},   {19, 0.5, 2.5e-9},   {14, 0.35, 3.1e-10},
        {15, 0.35, 1.1e-10}, {16, 0.35, 3.5e-11}, {17, 0.35, 1.2e-11},
        {18, 0.35, 4.2e-12}, {19, 0.35, 1.4e-12}, {20, 0.35, 4.9e-13}};

/* Errors of orders 1, 2, ... with theta = 0.5. Beyond the last, each order
 * reduces the error by a factor 0.47. */
static const double of_half[] = {7.3e-2, 9.2e-3, 1.5e-3, 3.4e-4, 1.0e-4,
                                 3.6e-5, 1.4e-5, 6.2e-6, 3.2e-6, 1.4e-6,
                                 7.4e-7, 3.4e-7, 1.8e-7, 8.2e-8, 4.3e-8,
                                 2.0e-8, 1.0e-8, 4.7e-9, 2.5e-9};

/* Factor of errors, because other particle sets have other errors. */
#define MARGIN 2

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
    const int last = sizeof of_half / sizeof of_half[0];
    const int measured = order > last ? last : order;
    const double error = order > 0 ? of_half[measured - 1] : 0.5;
    return error * pow(0.47, order - measured) * pow(theta / 0.5, order + 1.5);
}
