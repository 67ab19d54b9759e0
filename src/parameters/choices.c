/* SPDX-License-Identifier: MIT */
#include "parameters/choices.h"

#include <stddef.h>

#include <koshu/parameters.h>
#include <koshu/snapshot.h>

/* An enum whose names are public. */
#define CHOICE(what)                                      \
    const char *koshu_choice_##what(int k)                \
    {                                                     \
        return koshu_##what##_name((enum koshu_##what)k); \
    }

CHOICE(model)
CHOICE(multipole_order)
CHOICE(opening_criterion)
CHOICE(space_filling_curve)
CHOICE(precision)
CHOICE(traversal)
CHOICE(format)
CHOICE(transport)
CHOICE(scheme)
CHOICE(step_rule)
CHOICE(method)
