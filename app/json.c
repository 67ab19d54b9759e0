/* SPDX-License-Identifier: MIT */
/* Prints JSON objects. */
#include <stdio.h>

#include "app.h"

#include "json.h"

koshu_status
print_json(struct koshu_context *context, json_t *object)
{
    int failed = !object || json_dumpf(object, stdout,
                                       JSON_COMPACT | JSON_PRESERVE_ORDER |
                                               JSON_REAL_PRECISION(17)) != 0;
    json_decref(object);
    if (failed)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "cannot write JSON: a name is not UTF-8");
    putchar('\n');
    return KOSHU_OK;
}
