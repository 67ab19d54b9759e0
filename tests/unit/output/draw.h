/* SPDX-License-Identifier: MIT */
/* Draws small pictures for tests. */
#ifndef KOSHU_TESTS_DRAW_H
#define KOSHU_TESTS_DRAW_H

#include <koshu/picture.h>

#include <math.h>

#include "png.h"

static struct koshu_context *context;

enum { PIXELS = 64 };

static double sigma[PIXELS * PIXELS];

static const char log_text[] = "step,time,total,virial_ratio,r10,r50,r90\n"
                               "0,0,-0.25,0,0.4,0.8,0.97\n"
                               "1,0.5,-0.2500001,0.3,0.2,0.4,0.6\n"
                               "2,1,-0.2500002,0.6,0.1,0.3,0.9\n";

static inline int
set_up(void **state)
{
    (void)state;
    context = test_context(NULL, 1);
    scratch_enter();
    for (int k = 0; k < PIXELS * PIXELS; k++)
        sigma[k] = exp(-1e-2 * (k % PIXELS) - 1e-3 * k);
    return 0;
}

static inline int
tear_down(void **state)
{
    (void)state;
    scratch_leave();
    koshu_context_destroy(context);
    return 0;
}

#endif
