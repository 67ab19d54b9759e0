/* SPDX-License-Identifier: MIT */
#include <koshu/status.h>

const char *
koshu_status_text(koshu_status status)
{
    switch (status) {
#define STATUS_TEXT(name, text) \
    case KOSHU_##name: return text;
        KOSHU_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    case KOSHU_STATUS_COUNT: break;
    }
    return "unknown status";
}

const char *
koshu_status_name(koshu_status status)
{
    switch (status) {
#define STATUS_NAME(name, text) \
    case KOSHU_##name: return "KOSHU_" #name;
        KOSHU_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
    case KOSHU_STATUS_COUNT: break;
    }
    return "KOSHU_?";
}
