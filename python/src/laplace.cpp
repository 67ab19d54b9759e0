// SPDX-License-Identifier: MIT
// Sums of 1 / r, by the fast multipole method and by Ewald summation.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "options.hpp"
#include "solver_options.hpp"

koshu_laplace_options
laplace_options(const nb::dict &values, const char *what)
{
    koshu_laplace_options o = koshu_laplace_options_default();
    Options given(values, what);
    given.name("precision", koshu_precision_find, o.precision);
    given.real("tolerance", o.tolerance);
    given.whole("multipole_order", o.multipole_order);
    given.real("theta", o.theta);
    given.whole("n_leaf", o.n_leaf);
    given.real("box", o.box);
    given.vector("corner", o.corner);
    given.whole("image_depth", o.image_depth);
    given.done();
    return o;
}

nb::dict
laplace_values(const koshu_laplace_options &o)
{
    nb::dict d;
    d["precision"] = koshu_precision_name(o.precision);
    d["tolerance"] = o.tolerance;
    d["multipole_order"] = o.multipole_order;
    d["theta"] = o.theta;
    d["n_leaf"] = o.n_leaf;
    d["box"] = o.box;
    d["corner"] = nb::make_tuple(o.corner[0], o.corner[1], o.corner[2]);
    d["image_depth"] = o.image_depth;
    return d;
}

static std::shared_ptr<Laplace>
create(const std::shared_ptr<Context> &context, const nb::dict &values)
{
    const koshu_laplace_options o = laplace_options(values, "Laplace");
    koshu_laplace *laplace = nullptr;
    context->call([&](koshu_context *c) {
        return koshu_laplace_create(c, &o, &laplace);
    });
    return std::make_shared<Laplace>(context, laplace);
}

// ---- points -----------------------------------------------------------------

// Points with charges in n_rhs columns, and maybe dipoles: three columns, for
// a single right-hand side.
class Points {
  public:
    Points(const nb::object &position, const nb::object &charge,
           const nb::object &dipole)
    {
        points = koshu_laplace_points_default();
        fill(where, position, "position");
        points.n = where.n;
        points.x = where[0], points.y = where[1], points.z = where[2];
        if (!charge.is_none()) {
            fill(charges, charge, "charge");
            points.n_rhs = charges.n_columns;
            points.charge = packed_of(charges);
        }
        if (!dipole.is_none()) {
            fill(dipoles, dipole, "dipole");
            points.dipole_x = dipoles[0];
            points.dipole_y = dipoles[1];
            points.dipole_z = dipoles[2];
        }
    }
    koshu_laplace_points points;

  private:
    static void
    fill(Columns &columns, const nb::object &array, const char *name)
    {
        columns = Columns(nb::cast<Vectors>(array));
        check_finite(columns, name);
    }

    // contiguous columns
    const double *packed_of(const Columns &columns)
    {
        if (columns.n_columns < 2) return columns[0];
        packed.reserve(columns.n * columns.n_columns);
        for (size_t k = 0; k < columns.n_columns; k++)
            packed.insert(packed.end(), columns[k], columns[k] + columns.n);
        return packed.data();
    }

    Columns where, charges, dipoles;
    std::vector<double> packed;
};

// Results of n targets and n_rhs right-hand sides: potential, gradient and, if
// requested, the Hessian.
struct Results {
    Results(size_t n_, size_t n_rhs_, bool hessian_)
        : n(n_), n_rhs(n_rhs_), hessian(hessian_), each(n * n_rhs),
          memory(new_doubles((hessian ? 10 : 4) * each)),
          owner(owner_of(memory)), result(koshu_laplace_result_default())
    {
        double **to[] = {&result.potential,  &result.gradient_x,
                         &result.gradient_y, &result.gradient_z,
                         &result.hessian_xx, &result.hessian_xy,
                         &result.hessian_xz, &result.hessian_yy,
                         &result.hessian_yz, &result.hessian_zz};
        for (size_t k = 0; k < (hessian ? 10u : 4u); k++)
            *to[k] = memory + k * each;
    }
    // as [component, right-hand side, target]
    nb::object array() const
    {
        return nb::cast(Array(memory, {hessian ? 10u : 4u, n_rhs, n}, owner));
    }
    size_t n, n_rhs;
    bool hessian;
    size_t each;
    double *memory;
    nb::capsule owner;
    koshu_laplace_result result;
};

// Calls sums(sources, targets or NULL, results).
template <class F>
static nb::object
sum(const nb::object &position, const nb::object &charge,
    const nb::object &dipole, const nb::object &target, bool hessian, F sums)
{
    const Points sources(position, charge, dipole);
    if (target.is_none()) {
        Results r(sources.points.n, sources.points.n_rhs, hessian);
        sums(&sources.points,
             static_cast<const koshu_laplace_points *>(nullptr), &r.result);
        return r.array();
    }
    const Points targets(target, nb::none(), nb::none());
    Results r(targets.points.n, sources.points.n_rhs, hessian);
    sums(&sources.points, &targets.points, &r.result);
    return r.array();
}

static nb::object
sums(Laplace &self, const nb::object &position, const nb::object &charge,
     const nb::object &dipole, const nb::object &target, bool hessian)
{
    return sum(position, charge, dipole, target, hessian,
               [&](auto *sources, auto *targets, auto *result) {
                   self.call([&](koshu_laplace *l) {
                       return koshu_laplace_sums(l, sources, targets, result);
                   });
               });
}

static nb::object
ewald(Context &context, const nb::object &position, const nb::object &charge,
      const nb::object &dipole, const nb::object &target, bool hessian,
      const nb::dict &values)
{
    koshu_ewald_options o = koshu_ewald_options_default();
    Options given(values, "ewald");
    given.real("box", o.box);
    given.real("splitting", o.splitting);
    given.real("softening", o.softening);
    given.done();
    return sum(position, charge, dipole, target, hessian,
               [&](auto *sources, auto *targets, auto *result) {
                   context.call([&](koshu_context *c) {
                       return koshu_ewald_sums(c, sources, targets, &o, result);
                   });
               });
}

// As [component, target]: the velocity, and its gradient du_i / dx_k, row by
// row.
static nb::object
biot_savart(Laplace &self, const nb::object &position, const nb::object &alpha,
            const nb::object &target)
{
    const Points sources(position, alpha, nb::none());
    const Points others(target.is_none() ? position : target, nb::none(),
                        nb::none());
    const size_t n = others.points.n;
    double *memory = new_doubles(12 * n);
    nb::capsule owner = owner_of(memory);
    koshu_laplace_velocity v = koshu_laplace_velocity_default();
    double **to[] = {&v.x,           &v.y,           &v.z,
                     &v.gradient_xx, &v.gradient_xy, &v.gradient_xz,
                     &v.gradient_yx, &v.gradient_yy, &v.gradient_yz,
                     &v.gradient_zx, &v.gradient_zy, &v.gradient_zz};
    for (size_t k = 0; k < 12; k++) *to[k] = memory + k * n;
    self.call([&](koshu_laplace *l) {
        return koshu_laplace_biot_savart(
                l, &sources.points, target.is_none() ? nullptr : &others.points,
                &v);
    });
    return nb::cast(Array(memory, {12, n}, owner));
}

static nb::dict
report(Laplace &self)
{
    struct koshu_laplace_report r = {};
    r.size = sizeof r;
    self.call([&](koshu_laplace *l) { return koshu_laplace_report(l, &r); });
    nb::dict d, seconds;
    seconds["tree"] = r.seconds.tree;
    seconds["up"] = r.seconds.up;
    seconds["down"] = r.seconds.down;
    seconds["near"] = r.seconds.near;
    d["multipole_order"] = r.multipole_order;
    d["theta"] = r.theta;
    d["n_leaf"] = r.n_leaf;
    d["cells"] = r.cells;
    d["translations"] = r.translations;
    d["pairs"] = r.pairs;
    d["seconds"] = seconds;
    return d;
}

void
bind_laplace(nb::module_ &m)
{
    nb::class_<Laplace> laplace(m, "Laplace");
    laplace.def("sums", sums, nb::arg(), nb::arg().none(), nb::arg().none(),
                nb::arg().none(), nb::arg());
    laplace.def("biot_savart", biot_savart, nb::arg(), nb::arg(),
                nb::arg().none());
    laplace.def("report", report);
    m.def("laplace_create", create);
    m.def("ewald_sums", ewald, nb::arg(), nb::arg(), nb::arg().none(),
          nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg());
}
