// SPDX-License-Identifier: MIT
// Direct sums on arrays, without a store.
#include <numeric>
#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "arrays.hpp"
#include "options.hpp"

// Ids for i-particles that are also the j-particles. Without given ids they
// are the indices. Pairs with equal ids are left out.
static std::vector<int64_t>
count_up(size_t n)
{
    std::vector<int64_t> ids(n);
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

static koshu_force_options
force_options(const nb::dict &values)
{
    koshu_force_options o = koshu_force_options_default();
    Options given(values, "direct sums");
    given.name("precision", koshu_precision_find, o.precision);
    given.real("softening", o.softening);
    given.flag("fast", o.fast);
    given.done();
    return o;
}

static koshu_i_particles
targets_of(const Columns &x, const int64_t *id)
{
    koshu_i_particles i = {};
    i.n = x.n;
    i.x = x[0], i.y = x[1], i.z = x[2];
    i.id = id;
    return i;
}

static koshu_j_particles
sources_of(const Columns &x, const Columns &mass)
{
    koshu_j_particles j = {};
    j.n = x.n;
    j.x = x[0], j.y = x[1], j.z = x[2];
    j.mass = mass[0];
    return j;
}

// Accelerations and potentials of n targets, and the owner of their memory.
struct Sums {
    explicit Sums(size_t n_)
        : n(n_), memory(new_doubles(4 * n_)), owner(owner_of(memory))
    {
        result.ax = memory;
        result.ay = memory + n;
        result.az = memory + 2 * n;
        result.potential = memory + 3 * n;
    }
    nb::tuple arrays() const
    {
        return nb::make_tuple(rows(memory, n, 3, n, owner),
                              row(memory + 3 * n, n, owner));
    }
    size_t n;
    double *memory;
    nb::capsule owner;
    koshu_force_result result = {};
};

static nb::tuple
of_themselves(Context &context, const Vectors &position, const Vector &mass,
              const nb::dict &values)
{
    const koshu_force_options options = force_options(values);
    Sums sums(position.shape(0));
    context.call([&](koshu_context *c) {
        const Columns x(position), m(mass);
        check_finite(x, "x");
        check_finite(m, "m");
        const std::vector<int64_t> ids = count_up(x.n);
        const koshu_i_particles i = targets_of(x, ids.data());
        const koshu_j_particles j = sources_of(x, m);
        return koshu_force_direct(c, &i, &j, &options, &sums.result);
    });
    return sums.arrays();
}

// Runs evaluate(context, i, j, result). id: the indices of sources that
// targets leave out; -1, or no array: none.
template <class Evaluate>
static nb::tuple
sum_on(Context &context, const Vectors &target, const std::optional<Ids> &id,
       const Vectors &position, const Vector &mass, const Evaluate &evaluate)
{
    Sums sums(target.shape(0));
    context.call([&](koshu_context *c) {
        const Columns t(target), x(position), m(mass);
        check_finite(t, "targets");
        check_finite(x, "x");
        check_finite(m, "m");
        const koshu_i_particles i = targets_of(t, id ? id->data() : nullptr);
        const koshu_j_particles j = sources_of(x, m);
        return evaluate(c, &i, &j, &sums.result);
    });
    return sums.arrays();
}

static nb::tuple
on_targets(Context &context, const Vectors &target,
           const std::optional<Ids> &id, const Vectors &position,
           const Vector &mass, const nb::dict &values)
{
    const koshu_force_options options = force_options(values);
    return sum_on(context, target, id, position, mass,
                  [&](auto *c, auto *i, auto *j, auto *result) {
                      return koshu_force_direct(c, i, j, &options, result);
                  });
}

static const size_t *
offsets(const Indices &a)
{
    return reinterpret_cast<const size_t *>(a.data());
}

// In set s, i_offset[s] ... i_offset[s+1]-1 and j_offset[s] ...
// j_offset[s+1]-1.
static nb::tuple
of_sets(Context &context, const Indices &i_offset, const Indices &j_offset,
        const Vectors &target, const std::optional<Ids> &id,
        const Vectors &position, const Vector &mass, const nb::dict &values)
{
    const koshu_force_options options = force_options(values);
    return sum_on(context, target, id, position, mass,
                  [&](auto *c, auto *i, auto *j, auto *result) {
                      return koshu_force_direct_sets(
                              c, i_offset.shape(0) - 1, offsets(i_offset),
                              offsets(j_offset), i, j, &options, result);
                  });
}

using Floats = nb::ndarray<const float, nb::shape<-1, 4>, nb::c_contig,
                           nb::device::cpu>;
using Offsets =
        nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static void
nwalk(Context &context, const Floats &xi, const Floats &xj,
      const nb::ndarray<float, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>
              &accp,
      const Offsets &ioff, const Offsets &joff)
{
    context.call([&](koshu_context *c) {
        return koshu_force_nwalk(c, xi.data(), xj.data(), accp.data(),
                                 ioff.data(), joff.data(),
                                 static_cast<int>(ioff.shape(0)) - 1);
    });
}

void
bind_forces(nb::module_ &m)
{
    m.def("force_direct", of_themselves);
    m.def("force_direct_on", on_targets, nb::arg(), nb::arg(), nb::arg().none(),
          nb::arg(), nb::arg(), nb::arg());
    m.def("force_direct_sets", of_sets, nb::arg(), nb::arg(), nb::arg(),
          nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg());
    m.def("force_nwalk", nwalk);
}
