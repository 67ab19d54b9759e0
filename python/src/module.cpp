// SPDX-License-Identifier: MIT
// The extension: koshu's public functions, as called by the Python files of
// the package. Users see those files, not this module.
#include "context.hpp"

NB_MODULE(_koshu, m)
{
    m.doc() = "koshu's C library, for the package koshu alone";
    bind_errors(m);
    bind_names(m);
    bind_context(m);
    bind_particles(m);
    bind_cluster(m);
    bind_external(m);
    bind_forces(m);
    bind_solver(m);
    bind_integrator(m);
    bind_run(m);
    bind_snapshot(m);
    bind_units(m);
    bind_j_store(m);
    bind_interaction(m);
    bind_laplace(m);
    bind_picture(m);
    bind_view(m);
    bind_flow(m);
}
