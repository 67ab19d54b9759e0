/* SPDX-License-Identifier: MIT */
/* Writes what was measured of star clusters, as CSV. */
#include <math.h>
#include <stdio.h>

#include <koshu/version.h>

#include "analyse_cluster.h"
#include "app.h"

static void
write_head(FILE *out, const struct analysis *w, const struct cluster_of *c)
{
    const struct analyse_arguments *a = w->a;
    char columns[KOSHU_CLUSTER_HEADER], time[64];
    const char *per = "";
    fprintf(out, "# koshu %s: %s\n", koshu_version(),
            a->cluster    ? "star clusters"
            : a->profiles ? "profiles of star clusters"
                          : "binaries and hierarchies");
    for (size_t k = 0; k < a->files.n; k++)
        fprintf(out, "# %s: %s\n", c[k].label, printable(a->files.word[k]));
    koshu_units_label(&w->units, KOSHU_QUANTITY_TIME, sizeof time, time);
    koshu_cluster_header(a->cluster    ? KOSHU_CLUSTER_TABLE_SUMMARY
                         : a->profiles ? KOSHU_CLUSTER_TABLE_SHELLS
                                       : KOSHU_CLUSTER_TABLE_PAIRS,
                         &w->units, sizeof columns, columns);
    per = a->cluster ? "step," : "";
    fprintf(out, time[0] ? "%stime [%s]," : "%stime%s,", per, time);
    if (!a->cluster) fputs(a->profiles ? "shell," : "pair,", out);
    fputs(columns, out);
    if (a->cluster)
        fprintf(out, time[0] ? ",escape_rate [1/%s]" : ",escape_rate", time);
    fputc('\n', out);
}

/* Integers are written with all their digits. */
static void
write_numbers(FILE *out, enum koshu_cluster_table table, const void *of)
{
    double row[KOSHU_CLUSTER_MAX_COLUMNS];
    const size_t n = koshu_cluster_row(table, of, row);
    for (size_t k = 0; k < n; k++)
        fprintf(out,
                fabs(row[k]) < 9e15 && row[k] == rint(row[k]) ? ",%.0f"
                                                              : ",%.15g",
                row[k]);
}

static void
write_cluster(FILE *out, const struct analyse_arguments *a,
              const struct cluster_of *c)
{
    if (a->cluster) {
        fprintf(out, "%llu,%.15g", (unsigned long long)c->step, c->time);
        write_numbers(out, KOSHU_CLUSTER_TABLE_SUMMARY, &c->summary);
        fprintf(out, ",%.15g\n", c->escape_rate);
    }
    for (size_t k = 0; a->profiles && k < c->n_shells; k++) {
        fprintf(out, "%.15g,%zu", c->time, k);
        write_numbers(out, KOSHU_CLUSTER_TABLE_SHELLS, &c->shell[k]);
        fputc('\n', out);
    }
    for (size_t k = 0; a->binaries && k < c->n_pairs; k++) {
        fprintf(out, "%.15g,%zu", c->time, k);
        write_numbers(out, KOSHU_CLUSTER_TABLE_PAIRS, &c->pair[k]);
        fputc('\n', out);
    }
}

koshu_status
write_clusters(const struct analysis *w, const struct cluster_of *c)
{
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(w->context, w->a->output, &file));
    locale_t users = koshu_plain_numbers();
    write_head(file->stream, w, c);
    for (size_t k = 0; k < w->a->files.n; k++)
        write_cluster(file->stream, w->a, &c[k]);
    uselocale(users);
    KOSHU_TRY(koshu_file_commit(file));
    printf("-> %s\n", printable(w->a->output));
    return KOSHU_OK;
}
