/* SPDX-License-Identifier: MIT */
/* Reads lists of devices; names of the ways in which devices exchange
 * particles. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static const char *const exchanges[KOSHU_EXCHANGES] = {
        [KOSHU_EXCHANGE_DEFAULT] = "default",
        [KOSHU_EXCHANGE_AUTO] = "auto",
        [KOSHU_EXCHANGE_SEND_SYNC] = "send-sync",
        [KOSHU_EXCHANGE_SYNC_RECV] = "sync-recv",
        [KOSHU_EXCHANGE_MUTUAL] = "mutual",
};

KOSHU_ENUM_NAMES(koshu_exchange, "an exchange", exchanges)

bool
koshu_device_list_read(const char *text, struct koshu_device_list *list)
{
    const long last = KOSHU_MAX_DEVICES - 1;
    *list = (struct koshu_device_list){.all = strcmp(text, "all") == 0};
    if (list->all || !*text) return true;
    do {
        char *end;
        if (!isdigit((unsigned char)*text) || list->n == KOSHU_MAX_DEVICES)
            return false;
        const long number = strtol(text, &end, 10);
        if (number > last || (*end && (*end != ',' || !end[1]))) return false;
        list->number[list->n++] = (int)number;
        text = end + (*end == ',');
    } while (*text);
    return true;
}
