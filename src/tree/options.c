/* SPDX-License-Identifier: MIT */
#include <koshu/tree.h>

struct koshu_tree_options
koshu_tree_options_default(void)
{
    return (struct koshu_tree_options){.order = KOSHU_ORDER_QUADRUPOLE,
                                       .criterion = KOSHU_CRITERION_RELATIVE,
                                       .theta = 0.5,
                                       .alpha = 0.002,
                                       .n_crit = 64,
                                       .walk = KOSHU_WALK_AUTO};
}

const char *
koshu_order_name(enum koshu_order order)
{
    static const char *const names[] = {"monopole", "quadrupole"};
    return (unsigned)order <= KOSHU_ORDER_QUADRUPOLE ? names[order] : 0;
}

const char *
koshu_criterion_name(enum koshu_criterion criterion)
{
    static const char *const names[] = {"geometric", "relative"};
    return (unsigned)criterion <= KOSHU_CRITERION_RELATIVE ? names[criterion]
                                                           : 0;
}

const char *
koshu_curve_name(enum koshu_curve curve)
{
    static const char *const names[] = {"auto", "morton", "hilbert"};
    return (unsigned)curve <= KOSHU_CURVE_HILBERT ? names[curve] : 0;
}

const char *
koshu_walk_name(enum koshu_walk walk)
{
    static const char *const names[] = {"auto", "device", "host"};
    return (unsigned)walk <= KOSHU_WALK_HOST ? names[walk] : 0;
}
