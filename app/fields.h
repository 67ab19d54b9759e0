/* SPDX-License-Identifier: MIT */
/* Members of structs that tables refer to, by type and offset: values of
 * options, numbers of rows. */
#ifndef KOSHU_APP_FIELDS_H
#define KOSHU_APP_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* Lists on the command line; given: it is not the default. */
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
    FIELD_WORDS,  /* a word is appended each time */
    FIELD_ENUM,   /* an option of this type has a parse() of its own */
    FIELD_PRINTED /* a number that a paper prints */
};

/* The type of a member, and its offset in the struct. */
struct field {
    enum field_type type;
    bool of_options; /* otherwise of the row */
    size_t offset;
    /* table and column, "hamada07-3.seconds"; "*.seconds": of the table that
     * --table names */
    const char *printed;
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
