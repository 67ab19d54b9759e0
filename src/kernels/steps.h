/* SPDX-License-Identifier: MIT */
/*
 * Block time steps: powers of two, in ticks (McMillan 1986; Makino 1991).
 *
 * A particle at tick t has a step s that divides t. So all particles with the
 * same step are at the same time, and the particles whose step ends at `end`
 * are those whose step divides `end`.
 */
#ifndef KOSHU_KERNELS_STEPS_H
#define KOSHU_KERNELS_STEPS_H

#include <stdint.h>

#include "kernels/kernels.h"

/*
 * The step to take from tick `end` on, after one of length `step`; dt2 is the
 * square of the criterion's step, in ticks (infinite or NaN: no limit). The
 * step is halved as often as needed, or doubled once if both the criterion and
 * the time allow. 0: the criterion needs less than a tick.
 */
KOSHU_HD uint64_t
koshu_next_step(uint64_t step, uint64_t end, uint64_t longest, double dt2)
{
    double s = (double)step;
    if (s * s > dt2) {
        while (step > 0 && s * s > dt2) {
            step >>= 1;
            s = (double)step;
        }
        return step;
    }
    if (step < longest && (end & (2 * step - 1)) == 0 && !(4 * s * s > dt2))
        return 2 * step;
    return step;
}

/* The longest power of two that the criterion allows, at most `longest`. 0:
 * less than a tick. */
KOSHU_HD uint64_t
koshu_first_step(uint64_t longest, double dt2)
{
    return koshu_next_step(longest, 0, longest, dt2);
}

#endif
