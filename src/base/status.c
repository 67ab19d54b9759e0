/* SPDX-License-Identifier: MIT */
/* Names and texts of the statuses. */
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

const char *
koshu_status_text(koshu_status status)
{
    const char *text = koshu_enum_name(texts, sizeof texts / sizeof texts[0],
                                       (unsigned)status);
    return text ? text : "unknown status";
}

KOSHU_ENUM_NAMES(koshu_status, "a status", names)
