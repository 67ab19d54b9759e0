/* SPDX-License-Identifier: MIT */
#include <koshu/force.h>

#include "base/base.h"

static const char *const names[] = {"single", "mixed", "double"};
enum { N_NAMES = sizeof names / sizeof names[0] };

const char *
koshu_precision_name(enum koshu_precision precision)
{
    return koshu_enum_name(names, N_NAMES, (unsigned)precision);
}

koshu_status
koshu_precision_find(struct koshu_context *context, const char *name,
                     enum koshu_precision *precision)
{
    unsigned value;
    KOSHU_REQUIRE(context, name);
    KOSHU_REQUIRE(context, precision);
    KOSHU_TRY(koshu_enum_find(context, "a precision", names, N_NAMES, name,
                              &value));
    *precision = (enum koshu_precision)value;
    return KOSHU_OK;
}
