// SPDX-License-Identifier: MIT
// Star clusters.
#include <nanobind/stl/string.h>

#include <cstddef>

#include "options.hpp"

// The description of a struct's members for numpy: names, formats, offsets.
struct Member {
    const char *name, *format;
    size_t offset;
};

#define MEMBER(type, name, format)          \
    {                                       \
#name, format, offsetof(type, name) \
    }

static const Member of_shell[] = {
#define SHELL(name) MEMBER(koshu_cluster_shell, name, "f8")
        MEMBER(koshu_cluster_shell, n, "u8"),
        SHELL(inner),
        SHELL(outer),
        SHELL(radius),
        SHELL(mass),
        SHELL(mass_within),
        SHELL(density),
        SHELL(number_density),
        SHELL(mean_mass),
        SHELL(radial_velocity),
        SHELL(radial_dispersion),
        SHELL(tangential_dispersion),
        SHELL(velocity_dispersion),
        SHELL(anisotropy)};

static const Member of_pair[] = {
#define PAIR(name, format) MEMBER(koshu_cluster_pair, name, format)
        PAIR(n, "u8"),
        PAIR(id, "2u8"),
        PAIR(inner, "2i8"),
        PAIR(outer, "i8"),
        PAIR(mass, "2f8"),
        PAIR(separation, "f8"),
        PAIR(semi_major_axis, "f8"),
        PAIR(eccentricity, "f8"),
        PAIR(period, "f8"),
        PAIR(inclination, "f8"),
        PAIR(energy, "f8"),
        PAIR(energy_kt, "f8"),
        PAIR(position, "3f8"),
        PAIR(velocity, "3f8"),
        PAIR(radius, "f8"),
        PAIR(hard, "i4")};

// The bytes of n structs, and the arguments of numpy.dtype() for their
// members.
template <class T, size_t N>
static nb::tuple
array_of(const T *first, size_t n, const Member (&members)[N])
{
    nb::list names, formats, offsets;
    nb::dict type;
    for (const Member &m : members) {
        names.append(m.name);
        formats.append(m.format);
        offsets.append(m.offset);
    }
    type["names"] = names;
    type["formats"] = formats;
    type["offsets"] = offsets;
    type["itemsize"] = sizeof(T);
    return nb::make_tuple(
            nb::bytes(n > 0 ? reinterpret_cast<const char *>(first) : "",
                      n * sizeof(T)),
            type);
}

static nb::dict
summary_of(const struct koshu_cluster_summary &s)
{
    nb::dict d;
#define SUMMARY(name) d[#name] = s.name;
    SUMMARY(n)
    SUMMARY(n_systems)
    SUMMARY(n_bound)
    SUMMARY(n_pairs)
    SUMMARY(n_hard)
    SUMMARY(n_hierarchies)
    SUMMARY(mass)
    SUMMARY(bound_mass)
    d["centre"] = nb::make_tuple(s.centre[0], s.centre[1], s.centre[2]);
    d["velocity"] = nb::make_tuple(s.velocity[0], s.velocity[1], s.velocity[2]);
    SUMMARY(core_radius)
    SUMMARY(core_mass)
    nb::dict radii;
    for (int k = 0; k < KOSHU_LAGRANGIAN_COUNT; k++)
        radii[nb::float_(koshu_lagrangian_fractions[k])] =
                s.lagrangian_radius[k];
    d["lagrangian_radius"] = radii;
    SUMMARY(kinetic)
    SUMMARY(potential)
    SUMMARY(virial_ratio)
    SUMMARY(virial_radius)
    SUMMARY(velocity_dispersion)
    SUMMARY(anisotropy)
    SUMMARY(kt)
    SUMMARY(crossing_time)
    SUMMARY(relaxation_time)
    SUMMARY(binding_energy)
    SUMMARY(segregation)
    SUMMARY(segregation_error)
    return d;
}

// The summary, and arrays of shells and pairs.
static nb::tuple
measure(Particles &p, const nb::dict &given)
{
    koshu_cluster_options o = koshu_cluster_options_default();
    Options options(given, "cluster()");
    options.real("gravitational_constant", o.gravitational_constant);
    options.real("softening", o.softening);
    options.whole("shells", o.n_shells);
    options.whole("massive", o.n_massive);
    options.whole("samples", o.n_samples);
    options.whole("seed", o.seed);
    options.done();
    koshu_cluster *made = nullptr;
    p.call([&](koshu_particles *self) {
        return koshu_cluster_create(self, &o, &made);
    });
    Handle<koshu_cluster, koshu_cluster_destroy> cluster(p.context, made);
    struct koshu_cluster_summary s = {};
    s.size = sizeof s;
    cluster.call([&](koshu_cluster *self) {
        return koshu_cluster_summary(self, &s);
    });
    size_t n_shells, n_pairs;
    const koshu_cluster_shell *shells = koshu_cluster_shells(made, &n_shells);
    const koshu_cluster_pair *pairs = koshu_cluster_pairs(made, &n_pairs);
    return nb::make_tuple(summary_of(s), array_of(shells, n_shells, of_shell),
                          array_of(pairs, n_pairs, of_pair));
}

void
bind_cluster(nb::module_ &m)
{
    m.def("cluster", measure);
}
