/* SPDX-License-Identifier: MIT */
/* Defaults of a tree's options, and the names of its enums. */
#include <koshu/tree.h>

#include "base/base.h"

static const char *const orders[] = {"monopole", "quadrupole"};
static const char *const criteria[] = {"geometric", "relative"};
static const char *const curves[] = {"auto", "morton", "hilbert"};
static const char *const traversals[] = {"auto", "device", "host"};

KOSHU_DEFINE_DEFAULT(koshu_tree_options,
                     .multipole_order = KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
                     .opening_criterion = KOSHU_OPENING_CRITERION_RELATIVE,
                     .theta = 0.5, .alpha = 0.002, .n_crit = 64,
                     .space_filling_curve = KOSHU_SPACE_FILLING_CURVE_AUTO,
                     .traversal = KOSHU_TRAVERSAL_AUTO)

KOSHU_ENUM_NAMES(koshu_multipole_order, "a multipole order", orders)
KOSHU_ENUM_NAMES(koshu_opening_criterion, "an opening criterion", criteria)
KOSHU_ENUM_NAMES(koshu_space_filling_curve, "a space-filling curve", curves)
KOSHU_ENUM_NAMES(koshu_traversal, "a traversal", traversals)
