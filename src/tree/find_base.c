/* SPDX-License-Identifier: MIT */
#define FIND_OPS koshu_find_base
#include "tree/find_body.h"
