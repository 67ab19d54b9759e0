/* SPDX-License-Identifier: MIT */
/* Errors of a kernel source, with their line. */
#include <stdarg.h>
#include <stdio.h>

#include "kernel_source/steps.h"

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
