/* SPDX-License-Identifier: MIT */
/* Numbers and names in texts, names of enums, structs that begin with their own
 * size. Part of base.h. */
#ifndef KOSHU_BASE_TEXT_H
#define KOSHU_BASE_TEXT_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- numbers in texts -------------------------------------------------- */

/* From here on this thread reads and writes numbers with a decimal point,
 * whatever the program's locale, until it calls uselocale() with the locale
 * returned. */
locale_t koshu_plain_numbers(void);

/* Reads a finite number or a fraction of two, and nothing else: "1/256". */
bool koshu_parse_real(const char *text, double *value);

/* Reads the finite number that is the text up to `end`. */
bool koshu_parse_decimal(const char *text, const char *end, double *value);

/* ---- texts of others --------------------------------------------------- */

/* Makes a text from a file, or a file's name, safe to print on a terminal:
 * control characters and bytes that are not UTF-8 become "\x1b", except for
 * those in `but`. Cut at `size`, between characters. */
void koshu_printable(char *to, size_t size, const char *from, const char *but);

/* ---- names ------------------------------------------------------------ */

/* The name among n that is nearest to word in edit distance; NULL where none is
 * near enough to be a typing error. */
const char *
koshu_nearest_name(const char *word, const char *const *names, size_t n);

/* "; did you mean 'name'?" with the nearest name; "" where none is near. */
enum { KOSHU_HINT = 96 };
const char *koshu_name_hint(char hint[KOSHU_HINT], const char *word,
                            const char *const *names, size_t n);

/* For the public _name() of an enum whose values count up from 0. NULL past the
 * last, so that a caller can list them. */
const char *koshu_enum_name(const char *const *names, size_t n, unsigned value);

/* For the public _find() of an enum. KOSHU_ERROR_NOT_FOUND: no such name; the
 * message has what the enum is ("an axis"), the nearest name and all names. */
koshu_status koshu_enum_find(struct koshu_context *context, const char *what,
                             const char *const *names, size_t n,
                             const char *name, unsigned *value);

/* Finds a name in an array of names; value_of() makes the enum's value from its
 * index there. */
#define KOSHU_FIND_NAME(enumeration, what, names, value_of)                    \
    koshu_status enumeration##_find(struct koshu_context *context,             \
                                    const char *name, enum enumeration *value) \
    {                                                                          \
        unsigned number;                                                       \
        KOSHU_REQUIRE(context, name);                                          \
        KOSHU_REQUIRE(context, value);                                         \
        KOSHU_TRY(koshu_enum_find(context, what, names,                        \
                                  sizeof(names) / sizeof *(names), name,       \
                                  &number));                                   \
        *value = (enum enumeration)(value_of(number));                         \
        return KOSHU_OK;                                                       \
    }

/*
 * KOSHU_ENUM_NAMES(koshu_axis, "an axis", axes) defines koshu_axis_name() and
 * koshu_axis_find().
 */
#define KOSHU_NUMBER_ITSELF(number) (number)
#define KOSHU_ENUM_NAMES(enumeration, what, names)                     \
    const char *enumeration##_name(enum enumeration value)             \
    {                                                                  \
        return koshu_enum_name(names, sizeof(names) / sizeof *(names), \
                               (unsigned)value);                       \
    }                                                                  \
                                                                       \
    KOSHU_FIND_NAME(enumeration, what, names, KOSHU_NUMBER_ITSELF)

/* The same for an enum whose values are single bits, counted from 1u << 0. */
#define KOSHU_BIT_OF(number) (1u << (number))
#define KOSHU_BIT_NAMES(enumeration, what, names)                    \
    const char *enumeration##_name(enum enumeration value)           \
    {                                                                \
        for (size_t k = 0; k < sizeof(names) / sizeof *(names); k++) \
            if (value == KOSHU_BIT_OF(k)) return (names)[k];         \
        return NULL;                                                 \
    }                                                                \
                                                                     \
    KOSHU_FIND_NAME(enumeration, what, names, KOSHU_BIT_OF)

/* Writes "a, b, c" of n names into text; cut at size. */
void
koshu_join_names(char *text, size_t size, const char *const *names, size_t n);

/* ---- structs that begin with their own size (options.c) ------------------ */

/*
 * Public options begin with `size_t size`, so that a program that was compiled
 * when they had fewer members, or with a later koshu that has more, still runs.
 * A new member begins where the struct ended before, not in the padding at its
 * end, whose bytes earlier programs leave undefined.
 *
 * Reads the caller's struct into `options`, which holds the defaults and has
 * the `size` that this koshu knows. given NULL: the defaults.
 * KOSHU_ERROR_INVALID_ARGUMENT: no size is set; KOSHU_ERROR_UNSUPPORTED: a
 * member that this koshu does not know is not 0.
 */
koshu_status koshu_options_read(struct koshu_context *context, const char *name,
                                const void *given, void *options, size_t size);

/* Writes the defaults into the caller's struct, up to its `stated` bytes. */
void koshu_options_write_defaults(void *options, size_t stated,
                                  const void *defaults, size_t size);

/* KOSHU_DEFINE_DEFAULT(koshu_force_options, .fast = false) defines the function
 * that KOSHU_DECLARE_DEFAULT() declares; list only members whose default is not
 * 0. */
#define KOSHU_DEFINE_DEFAULT(name, ...)                         \
    void name##_set_defaults(struct name *options, size_t size) \
    {                                                           \
        const struct name defaults = {__VA_ARGS__};             \
        koshu_options_write_defaults(options, size, &defaults,  \
                                     sizeof defaults);          \
    }

/* Copies a report into the caller's struct, as far as it reaches; its size
 * stays. KOSHU_ERROR_INVALID_ARGUMENT: no size is set. */
koshu_status koshu_report_write(struct koshu_context *context, const char *name,
                                void *given, const void *report, size_t size);

/* The defaults, overwritten by what the caller has set:
 * koshu_options_read(). */
#define KOSHU_READ_OPTIONS(context, name, given, options) \
    (*(options) = name##_default(),                       \
     koshu_options_read(context, #name, given, options, sizeof *(options)))

/* Defines the exported function that gives a report of a koshu_OBJECT:
 * KOSHU_DEFINE_REPORT(koshu_solver_report, solver, koshu_solver_report, report,
 * work_of(solver)). */
#define KOSHU_DEFINE_REPORT(function, object, type, report, found)         \
    koshu_status function(const struct koshu_##object *object,             \
                          struct type *report)                             \
    {                                                                      \
        KOSHU_REQUIRE(NULL, object);                                       \
        KOSHU_REQUIRE(object->context, report);                            \
        const struct type result = (found);                                \
        return koshu_report_write(object->context, #type, report, &result, \
                                  sizeof result);                          \
    }

#ifdef __cplusplus
}
#endif

#endif
