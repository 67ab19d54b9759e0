// SPDX-License-Identifier: MIT
// Interactions compiled from kernel sources.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "options.hpp"

// It is an error if the source does not declare a constant.
static koshu_status
compile(koshu_interaction *interaction, const std::vector<std::string> &names,
        const std::vector<double> &values)
{
    for (size_t k = 0; k < names.size(); k++) {
        const koshu_status status = koshu_interaction_set_constant(
                interaction, names[k].c_str(), values[k]);
        if (status != KOSHU_OK) return status;
    }
    return koshu_interaction_compile(interaction);
}

static std::shared_ptr<Interaction>
create(const std::shared_ptr<Context> &context, const std::string &source,
       const std::string &name, const std::string &precision,
       const std::vector<std::string> &names, const std::vector<double> &values)
{
    koshu_interaction_options o = koshu_interaction_options_default();
    o.name = name.c_str();
    o.precision = find(koshu_precision_find, precision);
    koshu_interaction *interaction = nullptr;
    context->call([&](koshu_context *c) {
        return koshu_interaction_read(c, source.c_str(), &o, &interaction);
    });
    auto made = std::make_shared<Interaction>(context, interaction);
    made->call([&](koshu_interaction *self) {
        return compile(self, names, values);
    });
    return made;
}

static nb::list
names(Interaction &self, size_t n,
      const char *(*name)(const koshu_interaction *, size_t))
{
    nb::list list;
    for (size_t k = 0; k < n; k++) list.append(name(self.get(), k));
    return list;
}

using Table =
        nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

static nb::object
evaluate(Interaction &self, const Table &i, const Table &j)
{
    const size_t n = i.shape(0);
    const size_t n_outputs = koshu_interaction_n_outputs(self.get());
    double *out = new_doubles(n * n_outputs);
    nb::capsule owner = owner_of(out);
    self.call([&](koshu_interaction *o) {
        return koshu_interaction_evaluate(o, n, j.shape(0), i.data(), j.data(),
                                          out);
    });
    return nb::cast(Array(out, {n, n_outputs}, owner));
}

void
bind_interaction(nb::module_ &m)
{
    nb::class_<Interaction> interaction(m, "Interaction");
    interaction.def_prop_ro("i_names", [](Interaction &s) {
        return names(s, koshu_interaction_n_i_fields(s.get()),
                     koshu_interaction_name_i);
    });
    interaction.def_prop_ro("j_names", [](Interaction &s) {
        return names(s, koshu_interaction_n_j_fields(s.get()),
                     koshu_interaction_name_j);
    });
    interaction.def_prop_ro("out_names", [](Interaction &s) {
        return names(s, koshu_interaction_n_outputs(s.get()),
                     koshu_interaction_name_out);
    });
    interaction.def("evaluate", evaluate);
    m.def("interaction_create", create);
}
