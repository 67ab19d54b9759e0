/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "interaction/interaction.h"

koshu_status
koshu_kernel_source_fail(const struct koshu_kernel_source *d, size_t line,
                         const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return koshu_fail(d->context, KOSHU_ERROR_BAD_INPUT, "%s:%zu: %s", d->name,
                      line, text);
}

void
koshu_kernel_source_free(struct koshu_kernel_source *d)
{
    for (int l = 0; l < KOSHU_LISTS; l++) {
        for (size_t k = 0; d->list[l].names && k < d->list[l].n; k++)
            free(d->list[l].names[k]);
        free(d->list[l].names);
    }
    for (size_t k = 0; k < d->n_constants; k++)
        free((char *)d->constants[k].name);
    free(d->name);
    free(d->text);
    free(d->tokens);
    free(d->body);
    free(d->vector_body);
}
