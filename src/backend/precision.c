/* SPDX-License-Identifier: MIT */
#include <koshu/force.h>

const char *
koshu_precision_name(enum koshu_precision precision)
{
    switch (precision) {
    case KOSHU_PRECISION_SINGLE: return "single";
    case KOSHU_PRECISION_MIXED: return "mixed";
    case KOSHU_PRECISION_DOUBLE: return "double";
    }
    return "?";
}
