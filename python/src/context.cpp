// SPDX-License-Identifier: MIT
// Contexts, their log messages, devices and ranks.
#include "context.hpp"

#include <cstring>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "options.hpp"

void
must(koshu_status status)
{
    if (status != KOSHU_OK)
        throw Failure{status, koshu_context_message(nullptr)};
}

// ---- messages ---------------------------------------------------------------

// Passes a message to Python's logging. Exceptions of handlers are printed and
// go no further, as koshu is in the middle of a call.
static void
log_message(void *, koshu_log_level level, const char *message)
{
    nb::gil_scoped_acquire with_interpreter;
    try {
        nb::module_::import_("koshu._log")
                .attr("log")(koshu_log_level_name(level), message);
    } catch (nb::python_error &error) {
        error.discard_as_unraisable("a handler of koshu's log");
    }
}

// ---- a context --------------------------------------------------------------

Context::Context(const nb::dict &values)
{
    koshu_context_options options = koshu_context_options_default();
    std::string backend = "auto", devices;
    Options given(values, "Context");
    given.whole("threads", options.threads);
    given.text("backend", backend);
    given.text("devices", devices);
    given.name("exchange", koshu_exchange_find, options.exchange);
    given.done();
    options.backend = backend.c_str();
    options.devices = devices.c_str();
    options.log = log_message;
    must(koshu_context_create(&options, &context));
}

Context::~Context()
{
    bury();
    koshu_context_destroy(context);
}

Context::Turn::Turn(Context &of) : context(of)
{
    context.in_use.lock();
    if (context.depth > 0) {
        context.in_use.unlock();
        throw Failure{KOSHU_ERROR_INVALID_ARGUMENT,
                      "a handler of koshu's log has called koshu with the "
                      "context that is logging: give it a context of its own"};
    }
    context.depth++;
}

Context::Turn::~Turn()
{
    context.bury();
    context.depth--;
    context.in_use.unlock();
}

void
Context::bury()
{
    for (;;) {
        std::vector<std::function<void()>> now;
        {
            std::lock_guard<std::mutex> lock(of_graveyard);
            now.swap(graveyard);
        }
        if (now.empty()) return;
        for (auto &destroy : now) destroy();
    }
}

void
Context::dispose(std::function<void()> destroy)
{
    {
        std::lock_guard<std::mutex> lock(of_graveyard);
        graveyard.push_back(std::move(destroy));
    }
    if (!in_use.try_lock()) return;
    if (depth == 0) bury();
    in_use.unlock();
}

void
same_context(const std::shared_ptr<Context> &a,
             const std::shared_ptr<Context> &b)
{
    if (a != b)
        throw Failure{KOSHU_ERROR_INVALID_ARGUMENT,
                      "the objects are of different contexts: make them with "
                      "the same context=, or in the same `with Context(...)`"};
}

// ---- devices ----------------------------------------------------------------

static nb::dict
device(Context &context, size_t index)
{
    koshu_device d = {};
    d.size = sizeof d;
    context.call(
            [&](koshu_context *c) { return koshu_device_get(c, index, &d); });
    nb::dict result;
    result["backend"] = d.backend;
    result["name"] = d.name;
    result["reason"] = d.reason;
    result["memory"] = d.memory;
    result["number"] = d.number;
    result["usable"] = d.usable;
    return result;
}

static nb::list
devices(Context &context)
{
    size_t n = 0;
    context.call([&](koshu_context *c) {
        n = koshu_device_count(c);
        return KOSHU_OK;
    });
    nb::list list;
    for (size_t k = 0; k < n; k++) list.append(device(context, k));
    return list;
}

// ---- ranks ------------------------------------------------------------------

static void
ranks_arrange(Context &context, int x, int y, int z)
{
    const int grid[3] = {x, y, z};
    context.call(
            [&](koshu_context *c) { return koshu_ranks_arrange(c, grid); });
}

static void
bind_ranks(nb::class_<Context> &context)
{
    context.def("ranks_arrange", ranks_arrange);
    context.def("ranks_initialise",
                [](Context &c) { c.call(koshu_ranks_initialise); });
    context.def("ranks_initialise_from", [](Context &c, int communicator) {
        c.call([&](koshu_context *k) {
            return koshu_ranks_initialise_from(k, communicator);
        });
    });
    context.def_prop_ro("rank",
                        [](Context &c) { return koshu_ranks_rank(c.get()); });
    context.def_prop_ro("ranks",
                        [](Context &c) { return koshu_ranks_count(c.get()); });
    context.def_prop_ro("transport", [](Context &c) {
        return koshu_ranks_transport(c.get());
    });
    context.def("ranks_slice", [](Context &c, size_t n) {
        size_t first, n_slice;
        koshu_ranks_slice(c.get(), n, &first, &n_slice);
        return nb::make_tuple(first, n_slice);
    });
}

void
bind_context(nb::module_ &m)
{
    nb::class_<Context> context(m, "Context");
    context.def(nb::init<const nb::dict &>());
    context.def_prop_ro("threads", [](Context &c) {
        return koshu_context_threads(c.get());
    });
    context.def_prop_ro("backend", [](Context &c) {
        return koshu_context_backend(c.get());
    });
    context.def_prop_ro("devices", [](Context &c) {
        return koshu_context_devices(c.get());
    });
    context.def_prop_ro("exchange", [](Context &c) {
        return koshu_exchange_name(koshu_context_exchange(c.get()));
    });
    context.def("device_list", devices);
    bind_ranks(context);
    m.def("ranks_library", [] {
        const char *library = koshu_ranks_library();
        return std::string(library ? library : "");
    });
    m.def("ranks_launched", koshu_ranks_launched);
    m.def("ranks_finalise", koshu_ranks_finalise);
}
