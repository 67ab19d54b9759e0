/* SPDX-License-Identifier: MIT */
/* Sizes, indices and wave numbers of a periodic mesh. */
#include <math.h>

#include "base/base.h"
#include "fields/mesh.h"

static const double two_pi = 6.28318530717958647692;

struct koshu_mesh
koshu_mesh_cube(size_t n, double box)
{
    return (struct koshu_mesh){{n, n, n}, {box, box, box}};
}

koshu_status
koshu_mesh_check(struct koshu_context *context, const struct koshu_mesh *mesh)
{
    KOSHU_REQUIRE(context, mesh);
    for (int axis = 0; axis < 3; axis++) {
        if (mesh->n[axis] < 1 || mesh->n[axis] > KOSHU_MESH_MAX)
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "a mesh has 1 to %d cells along each edge, not "
                              "%zu",
                              KOSHU_MESH_MAX, mesh->n[axis]);
        if (!(mesh->box[axis] > 0 && isfinite(mesh->box[axis])))
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "the box of a mesh has edges above 0, not %g",
                              mesh->box[axis]);
    }
    return KOSHU_OK;
}

size_t
koshu_mesh_waves(const struct koshu_mesh *mesh)
{
    return mesh->n[2] / 2 + 1;
}

/* Rounded up to 8 complex floats, one cache line. */
size_t
koshu_mesh_row(const struct koshu_mesh *mesh)
{
    return (koshu_mesh_waves(mesh) + 7) / 8 * 8;
}

size_t
koshu_mesh_cells(const struct koshu_mesh *mesh)
{
    return mesh->n[0] * mesh->n[1] * mesh->n[2];
}

long
koshu_mesh_frequency(size_t n, size_t i)
{
    return i <= n / 2 ? (long)i : (long)i - (long)n;
}

double
koshu_mesh_wave_number(const struct koshu_mesh *mesh, int axis, size_t i)
{
    return two_pi / mesh->box[axis] *
           (double)koshu_mesh_frequency(mesh->n[axis], i);
}

int
koshu_mesh_multiplicity(const struct koshu_mesh *mesh, size_t l)
{
    return l == 0 || 2 * l == mesh->n[2] ? 1 : 2;
}
