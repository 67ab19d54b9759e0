// SPDX-License-Identifier: MIT
// Pictures by gnuplot, and surface densities.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "options.hpp"

static koshu_picture_view
view_of(const nb::dict &values)
{
    koshu_picture_view v = koshu_picture_view_default();
    Options given(values, "picture");
    given.name("axis", koshu_axis_find, v.axis);
    given.vector("centre", v.centre);
    given.real("half_width", v.half_width);
    given.whole("pixels", v.pixels);
    given.name("weight", koshu_weight_find, v.weight);
    given.done();
    return v;
}

static nb::tuple
centre(Particles &particles)
{
    double c[3];
    particles.call([&](koshu_particles *p) {
        return koshu_picture_view_centre(p, c);
    });
    return nb::make_tuple(c[0], c[1], c[2]);
}

static double
radius(Particles &particles, double x, double y, double z, double fraction)
{
    const double c[3] = {x, y, z};
    double value = 0;
    particles.call([&](koshu_particles *p) {
        return koshu_picture_view_radius(p, c, fraction, &value);
    });
    return value;
}

static nb::object
surface_density(Particles &particles, const nb::dict &values)
{
    const koshu_picture_view v = view_of(values);
    if (v.pixels > KOSHU_PICTURE_PIXELS_MAX)
        throw nb::value_error("pixels is at most 4096");
    double *sigma = new_doubles(v.pixels * v.pixels);
    nb::capsule owner = owner_of(sigma);
    particles.call([&](koshu_particles *p) {
        return koshu_surface_density(p, &v, sigma);
    });
    return nb::cast(Array(sigma, {v.pixels, v.pixels}, owner));
}

using Panel =
        nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Panels: surface densities in one view, each with a label.
static void
density(Context &context, const std::vector<Panel> &sigma,
        const std::vector<std::string> &labels, const nb::dict &view,
        const std::string &path, const std::string &title,
        const koshu_units &units, bool dark)
{
    const koshu_picture_view v = view_of(view);
    std::vector<koshu_density_panel> panels;
    for (size_t k = 0; k < sigma.size(); k++) {
        if (sigma[k].shape(0) != v.pixels || sigma[k].shape(1) != v.pixels)
            throw nb::value_error("a panel has other pixels than the view");
        koshu_density_panel panel = {};
        panel.sigma = sigma[k].data();
        for (int d = 0; d < 3; d++) panel.centre[d] = v.centre[d];
        panel.label = labels[k].empty() ? nullptr : labels[k].c_str();
        panels.push_back(panel);
    }
    koshu_density_options o = koshu_density_options_default();
    o.view = &v;
    o.title = title.empty() ? nullptr : title.c_str();
    o.units = units;
    o.dark = dark;
    context.call([&](koshu_context *c) {
        return koshu_picture_density(c, panels.size(), panels.data(),
                                     path.c_str(), &o);
    });
}

static void
curves(Context &context, const std::string &log, const std::string &path,
       const std::vector<std::string> &kinds, const std::string &title,
       bool dark)
{
    koshu_curves_options o = koshu_curves_options_default();
    if (!kinds.empty()) o.curves = 0;
    for (auto &kind : kinds) o.curves |= find(koshu_curves_find, kind);
    o.title = title.empty() ? nullptr : title.c_str();
    o.dark = dark;
    context.call([&](koshu_context *c) {
        return koshu_picture_curves(c, log.c_str(), path.c_str(), &o);
    });
}

void
bind_picture(nb::module_ &m)
{
    m.def("picture_centre", centre);
    m.def("picture_radius", radius);
    m.def("surface_density", surface_density);
    m.def("picture_density", density);
    m.def("picture_curves", curves);
}
