// SPDX-License-Identifier: MIT
// Solvers: their options, forces and reports.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "options.hpp"
#include "solver_options.hpp"

// ---- options ----------------------------------------------------------------

static koshu_tree_options
tree_options(const nb::dict &values)
{
    koshu_tree_options o = koshu_tree_options_default();
    Options given(values, "Tree");
    given.name("multipole_order", koshu_multipole_order_find,
               o.multipole_order);
    given.name("opening_criterion", koshu_opening_criterion_find,
               o.opening_criterion);
    given.real("theta", o.theta);
    given.real("alpha", o.alpha);
    given.whole("n_crit", o.n_crit);
    given.whole("n_leaf", o.n_leaf);
    given.name("space_filling_curve", koshu_space_filling_curve_find,
               o.space_filling_curve);
    given.name("traversal", koshu_traversal_find, o.traversal);
    given.real("box", o.box);
    given.vector("corner", o.corner);
    given.done();
    return o;
}

static std::shared_ptr<Solver>
create(const std::shared_ptr<Context> &context, const nb::dict &values,
       const nb::dict &of_method)
{
    koshu_solver_options o = koshu_solver_options_default();
    koshu_tree_options tree = koshu_tree_options_default();
    koshu_laplace_options fmm = koshu_laplace_options_default();
    Options given(values, "solver");
    given.name("method", koshu_method_find, o.method);
    given.name("precision", koshu_precision_find, o.precision);
    given.real("softening", o.softening);
    given.flag("fast", o.fast);
    given.whole("j_capacity", o.j_capacity);
    given.name("transport", koshu_transport_find, o.transport);
    given.done();
    if (o.method == KOSHU_METHOD_TREE) tree = tree_options(of_method);
    if (o.method == KOSHU_METHOD_FMM) fmm = laplace_options(of_method, "FMM");
    o.tree = &tree;
    o.fmm = &fmm;
    koshu_solver *solver = nullptr;
    context->call([&](koshu_context *c) {
        return koshu_solver_create(c, &o, &solver);
    });
    return std::make_shared<Solver>(context, solver);
}

static nb::dict
tree_values(const koshu_tree_options &o)
{
    nb::dict d;
    d["multipole_order"] = koshu_multipole_order_name(o.multipole_order);
    d["opening_criterion"] = koshu_opening_criterion_name(o.opening_criterion);
    d["theta"] = o.theta;
    d["alpha"] = o.alpha;
    d["n_crit"] = o.n_crit;
    d["n_leaf"] = o.n_leaf;
    d["space_filling_curve"] =
            koshu_space_filling_curve_name(o.space_filling_curve);
    d["traversal"] = koshu_traversal_name(o.traversal);
    d["box"] = o.box;
    d["corner"] = nb::make_tuple(o.corner[0], o.corner[1], o.corner[2]);
    return d;
}

nb::dict
solver_values(const koshu_solver_options &o)
{
    nb::dict d;
    d["method"] = koshu_method_name(o.method);
    d["precision"] = koshu_precision_name(o.precision);
    d["softening"] = o.softening;
    d["fast"] = o.fast;
    d["j_capacity"] = o.j_capacity;
    d["transport"] = koshu_transport_name(o.transport);
    if (o.method == KOSHU_METHOD_TREE && o.tree) d.update(tree_values(*o.tree));
    if (o.method == KOSHU_METHOD_FMM && o.fmm) {
        d.update(laplace_values(*o.fmm));
        d["precision"] = koshu_precision_name(o.precision);
    }
    return d;
}

static nb::dict
options_of(Solver &s)
{
    koshu_solver_options o = koshu_solver_options_default();
    s.call([&](koshu_solver *self) {
        return koshu_solver_options_of(self, &o);
    });
    return solver_values(o);
}

// ---- forces -----------------------------------------------------------------

static void
forces(Solver &s, Particles &p, bool potential)
{
    same_context(s.context, p.context);
    const unsigned fields = KOSHU_FIELD_ACCELERATION |
                            (potential ? +KOSHU_FIELD_POTENTIAL : 0u);
    s.call([&](koshu_solver *self) {
        koshu_status status = koshu_solver_forces(self, p.get(), fields);
        return status == KOSHU_OK ? koshu_solver_wait(self) : status;
    });
}

static void
reorder(Solver &s, Particles &p)
{
    same_context(s.context, p.context);
    s.call([&](koshu_solver *self) {
        return koshu_solver_reorder(self, p.get());
    });
}

// ---- reports ----------------------------------------------------------------

nb::dict
tree_errors_values(const koshu_tree_errors &e)
{
    nb::dict d;
    d["sample"] = e.sample;
    d["median"] = e.median;
    d["p90"] = e.p90;
    d["p99"] = e.p99;
    d["max"] = e.max;
    d["rms"] = e.rms;
    d["barnes_hut_length"] = e.barnes_hut_length;
    return d;
}

static nb::dict
errors(Solver &s, Particles &p, size_t sample)
{
    same_context(s.context, p.context);
    koshu_tree_errors e = {};
    e.size = sizeof e;
    s.call([&](koshu_solver *self) {
        return koshu_solver_tree_errors(self, p.get(), sample, &e);
    });
    return tree_errors_values(e);
}

static nb::dict
report(Solver &s)
{
    struct koshu_solver_report r = {};
    r.size = sizeof r;
    s.call([&](koshu_solver *self) { return koshu_solver_report(self, &r); });
    nb::dict d;
    d["interactions"] = r.interactions;
    d["seconds"] = r.seconds;
    d["exposed_communication"] = r.exposed_communication;
    return d;
}

static nb::dict
seconds_of(const koshu_tree_report &r)
{
    nb::dict d;
    d["keys"] = r.seconds.keys;
    d["sort"] = r.seconds.sort;
    d["build"] = r.seconds.build;
    d["moments"] = r.seconds.moments;
    d["groups"] = r.seconds.groups;
    d["walk"] = r.seconds.walk;
    d["transfer"] = r.seconds.transfer;
    d["force"] = r.seconds.force;
    return d;
}

static nb::dict
tree_report(Solver &s, bool total)
{
    koshu_tree_report r = {};
    r.size = sizeof r;
    s.call([&](koshu_solver *self) {
        return total ? koshu_solver_tree_total(self, &r)
                     : koshu_solver_tree_report(self, &r);
    });
    nb::dict d;
    d["evaluations"] = r.evaluations;
    d["seconds"] = seconds_of(r);
    d["particles"] = r.particles;
    d["cells"] = r.cells;
    d["groups"] = r.groups;
    d["interactions"] = r.interactions;
    d["with_cells"] = r.with_cells;
    d["cells_tested"] = r.cells_tested;
    d["n_crit"] = r.n_crit;
    d["n_leaf"] = r.n_leaf;
    d["bytes"] = r.bytes;
    d["translations"] = r.translations;
    return d;
}

// ---- which ------------------------------------------------------------------

// method: the only one allowed; "": all are. offset: as in koshu/solver.h.
static nb::dict
choose(Context &context, uint64_t n, double accuracy, bool periodic,
       const std::string &method, double offset)
{
    const unsigned allowed =
            method.empty() ? 0 : 1u << find(koshu_method_find, method);
    koshu_solver_choice k = {};
    k.size = sizeof k;
    k.boundary = find(koshu_boundary_find, periodic ? "periodic" : "isolated");
    k.offset = offset;
    context.call([&](koshu_context *c) {
        return koshu_solver_choose(c, n, accuracy, allowed, 0, &k);
    });
    nb::dict d;
    d["method"] = koshu_method_name(k.method);
    d["precision"] = koshu_precision_name(k.precision);
    d["pairs"] = k.pairs;
    if (k.method == KOSHU_METHOD_TREE) d["alpha"] = k.alpha;
    if (k.method == KOSHU_METHOD_FMM) {
        d["multipole_order"] = k.multipole_order;
        d["theta"] = k.theta;
    }
    return d;
}

void
bind_solver(nb::module_ &m)
{
    nb::class_<Solver> solver(m, "Solver");
    solver.def_prop_ro("context", [](Solver &s) { return s.context; });
    solver.def("forces", forces);
    solver.def("reorder", reorder);
    solver.def("errors", errors);
    solver.def("report", report);
    solver.def("tree_report", tree_report);
    solver.def("options", options_of);
    solver.def_prop_ro("backend",
                       [](Solver &s) { return koshu_solver_backend(s.get()); });
    solver.def_prop_ro("device",
                       [](Solver &s) { return koshu_solver_device(s.get()); });
    m.def("solver_create", create);
    m.def("solver_choose", choose);
}
