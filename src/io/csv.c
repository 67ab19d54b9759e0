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
 * Lines that begin with # hold what has no column ("# key = value"; other
 * comments are skipped), before the names or anywhere. Columns come in any
 * order; id and potential may be missing (the particles are then numbered in
 * the file's order), others are ignored. Numbers are written with 17 digits:
 * they come back bit for bit. A file that gives its n is checked against it,
 * and against a last line that lacks its end.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/version.h>

#include "base/base.h"
#include "io/format.h"

enum { LINE = 4096, MAX_COLUMNS = 256 };

enum column { C_ID, C_MASS, C_X, C_Y, C_Z, C_VX, C_VY, C_VZ, C_POTENTIAL };
enum { N_COLUMNS = C_POTENTIAL + 1, OTHER_COLUMN = N_COLUMNS };

static const char *const names[N_COLUMNS] = {
        "id", "mass", "x", "y", "z", "vx", "vy", "vz", "potential"};

struct csv {
    struct koshu_reader *reader;
    uint64_t line_number;
    bool whole; /* the last line had its end */
    char line[LINE];
    int n_columns,
            column[MAX_COLUMNS]; /* enum column of each, or OTHER_COLUMN */
    bool has[N_COLUMNS];
    char unknown[256]; /* names of the columns that are ignored */
    bool has_n;        /* in the preamble */
    uint64_t n;
    struct koshu_snapshot_info *info;
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
    return koshu_fail(koshu_reader_context(c->reader), KOSHU_ERROR_BAD_FORMAT,
                      "%s, line %llu: %s", koshu_reader_path(c->reader),
                      (unsigned long long)c->line_number, text);
}

/* ---- recognition ------------------------------------------------------ */

/* Any text; what kind of text is found when it is read. */
static bool
recognise(const unsigned char *head, size_t n, uint64_t size)
{
    (void)size;
    for (size_t k = 0; k < n; k++)
        if (head[k] == 0x7f || (head[k] < ' ' && !strchr("\t\r\n", head[k])))
            return false;
    return true;
}

/* ---- lines ------------------------------------------------------------ */

/* Cuts spaces from both ends. */
static char *
trim(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1])) text[--n] = '\0';
    return text;
}

static bool
parse_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

/* Not through double, and no sign: strtoull takes "-1" for the largest. */
static bool
parse_count(const char *text, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)*text)) return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

/* "# key = value" into info; other comments are skipped. */
static koshu_status
read_comment(struct csv *c, char *text)
{
    struct koshu_snapshot_info *info = c->info;
    const struct {
        const char *key;
        double *real;
        uint64_t *count;
    } known[] = {{"time", &info->time, NULL},
                 {"softening", &info->softening, NULL},
                 {"box_size", &info->box_size, NULL},
                 {"unit_length_cm", &info->units.length_cm, NULL},
                 {"unit_mass_g", &info->units.mass_g, NULL},
                 {"unit_velocity_cm_s", &info->units.velocity_cm_s, NULL},
                 {"step", NULL, &info->step},
                 {"n", NULL, &c->n}};
    if (strncmp(text, "# koshu ", 8) == 0)
        snprintf(info->program, sizeof info->program, "%s", text + 2);
    char *value = strchr(text, '=');
    if (!value) return KOSHU_OK;
    *value++ = '\0';
    const char *key = trim(text + 1);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(key, known[k].key) != 0) continue;
        value = trim(value);
        bool good = known[k].real ? parse_real(value, known[k].real)
                                  : parse_count(value, known[k].count);
        if (!good)
            return fail_line(c, "'%s' is no number for '%s'", value, key);
        if (known[k].count == &c->n) c->has_n = true;
    }
    return KOSHU_OK;
}

/* The next line that is neither empty nor a comment; NULL: there is none. */
static koshu_status
next_line(struct csv *c, char **text)
{
    *text = NULL;
    while (koshu_reader_left(c->reader) > 0) {
        c->line_number++;
        koshu_status status =
                koshu_reader_line(c->reader, c->line, LINE, &c->whole);
        if (status == KOSHU_ERROR_BAD_FORMAT)
            return fail_line(c,
                             "it is longer than %d letters, or holds a "
                             "zero byte: this is no CSV file",
                             LINE - 1);
        KOSHU_TRY(status);
        char *line = c->line;
        if (c->line_number == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0)
            line += 3; /* UTF-8's mark */
        line = trim(line);
        if (*line == '#') {
            KOSHU_TRY(read_comment(c, line));
        } else if (*line != '\0') {
            *text = line;
            return KOSHU_OK;
        }
    }
    return KOSHU_OK;
}

/* Cuts the cell off the front of the row; NULL: it was the last. */
static char *
next_cell(char **row)
{
    char *cell = *row;
    if (!cell) return NULL;
    char *comma = strchr(cell, ',');
    if (comma) *comma++ = '\0';
    *row = comma;
    return trim(cell);
}

/* ---- column names ----------------------------------------------------- */

/* Adds a name to the list of the unknown, which ends where it is full. */
static void
list_unknown(struct csv *c, const char *name)
{
    size_t used = strlen(c->unknown);
    snprintf(c->unknown + used, sizeof c->unknown - used, "%s%s",
             used ? ", " : "", name);
}

static koshu_status
name_column(struct csv *c, const char *cell)
{
    int column = 0;
    while (column < N_COLUMNS && strcmp(cell, names[column]) != 0) column++;
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
    for (int k = C_MASS; k < C_POTENTIAL; k++)
        if (!c->has[k])
            return fail_line(c,
                             "there is no column '%s'; the first line must "
                             "name the columns id,mass,x,y,z,vx,vy,vz and "
                             "may name potential",
                             names[k]);
    return KOSHU_OK;
}

/* ---- reading ---------------------------------------------------------- */

static koshu_status
open_csv(struct csv *c, struct koshu_reader *reader,
         struct koshu_snapshot_info *info)
{
    *c = (struct csv){.reader = reader, .info = info};
    return read_names(c);
}

/* Counts the rows; their cells are not read. */
static koshu_status
count_rows(struct csv *c, uint64_t *n)
{
    char *row;
    *n = 0;
    for (;;) {
        KOSHU_TRY(next_line(c, &row));
        if (!row) break;
        ++*n;
    }
    if (!c->has_n) return KOSHU_OK;
    if (c->n != *n)
        return fail_line(c,
                         "the file says n = %llu, but has %llu rows; it is "
                         "truncated",
                         (unsigned long long)c->n, (unsigned long long)*n);
    if (!c->whole) return fail_line(c, "the line has no end; it is truncated");
    return KOSHU_OK;
}

static koshu_status
inspect_plain(struct koshu_reader *reader, struct koshu_snapshot_info *info)
{
    struct csv c;
    KOSHU_TRY(open_csv(&c, reader, info));
    if (c.unknown[0])
        koshu_log(koshu_reader_context(reader), KOSHU_LOG_LEVEL_WARNING,
                  "%s: these columns are ignored: %s",
                  koshu_reader_path(reader), c.unknown);
    info->has_potential = c.has[C_POTENTIAL];
    info->n_types = 1;
    return count_rows(&c, &info->n);
}

static koshu_status
read_row(struct csv *c, char *row, const struct koshu_particle_view *v,
         size_t i)
{
    double *const field[N_COLUMNS] = {NULL,  v->mass, v->x,  v->y,        v->z,
                                      v->vx, v->vy,   v->vz, v->potential};
    for (int k = 0; k < c->n_columns; k++) {
        char *cell = next_cell(&row);
        int column = c->column[k];
        if (!cell)
            return fail_line(c, "%d columns are expected, but there are %d",
                             c->n_columns, k);
        if (column == OTHER_COLUMN) continue;
        bool good = column == C_ID ? parse_count(cell, &v->id[i])
                                   : parse_real(cell, &field[column][i]);
        if (!good)
            return fail_line(c, "'%s' is no %s for '%s'", cell,
                             column == C_ID ? "integer" : "finite number",
                             names[column]);
    }
    if (!row) return KOSHU_OK;
    return fail_line(c,
                     "there are more than the %d columns that the first "
                     "line names",
                     c->n_columns);
}

static koshu_status
read_plain(struct koshu_reader *reader, const struct koshu_particle_view *v)
{
    struct csv c;
    struct koshu_snapshot_info info = {0};
    char *row;
    KOSHU_TRY(open_csv(&c, reader, &info));
    for (size_t i = 0; i < v->n; i++) {
        KOSHU_TRY(next_line(&c, &row));
        if (!row) return fail_line(&c, "the file ends before particle %zu", i);
        v->id[i] = i;
        KOSHU_TRY(read_row(&c, row, v, i));
        if (v->mass[i] < 0)
            return fail_line(&c, "the mass %g is negative", v->mass[i]);
    }
    return KOSHU_OK;
}

static koshu_status
inspect(struct koshu_reader *reader, struct koshu_snapshot_info *info)
{
    locale_t users = koshu_plain_numbers();
    koshu_status status = inspect_plain(reader, info);
    koshu_users_numbers(users);
    return status;
}

static koshu_status
read_particles(struct koshu_reader *reader,
               const struct koshu_snapshot_info *info,
               const struct koshu_particle_view *view)
{
    (void)info;
    locale_t users = koshu_plain_numbers();
    koshu_status status = read_plain(reader, view);
    koshu_users_numbers(users);
    return status;
}

/* ---- writing ---------------------------------------------------------- */

static void
write_rows(FILE *out, const struct koshu_particle_view *v,
           const struct koshu_snapshot_info *info)
{
    fprintf(out, "# koshu %s %s\n", koshu_version(), koshu_version_commit());
    fprintf(out, "# time = %.17g\n# step = %llu\n", info->time,
            (unsigned long long)info->step);
    fprintf(out, "# softening = %.17g\n# box_size = %.17g\n", info->softening,
            info->box_size);
    fprintf(out,
            "# unit_length_cm = %.17g\n# unit_mass_g = %.17g\n"
            "# unit_velocity_cm_s = %.17g\n# n = %zu\n",
            info->units.length_cm, info->units.mass_g,
            info->units.velocity_cm_s, v->n);
    fprintf(out, "id,mass,x,y,z,vx,vy,vz%s\n",
            info->has_potential ? ",potential" : "");
    for (size_t i = 0; i < v->n && !ferror(out); i++) {
        fprintf(out, "%llu,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g",
                (unsigned long long)v->id[i], v->mass[i], v->x[i], v->y[i],
                v->z[i], v->vx[i], v->vy[i], v->vz[i]);
        if (info->has_potential) fprintf(out, ",%.17g", v->potential[i]);
        putc('\n', out);
    }
}

static koshu_status
write_particles(struct koshu_file *file, const struct koshu_rows *rows,
                const struct koshu_particle_view *view,
                const struct koshu_snapshot_info *info, const char *parameters)
{
    (void)rows;
    (void)parameters;
    locale_t users = koshu_plain_numbers();
    write_rows(koshu_file_stream(file), view, info);
    koshu_users_numbers(users);
    return KOSHU_OK; /* the commit finds what could not be written */
}

const struct koshu_format_ops koshu_format_csv = {
        .name = "csv",
        .endings = {".csv"},
        .recognise = recognise,
        .inspect = inspect,
        .read = read_particles,
        .write = write_particles,
};
