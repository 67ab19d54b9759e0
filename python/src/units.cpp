// SPDX-License-Identifier: MIT
// Unit systems.
#include <nanobind/stl/string.h>

#include "options.hpp"

static koshu_quantity
quantity(const std::string &name)
{
    return find(koshu_quantity_find, name);
}

static koshu_units
of_text(const std::string &text)
{
    koshu_units u;
    must(koshu_units_find(nullptr, text.c_str(), &u));
    return u;
}

static koshu_units
of_sizes(double length_cm, double mass_g, double velocity_cm_s)
{
    return {length_cm, mass_g, velocity_cm_s};
}

static koshu_units
henon()
{
    koshu_units u;
    koshu_units_henon(&u);
    return u;
}

static std::string
text_of(const koshu_units &u)
{
    char text[128];
    koshu_units_text(&u, sizeof text, text);
    return text;
}

static std::string
label(const koshu_units &u, const std::string &of)
{
    char text[128];
    koshu_units_label(&u, quantity(of), sizeof text, text);
    return text;
}

static std::string
number_text(const koshu_units &u, double value, const std::string &of)
{
    char text[128];
    koshu_quantity_text(&u, quantity(of), value, sizeof text, text);
    return text;
}

static double
parse(const koshu_units &u, const std::string &text, const std::string &of)
{
    double value;
    must(koshu_quantity_parse(nullptr, text.c_str(), quantity(of), &u, &value));
    return value;
}

void
bind_units(nb::module_ &m)
{
    nb::class_<koshu_units> units(m, "Units");
    units.def_ro("length_cm", &koshu_units::length_cm);
    units.def_ro("mass_g", &koshu_units::mass_g);
    units.def_ro("velocity_cm_s", &koshu_units::velocity_cm_s);
    units.def_prop_ro("dimensionless", [](const koshu_units &u) {
        return koshu_units_are_henon(&u);
    });
    units.def_prop_ro("gravitational_constant", [](const koshu_units &u) {
        return koshu_units_gravitational_constant(&u);
    });
    units.def("in_cgs", [](const koshu_units &u, const std::string &of) {
        return koshu_units_in_cgs(&u, quantity(of));
    });
    units.def("factor", [](const koshu_units &from, const koshu_units &to,
                           const std::string &of) {
        return koshu_units_factor(&from, &to, quantity(of));
    });
    units.def("text", text_of);
    units.def("label", label);
    units.def("number_text", number_text);
    units.def("parse", parse);
    m.def("units_of_text", of_text);
    m.def("units_of_sizes", of_sizes);
    m.def("units_henon", henon);
}
