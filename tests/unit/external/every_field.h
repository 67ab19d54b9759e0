/* SPDX-License-Identifier: MIT */
/* One field of each kind, away from the origin. */
#ifndef KOSHU_TESTS_EVERY_FIELD_H
#define KOSHU_TESTS_EVERY_FIELD_H

#include <koshu/external.h>

#include "check.h"

enum { N_KINDS = KOSHU_EXTERNAL_KIND_FORMULA + 1 };

static inline struct koshu_external_field
field_of(int kind)
{
    static const struct koshu_external_constant constants[] = {{"m", 2},
                                                               {"q", 0.8}};
    struct koshu_external_field f = koshu_external_field_default();
    f.kind = (enum koshu_external_kind)kind;
    f.mass = 3;
    f.a = 0.7;
    f.b = 0.3;
    f.speed = 1.2;
    f.q = 0.8;
    f.concentration = 5;
    f.radius = 2;
    f.slope = -0.25;
    f.density = 0.02;
    f.potential = "-G*m / sqrt(x^2 + 2*y^2 + (z/q)^2 + 0.5) + (1 - cos(x))/9";
    f.n_constants = 2;
    f.constants = constants;
    for (int k = 0; k < 3; k++) f.acceleration[k] = 0.1 * (k + 1);
    return f;
}

static inline struct koshu_external *
make_field(struct koshu_context *context, int kind)
{
    const struct koshu_external_field f = field_of(kind);
    struct koshu_external *external;
    assert_ok(context, koshu_external_create(context, 1, &f, &external));
    return external;
}

#endif
