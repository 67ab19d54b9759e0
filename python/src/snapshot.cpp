// SPDX-License-Identifier: MIT
// Snapshots: reading, inspecting and writing them.
#include <cstdlib>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "options.hpp"

static nb::dict
values_of(const koshu_snapshot_info &i)
{
    nb::dict d;
    d["format"] = koshu_format_name(i.format);
    d["n"] = i.n;
    d["time"] = i.time;
    d["softening"] = i.softening;
    d["box_size"] = i.box_size;
    d["units"] = nb::cast(i.units);
    d["n_types"] = i.n_types;
    d["has_potential"] = i.has_potential;
    d["single"] = i.single;
    d["step"] = i.step;
    d["program"] = i.program;
    d["has_units"] = i.has_units;
    return d;
}

static nb::dict
inspect(Context &context, const std::string &path)
{
    koshu_snapshot_info info = koshu_snapshot_info_default();
    context.call([&](koshu_context *c) {
        return koshu_snapshot_inspect(c, path.c_str(), &info);
    });
    return values_of(info);
}

static nb::tuple
read_file(const std::shared_ptr<Context> &context, const std::string &path)
{
    koshu_snapshot_info info = koshu_snapshot_info_default();
    koshu_particles *particles = nullptr;
    context->call([&](koshu_context *c) {
        return koshu_snapshot_read(c, path.c_str(), &info, &particles);
    });
    return nb::make_tuple(std::make_shared<Particles>(context, particles),
                          values_of(info));
}

// The text of the parameter file; None if the snapshot has none.
static nb::object
parameters(Context &context, const std::string &path)
{
    char *text = nullptr;
    context.call([&](koshu_context *c) {
        return koshu_snapshot_parameters(c, path.c_str(), &text);
    });
    nb::object result = text ? nb::object(nb::str(text)) : nb::none();
    free(text);
    return result;
}

static void
write_file(Particles &particles, const std::string &path,
           const nb::dict &values, const koshu_units &units,
           const std::string &text)
{
    koshu_snapshot_info info = koshu_snapshot_info_default();
    Options given(values, "write");
    given.name("format", koshu_format_find, info.format);
    given.real("time", info.time);
    given.real("softening", info.softening);
    given.real("box_size", info.box_size);
    given.whole("step", info.step);
    given.flag("has_potential", info.has_potential);
    given.done();
    info.units = units;
    particles.call([&](koshu_particles *self) {
        return koshu_snapshot_write(self, path.c_str(), &info,
                                    text.empty() ? nullptr : text.c_str());
    });
}

static std::string
format_of(Context &context, const std::string &path, bool by_content)
{
    koshu_format format;
    context.call([&](koshu_context *c) {
        return by_content ? koshu_format_of_file(c, path.c_str(), &format)
                          : koshu_format_of_path(c, path.c_str(), &format);
    });
    return koshu_format_name(format);
}

void
bind_snapshot(nb::module_ &m)
{
    m.def("snapshot_inspect", inspect);
    m.def("snapshot_read", read_file);
    m.def("snapshot_parameters", parameters);
    m.def("snapshot_write", write_file);
    m.def("format_of", format_of);
}
