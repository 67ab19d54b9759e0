/* SPDX-License-Identifier: MIT */
/* Commands that `koshu run` suggests next. */
#include <stdio.h>
#include <string.h>

#include <koshu/ranks.h>

#include "app.h"
#include "run.h"

/* Quotes a word for a shell; if it has characters that a terminal should not
 * get, in the form $'...' of bash and zsh. */
static void
print_word(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-+=./,:";
    const bool safe = strcmp(printable(text), text) == 0;
    if (text[0] && text[strspn(text, plain)] == '\0') {
        printf("%s", text);
        return;
    }
    printf(safe ? "'" : "$'");
    for (; *text; text++)
        if (safe)
            printf(*text == '\'' ? "'\\''" : "%c", *text);
        else if (*text == '\'' || *text == '\\')
            printf("\\%c", *text);
        else
            printf(*text >= ' ' && *text < 127 ? "%c" : "\\x%02x",
                   (unsigned char)*text);
    putchar('\'');
}

/* The program as it was called, if it was called by a path. */
static void
print_command(const char *command)
{
    print_word(strchr(program_name(), '/') ? program_name() : "koshu");
    printf(" %s ", command);
}

static void
print_option(const char *option, const char *value)
{
    if (!value) return;
    printf(" %s ", option);
    print_word(value);
}

/* end: a later end time; 0: that of the file. */
static void
print_restart(const struct report *report, struct koshu_context *context,
              double end)
{
    const int ranks = koshu_ranks_count(context);
    printf("  ");
    if (ranks > 1) printf("mpirun -n %d ", ranks);
    print_command("run");
    print_word(report->file);
    printf(" --restart");
    for (size_t k = 0; k < report->settings->n; k++)
        print_option("--set", report->settings->word[k]);
    for (const struct report_option *o = report->options; o->name; o++)
        print_option(o->name, o->value);
    if (end != 0) printf(" --set integrator.end=%g", end);
    printf("\n");
}

static void
print_plot(const char *directory, const char *file, const char *picture)
{
    printf("  ");
    print_command("plot");
    print_word(directory);
    printf("/%s %s\n", file, picture);
}

/* Of more snapshots a movie is better than a picture. */
enum { MAX_PANELS = 24 };

void
print_next(const struct report *report, enum koshu_stop stop,
           const struct koshu_progress *p, struct koshu_context *context)
{
    const char *directory = report->values->directory;
    printf("next\n");
    if (stop != KOSHU_STOP_END) print_restart(report, context, 0);
    /* the run had already reached its end */
    if (stop == KOSHU_STOP_END && p->steps == 0)
        print_restart(report, context, 2 * p->end);
    if (p->snapshots > MAX_PANELS)
        print_plot(directory, "snapshot_*", "--movie film.mp4");
    else if (p->snapshots > 0)
        print_plot(directory, "snapshot_*", "-o film.png");
    print_plot(directory, "energy.csv", "-o energy.png");
    if (koshu_method_has_cells(report->values->solver.method))
        print_plot(directory, "performance.csv", "-o stages.png");
}
