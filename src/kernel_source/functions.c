/* SPDX-License-Identifier: MIT */
/* The functions that a kernel source may call. */
#include "kernel_source/kernel_source.h"

const struct koshu_function_group koshu_functions[] = {
        {1, KOSHU_VECTORS_MAPPED, .libmvec = true,
         .names = {"acos", "acosh", "asin", "asinh", "atan",  "atanh",
                   "cbrt", "cos",   "cosh", "erf",   "erfc",  "exp",
                   "exp2", "expm1", "log",  "log10", "log1p", "log2",
                   "sin",  "sinh",  "tan",  "tanh"}},
        {1, KOSHU_VECTORS_MAPPED,
         .names = {"ceil", "floor", "lgamma", "rint", "round", "tgamma",
                   "trunc"}},
        {1, KOSHU_VECTORS_OWN, .names = {"fabs", "sqrt"}},
        {2, KOSHU_VECTORS_MAPPED, .libmvec = true, .names = {"atan2", "pow"}},
        {2, KOSHU_VECTORS_NONE, .libmvec = true, .names = {"hypot"}},
        {2, KOSHU_VECTORS_NONE,
         .names = {"copysign", "fdim", "fmod", "remainder"}},
        {2, KOSHU_VECTORS_OWN, .names = {"fmax", "fmin"}},
        {3, KOSHU_VECTORS_OWN, .names = {"fma"}},
        {1, KOSHU_VECTORS_OWN, .of_koshu = true, .names = {"rsqrt"}},
        {1, KOSHU_VECTORS_OWN, .macro = true,
         .names = {"isfinite", "isinf", "isnan"}},
        {1, KOSHU_VECTORS_NONE, .macro = true, .names = {"signbit"}},
        {0},
};
