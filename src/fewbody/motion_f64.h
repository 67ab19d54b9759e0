/* SPDX-License-Identifier: MIT */
/* Instantiates fewbody/motion.h for double. */
#ifndef KOSHU_FEWBODY_MOTION_F64_H
#define KOSHU_FEWBODY_MOTION_F64_H

#include "fewbody/fewbody.h"

#define MOTION_REAL double
#define MOTION_NAME(name) motion_##name##_f64
#define MOTION_SIZE KOSHU_CHAIN_SIZE
#define MOTION_SQRT(x) sqrt(x)
#define MOTION_ADD_FIELD(p, time, n, x, f) \
    (p)->field((p)->user, time, n, (const double(*)[3])(x), f)
#include "fewbody/motion.h"

#endif
