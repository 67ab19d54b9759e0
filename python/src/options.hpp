// SPDX-License-Identifier: MIT
// Options of koshu from dictionaries, and dictionaries from its reports.
#pragma once

#include <limits>
#include <set>
#include <string>

#include "context.hpp"

// The value of a name: koshu_method_find() and its likes.
template <class E>
E
find(koshu_status (*function)(koshu_context *, const char *, E *),
     const std::string &name)
{
    E value;
    must(function(nullptr, name.c_str(), &value));
    return value;
}

// Reads the entries of a dictionary, each into a member of an options struct,
// which stays as it is where there is none. Entries that are None count as not
// there.
class Options {
  public:
    // what: of messages, "Tree".
    Options(const nb::dict &values, const char *what);

    void real(const char *key, double &value);
    void flag(const char *key, bool &value);
    template <class T> void whole(const char *key, T &value)
    {
        uint64_t number;
        if (take_whole(key, std::numeric_limits<T>::max(), number))
            value = static_cast<T>(number);
    }
    void text(const char *key, std::string &value);
    void vector(const char *key, double value[3]);
    template <class E>
    void
    name(const char *key,
         koshu_status (*function)(koshu_context *, const char *, E *), E &value)
    {
        std::string text_of;
        text(key, text_of);
        if (!text_of.empty()) value = find(function, text_of);
    }

    // Refuses what has not been read.
    void done() const;

  private:
    nb::object take(const char *key);
    bool take_whole(const char *key, uint64_t max, uint64_t &value);

    nb::dict values;
    std::string what;
    std::set<std::string> known;
};
