/* SPDX-License-Identifier: MIT */
#include <koshu/units.h>

struct koshu_units
koshu_units_henon(void)
{
    return (struct koshu_units){1.0, 1.0, 1.0};
}
