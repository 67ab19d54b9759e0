/* SPDX-License-Identifier: MIT */
/* The places of keys in what parameters are read from, for messages. */
#include <stdio.h>

#include "base/base.h"
#include "parameters/parameters.h"

void
koshu_source_place(const struct koshu_source *source, int line, char *text,
                   size_t size)
{
    if (source->has_lines)
        snprintf(text, size, "%s:%d", source->name, line);
    else
        snprintf(text, size, "%s", source->name);
}

koshu_status
koshu_source_fail(const struct koshu_source *source, int line,
                  const char *format, ...)
{
    char place[256], message[768];
    koshu_source_place(source, line, place, sizeof place);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return koshu_fail(source->context, KOSHU_ERROR_BAD_INPUT, "%s: %s", place,
                      message);
}
