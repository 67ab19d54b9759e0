/* SPDX-License-Identifier: MIT */
/* The effect of external bodies on a chain, relative to its centre of mass. */
#include <string.h>

#include "fewbody/motion_f64.h"

void
koshu_perturbers_fields(const struct koshu_perturbers *perturbers, double time,
                        size_t n, const double (*x)[3], double (*f)[3])
{
    double at[KOSHU_FEWBODY_MAX][3];
    memcpy(at, x, n * sizeof *at);
    motion_fields_f64(perturbers, time, n, at, f);
}
