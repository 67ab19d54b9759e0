// SPDX-License-Identifier: MIT
// Flows: runs, and statistics of a velocity field. Missing in builds without
// Fourier transforms.
#include <algorithm>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"

#ifdef KOSHU_HAVE_FIELDS
#include <koshu-fields/flow.h>

using Flow = Handle<koshu_flow, koshu_flow_run_destroy>;

// ---- life -------------------------------------------------------------------

static std::shared_ptr<Flow>
create(const std::shared_ptr<Parameters> &parameters, bool restart, bool force)
{
    koshu_flow *flow = nullptr;
    parameters->context->call([&](koshu_context *c) {
        return koshu_flow_run_create(c, parameters->get(), restart, force,
                                     &flow);
    });
    return std::make_shared<Flow>(parameters->context, flow);
}

static std::shared_ptr<Flow>
begin(const std::shared_ptr<Parameters> &parameters)
{
    koshu_flow *flow = nullptr;
    parameters->context->call([&](koshu_context *c) {
        return koshu_flow_run_begin(c, parameters->get(), &flow);
    });
    return std::make_shared<Flow>(parameters->context, flow);
}

static std::shared_ptr<Flow>
open(const std::shared_ptr<Context> &context, const std::string &path)
{
    koshu_flow *flow = nullptr;
    context->call([&](koshu_context *c) {
        return koshu_flow_run_open(c, path.c_str(), &flow);
    });
    return std::make_shared<Flow>(context, flow);
}

// ---- steps ------------------------------------------------------------------

static void
advance(Flow &f)
{
    f.call(koshu_flow_run_advance);
}

static void
step(Flow &f, double dt)
{
    f.call([&](koshu_flow *self) { return koshu_flow_run_step(self, dt); });
}

static void
checkpoint(Flow &f)
{
    f.call(koshu_flow_run_checkpoint);
}

static void
finish(Flow &f)
{
    f.call(koshu_flow_run_finish);
}

static void
request_stop(Flow &f)
{
    koshu_flow_run_request_stop(f.get());
}

static std::string
stopped(const Flow &f)
{
    return koshu_stop_name(koshu_flow_run_stopped(f.get()));
}

// ---- what it is -------------------------------------------------------------

static nb::dict
progress(Flow &f)
{
    koshu_flow_progress p;
    f.call([&](koshu_flow *self) {
        koshu_flow_run_progress(self, &p);
        return KOSHU_OK;
    });
    nb::dict d;
    d["method"] = p.method;
    d["n"] = p.n;
    d["box"] = p.box;
    d["viscosity"] = p.viscosity;
    d["time"] = p.time;
    d["end"] = p.end;
    d["wall_seconds"] = p.seconds;
    d["step"] = p.step;
    d["snapshots"] = p.snapshots;
    d["log_rows"] = p.rows;
    d["points"] = static_cast<uint64_t>(p.points);
    d["speed"] = p.speed;
    d["length"] = p.length;
    d["turnover"] = p.turnover;
    d["reynolds"] = p.reynolds;
    d["resolution"] = p.resolution;
    return d;
}

// The columns of energy.csv, "step,time,...", by name.
static nb::dict
diagnostics(Flow &f)
{
    double row[64];
    size_t n = 0;
    koshu_flow_progress p;
    f.call([&](koshu_flow *self) {
        koshu_flow_run_progress(self, &p);
        return koshu_flow_run_row(self, 64, &n, row);
    });
    nb::dict d;
    const std::string names = p.columns;
    size_t from = names.find(',') + 1;
    for (size_t k = 0; k < n; k++) {
        const size_t to = names.find_first_of(",\n", from);
        d[names.substr(from, to - from).c_str()] = row[k];
        from = to + 1;
    }
    return d;
}

// As [component, point].
static nb::object
velocity(Flow &f, size_t n)
{
    const size_t points = n * n * n;
    double *memory = new_doubles(3 * points);
    nb::capsule owner = owner_of(memory);
    f.call([&](koshu_flow *self) {
        return koshu_flow_run_velocity(self, n, memory);
    });
    return nb::cast(Array(memory, {3, n, n, n}, owner));
}

using Mesh =
        nb::ndarray<const double, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

static void
set_velocity(Flow &f, const Mesh &u)
{
    f.call([&](koshu_flow *self) {
        return koshu_flow_run_set_velocity(self, u.data());
    });
}

// The arrays of a snapshot, by name: [column, point ...].
static nb::dict
arrays(Flow &f)
{
    struct Owned {
        koshu_flow_arrays a{};
        ~Owned()
        {
            koshu_flow_arrays_free(&a);
        }
    } owned;
    f.call([&](koshu_flow *self) {
        return koshu_flow_run_arrays(self, &owned.a);
    });
    nb::dict d;
    for (size_t k = 0; k < owned.a.n; k++) {
        const auto &a = owned.a.array[k];
        size_t shape[4] = {a.columns}, count = a.columns;
        for (size_t i = 0; i < a.rank; i++) {
            shape[i + 1] = a.dims[i];
            count *= a.dims[i];
        }
        double *memory = new_doubles(count);
        std::copy(a.data, a.data + count, memory);
        d[a.name] =
                nb::cast(Array(memory, a.rank + 1, shape, owner_of(memory)));
    }
    return d;
}

// ---- measured ---------------------------------------------------------------

// The energies of the shells, and the enstrophy.
static nb::tuple
energies(Context &context, const Mesh &u, double box)
{
    const size_t n = u.shape(1), shells = koshu_flow_shells(n);
    double *memory = new_doubles(shells), enstrophy = 0;
    nb::capsule owner = owner_of(memory);
    context.call([&](koshu_context *c) {
        return koshu_flow_energies(c, n, box, u.data(), memory, &enstrophy);
    });
    return nb::make_tuple(row(memory, shells, owner), enstrophy);
}

static nb::object
structures(Context &context, const Mesh &u, double box)
{
    const size_t n = u.shape(1), max = 64;
    double *memory = new_doubles(4 * max);
    nb::capsule owner = owner_of(memory);
    size_t count = 0;
    context.call([&](koshu_context *c) {
        return koshu_flow_structures(c, n, box, u.data(), max, &count,
                                     reinterpret_cast<double(*)[4]>(memory));
    });
    return nb::cast(Array(memory, {count, 4}, owner));
}

static double
skewness(Context &context, const Mesh &u, double box)
{
    double value = 0;
    context.call([&](koshu_context *c) {
        return koshu_flow_skewness_of(c, u.shape(1), box, u.data(), &value);
    });
    return value;
}

static nb::object
invariant(Context &context, const Mesh &u, double box)
{
    const size_t n = u.shape(1);
    double *memory = new_doubles(n * n * n);
    nb::capsule owner = owner_of(memory);
    context.call([&](koshu_context *c) {
        return koshu_flow_invariant_of(c, n, box, u.data(), memory);
    });
    return nb::cast(Array(memory, {n, n, n}, owner));
}

void
bind_flow(nb::module_ &m)
{
    nb::class_<Flow> flow(m, "Flow");
    flow.def("advance", advance);
    flow.def("step", step);
    flow.def("checkpoint", checkpoint);
    flow.def("finish", finish);
    flow.def("request_stop", request_stop);
    flow.def_prop_ro("stopped", stopped);
    flow.def("progress", progress);
    flow.def("diagnostics", diagnostics);
    flow.def("velocity", velocity);
    flow.def("set_velocity", set_velocity);
    flow.def("arrays", arrays);
    m.def("flow_create", create);
    m.def("flow_begin", begin);
    m.def("flow_open", open);
    m.def("flow_energies", energies);
    m.def("flow_structures", structures);
    m.def("flow_skewness", skewness);
    m.def("flow_invariant", invariant);
}

#else

void
bind_flow(nb::module_ &)
{
}

#endif
