/* SPDX-License-Identifier: MIT */
/* Messages of libkoshu-g6. */
#include <stdarg.h>
#include <stdio.h>

#include <koshu-g6/g6.h>

#include "compat/g6/g6.h"
#include "compat/message.h"

static struct koshu_compat_messages messages =
        KOSHU_COMPAT_MESSAGES("koshu-g6");

void
koshu_g6_set_handler(koshu_g6_handler *handler, void *user)
{
    koshu_compat_set_handler(&messages, handler, user);
}

void
koshu_g6_say(const char *format, ...)
{
    char line[KOSHU_COMPAT_LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    koshu_compat_say(&messages, line);
}
