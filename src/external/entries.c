/* SPDX-License-Identifier: MIT */
/* Parses lists of items with values, like "plummer mass=1, a=0.5, nfw
 * mass=2". */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "external/external.h"

static char *
trim(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1])) text[--n] = '\0';
    return text;
}

/* entry: "plummer mass=1", "mass=1" or "plummer". */
static koshu_status
take(struct koshu_context *context, const struct koshu_entry_reader *reader,
     char *entry, bool *begun, void *user)
{
    char *value = strchr(entry, '=');
    if (value) *value++ = '\0';
    entry = trim(entry);
    char *last = entry + strlen(entry);
    while (last > entry && !isspace((unsigned char)last[-1])) last--;
    if (!value || last > entry) {
        if (value) last[-1] = '\0';
        *begun = true;
        KOSHU_TRY(reader->begin(user, trim(entry)));
    }
    if (!value) return KOSHU_OK;
    if (*begun) return reader->set(user, last, trim(value));
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s: '%.40s' before the name of %s", reader->things, last,
                      reader->thing);
}

koshu_status
koshu_entries_read(struct koshu_context *context, const char *text,
                   const struct koshu_entry_reader *reader, void *user)
{
    char *copy = strdup(text), *rest = copy, *entry;
    bool begun = false;
    koshu_status status = KOSHU_OK;
    if (!copy) return koshu_fail_memory(context, strlen(text), reader->things);
    while (status == KOSHU_OK && (entry = strsep(&rest, ",;")) != NULL) {
        entry = trim(entry);
        if (*entry) status = take(context, reader, entry, &begun, user);
    }
    free(copy);
    return status;
}
