// SPDX-License-Identifier: MIT
// Failures of koshu as exceptions of koshu._errors.
#include "context.hpp"

static void
raise(const Failure &failure)
{
    try {
        nb::object type =
                nb::module_::import_("koshu._errors")
                        .attr("of_status")(koshu_status_name(failure.status));
        PyErr_SetString(type.ptr(), failure.message.empty()
                                            ? koshu_status_text(failure.status)
                                            : failure.message.c_str());
    } catch (nb::python_error &error) {
        error.restore();
    }
}

void
bind_errors(nb::module_ &)
{
    nb::register_exception_translator([](const std::exception_ptr &p, void *) {
        try {
            std::rethrow_exception(p);
        } catch (const Failure &failure) {
            raise(failure);
        }
    });
}
