// SPDX-License-Identifier: MIT
// Integrators.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "options.hpp"

static std::shared_ptr<Integrator>
create(const std::shared_ptr<Solver> &solver,
       const std::shared_ptr<Particles> &particles, double time,
       const nb::dict &values, const std::shared_ptr<External> &external)
{
    same_context(solver->context, particles->context);
    koshu_integrator_options o = koshu_integrator_options_default();
    Options given(values, "integrator");
    given.name("scheme", koshu_scheme_find, o.scheme);
    given.name("step_rule", koshu_step_rule_find, o.step_rule);
    given.real("dt", o.dt);
    given.real("eta", o.eta);
    given.real("eta_start", o.eta_start);
    given.whole("iterations", o.iterations);
    given.whole("max_block_steps", o.max_block_steps);
    given.real("tolerance", o.tolerance);
    given.real("slow_down", o.slow_down);
    given.real("radius", o.radius);
    given.real("radius_mass", o.radius_mass);
    given.real("radius_exponent", o.radius_exponent);
    given.real("regularisation", o.regularisation);
    given.real("perturbation", o.perturbation);
    given.done();
    koshu_integrator *integrator = nullptr;
    solver->context->call([&](koshu_context *) {
        return koshu_integrator_create(solver->get(), particles->get(), time,
                                       &o, &integrator);
    });
    auto made = std::make_shared<Integrator>(
            solver->context, integrator,
            std::vector<std::shared_ptr<void>>{solver, particles, external});
    if (external) {
        same_context(solver->context, external->context);
        made->call([&](koshu_integrator *self) {
            return koshu_integrator_set_external(self, external->get());
        });
    }
    return made;
}

static void
advance(Integrator &i, double until, bool potential)
{
    i.call([&](koshu_integrator *self) {
        return koshu_integrator_advance(self, until, potential);
    });
}

static void
evaluate(Integrator &i)
{
    i.call(koshu_integrator_evaluate);
}

static nb::dict
clock_of(Integrator &i)
{
    struct koshu_integrator_clock k = {};
    k.size = sizeof k;
    i.call([&](koshu_integrator *self) {
        return koshu_integrator_clock(self, &k);
    });
    nb::dict d;
    d["time"] = k.time;
    d["synchronised"] = k.synchronised;
    d["steps"] = k.steps;
    d["particle_steps"] = k.particle_steps;
    d["synchronised_steps"] = k.synchronised_steps;
    d["origin_time"] = k.origin_time;
    d["origin_steps"] = k.origin_steps;
    d["tick"] = k.tick;
    d["ticks"] = k.ticks;
    return d;
}

static void
resume(Integrator &i, const nb::dict &values)
{
    struct koshu_integrator_clock k = {};
    k.size = sizeof k;
    Options given(values, "clock");
    given.real("time", k.time);
    given.real("synchronised", k.synchronised);
    given.whole("steps", k.steps);
    given.whole("particle_steps", k.particle_steps);
    given.whole("synchronised_steps", k.synchronised_steps);
    given.real("origin_time", k.origin_time);
    given.whole("origin_steps", k.origin_steps);
    given.real("tick", k.tick);
    given.whole("ticks", k.ticks);
    given.done();
    i.call([&](koshu_integrator *self) {
        return koshu_integrator_resume(self, &k);
    });
}

static nb::dict
options_of(Integrator &i)
{
    koshu_integrator_options o = koshu_integrator_options_default();
    i.call([&](koshu_integrator *self) {
        return koshu_integrator_options_of(self, &o);
    });
    nb::dict d;
    d["scheme"] = koshu_scheme_name(o.scheme);
    d["step_rule"] = koshu_step_rule_name(o.step_rule);
    d["dt"] = o.dt;
    d["eta"] = o.eta;
    d["eta_start"] = o.eta_start;
    d["iterations"] = o.iterations;
    d["max_block_steps"] = o.max_block_steps;
    d["tolerance"] = o.tolerance;
    d["slow_down"] = o.slow_down;
    d["radius"] = o.radius;
    d["radius_mass"] = o.radius_mass;
    d["radius_exponent"] = o.radius_exponent;
    d["regularisation"] = o.regularisation;
    d["perturbation"] = o.perturbation;
    return d;
}

static nb::dict
body_of(const koshu_event_body &b)
{
    nb::dict d;
    d["id"] = b.id;
    d["mass"] = b.mass;
    d["radius"] = b.radius;
    d["position"] = nb::make_tuple(b.x[0], b.x[1], b.x[2]);
    d["velocity"] = nb::make_tuple(b.v[0], b.v[1], b.v[2]);
    return d;
}

/* Mergers: both bodies are there. */
static nb::list
events(Integrator &i)
{
    nb::list result;
    size_t n = 0;
    const koshu_event *event = koshu_integrator_events(i.get(), &n);
    for (size_t k = 0; k < n; k++) {
        nb::dict d;
        d["kind"] = koshu_event_kind_name(event[k].kind);
        d["time"] = event[k].time;
        d["energy"] = event[k].energy;
        d["bodies"] = nb::make_tuple(body_of(event[k].body[0]),
                                     body_of(event[k].body[1]));
        result.append(d);
    }
    return result;
}

static nb::dict
report(Integrator &i)
{
    struct koshu_integrator_report r = {};
    r.size = sizeof r;
    i.call([&](koshu_integrator *self) {
        return koshu_integrator_report(self, &r);
    });
    nb::dict d;
    d["engine"] = r.engine;
    d["interactions"] = r.interactions;
    d["seconds"] = r.seconds;
    d["group_forces"] = r.group_forces;
    d["hardest_forces"] = r.hardest_forces;
    d["hardest_bodies"] = r.hardest_bodies;
    d["hardest_id"] = r.hardest_id;
    d["hardest_time"] = r.hardest_time;
    return d;
}

void
bind_integrator(nb::module_ &m)
{
    nb::class_<Integrator> integrator(m, "Integrator");
    integrator.def("advance", advance);
    integrator.def("evaluate", evaluate);
    integrator.def("clock", clock_of);
    integrator.def("resume", resume);
    integrator.def("options", options_of);
    integrator.def("report", report);
    integrator.def("events", events);
    integrator.def_prop_ro("time", [](Integrator &i) {
        return koshu_integrator_time(i.get());
    });
    m.def("integrator_create", create, nb::arg(), nb::arg(), nb::arg(),
          nb::arg(), nb::arg().none());
}
