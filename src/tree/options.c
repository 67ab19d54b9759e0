/* SPDX-License-Identifier: MIT */
#include <koshu/tree.h>

struct koshu_tree_options
koshu_tree_options_default(void)
{
    return (struct koshu_tree_options){
            .order = KOSHU_MULTIPOLE_ORDER_QUADRUPOLE,
            .criterion = KOSHU_OPENING_CRITERION_RELATIVE,
            .theta = 0.5,
            .alpha = 0.002,
            .n_crit = 64,
            .walk = KOSHU_TRAVERSAL_AUTO};
}

const char *
koshu_multipole_order_name(enum koshu_multipole_order order)
{
    static const char *const names[] = {"monopole", "quadrupole"};
    return (unsigned)order <= KOSHU_MULTIPOLE_ORDER_QUADRUPOLE ? names[order]
                                                               : 0;
}

const char *
koshu_opening_criterion_name(enum koshu_opening_criterion criterion)
{
    static const char *const names[] = {"geometric", "relative"};
    return (unsigned)criterion <= KOSHU_OPENING_CRITERION_RELATIVE
                   ? names[criterion]
                   : 0;
}

const char *
koshu_space_filling_curve_name(enum koshu_space_filling_curve curve)
{
    static const char *const names[] = {"auto", "morton", "hilbert"};
    return (unsigned)curve <= KOSHU_SPACE_FILLING_CURVE_HILBERT ? names[curve]
                                                                : 0;
}

const char *
koshu_traversal_name(enum koshu_traversal walk)
{
    static const char *const names[] = {"auto", "device", "host"};
    return (unsigned)walk <= KOSHU_TRAVERSAL_HOST ? names[walk] : 0;
}
