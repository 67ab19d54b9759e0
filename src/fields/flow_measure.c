/* SPDX-License-Identifier: MIT */
/* The measurements of a velocity that koshu-fields/flow.h offers. */
#include <koshu-fields/flow.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fields/flow_spectrum.h"

static koshu_status
check_finite(struct koshu_context *context, size_t n, const double *velocity)
{
    static const char axis[] = "xyz";
    const size_t n3 = n * n * n;
    for (size_t i = 0; i < 3 * n3; i++) {
        if (isfinite(velocity[i])) continue;
        const size_t p = i % n3;
        return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                          "the velocity at point (%zu, %zu, %zu) is not "
                          "finite: u%c = %g",
                          p / n / n, p / n % n, p % n, axis[i / n3],
                          velocity[i]);
    }
    return KOSHU_OK;
}

static koshu_status
check(struct koshu_context *context, size_t n, double box,
      const double *velocity)
{
    KOSHU_REQUIRE(NULL, context);
    KOSHU_REQUIRE(context, velocity);
    if (n < 1 || n > KOSHU_MESH_MAX)
        return koshu_fail(
                context, KOSHU_ERROR_BAD_INPUT,
                "a velocity grid has 1 to %d points along an edge, not %zu",
                KOSHU_MESH_MAX, n);
    if (box > 0 && isfinite(box)) return check_finite(context, n, velocity);
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "box = %g: expected an edge > 0", box);
}

koshu_status
koshu_flow_energies(struct koshu_context *context, size_t n, double box,
                    const double *velocity, double *energy, double *enstrophy)
{
    struct koshu_flow_spectrum s;
    KOSHU_TRY(check(context, n, box, velocity));
    KOSHU_REQUIRE(context, energy);
    KOSHU_REQUIRE(context, enstrophy);
    const koshu_status status =
            koshu_flow_spectrum_find(context, n, box, velocity, &s);
    if (status == KOSHU_OK) {
        memcpy(energy, s.energy, s.shells * sizeof *energy);
        *enstrophy = s.enstrophy;
    }
    koshu_free(s.energy);
    return status;
}

koshu_status
koshu_flow_structures(struct koshu_context *context, size_t n, double box,
                      const double *velocity, size_t max, size_t *count,
                      double (*of)[4])
{
    struct koshu_structure s[KOSHU_STRUCTURE_MAX];
    KOSHU_TRY(check(context, n, box, velocity));
    KOSHU_REQUIRE(context, count);
    KOSHU_REQUIRE(context, of);
    KOSHU_TRY(koshu_flow_structure(context, n, box, velocity, s, count));
    if (*count > max) *count = max;
    for (size_t k = 0; k < *count; k++) {
        of[k][0] = s[k].r;
        of[k][1] = s[k].longitudinal;
        of[k][2] = s[k].transverse;
        of[k][3] = s[k].third;
    }
    return KOSHU_OK;
}

koshu_status
koshu_flow_skewness_of(struct koshu_context *context, size_t n, double box,
                       const double *velocity, double *skewness)
{
    KOSHU_TRY(check(context, n, box, velocity));
    KOSHU_REQUIRE(context, skewness);
    return koshu_flow_skewness(context, n, box, velocity, skewness);
}

koshu_status
koshu_flow_invariant_of(struct koshu_context *context, size_t n, double box,
                        const double *velocity, double *invariant)
{
    KOSHU_TRY(check(context, n, box, velocity));
    KOSHU_REQUIRE(context, invariant);
    return koshu_flow_invariant(context, n, box, velocity, invariant);
}
