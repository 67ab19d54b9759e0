// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "options.hpp"

// A store, and what its last start was for. Each call reads that under the
// lock, since another thread may start other sums between two calls.
class JStore : public Handle<koshu_j_store, koshu_j_store_destroy> {
  public:
    using Handle::Handle;

    size_t n = 0;
    bool nearest = false;
};

static std::shared_ptr<JStore>
create(const std::shared_ptr<Context> &context, size_t capacity,
       const std::string &precision)
{
    koshu_j_store_options o = koshu_j_store_options_default();
    o.precision = find(koshu_precision_find, precision);
    koshu_j_store *store = nullptr;
    context->call([&](koshu_context *c) {
        return koshu_j_store_create(c, capacity, &o, &store);
    });
    return std::make_shared<JStore>(context, store);
}

// The columns of those arrays that are given; all numbers must be finite.
class Fields {
  public:
    explicit Fields(const nb::dict &values)
    {
        for (auto entry : values) {
            const std::string name = nb::cast<std::string>(entry.first);
            if (entry.second.is_none()) continue;
            nb::object a = nb::borrow(entry.second);
            Columns columns = nb::cast<int>(a.attr("ndim")) == 1
                                      ? Columns(nb::cast<Vector>(a))
                                      : Columns(nb::cast<Vectors>(a));
            check_finite(columns, name.c_str());
            arrays.emplace(name, std::move(columns));
        }
    }
    const double *operator()(const char *name, size_t column = 0) const
    {
        auto found = arrays.find(name);
        return found == arrays.end() ? nullptr : found->second[column];
    }

  private:
    std::map<std::string, Columns> arrays;
};

static koshu_j_particles
sources_of(size_t n, const std::optional<Ids> &id, const Fields &f)
{
    koshu_j_particles j = {};
    j.n = n;
    j.id = id ? id->data() : nullptr;
    j.mass = f("mass"), j.time = f("time");
    j.x = f("position"), j.y = f("position", 1), j.z = f("position", 2);
    j.vx = f("velocity"), j.vy = f("velocity", 1), j.vz = f("velocity", 2);
    j.ax = f("acceleration"), j.ay = f("acceleration", 1),
    j.az = f("acceleration", 2);
    j.jx = f("jerk"), j.jy = f("jerk", 1), j.jz = f("jerk", 2);
    j.sx = f("snap"), j.sy = f("snap", 1), j.sz = f("snap", 2);
    return j;
}

static void
set(JStore &store, size_t n, const std::optional<Indices> &index,
    const std::optional<Ids> &id, const nb::dict &values)
{
    const Fields fields(values);
    const koshu_j_particles j = sources_of(n, id, fields);
    store.call([&](koshu_j_store *s) {
        return koshu_j_store_set(s, index ? index->data() : nullptr, &j);
    });
}

// Starts the sums.
class Start {
  public:
    Start(size_t n, const std::optional<Ids> &id, const nb::dict &values,
          size_t n_j_, double softening, bool nearest)
        : f(values), n_j(n_j_)
    {
        i.n = n;
        i.id = id ? id->data() : nullptr;
        i.x = f("position"), i.y = f("position", 1), i.z = f("position", 2);
        i.vx = f("velocity"), i.vy = f("velocity", 1), i.vz = f("velocity", 2);
        i.h2 = f("h2");
        o.softening = softening;
        o.nearest = nearest;
    }
    koshu_status operator()(koshu_j_store *s, JStore &store) const
    {
        const koshu_status status = koshu_j_store_start(s, &i, n_j, &o);
        if (status == KOSHU_OK) store.n = i.n, store.nearest = o.nearest;
        return status;
    }

  private:
    Fields f;
    koshu_i_particles i = {};
    size_t n_j;
    koshu_j_store_start_options o = koshu_j_store_start_options_default();
};

static void
start(JStore &store, size_t n, const std::optional<Ids> &id,
      const nb::dict &values, size_t n_j, double softening, bool nearest)
{
    const Start begin(n, id, values, n_j, softening, nearest);
    store.call([&](koshu_j_store *s) { return begin(s, store); });
}

// ---- results ----------------------------------------------------------------

// Memory that is allocated while other Python threads may run.
struct Memory : std::unique_ptr<double, void (*)(void *)> {
    Memory() : unique_ptr(nullptr, std::free)
    {
    }
};

static uint64_t *
take_indices(Memory &memory, size_t count)
{
    memory.reset(new_doubles(count));
    return reinterpret_cast<uint64_t *>(memory.get());
}

static nb::object
indices_of(Memory &memory, size_t count)
{
    auto *first = reinterpret_cast<uint64_t *>(memory.get());
    nb::capsule owner = owner_of(memory.release());
    return nb::cast(nb::ndarray<nb::numpy, uint64_t>(first, {count}, owner));
}

struct Results {
    size_t n = 0;
    Memory sums, nearest;
};

static koshu_status
wait_for(koshu_j_store *s, const JStore &store, Results &results)
{
    const size_t n = results.n = store.n;
    double *m = new_doubles(8 * n);
    results.sums.reset(m);
    koshu_force_result r = {};
    r.ax = m, r.ay = m + n, r.az = m + 2 * n;
    r.jx = m + 3 * n, r.jy = m + 4 * n, r.jz = m + 5 * n;
    r.potential = m + 6 * n;
    r.nearest_r2 = store.nearest ? m + 7 * n : nullptr;
    r.nearest = store.nearest ? take_indices(results.nearest, n) : nullptr;
    return koshu_j_store_wait(s, &r);
}

static nb::dict
arrays_of(Results &r)
{
    const size_t n = r.n;
    double *m = r.sums.get();
    nb::capsule owner = owner_of(r.sums.release());
    nb::dict d;
    d["acceleration"] = rows(m, n, 3, n, owner);
    d["jerk"] = rows(m + 3 * n, n, 3, n, owner);
    d["potential"] = row(m + 6 * n, n, owner);
    if (r.nearest) {
        d["nearest"] = indices_of(r.nearest, n);
        d["nearest_r2"] = row(m + 7 * n, n, owner);
    }
    return d;
}

static nb::dict
wait(JStore &store)
{
    Results r;
    store.call([&](koshu_j_store *s) { return wait_for(s, store, r); });
    return arrays_of(r);
}

static nb::dict
forces(JStore &store, size_t n, const std::optional<Ids> &id,
       const nb::dict &values, size_t n_j, double softening, bool nearest)
{
    const Start begin(n, id, values, n_j, softening, nearest);
    Results r;
    store.call([&](koshu_j_store *s) {
        const koshu_status status = begin(s, store);
        return status == KOSHU_OK ? wait_for(s, store, r) : status;
    });
    return arrays_of(r);
}

// Returns (count, index, overflow) for the i-particles of the last start.
static nb::tuple
neighbours(JStore &store, size_t max)
{
    Memory count, index;
    size_t n = 0;
    bool overflow = false;
    store.call([&](koshu_j_store *s) {
        n = store.n;
        return koshu_j_store_neighbours(s, max, take_indices(count, n),
                                        take_indices(index, n * max),
                                        &overflow);
    });
    return nb::make_tuple(indices_of(count, n), indices_of(index, n * max),
                          overflow);
}

void
bind_j_store(nb::module_ &m)
{
    nb::class_<JStore> store(m, "JStore");
    store.def_prop_ro("context", [](JStore &s) { return s.context; });
    store.def_prop_ro("capacity", [](JStore &s) {
        return koshu_j_store_capacity(s.get());
    });
    store.def("id", [](JStore &s, uint64_t index) {
        return koshu_j_store_id(s.get(), index);
    });
    store.def("reserve", [](JStore &s, size_t capacity) {
        s.call([&](koshu_j_store *o) {
            return koshu_j_store_reserve(o, capacity);
        });
    });
    store.def("set_time", [](JStore &s, double time) {
        s.call([&](koshu_j_store *o) {
            return koshu_j_store_set_time(o, time);
        });
    });
    store.def("set", set, nb::arg(), nb::arg().none(), nb::arg().none(),
              nb::arg());
    store.def("start", start, nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
              nb::arg(), nb::arg());
    store.def("forces", forces, nb::arg(), nb::arg().none(), nb::arg(),
              nb::arg(), nb::arg(), nb::arg());
    store.def("wait", wait);
    store.def("neighbours", neighbours);
    m.def("j_store_create", create);
}
