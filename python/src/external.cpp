// SPDX-License-Identifier: MIT
// External fields.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"

// In a unit system "pc, Msun, Myr", with masses multiplied by its G; "":
// dimensionless.
static std::shared_ptr<External>
parse(const std::shared_ptr<Context> &context, const std::string &text,
      const std::string &units_of)
{
    koshu_units units;
    koshu_external *e = nullptr;
    koshu_units_henon(&units);
    context->call([&](koshu_context *c) {
        const koshu_status status =
                units_of.empty()
                        ? KOSHU_OK
                        : koshu_units_find(c, units_of.c_str(), &units);
        if (status != KOSHU_OK) return status;
        return koshu_external_parse(c, text.c_str(), &units,
                                    koshu_units_gravitational_constant(&units),
                                    &e);
    });
    return std::make_shared<External>(context, e);
}

// n rows of 3 contiguous numbers.
static std::vector<double>
by_rows(const Columns &columns)
{
    std::vector<double> all(3 * columns.n);
    for (size_t i = 0; i < columns.n; i++)
        for (size_t k = 0; k < 3; k++) all[3 * i + k] = columns[k][i];
    return all;
}

static nb::object
array_of(const std::vector<double> &values, size_t n, size_t columns)
{
    double *memory = new_doubles(values.size());
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < columns; k++)
            memory[k * n + i] = values[columns * i + k];
    return columns == 1 ? row(memory, n, owner_of(memory))
                        : rows(memory, n, columns, n, owner_of(memory));
}

// Accelerations, jerks, potentials; velocity None: at rest.
static nb::tuple
evaluate(External &e, const Vectors &position,
         const std::optional<Vectors> &velocity)
{
    const Columns x(position);
    const std::vector<double> at = by_rows(x);
    std::vector<double> v, a(at.size()), jerk(at.size()), potential(x.n);
    if (velocity) v = by_rows(Columns(*velocity));
    e.call([&](koshu_external *self) {
        return koshu_external_evaluate(self, x.n, at.data(),
                                       velocity ? v.data() : nullptr, a.data(),
                                       jerk.data(), potential.data());
    });
    return nb::make_tuple(array_of(a, x.n, 3), array_of(jerk, x.n, 3),
                          array_of(potential, x.n, 1));
}

static double
energy(External &e, Particles &particles)
{
    double sum = 0;
    same_context(e.context, particles.context);
    e.call([&](koshu_external *self) {
        return koshu_external_energy(self, particles.get(), &sum);
    });
    return sum;
}

void
bind_external(nb::module_ &m)
{
    nb::class_<External> external(m, "External");
    external.def("evaluate", evaluate, nb::arg(), nb::arg().none());
    external.def("energy", energy);
    external.def_prop_ro("rotation", [](External &e) {
        return koshu_external_rotation(e.get());
    });
    m.def("external_parse", parse);
}
