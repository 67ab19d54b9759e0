/* SPDX-License-Identifier: MIT */
/* What parameters consist of; for src/parameters only. */
#ifndef KOSHU_PARAMETERS_OBJECT_H
#define KOSHU_PARAMETERS_OBJECT_H

#include "parameters/parameters.h"

struct koshu_parameters {
    struct koshu_context *context;
    struct koshu_raw_values *raw;
    char *place[KOSHU_N_KEYS]; /* NULL: default */
    double *list[KOSHU_N_KEYS];
    char *text[KOSHU_N_KEYS]; /* paths as they are opened, lists; else NULL */
    struct koshu_parameter_values values;
};

/* The value of key k: given, or the default. Not of a list. */
struct koshu_raw_value
koshu_parameters_raw(const struct koshu_parameters *p, int k);

#endif
