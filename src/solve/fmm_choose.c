/* SPDX-License-Identifier: MIT */
/* Order and theta for an accuracy, from measured errors. */
#include "solve/fmm.h"

/*
 * Relative L2 errors of the gradients: the larger of those in a uniform cube
 * and in a Plummer sphere, 20,000 particles, leaves of 32, double precision;
 * `koshu bench fmm` makes such tables. From one order to the next they fall by
 * 0.46 where theta is 0.5, by 0.34 where it is 0.35.
 */
struct measured {
    int order;
    double theta, error;
};

static const struct measured table[] = {
        {1, 0.5, 7.7e-2},    {2, 0.5, 9.9e-3},    {3, 0.5, 1.7e-3},
        {4, 0.5, 3.7e-4},    {5, 0.5, 9.4e-5},    {6, 0.5, 2.8e-5},
        {7, 0.5, 1.1e-5},    {8, 0.5, 4.7e-6},    {9, 0.5, 2.0e-6},
        {10, 0.5, 9.9e-7},   {11, 0.5, 4.4e-7},   {12, 0.5, 2.0e-7},
        {13, 0.5, 9.3e-8},   {14, 0.5, 4.7e-8},   {15, 0.5, 2.2e-8},
        {16, 0.5, 1.0e-8},   {17, 0.5, 5.1e-9},   {18, 0.5, 2.3e-9},
        {19, 0.5, 1.2e-9},   {14, 0.35, 4.4e-10}, {15, 0.35, 1.5e-10},
        {16, 0.35, 4.9e-11}, {17, 0.35, 1.7e-11}, {18, 0.35, 5.9e-12},
        {19, 0.35, 2.0e-12}, {20, 0.35, 6.8e-13}};

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
