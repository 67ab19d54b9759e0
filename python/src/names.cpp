// SPDX-License-Identifier: MIT
// The names of methods, models and all other enums of koshu.
#include "context.hpp"

template <class E>
static nb::list
names(const char *(*name_of)(E))
{
    nb::list list;
    for (int k = 0; name_of(static_cast<E>(k)); k++)
        list.append(name_of(static_cast<E>(k)));
    return list;
}

// For enumerators that are bits.
template <class E>
static nb::list
bit_names(const char *(*name_of)(E))
{
    nb::list list;
    for (unsigned bit = 1; name_of(static_cast<E>(bit)); bit <<= 1)
        list.append(name_of(static_cast<E>(bit)));
    return list;
}

static nb::dict
texts_of_stop()
{
    nb::dict texts;
    for (int k = 0; koshu_stop_name(static_cast<koshu_stop>(k)); k++)
        texts[koshu_stop_name(static_cast<koshu_stop>(k))] =
                koshu_stop_text(static_cast<koshu_stop>(k));
    return texts;
}

static nb::dict
texts_of_status()
{
    nb::dict texts;
    for (int k = 0; koshu_status_name(static_cast<koshu_status>(k)); k++)
        texts[koshu_status_name(static_cast<koshu_status>(k))] =
                koshu_status_text(static_cast<koshu_status>(k));
    return texts;
}

static nb::dict
summaries_of_models()
{
    nb::dict texts;
    for (int k = 0; koshu_model_name(static_cast<koshu_model>(k)); k++)
        texts[koshu_model_name(static_cast<koshu_model>(k))] =
                koshu_model_summary(static_cast<koshu_model>(k));
    return texts;
}

static nb::dict
all_names()
{
    nb::dict all;
    all["access"] = names(koshu_access_name);
    all["axis"] = names(koshu_axis_name);
    all["boundary"] = names(koshu_boundary_name);
    all["curves"] = bit_names(koshu_curves_name);
    all["eccentricity_law"] = names(koshu_eccentricity_law_name);
    all["exchange"] = names(koshu_exchange_name);
    all["external_kind"] = names(koshu_external_kind_name);
    all["field"] = bit_names(koshu_field_name);
    all["format"] = names(koshu_format_name);
    all["log_level"] = names(koshu_log_level_name);
    all["mass_function"] = names(koshu_mass_function_name);
    all["mass_ratio_law"] = names(koshu_mass_ratio_law_name);
    all["method"] = names(koshu_method_name);
    all["model"] = names(koshu_model_name);
    all["multipole_order"] = names(koshu_multipole_order_name);
    all["opening_criterion"] = names(koshu_opening_criterion_name);
    all["period_law"] = names(koshu_period_law_name);
    all["precision"] = names(koshu_precision_name);
    all["quantity"] = names(koshu_quantity_name);
    all["scheme"] = names(koshu_scheme_name);
    all["space_filling_curve"] = names(koshu_space_filling_curve_name);
    all["status"] = names(koshu_status_name);
    all["step_rule"] = names(koshu_step_rule_name);
    all["stop"] = names(koshu_stop_name);
    all["transport"] = names(koshu_transport_name);
    all["traversal"] = names(koshu_traversal_name);
    all["weight"] = names(koshu_weight_name);
    return all;
}

void
bind_names(nb::module_ &m)
{
    m.def("names", all_names);
    m.def("stop_texts", texts_of_stop);
    m.def("status_texts", texts_of_status);
    m.def("model_summaries", summaries_of_models);
    m.def("version", koshu_version);
    m.def("commit", koshu_version_commit);
}
