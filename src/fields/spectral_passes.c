/* SPDX-License-Identifier: MIT */
/* Instantiates the passes of the spectral solver in both precisions. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "fields/spectral_work.h"

#define NAME(name) name##_f64
#define REAL double
#include "fields/spectral_body.h"
#undef NAME
#undef REAL
#define NAME(name) name##_f32
#define REAL float
#include "fields/spectral_body.h"
