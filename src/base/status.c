/* SPDX-License-Identifier: MIT */
#include <koshu/status.h>

#include "base/base.h"

static const char *const names[] = {
#define STATUS_NAME(name, text) "KOSHU_" #name,
        KOSHU_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
};

static const char *const texts[] = {
#define STATUS_TEXT(name, text) text,
        KOSHU_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
};

enum { N_STATUS = sizeof names / sizeof names[0] };

const char *
koshu_status_text(koshu_status status)
{
    const char *text = koshu_enum_name(texts, N_STATUS, status);
    return text ? text : "unknown status";
}

const char *
koshu_status_name(koshu_status value)
{
    return koshu_enum_name(names, N_STATUS, value);
}

koshu_status
koshu_status_find(struct koshu_context *context, const char *name,
                  koshu_status *value)
{
    KOSHU_REQUIRE(context, name);
    KOSHU_REQUIRE(context, value);
    unsigned found;
    KOSHU_TRY(koshu_enum_find(context, "a status", names, N_STATUS, name,
                              &found));
    *value = (koshu_status)found;
    return KOSHU_OK;
}
