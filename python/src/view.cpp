// SPDX-License-Identifier: MIT
// Live views.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "options.hpp"

static std::shared_ptr<View>
create(const std::shared_ptr<Context> &context, int port,
       const std::string &socket, bool control, size_t particles,
       const std::string &log)
{
    koshu_view_options o = koshu_view_options_default();
    o.port = port;
    o.socket = socket.empty() ? nullptr : socket.c_str();
    o.control = control;
    o.max_particles = particles;
    o.log = log.empty() ? nullptr : log.c_str();
    koshu_view *view = nullptr;
    context->call(
            [&](koshu_context *c) { return koshu_view_create(c, &o, &view); });
    return std::make_shared<View>(context, view);
}

// Returns whether a stop, and whether a pause, is requested.
static nb::tuple
update(View &view, Particles &particles, uint64_t step, double time, double end,
       double energy_error, bool interrupted)
{
    koshu_view_state state = {sizeof state, step,         time,
                              end,          energy_error, interrupted};
    koshu_view_request request = {sizeof request, false, false};
    same_context(view.context, particles.context);
    view.call([&](koshu_view *self) {
        return koshu_view_update(self, particles.get(), &state, &request);
    });
    return nb::make_tuple(request.stop, request.pause);
}

void
bind_view(nb::module_ &m)
{
    nb::class_<View> view(m, "View");
    view.def("update", update);
    view.def_prop_ro("address", [](View &v) {
        return std::string(koshu_view_address(v.get()));
    });
    view.def_prop_ro("watchers",
                     [](View &v) { return koshu_view_watchers(v.get()); });
    m.def("view_create", create);
}
