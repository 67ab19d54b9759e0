/* SPDX-License-Identifier: MIT */
/*
 * CSV: a row of column names, then one row per particle.
 *
 *     # koshu 0.2.0
 *     # time = 0.5
 *     # n = 2
 *     id,mass,x,y,z,vx,vy,vz,potential
 *     0,0.5,1,0,0,0,0.5,0,-0.25
 *
 * Comments, anywhere in the file, hold what has no column ("# key = value");
 * those with other keys are skipped (csv_comments.c). Columns may have any
 * order; id and potential may be missing (particles without ids are numbered in
 * the file's order), unknown columns are ignored. Names may be followed by
 * units, "x [pc]". If the comments give units too, with all digits, both must
 * agree. Numbers are written with 17 digits, so that they are read back bit for
 * bit. If the file gives n, the number of rows must match it, and the last line
 * must end with a line break.
 */
#include <string.h>

#include "base/base.h"
#include "io/csv_comments.h"
#include "io/csv_units.h"

enum { LINE = 4096, MAX_COLUMNS = 256, OTHER_COLUMN = KOSHU_SNAPSHOT_ARRAYS };

struct csv {
    struct koshu_reader *reader;
    uint64_t line_number;
    bool whole; /* the last line ended with a line break */
    char line[LINE];
    int n_columns, column[MAX_COLUMNS]; /* enum koshu_array, or OTHER_COLUMN */
    bool has[KOSHU_SNAPSHOT_ARRAYS];
    char unknown[256]; /* names of the columns that are ignored */
    struct koshu_csv_units units;
    struct koshu_csv_comments comments;
};

/* KOSHU_ERROR_BAD_FORMAT: "PATH, line N: MESSAGE". */
KOSHU_PRINTF(2, 3)
static koshu_status
fail_line(const struct csv *c, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return koshu_fail(c->reader->context, KOSHU_ERROR_BAD_FORMAT,
                      "%s, line %llu: %s", c->reader->path,
                      (unsigned long long)c->line_number, text);
}

/* ---- recognition ------------------------------------------------------ */

/* CSV may be any text; whether the text is valid shows when it is read. */
static bool
recognise(const unsigned char *head, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (head[k] == 0x7f || (head[k] < ' ' && !strchr("\t\r\n", head[k])))
            return false;
    return true;
}

/* ---- lines ------------------------------------------------------------ */

static koshu_status
read_comment(struct csv *c, char *text)
{
    const char *value,
            *key = koshu_csv_comment_take(&c->comments, text, &value);
    if (!key) return KOSHU_OK;
    return fail_line(c, "'%s' is not a number for '%s'", value, key);
}

/* The next line, trimmed. */
static koshu_status
read_line(struct csv *c, char **line)
{
    c->line_number++;
    koshu_status status =
            koshu_reader_line(c->reader, c->line, LINE, &c->whole);
    if (status == KOSHU_ERROR_BAD_FORMAT)
        return fail_line(c,
                         "it is longer than %d letters, or holds a zero byte: "
                         "this is not a CSV file",
                         LINE - 1);
    KOSHU_TRY(status);
    static const char utf8_mark[] = "\xef\xbb\xbf";
    bool marked = c->line_number == 1 && strncmp(c->line, utf8_mark, 3) == 0;
    *line = koshu_trim(c->line + (marked ? 3 : 0));
    return KOSHU_OK;
}

/* The next line that is neither empty nor a comment; NULL: there is none. */
static koshu_status
next_line(struct csv *c, char **text)
{
    *text = NULL;
    while (!*text && koshu_reader_left(c->reader) > 0) {
        char *line = c->line;
        KOSHU_TRY(read_line(c, &line));
        if (*line == '#')
            KOSHU_TRY(read_comment(c, line));
        else if (*line != '\0')
            *text = line;
    }
    return KOSHU_OK;
}

/* Cuts off the first cell of the row; NULL: there is none left. */
static char *
next_cell(char **row)
{
    char *cell = *row;
    if (!cell) return NULL;
    char *comma = strchr(cell, ',');
    if (comma) *comma++ = '\0';
    *row = comma;
    return koshu_trim(cell);
}

/* ---- column names ----------------------------------------------------- */

/* Adds a name to the list of unknown columns, which is cut where it is full. */
static void
list_unknown(struct csv *c, const char *name)
{
    size_t used = strlen(c->unknown);
    snprintf(c->unknown + used, sizeof c->unknown - used, "%s%s",
             used ? ", " : "", name);
}

static koshu_status
name_column(struct csv *c, char *cell)
{
    int column = 0;
    KOSHU_TRY(koshu_csv_unit_take(c->reader, cell, &c->units));
    while (column < OTHER_COLUMN &&
           strcmp(cell, koshu_particle_arrays[column].name) != 0)
        column++;
    if (c->n_columns == MAX_COLUMNS)
        return fail_line(c, "more than %d columns", MAX_COLUMNS);
    if (column != OTHER_COLUMN && c->has[column])
        return fail_line(c, "two columns are named '%s'", cell);
    if (column != OTHER_COLUMN)
        c->has[column] = true;
    else
        list_unknown(c, cell);
    c->column[c->n_columns++] = column;
    return KOSHU_OK;
}

static koshu_status
read_names(struct csv *c)
{
    char *row, *cell;
    KOSHU_TRY(next_line(c, &row));
    if (!row) return fail_line(c, "the file ends before the column names");
    while ((cell = next_cell(&row))) KOSHU_TRY(name_column(c, cell));
    for (int k = KOSHU_ARRAY_MASS; k < KOSHU_ARRAY_POTENTIAL; k++)
        if (!c->has[k])
            return fail_line(c,
                             "there is no column '%s'; the first line must "
                             "name the columns id,mass,x,y,z,vx,vy,vz and "
                             "may name potential",
                             koshu_particle_arrays[k].name);
    return KOSHU_OK;
}

/* ---- reading ---------------------------------------------------------- */

static koshu_status
open_csv(struct csv *c, struct koshu_reader *reader,
         struct koshu_snapshot_info *info)
{
    *c = (struct csv){.reader = reader, .comments = {.info = info}};
    return read_names(c);
}

/* Counts the rows, without reading their cells. */
static koshu_status
inspect(struct koshu_reader *reader, struct koshu_snapshot_info *info,
        struct koshu_snapshot_set *set)
{
    (void)set; /* CSV snapshots have one file */
    struct csv c;
    uint64_t n = 0;
    char *row;
    KOSHU_TRY(open_csv(&c, reader, info));
    if (c.unknown[0])
        koshu_log(reader->context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: these columns are ignored: %s", reader->path, c.unknown);
    info->has_potential = c.has[KOSHU_ARRAY_POTENTIAL];
    info->n_types = 1;
    KOSHU_TRY(next_line(&c, &row));
    for (; row; n++) KOSHU_TRY(next_line(&c, &row));
    const bool has_n = c.comments.found & KOSHU_CSV_N;
    if (has_n && info->n != n)
        return fail_line(&c,
                         "the file says n = %llu, but has %llu rows; it is "
                         "truncated",
                         (unsigned long long)info->n, (unsigned long long)n);
    if (has_n && !c.whole)
        return fail_line(&c, "the line has no end; it is truncated");
    info->n = n;
    c.units.in_comments = c.comments.found & KOSHU_CSV_UNITS;
    KOSHU_TRY(koshu_csv_comments_settle(reader, &c.comments));
    return koshu_csv_units_settle(reader, &c.units, info);
}

static koshu_status
read_cell(struct csv *c, const char *cell, int column,
          const struct koshu_particle_view *v, size_t i)
{
    const bool is_id = column == KOSHU_ARRAY_ID;
    char *array = koshu_particle_array(v, (size_t)column);
    if (koshu_csv_parse(cell, is_id, array + i * KOSHU_ARRAY_ELEMENT))
        return KOSHU_OK;
    return fail_line(c, "'%s' is not %s for '%s'", cell,
                     is_id ? "an integer" : "a finite number",
                     koshu_particle_arrays[column].name);
}

static koshu_status
read_row(struct csv *c, char *row, const struct koshu_particle_view *v,
         size_t i)
{
    for (int k = 0; k < c->n_columns; k++) {
        char *cell = next_cell(&row);
        if (!cell)
            return fail_line(c, "%d columns are expected, but there are %d",
                             c->n_columns, k);
        if (c->column[k] != OTHER_COLUMN)
            KOSHU_TRY(read_cell(c, cell, c->column[k], v, i));
    }
    if (!row) return KOSHU_OK;
    return fail_line(c,
                     "there are more than the %d columns that the first "
                     "line names",
                     c->n_columns);
}

/* Reads the line of the k-th particle. */
static koshu_status
next_row(struct csv *c, uint64_t k, char **row)
{
    KOSHU_TRY(next_line(c, row));
    if (*row) return KOSHU_OK;
    return fail_line(c, "the file ends before particle %llu",
                     (unsigned long long)k);
}

static koshu_status
read_particles(struct koshu_reader *reader,
               const struct koshu_snapshot_info *info, uint64_t first,
               const struct koshu_particle_view *v)
{
    struct csv c;
    struct koshu_snapshot_info found = *info;
    char *row;
    KOSHU_TRY(open_csv(&c, reader, &found));
    for (uint64_t k = 0; k < first; k++) KOSHU_TRY(next_row(&c, k, &row));
    for (size_t i = 0; i < v->n; i++) {
        KOSHU_TRY(next_row(&c, first + i, &row));
        v->id[i] = first + i;
        KOSHU_TRY(read_row(&c, row, v, i));
        if (v->mass[i] < 0)
            return fail_line(&c, "the mass %g is negative", v->mass[i]);
    }
    return KOSHU_OK;
}

/* ---- writing ---------------------------------------------------------- */

static koshu_status
write_particles(struct koshu_file *file, const struct koshu_snapshot *snapshot)
{
    FILE *out = file->stream;
    const struct koshu_particle_view *v = snapshot->view;
    const size_t n_columns = koshu_snapshot_arrays(snapshot->info);
    const double *column[KOSHU_SNAPSHOT_ARRAYS];
    struct koshu_snapshot_info info = *snapshot->info;
    info.n = v->n;
    koshu_csv_comments_write(out, &info);
    for (size_t k = 0; k < n_columns; k++) {
        char name[128];
        column[k] = koshu_particle_array(v, k);
        koshu_csv_column_name(&info.units, k, sizeof name, name);
        fprintf(out, "%s%s", k ? "," : "", name);
    }
    putc('\n', out);
    for (size_t i = 0; i < v->n && !ferror(out); i++) {
        fprintf(out, "%llu", (unsigned long long)v->id[i]);
        for (size_t k = KOSHU_ARRAY_MASS; k < n_columns; k++)
            fprintf(out, ",%.17g", column[k][i]);
        putc('\n', out);
    }
    return KOSHU_OK;
}

const struct koshu_format_ops koshu_format_csv = {
        .name = "csv",
        .endings = {".csv"},
        .recognise = recognise,
        .inspect = inspect,
        .read = read_particles,
        .write = write_particles,
};
