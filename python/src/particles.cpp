// SPDX-License-Identifier: MIT
// Particle stores: numpy arrays in the store's own memory, and the models that
// fill stores.
#include <cstring>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "options.hpp"

using Store = std::shared_ptr<Particles>;

static Store
create(const std::shared_ptr<Context> &context, size_t n)
{
    koshu_particles *p = nullptr;
    context->call(
            [&](koshu_context *c) { return koshu_particles_create(c, n, &p); });
    return std::make_shared<Particles>(context, p);
}

// A model; table: the path of its masses, which the options point to.
static koshu_initial_options
model_options(const nb::dict &values, std::string &table)
{
    koshu_initial_options o = koshu_initial_options_default();
    Options given(values, "model");
    given.name("model", koshu_model_find, o.model);
    given.whole("n", o.n);
    given.whole("seed", o.seed);
    given.real("mass_fraction", o.mass_fraction);
    given.real("virial_ratio", o.virial_ratio);
    given.real("king_w0", o.king_w0);
    given.real("eccentricity", o.eccentricity);
    given.real("two_body_mass", o.two_body_mass);
    given.flag("exact_virial", o.exact_virial);
    given.name("mass_function", koshu_mass_function_find, o.mass_function);
    given.real("mass_min", o.mass_min);
    given.real("mass_max", o.mass_max);
    given.text("mass_table", table);
    given.real("mass_segregation", o.mass_segregation);
    given.real("binary_fraction", o.binary_fraction);
    given.name("period_law", koshu_period_law_find, o.period_law);
    given.real("period_min", o.period_min);
    given.real("period_max", o.period_max);
    given.name("mass_ratio_law", koshu_mass_ratio_law_find, o.mass_ratio_law);
    given.real("mass_ratio_min", o.mass_ratio_min);
    given.name("eccentricity_law", koshu_eccentricity_law_find,
               o.eccentricity_law);
    given.real("length_pc", o.length_pc);
    given.real("mass_msun", o.mass_msun);
    given.real("dehnen_gamma", o.dehnen_gamma);
    given.real("concentration", o.concentration);
    given.real("eff_gamma", o.eff_gamma);
    given.real("fractal_dimension", o.fractal_dimension);
    given.real("disk_fraction", o.disk_fraction);
    given.real("bulge_fraction", o.bulge_fraction);
    given.real("disk_height", o.disk_height);
    given.real("toomre_q", o.toomre_q);
    given.real("bulge_length", o.bulge_length);
    given.real("halo_length", o.halo_length);
    given.done();
    if (!table.empty()) o.mass_table = table.c_str();
    return o;
}

static Store
model(const std::shared_ptr<Context> &context, const nb::dict &values)
{
    std::string table;
    const koshu_initial_options o = model_options(values, table);
    koshu_particles *p = nullptr;
    context->call(
            [&](koshu_context *c) { return koshu_initial_create(c, &o, &p); });
    return std::make_shared<Particles>(context, p);
}

static double
mass_of_model(const std::shared_ptr<Context> &context, const nb::dict &values)
{
    std::string table;
    const koshu_initial_options o = model_options(values, table);
    double mass = 0;
    context->call(
            [&](koshu_context *c) { return koshu_initial_mass(c, &o, &mass); });
    return mass;
}

// Several models, from a text in a unit system "pc, Msun, Myr"; "":
// dimensionless.
static Store
components(const std::shared_ptr<Context> &context, const std::string &text,
           uint64_t seed, const std::string &units_of)
{
    koshu_units units;
    koshu_particles *p = nullptr;
    koshu_units_henon(&units);
    context->call([&](koshu_context *c) {
        const koshu_status status =
                units_of.empty()
                        ? KOSHU_OK
                        : koshu_units_find(c, units_of.c_str(), &units);
        if (status != KOSHU_OK) return status;
        return koshu_components_create(c, text.c_str(), seed, &units, &p);
    });
    return std::make_shared<Particles>(context, p);
}

// ---- views ------------------------------------------------------------------

// The first array of a field, and how many follow it at equal distances.
struct Block {
    void *first;
    size_t columns;
    int64_t stride;
};

static Block
vector_of(double *x, double *y)
{
    return {x, 3, y - x};
}

static Block
block_of(const koshu_particle_view &v, koshu_field field)
{
    switch (field) {
    case KOSHU_FIELD_ID: return {v.id, 1, 0};
    case KOSHU_FIELD_MASS: return {v.mass, 1, 0};
    case KOSHU_FIELD_POSITION: return vector_of(v.x, v.y);
    case KOSHU_FIELD_VELOCITY: return vector_of(v.vx, v.vy);
    case KOSHU_FIELD_ACCELERATION: return vector_of(v.ax, v.ay);
    case KOSHU_FIELD_POTENTIAL: return {v.potential, 1, 0};
    case KOSHU_FIELD_JERK: return vector_of(v.jx, v.jy);
    case KOSHU_FIELD_STEP: return {v.tick, 2, v.step - v.tick};
    case KOSHU_FIELD_WORK: return {v.work, 1, 0};
    case KOSHU_FIELD_INITIAL_MASS: return {v.initial_mass, 1, 0};
    case KOSHU_FIELD_ALL: break;
    }
    throw Failure{KOSHU_ERROR_INTERNAL, "a field without a block"};
}

template <class T, class View>
static nb::object
array_of(const Block &block, size_t n, nb::handle owner)
{
    auto *first = static_cast<std::remove_const_t<T> *>(block.first);
    if (block.columns == 1) return nb::cast(View(first, {n}, owner));
    return nb::cast(View(first, {n, block.columns}, owner, {1, block.stride}));
}

static nb::object
writable(const koshu_particle_view &v, koshu_field field, nb::handle owner)
{
    const Block block = block_of(v, field);
    if (field == KOSHU_FIELD_ID || field == KOSHU_FIELD_STEP)
        return array_of<uint64_t, nb::ndarray<nb::numpy, uint64_t>>(block, v.n,
                                                                    owner);
    return array_of<double, Array>(block, v.n, owner);
}

static nb::object
readable(const koshu_particle_view &v, koshu_field field, nb::handle owner)
{
    const Block block = block_of(v, field);
    if (field == KOSHU_FIELD_ID || field == KOSHU_FIELD_STEP)
        return array_of<const uint64_t, nb::ndarray<nb::numpy, const uint64_t>>(
                block, v.n, owner);
    return array_of<const double, ConstArray>(block, v.n, owner);
}

// The arrays remain valid as long as the store, which the numpy array keeps
// alive; so the view itself can be released at once.
static nb::object
read_field(nb::handle_t<Particles> self, const std::string &name)
{
    Store p = nb::cast<Store>(self);
    const koshu_field field = find(koshu_field_find, name);
    koshu_particle_const_view v = {};
    v.size = sizeof v;
    p->context->call([&](koshu_context *) {
        koshu_status status = koshu_particles_acquire_read(p->get(), field, &v);
        if (status == KOSHU_OK) koshu_particles_release_read(p->get());
        return status;
    });
    koshu_particle_view same;
    static_assert(sizeof same == sizeof v, "they differ by const alone");
    memcpy(&same, &v, sizeof same);
    return readable(same, field, self);
}

static koshu_particle_view
acquire(Particles &p, unsigned fields, koshu_access access)
{
    koshu_particle_view v = {};
    v.size = sizeof v;
    p.call([&](koshu_particles *o) {
        return koshu_particles_acquire_write(o, fields, access, &v);
    });
    return v;
}

static void
release(Particles &p)
{
    p.call([&](koshu_particles *o) {
        koshu_particles_release_write(o);
        return KOSHU_OK;
    });
}

// Writable arrays of the fields, until release().
static nb::dict
edit(nb::handle_t<Particles> self, const nb::list &names)
{
    Store p = nb::cast<Store>(self);
    unsigned fields = 0;
    for (nb::handle name : names)
        fields |= find(koshu_field_find, nb::cast<std::string>(name));
    const koshu_particle_view v = acquire(*p, fields, KOSHU_ACCESS_READ_WRITE);
    nb::dict arrays;
    for (nb::handle name : names)
        arrays[name] = writable(
                v, find(koshu_field_find, nb::cast<std::string>(name)), self);
    return arrays;
}

// All elements of a field.
template <class T>
static void
copy_rows(const Block &block, size_t n, const T *data, int64_t row,
          int64_t column)
{
    for (size_t k = 0; k < block.columns; k++) {
        T *to = static_cast<T *>(block.first) +
                static_cast<int64_t>(k) * block.stride;
        for (size_t i = 0; i < n; i++)
            to[i] = data[static_cast<int64_t>(i) * row +
                         static_cast<int64_t>(k) * column];
    }
}

template <class T>
static void
write_field(Particles &p, const std::string &name,
            const nb::ndarray<const T, nb::ndim<2>, nb::device::cpu> &values)
{
    const koshu_field field = find(koshu_field_find, name);
    const koshu_particle_view v = acquire(p, field, KOSHU_ACCESS_WRITE);
    const Block block = block_of(v, field);
    const bool fits =
            values.shape(0) == v.n && values.shape(1) == block.columns;
    if (fits)
        copy_rows(block, v.n, values.data(), values.stride(0),
                  values.stride(1));
    release(p);
    if (!fits) throw nb::value_error("the array has another shape");
}

// ---- what is done to all of them --------------------------------------------

static void
permute(Particles &p, const Indices &from)
{
    if (from.shape(0) > 1 && from.stride(0) != 1)
        throw nb::value_error("the order is not contiguous");
    static_assert(sizeof(size_t) == sizeof(uint64_t), "");
    p.call([&](koshu_particles *o) {
        return koshu_particles_permute(
                o, from.shape(0),
                reinterpret_cast<const size_t *>(from.data()));
    });
}

static void
convert(Particles &p, const koshu_units &from, const koshu_units &to)
{
    p.call([&](koshu_particles *o) {
        return koshu_particles_convert(o, &from, &to);
    });
}

static nb::tuple
three(const double v[3])
{
    return nb::make_tuple(v[0], v[1], v[2]);
}

static nb::dict
diagnostics(Particles &p)
{
    koshu_diagnostics d = {};
    d.size = sizeof d;
    p.call([&](koshu_particles *o) {
        return koshu_diagnostics_compute(o, &d);
    });
    nb::dict result, radii;
    result["mass"] = d.mass;
    result["kinetic"] = d.kinetic;
    result["potential"] = d.potential;
    result["total"] = d.total;
    result["virial_ratio"] = d.virial_ratio;
    result["momentum"] = three(d.momentum);
    result["angular_momentum"] = three(d.angular_momentum);
    result["centre"] = three(d.centre);
    for (int k = 0; k < KOSHU_LAGRANGIAN_COUNT; k++)
        radii[nb::float_(koshu_lagrangian_fractions[k])] =
                d.lagrangian_radius[k];
    result["lagrangian_radius"] = radii;
    return result;
}

void
bind_particles(nb::module_ &m)
{
    nb::class_<Particles> particles(m, "Particles");
    particles.def_prop_ro("context", [](Particles &p) { return p.context; });
    particles.def_prop_ro("total", [](Particles &p) {
        return koshu_particles_total(p.get());
    });
    particles.def_prop_ro("count", [](Particles &p) {
        return koshu_particles_count(p.get());
    });
    particles.def_prop_ro("first", [](Particles &p) {
        return koshu_particles_first(p.get());
    });
    particles.def("read", read_field);
    particles.def("edit", edit);
    particles.def("release", release);
    particles.def("write", write_field<double>);
    particles.def("write_whole", write_field<uint64_t>);
    particles.def("permute", permute);
    particles.def("convert", convert);
    particles.def("diagnostics", diagnostics);
    particles.def("check", [](Particles &p) { p.call(koshu_particles_check); });
    m.def("particles_create", create);
    m.def("particles_of_model", model);
    m.def("mass_of_model", mass_of_model);
    m.def("particles_of_components", components);
}
