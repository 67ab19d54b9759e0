/* SPDX-License-Identifier: MIT */
/* Members of structs that tables name, by type and place: values of options,
 * numbers of rows. */
#ifndef KOSHU_APP_FIELDS_H
#define KOSHU_APP_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* Lists of the command line; given: not the default. */
enum { MAX_LIST = 32 };
struct count_list {
    size_t n, value[MAX_LIST];
    bool given;
};
struct number_list {
    size_t n;
    double value[MAX_LIST];
    bool given;
};
struct word_list {
    size_t n;
    const char **word; /* to be freed */
};

enum field_type {
    FIELD_NONE,
    FIELD_FLAG,
    FIELD_INT,
    FIELD_SIZE,
    FIELD_REAL,
    FIELD_TEXT,  /* const char *; NULL: none */
    FIELD_CHARS, /* char[] */
    FIELD_COUNTS,
    FIELD_NUMBERS,
    FIELD_WORDS,  /* each time one more */
    FIELD_ENUM,   /* an option that names it has a parse() of its own */
    FIELD_PRINTED /* by a paper */
};

/* Of which type, and where in its struct. */
struct field {
    enum field_type type;
    bool of_options; /* else of the row */
    size_t offset;
    const char *printed; /* "hamada07-3.seconds": table and column; "*.seconds":
                            of the table that --table names */
};

#define FIELD_TYPE(T, member) \
    _Generic(((T *)0)->member, bool         \
             : FIELD_FLAG, int              \
             : FIELD_INT, size_t            \
             : FIELD_SIZE, double           \
             : FIELD_REAL, const char *     \
             : FIELD_TEXT, char *           \
             : FIELD_CHARS, struct count_list   \
             : FIELD_COUNTS, struct number_list \
             : FIELD_NUMBERS, struct word_list \
             : FIELD_WORDS, default       \
             : FIELD_ENUM)
#define FIELD(T, member)                                              \
    {                                                                 \
        .type = FIELD_TYPE(T, member), .offset = offsetof(T, member), \
    }

#endif
