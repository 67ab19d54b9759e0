/* SPDX-License-Identifier: MIT */
/* Public structs that begin with their own size, and so can gain members. */
#include <string.h>

#include "base/base.h"

/* The size that the caller's struct states; 0: not set. */
static size_t
stated_size(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static koshu_status
no_size(struct koshu_context *context, const char *name, const char *remedy)
{
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "struct %s: its size is not set; %s", name, remedy);
}

/* Members that this version does not know must be 0, that is, unset. */
static koshu_status
check_newer(struct koshu_context *context, const char *name,
            const unsigned char *bytes, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++)
        if (bytes[k])
            return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                              "struct %s: the program is made for a newer "
                              "koshu and sets an option that this one does "
                              "not have",
                              name);
    return KOSHU_OK;
}

koshu_status
koshu_options_read(struct koshu_context *context, const char *name,
                   const void *given, void *options, size_t size)
{
    memcpy(options, &size, sizeof size);
    if (!given) return KOSHU_OK;
    const size_t stated = stated_size(given);
    if (stated <= sizeof stated)
        return no_size(context, name, "begin with its _default()");
    KOSHU_TRY(check_newer(context, name, given, size, stated));
    memcpy((char *)options + sizeof size, (const char *)given + sizeof size,
           (stated < size ? stated : size) - sizeof size);
    return KOSHU_OK;
}

void
koshu_options_write_defaults(void *options, size_t stated, const void *defaults,
                             size_t size)
{
    if (!options || stated < sizeof stated) return;
    memset(options, 0, stated);
    memcpy(options, defaults, stated < size ? stated : size);
    memcpy(options, &stated, sizeof stated);
}

koshu_status
koshu_report_write(struct koshu_context *context, const char *name, void *given,
                   const void *report, size_t size)
{
    const size_t stated = stated_size(given);
    if (stated <= sizeof stated)
        return no_size(context, name, "set it to the size of the struct");
    koshu_options_write_defaults(given, stated, report, size);
    return KOSHU_OK;
}
