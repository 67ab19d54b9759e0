/* SPDX-License-Identifier: MIT */
#include <koshu/force.h>

const char *
koshu_precision_name(enum koshu_precision precision)
{
    switch (precision) {
    case KOSHU_SINGLE: return "single";
    case KOSHU_MIXED: return "mixed";
    case KOSHU_DOUBLE: return "double";
    }
    return "?";
}
