/* SPDX-License-Identifier: MIT */
/* Where something stands in what parameters are read from. */
#include <stdio.h>

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
