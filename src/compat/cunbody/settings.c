/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "compat/cunbody/cunbody.h"
#include "compat/environment.h"

/* 0, or -1: it is longer than there is room for. */
static int
read_name(const char *name, const char *otherwise, char *to, size_t size,
          char *fault)
{
    const char *value = koshu_compat_value(name);
    if (!value) value = otherwise;
    if ((size_t)snprintf(to, size, "%s", value) < size) return 0;
    snprintf(fault, KOSHU_COMPAT_LINE,
             "%s=%.20s...: %zu characters: at most "
             "%zu can be",
             name, value, strlen(value), size - 1);
    return -1;
}

int
koshu_cunbody_settings_read(struct koshu_cunbody_settings *settings,
                            char *fault)
{
    struct koshu_cunbody_settings s = {.precision = KOSHU_PRECISION_SINGLE};
    int verbose = 0;
    if (read_name("KOSHU_CUNBODY_BACKEND", "auto", s.backend, sizeof s.backend,
                  fault) ||
        read_name("CUNBODY_PIPELINE", "", s.pipeline, sizeof s.pipeline,
                  fault) ||
        koshu_compat_precision("KOSHU_CUNBODY_PRECISION", &s.precision,
                               fault) ||
        koshu_compat_int("KOSHU_CUNBODY_THREADS", 0, KOSHU_MAX_THREADS,
                         &s.threads, fault) ||
        koshu_compat_int("KOSHU_CUNBODY_VERBOSE", 0, 1, &verbose, fault))
        return -1;
    s.verbose = verbose;
    *settings = s;
    return 0;
}
