/* SPDX-License-Identifier: MIT */
/* Numbers printed in papers: the tables of bench/papers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/data_folder.h"
#include "bench/harness.h"

enum { PAPERS = 8, NAME = 32 };

struct bench_papers {
    size_t n;
    struct paper {
        const char *name;
        char path[PATH_MAX];
        struct koshu_table table;
    } papers[PAPERS];
};

/* ---- reading ------------------------------------------------------------- */

static koshu_status
read_paper(const struct bench *b, const char *name, struct paper *p)
{
    char folder[PATH_MAX];
    p->name = name;
    KOSHU_TRY(data_folder(b->context, "papers", folder));
    const int n = snprintf(p->path, PATH_MAX, "%s/%s.csv", folder, name);
    if (n >= PATH_MAX)
        return koshu_fail(b->context, KOSHU_ERROR_BAD_INPUT,
                          "the name of a file is longer than %d", PATH_MAX);
    /* the format of logs allows nan, where a paper has no number for some n */
    return koshu_table_read(b->context, p->path, KOSHU_TABLE_LOG, &p->table);
}

koshu_status
bench_papers_open(struct bench *b)
{
    struct bench_papers *papers = calloc(1, sizeof *papers);
    b->papers = papers;
    if (!papers) return koshu_fail_memory(b->context, sizeof *papers, "papers");
    for (const char *const *name = b->which->papers; name && *name; name++) {
        koshu_status status = read_paper(b, *name, &papers->papers[papers->n]);
        if (status == KOSHU_ERROR_NOT_FOUND && !b->options->table) {
            fprintf(stderr, "koshu: without the papers' numbers: %s\n",
                    koshu_context_message(b->context));
            return KOSHU_OK; /* the program may be installed without its data */
        }
        KOSHU_TRY(status);
        papers->n++;
    }
    return KOSHU_OK;
}

void
bench_papers_close(struct bench *b)
{
    for (size_t k = 0; b->papers && k < b->papers->n; k++)
        koshu_table_free(&b->papers->papers[k].table);
    free(b->papers);
}

/* ---- looking up ---------------------------------------------------------- */

const struct koshu_table *
bench_paper_table(const struct bench *b, const char *name)
{
    for (size_t k = 0; k < b->papers->n; k++)
        if (strcmp(b->papers->papers[k].name, name) == 0)
            return &b->papers->papers[k].table;
    return NULL;
}

/* Finds "table.column"; NULL: no such table was read. */
static const struct paper *
paper_of(const struct bench *b, const char *printed, const char **column)
{
    const char *dot = strchr(printed, '.'), *name = b->options->table;
    char of_column[NAME];
    if (printed[0] != '*') {
        snprintf(of_column, NAME, "%.*s", (int)(dot - printed), printed);
        name = of_column;
    }
    *column = dot + 1;
    for (size_t k = 0; name && k < b->papers->n; k++)
        if (strcmp(b->papers->papers[k].name, name) == 0)
            return &b->papers->papers[k];
    return NULL;
}

static bool
column_of(const struct koshu_table *t, const char *name, size_t *column)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (strcmp(t->names[c], name) == 0) {
            *column = c;
            return true;
        }
    return false;
}

/* Is it the paper's row for ours? Its n, n_i and eps must be the same, if it
 * has these columns. */
static bool
is_for(const struct koshu_table *t, size_t k, const struct bench_row *row)
{
    const struct {
        const char *name;
        double value;
    } keys[] = {{"n", (double)row->n},
                {"n_i", (double)row->n_i},
                {"eps", row->eps}};
    for (size_t key = 0; key < sizeof keys / sizeof keys[0]; key++) {
        size_t c;
        if (column_of(t, keys[key].name, &c) &&
            t->values[k * t->n_columns + c] != keys[key].value)
            return false;
    }
    return true;
}

double
bench_printed(const struct bench *b, const char *printed,
              const struct bench_row *row)
{
    const char *name;
    const struct paper *p = paper_of(b, printed, &name);
    size_t c;
    if (!p || !column_of(&p->table, name, &c)) return NAN;
    for (size_t k = 0; k < p->table.n_rows; k++)
        if (is_for(&p->table, k, row)) {
            const double number = p->table.values[k * p->table.n_columns + c];
            return isnan(number) ? INFINITY : number;
        }
    return NAN;
}

const char *
bench_paper_legend(const struct bench *b, const char *printed)
{
    const char *column;
    const struct paper *p = paper_of(b, printed, &column);
    return p && p->table.text[0] == '#' ? p->table.text + 2 : "";
}

size_t
bench_paper_points(const struct bench *b, const char *printed, double eps,
                   double **points)
{
    const char *name;
    const struct paper *p = paper_of(b, printed, &name);
    size_t n, c, of_eps, count = 0;
    *points = NULL;
    if (!p || !column_of(&p->table, name, &c) || !column_of(&p->table, "n", &n))
        return 0;
    const struct koshu_table *t = &p->table;
    const bool several = column_of(t, "eps", &of_eps);
    *points = calloc(t->n_rows, 2 * sizeof **points);
    for (size_t k = 0; *points && k < t->n_rows; k++) {
        const double *row = t->values + k * t->n_columns;
        if (!(row[c] > 0) || (several && row[of_eps] != eps)) continue;
        (*points)[2 * count] = row[n];
        (*points)[2 * count++ + 1] = row[c];
    }
    return count;
}
