/* SPDX-License-Identifier: MIT */
/* What parameters consist of; for src/parameters only. */
#ifndef KOSHU_PARAMETERS_OBJECT_H
#define KOSHU_PARAMETERS_OBJECT_H

#include "parameters/parameters.h"

struct koshu_parameters {
    struct koshu_context *context;
    struct koshu_slots *slots;
    char *place[KOSHU_N_KEYS]; /* NULL: default */
    double *list[KOSHU_N_KEYS];
    char *path[KOSHU_N_KEYS]; /* of keys that name files, as they are opened */
    struct koshu_parameter_values values;
};

#endif
