/* SPDX-License-Identifier: MIT */
/* Which devices, and how they exchange particles: names. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static const char *const exchanges[KOSHU_EXCHANGES] = {
        [KOSHU_EXCHANGE_AUTO] = "auto",
        [KOSHU_EXCHANGE_SEND_SYNC] = "send-sync",
        [KOSHU_EXCHANGE_SYNC_RECV] = "sync-recv",
        [KOSHU_EXCHANGE_MUTUAL] = "mutual",
};

const char *
koshu_exchange_name(enum koshu_exchange value)
{
    return koshu_enum_name(exchanges, KOSHU_EXCHANGES, value);
}

koshu_status
koshu_exchange_find(struct koshu_context *context, const char *name,
                    enum koshu_exchange *value)
{
    KOSHU_REQUIRE(context, name);
    KOSHU_REQUIRE(context, value);
    unsigned found;
    KOSHU_TRY(koshu_enum_find(context, "an exchange", exchanges,
                              KOSHU_EXCHANGES, name, &found));
    *value = (enum koshu_exchange)found;
    return KOSHU_OK;
}

bool
koshu_device_list_read(const char *text, struct koshu_device_list *list)
{
    const long most = KOSHU_MOST_DEVICES - 1;
    *list = (struct koshu_device_list){.all = strcmp(text, "all") == 0};
    if (list->all || !*text) return true;
    do {
        char *end;
        if (!isdigit((unsigned char)*text) || list->n == KOSHU_MOST_DEVICES)
            return false;
        const long number = strtol(text, &end, 10);
        if (number > most || (*end && (*end != ',' || !end[1]))) return false;
        list->number[list->n++] = (int)number;
        text = end + (*end == ',');
    } while (*text);
    return true;
}
