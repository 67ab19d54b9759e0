// SPDX-License-Identifier: MIT
// Reads options from keyword arguments.
#include "options.hpp"

#include <nanobind/stl/string.h>

Options::Options(const nb::dict &values_, const char *what_)
    : values(values_), what(what_)
{
}

static std::string
type_of(nb::handle value)
{
    return nb::cast<std::string>(value.type().attr("__name__"));
}

[[noreturn]] static void
refuse(const std::string &what, const char *key, const char *expected,
       nb::handle value)
{
    const std::string message = what + ": " + key + ": expected " + expected +
                                ", got " + nb::repr(value).c_str() + " (" +
                                type_of(value) + ")";
    throw nb::type_error(message.c_str());
}

nb::object
Options::take(const char *key)
{
    known.insert(key);
    return values.contains(key) ? nb::object(values[key]) : nb::none();
}

void
Options::real(const char *key, double &value)
{
    nb::object given = take(key);
    if (given.is_none()) return;
    const double number = PyFloat_AsDouble(given.ptr());
    if (PyErr_Occurred()) {
        PyErr_Clear();
        refuse(what, key, "a number", given);
    }
    value = number;
}

void
Options::flag(const char *key, bool &value)
{
    nb::object given = take(key);
    if (given.is_none()) return;
    const int truth = PyObject_IsTrue(given.ptr());
    if (truth < 0) throw nb::python_error();
    value = truth;
}

bool
Options::take_whole(const char *key, uint64_t max, uint64_t &value)
{
    nb::object given = take(key);
    if (given.is_none()) return false;
    PyObject *number = PyNumber_Index(given.ptr());
    value = number ? PyLong_AsUnsignedLongLong(number) : 0;
    Py_XDECREF(number);
    if (PyErr_Occurred() || value > max) {
        PyErr_Clear();
        refuse(what, key, "a whole number >= 0", given);
    }
    return true;
}

void
Options::text(const char *key, std::string &value)
{
    nb::object given = take(key);
    if (given.is_none()) return;
    if (!nb::isinstance<nb::str>(given)) refuse(what, key, "a text", given);
    value = nb::cast<std::string>(given);
}

void
Options::vector(const char *key, double value[3])
{
    nb::object given = take(key);
    if (given.is_none()) return;
    try {
        nb::list numbers(given);
        if (nb::len(numbers) != 3) throw nb::type_error("");
        for (size_t k = 0; k < 3; k++) value[k] = nb::cast<double>(numbers[k]);
    } catch (const std::exception &) {
        refuse(what, key, "three numbers", given);
    }
}

void
Options::done() const
{
    for (auto entry : values) {
        const std::string key = nb::cast<std::string>(nb::str(entry.first));
        if (known.count(key)) continue;
        std::string message = what + " has no option " + key + "; it has";
        for (auto &name : known) message += " " + name;
        throw nb::type_error(message.c_str());
    }
}
