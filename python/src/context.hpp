// SPDX-License-Identifier: MIT
// A context as Python sees it: used by one thread at a time, whatever threads
// Python has, with the interpreter's lock released while koshu computes.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <koshu/koshu.h>
#include <nanobind/nanobind.h>

namespace nb = nanobind;

// What a function of koshu returned, with the context's message; becomes an
// exception of koshu._errors.
struct Failure {
    koshu_status status;
    std::string message;
};

// The message of a function that had no context, or NULL for one.
void must(koshu_status status);

class Context {
  public:
    explicit Context(const nb::dict &options);
    ~Context();
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    koshu_context *get() const
    {
        return context;
    }

    // Calls function(koshu_context *), which returns a status, without the
    // interpreter's lock; throws Failure.
    template <class F> void call(F &&function)
    {
        Failure failure{KOSHU_OK, {}};
        {
            nb::gil_scoped_release without_interpreter;
            Turn turn(*this);
            failure.status = function(context);
            if (failure.status != KOSHU_OK)
                failure.message = koshu_context_message(context);
        }
        if (failure.status != KOSHU_OK) throw failure;
    }

    // Destroys an object of this context: now, or at the end of the call that
    // is under way in another thread. Never waits.
    void dispose(std::function<void()> destroy);

  private:
    // While one exists no other thread uses the context.
    class Turn {
      public:
        explicit Turn(Context &context);
        ~Turn();

      private:
        Context &context;
    };

    void bury();

    koshu_context *context = nullptr;
    std::recursive_mutex in_use;
    int depth = 0;
    std::mutex of_graveyard;
    std::vector<std::function<void()>> graveyard;
};

// An object of koshu that is made from a context, with what must outlive it.
template <class T, void (*destroy)(T *)> class Handle {
  public:
    Handle(std::shared_ptr<Context> of, T *object_,
           std::vector<std::shared_ptr<void>> needs_ = {}, bool owned_ = true)
        : context(std::move(of)), needs(std::move(needs_)), object(object_),
          owned(owned_)
    {
    }
    ~Handle()
    {
        T *o = object;
        if (owned) context->dispose([o] { destroy(o); });
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;

    T *get() const
    {
        return object;
    }

    // Calls function(object), which returns a status, as Context::call() does.
    template <class F> void call(F &&function)
    {
        context->call([&](koshu_context *) { return function(object); });
    }

    const std::shared_ptr<Context> context;

  private:
    std::vector<std::shared_ptr<void>> needs;
    T *object;
    bool owned;
};

using Particles = Handle<koshu_particles, koshu_particles_destroy>;
using Solver = Handle<koshu_solver, koshu_solver_destroy>;
using Integrator = Handle<koshu_integrator, koshu_integrator_destroy>;
using Parameters = Handle<koshu_parameters, koshu_parameters_destroy>;
using Run = Handle<koshu_simulation, koshu_simulation_destroy>;
using External = Handle<koshu_external, koshu_external_destroy>;
using Interaction = Handle<koshu_interaction, koshu_interaction_destroy>;
using View = Handle<koshu_view, koshu_view_destroy>;
using Laplace = Handle<koshu_laplace, koshu_laplace_destroy>;

// Refuses objects of different contexts.
void same_context(const std::shared_ptr<Context> &a,
                  const std::shared_ptr<Context> &b);

void bind_errors(nb::module_ &m);
void bind_context(nb::module_ &m);
void bind_cluster(nb::module_ &m);
void bind_names(nb::module_ &m);
void bind_particles(nb::module_ &m);
void bind_external(nb::module_ &m);
void bind_forces(nb::module_ &m);
void bind_solver(nb::module_ &m);
void bind_integrator(nb::module_ &m);
void bind_run(nb::module_ &m);
void bind_snapshot(nb::module_ &m);
void bind_units(nb::module_ &m);
void bind_j_store(nb::module_ &m);
void bind_interaction(nb::module_ &m);
void bind_laplace(nb::module_ &m);
void bind_picture(nb::module_ &m);
void bind_view(nb::module_ &m);
void bind_flow(nb::module_ &m);
