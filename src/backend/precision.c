/* SPDX-License-Identifier: MIT */
/* The names of precisions. */
#include <koshu/force.h>

#include "base/base.h"

static const char *const names[] = {"single", "mixed", "double"};
KOSHU_ENUM_NAMES(koshu_precision, "a precision", names)
