/* SPDX-License-Identifier: MIT */
/* Reads tables of numbers from CSV files. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"

/* Drops a last line that is still being written. */
static void
cut_last_line(char *text)
{
    char *end = strrchr(text, '\n');
    *(end ? end + 1 : text) = '\0';
}

static size_t
count(const char *text, char c)
{
    size_t n = 0;
    for (; *text; text++) n += *text == c;
    return n;
}

char *
koshu_trim(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1])) text[--n] = '\0';
    return text;
}

/* The next line that is not a comment, terminated in place; NULL: none is left.
 * number counts all lines. */
static char *
next_line(char **rest, size_t *number)
{
    char *line;
    do {
        line = strsep(rest, "\n");
        if (!line) return NULL;
        ++*number;
    } while (line[0] == '#');
    size_t n = strlen(line);
    if (n > 0 && line[n - 1] == '\r') line[n - 1] = '\0';
    return line;
}

/* Cuts " [Myr]" off a name. */
static char *
cut_unit(char *name)
{
    const size_t n = strlen(name);
    char *open = strchr(name, '[');
    if (!open || name[n - 1] != ']') return name + n;
    name[n - 1] = *open = '\0';
    koshu_trim(name);
    return koshu_trim(open + 1);
}

static koshu_status
read_names(struct koshu_context *context, struct koshu_table *t, char *line,
           size_t number)
{
    if (!line || !line[0])
        return koshu_fail(context, KOSHU_ERROR_BAD_FORMAT,
                          "%s, line %zu: expected the names of the columns, "
                          "separated by commas, got an empty line",
                          t->path, number);
    t->n_columns = count(line, ',') + 1;
    t->names = calloc(2 * t->n_columns, sizeof *t->names);
    if (!t->names)
        return koshu_fail_memory(context, 2 * t->n_columns * sizeof *t->names,
                                 t->path);
    t->units = t->names + t->n_columns;
    for (size_t c = 0; c < t->n_columns; c++) {
        t->names[c] = koshu_trim(strsep(&line, ","));
        t->units[c] = cut_unit(t->names[c]);
        for (size_t k = 0; k < c; k++)
            if (strcmp(t->names[k], t->names[c]) == 0)
                return koshu_fail(context, KOSHU_ERROR_BAD_FORMAT,
                                  "%s, line %zu: two columns are named '%s'",
                                  t->path, number, t->names[c]);
    }
    return KOSHU_OK;
}

static koshu_status
grow(struct koshu_context *context, struct koshu_table *t)
{
    if (t->n_rows < t->capacity) return KOSHU_OK;
    size_t capacity = 2 * t->capacity + 64;
    double *values =
            reallocarray(t->values, capacity * t->n_columns, sizeof *values);
    if (!values)
        return koshu_fail_memory(
                context, capacity * t->n_columns * sizeof *values, t->path);
    t->values = values;
    t->capacity = capacity;
    return KOSHU_OK;
}

static koshu_status
read_field(struct koshu_context *context, enum koshu_table_kind kind,
           const struct koshu_table *t, const char *word, size_t c,
           size_t number, double *value)
{
    char *end;
    *value = strtod(word, &end);
    bool is_number = end != word && !*end;
    if (is_number && (kind == KOSHU_TABLE_LOG || isfinite(*value)))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_FORMAT,
                      "%s, line %zu, column '%s': '%.40s' is not a %snumber",
                      t->path, number, t->names[c], word,
                      is_number ? "finite " : "");
}

static koshu_status
read_row(struct koshu_context *context, enum koshu_table_kind kind,
         struct koshu_table *t, char *line, size_t number)
{
    size_t fields = count(line, ',') + 1;
    if (fields != t->n_columns)
        return koshu_fail(context, KOSHU_ERROR_BAD_FORMAT,
                          "%s, line %zu: expected %zu numbers, one for each "
                          "column, got %zu",
                          t->path, number, t->n_columns, fields);
    KOSHU_TRY(grow(context, t));
    double *row = t->values + t->n_rows * t->n_columns;
    for (size_t c = 0; c < t->n_columns; c++)
        KOSHU_TRY(read_field(context, kind, t, koshu_trim(strsep(&line, ",")),
                             c, number, &row[c]));
    t->n_rows++;
    return KOSHU_OK;
}

static koshu_status
read_lines(struct koshu_context *context, enum koshu_table_kind kind,
           struct koshu_table *t)
{
    char *rest = t->text, *line;
    size_t number = 0;
    line = next_line(&rest, &number);
    KOSHU_TRY(read_names(context, t, line, number));
    while ((line = next_line(&rest, &number)))
        if (line[0]) KOSHU_TRY(read_row(context, kind, t, line, number));
    if (t->n_rows > 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_FORMAT,
                      "%s: there is no line of numbers after the names of "
                      "the columns",
                      t->path);
}

static koshu_status
read_all(struct koshu_context *context, enum koshu_table_kind kind,
         struct koshu_table *t)
{
    locale_t users = koshu_plain_numbers();
    koshu_status status = read_lines(context, kind, t);
    uselocale(users);
    return status;
}

koshu_status
koshu_table_read(struct koshu_context *context, const char *path,
                 enum koshu_table_kind kind, struct koshu_table *table)
{
    *table = (struct koshu_table){.path = path};
    KOSHU_TRY(
            koshu_text_read(context, path, "table", UINT64_MAX, &table->text));
    if (kind == KOSHU_TABLE_LOG) cut_last_line(table->text);
    koshu_status status = read_all(context, kind, table);
    if (status != KOSHU_OK) koshu_table_free(table);
    return status;
}

void
koshu_table_free(struct koshu_table *table)
{
    free(table->text);
    free(table->names);
    free(table->values);
    *table = (struct koshu_table){0};
}

koshu_status
koshu_table_find(struct koshu_context *context, const struct koshu_table *table,
                 const char *name, size_t *column)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->names[c], name) == 0) {
            *column = c;
            return KOSHU_OK;
        }
    char names[256];
    koshu_join_names(names, sizeof names, (const char *const *)table->names,
                     table->n_columns);
    return koshu_fail(context, KOSHU_ERROR_BAD_FORMAT,
                      "%s: there is no column '%s' among %s", table->path, name,
                      names);
}
