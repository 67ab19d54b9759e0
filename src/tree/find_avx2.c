/* SPDX-License-Identifier: MIT */
#define FIND_OPS koshu_find_avx2
#include "tree/find_body.h"
