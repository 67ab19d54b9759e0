// SPDX-License-Identifier: MIT
// Parameters, and the runs with files that they describe.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "options.hpp"
#include "solver_options.hpp"

// ---- parameters -------------------------------------------------------------

static std::shared_ptr<Parameters>
create_parameters(const std::shared_ptr<Context> &context)
{
    koshu_parameters *p = nullptr;
    context->call(
            [&](koshu_context *c) { return koshu_parameters_create(c, &p); });
    return std::make_shared<Parameters>(context, p);
}

static void
read_file(Parameters &p, const std::string &path)
{
    p.call([&](koshu_parameters *self) {
        return koshu_parameters_read(self, path.c_str());
    });
}

static void
parse(Parameters &p, const std::string &name, const std::string &text)
{
    p.call([&](koshu_parameters *self) {
        return koshu_parameters_parse(self, name.c_str(), text.c_str());
    });
}

static void
set(Parameters &p, const std::string &key, const std::string &value)
{
    p.call([&](koshu_parameters *self) {
        return koshu_parameters_set(self, key.c_str(), value.c_str());
    });
}

static std::string
get(Parameters &p, const std::string &key)
{
    const char *text = "";
    p.call([&](koshu_parameters *self) {
        return koshu_parameters_get(self, key.c_str(), &text);
    });
    return text;
}

static double
get_real(Parameters &p, const std::string &key)
{
    double value = 0;
    p.call([&](koshu_parameters *self) {
        return koshu_parameters_get_real(self, key.c_str(), &value);
    });
    return value;
}

static uint64_t
get_whole(Parameters &p, const std::string &key)
{
    uint64_t value = 0;
    p.call([&](koshu_parameters *self) {
        return koshu_parameters_get_whole(self, key.c_str(), &value);
    });
    return value;
}

static void
check(Parameters &p)
{
    p.call(koshu_parameters_check);
}

static std::string
text(Parameters &p)
{
    char *memory = nullptr;
    p.call([&](koshu_parameters *self) {
        return koshu_parameters_text(self, &memory);
    });
    const std::string result = memory;
    free(memory);
    return result;
}

// The section `solver`, as the options of a solver.
static nb::dict
solver_of(Parameters &p)
{
    koshu_solver_options o = koshu_solver_options_default();
    p.call([&](koshu_parameters *self) {
        return koshu_parameters_solver(self, &o);
    });
    return solver_values(o);
}

static void
bind_parameters(nb::module_ &m)
{
    nb::class_<Parameters> parameters(m, "Parameters");
    parameters.def("read", read_file);
    parameters.def("parse", parse);
    parameters.def("set", set);
    parameters.def("get", get);
    parameters.def("get_real", get_real);
    parameters.def("get_whole", get_whole);
    parameters.def("check", check);
    parameters.def("text", text);
    parameters.def("solver", solver_of);
    m.def("parameters_create", create_parameters);
}

// ---- mass loss --------------------------------------------------------------

static nb::object
copy_of(const double *from, size_t n)
{
    double *memory = new_doubles(n);
    std::copy_n(from, n, memory);
    return row(memory, n, owner_of(memory));
}

// Gets the masses from a Python function, which keeps the exception that it
// raises.
static koshu_status
lose_mass(void *function, double from, double to, size_t n, const uint64_t *id,
          const double *initial_mass, double *mass)
{
    nb::gil_scoped_acquire with_interpreter;
    try {
        const nb::object masses = nb::handle(static_cast<PyObject *>(function))(
                from, to,
                nb::cast(nb::bytes(reinterpret_cast<const char *>(id),
                                   n * sizeof *id)),
                copy_of(initial_mass, n), copy_of(mass, n));
        const Columns column(nb::cast<Vector>(masses));
        std::copy_n(column[0], n, mass);
        return KOSHU_OK;
    } catch (const std::exception &) {
        return KOSHU_ERROR_EXTERNAL;
    }
}

// ---- a run ------------------------------------------------------------------

// loss: None, or a function that the caller keeps alive as long as the run. If
// it were kept here, Python's garbage collector would not see who refers to
// it.
static std::shared_ptr<Run>
create(const std::shared_ptr<Parameters> &parameters, bool restart,
       const nb::dict &values, const nb::object &loss)
{
    koshu_simulation_options o = koshu_simulation_options_default();
    Options given(values, "Run");
    given.flag("overwrite", o.overwrite);
    given.flag("force", o.force);
    given.flag("beside", o.beside);
    given.done();
    if (!loss.is_none()) {
        o.mass_loss = lose_mass;
        o.mass_loss_user = loss.ptr();
    }
    koshu_simulation *run = nullptr;
    parameters->context->call([&](koshu_context *c) {
        return restart ? koshu_simulation_restart(c, parameters->get(), &o,
                                                  &run)
                       : koshu_simulation_create(c, parameters->get(), &o,
                                                 &run);
    });
    return std::make_shared<Run>(parameters->context, run);
}

static void
advance(Run &r)
{
    r.call(koshu_simulation_advance);
}

static void
evaluate(Run &r)
{
    r.call(koshu_simulation_evaluate);
}

static void
checkpoint(Run &r)
{
    r.call(koshu_simulation_checkpoint);
}

static void
finish(Run &r)
{
    r.call(koshu_simulation_finish);
}

// The run's own objects, which live as long as the run.
static std::shared_ptr<Particles>
particles_of(const std::shared_ptr<Run> &r)
{
    return std::make_shared<Particles>(
            r->context, koshu_simulation_particles(r->get()),
            std::vector<std::shared_ptr<void>>{r}, false);
}

static std::shared_ptr<Solver>
solver_of_run(const std::shared_ptr<Run> &r)
{
    return std::make_shared<Solver>(
            r->context, koshu_simulation_solver(r->get()),
            std::vector<std::shared_ptr<void>>{r}, false);
}

static nb::dict
progress(Run &r)
{
    koshu_progress p = {};
    p.size = sizeof p;
    r.call([&](koshu_simulation *self) {
        return koshu_simulation_progress(self, &p);
    });
    nb::dict d;
    d["step"] = p.step;
    d["time"] = p.time;
    d["end"] = p.end;
    d["energy_error"] = p.energy_error;
    d["wall_seconds"] = p.wall_seconds;
    d["seconds_left"] = p.seconds_left;
    d["steps"] = p.steps;
    d["particle_steps"] = p.particle_steps;
    d["interactions"] = p.interactions;
    d["interactions_per_s"] = p.interactions_per_s;
    d["bytes_copied"] = p.bytes_copied;
    d["snapshots"] = p.snapshots;
    d["log_rows"] = p.log_rows;
    d["checkpoints"] = p.checkpoints;
    d["newest_checkpoint"] = p.newest_checkpoint;
    d["energy_of_kinetic"] = p.energy_of_kinetic;
    d["group_forces"] = p.group_forces;
    d["hardest_forces"] = p.hardest_forces;
    d["hardest_bodies"] = p.hardest_bodies;
    d["hardest_id"] = p.hardest_id;
    d["hardest_time"] = p.hardest_time;
    return d;
}

static nb::dict
seconds(Run &r)
{
    koshu_run_seconds s = {};
    s.size = sizeof s;
    r.call([&](koshu_simulation *self) {
        return koshu_simulation_seconds(self, &s);
    });
    nb::dict d;
    d["total"] = s.total;
    d["start"] = s.start;
    d["forces"] = s.forces;
    d["steps"] = s.steps;
    d["errors"] = s.errors;
    d["log"] = s.log;
    d["snapshots"] = s.snapshots;
    d["checkpoints"] = s.checkpoints;
    d["caller"] = s.caller;
    d["hidden"] = s.hidden;
    return d;
}

static nb::dict
tree_errors(Run &r)
{
    koshu_tree_errors e = {};
    e.size = sizeof e;
    r.call([&](koshu_simulation *self) {
        return koshu_simulation_tree_errors(self, &e);
    });
    return tree_errors_values(e);
}

static nb::dict
estimate(Parameters &p)
{
    koshu_estimate e = {};
    e.size = sizeof e;
    p.context->call([&](koshu_context *c) {
        return koshu_simulation_estimate(c, p.get(), &e);
    });
    nb::dict d;
    d["n"] = e.n;
    d["begin"] = e.begin;
    d["bytes"] = e.bytes;
    d["steps"] = e.steps;
    d["particle_steps"] = e.particle_steps;
    d["steps_are_a_guess"] = e.steps_are_a_guess;
    d["snapshots"] = e.snapshots;
    d["snapshot_bytes"] = e.snapshot_bytes;
    d["log_rows"] = e.log_rows;
    d["checkpoint_bytes"] = e.checkpoint_bytes;
    d["interactions_per_s"] = e.interactions_per_s;
    d["seconds"] = e.seconds;
    d["softening"] = e.softening;
    d["dt"] = e.dt;
    d["units"] = nb::cast(e.units);
    return d;
}

void
bind_run(nb::module_ &m)
{
    bind_parameters(m);
    nb::class_<Run> run(m, "Run");
    run.def("advance", advance);
    run.def("evaluate", evaluate);
    run.def("checkpoint", checkpoint);
    run.def("finish", finish);
    run.def("progress", progress);
    run.def("seconds", seconds);
    run.def("tree_errors", tree_errors);
    run.def("particles", particles_of);
    run.def("solver", solver_of_run);
    run.def("request_stop",
            [](Run &r) { koshu_simulation_request_stop(r.get()); });
    run.def_prop_ro("stopped", [](Run &r) {
        return koshu_stop_name(koshu_simulation_stopped(r.get()));
    });
    run.def_prop_ro("units",
                    [](Run &r) { return *koshu_simulation_units(r.get()); });
    m.def("run_create", create, nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none());
    m.def("run_estimate", estimate);
}
