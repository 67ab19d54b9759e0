/* SPDX-License-Identifier: MIT */
/*
 * Block time steps: powers of two, in ticks (McMillan 1986; Makino 1991).
 *
 * A particle at tick t has a step s that divides t. So all particles of one
 * step stand at the same time, and those whose step ends at `end` are those
 * whose step divides `end`.
 */
#ifndef KOSHU_KERNELS_STEPS_H
#define KOSHU_KERNELS_STEPS_H

#include <stdint.h>

#include "kernels/kernels.h"

/*
 * The step to take from tick `end` on, after one of length `step`; dt2 is the
 * square of what the criterion allows, in ticks (infinite or NaN: anything).
 * It is halved as often as needed, and doubled once where both the criterion
 * and the time allow. 0: shorter than a tick.
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

/* The longest power of two that is allowed, at most `longest`. 0: shorter
 * than a tick. */
KOSHU_HD uint64_t
koshu_first_step(uint64_t longest, double dt2)
{
    return koshu_next_step(longest, 0, longest, dt2);
}

#endif
