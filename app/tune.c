/* SPDX-License-Identifier: MIT */
/* koshu tune: the parameter study of the kernels of a device. */
#include "tune.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "options.h"

static const char doc[] =
        "Measures the shapes of the GPU's kernels (threads of a block, unroll, "
        "i-particles of a thread, cache as shared memory: Miki et al. 2013, "
        "section 5.1) for each precision and N = 1024 ... 1048576, checks the "
        "forces of each, and stores the fastest for later runs on devices of "
        "this model, in $XDG_CACHE_HOME/koshu/tune.json or "
        "~/.cache/koshu/tune.json. With --devices: measures instead how "
        "several GPUs best exchange particles (Fig. 5), and stores that for "
        "this number of GPUs of this model.\v"
        "With KOSHU_TUNE=off in the environment runs ignore that file. A "
        "different shape may change the last bits of a force.";

struct tune_options {
    unsigned sets;
    bool all, json, dry, force;
    const char *plot, *devices;
};

static void
parse_sets(struct argp_state *state, const char *option, char *text,
           void *member)
{
    unsigned *sets = member;
    *sets = 0;
    while (text && *text) {
        const char *word = strsep(&text, ",");
        unsigned set = 0;
        const char *name;
        while ((name = koshu_shape_set_name(set)) && strcmp(name, word) != 0)
            set++;
        if (!name)
            argp_error(state, "%s: '%s' is not fast, single, mixed or double",
                       option, word);
        *sets |= 1U << set;
    }
    if (!*sets) argp_error(state, "%s: nothing is named", option);
}

#define VALUE(member) FIELD(struct tune_options, member)

static const struct command_option option_table[] = {
        {"precision", 'p', "P,P,...",
         "fast, single, mixed, double (all of them)", VALUE(sets),
         .parse = parse_sets},
        {"devices", 'd', "LIST",
         "GPUs by their numbers, 0,1, or all: tunes exchanges between them",
         VALUE(devices)},
        {"all", 'a', NULL, "also list the slower shapes", VALUE(all)},
        {"json", 0, NULL, "one JSON object per shape and line", VALUE(json)},
        {"plot", 0, "OUT.png", "draw the rates", VALUE(plot)},
        {"force", 0, NULL,
         "with --plot: overwrite a file that is there and is not a picture",
         VALUE(force)},
        {"dry-run", 0, NULL, "measure only: do not write the file", VALUE(dry)},
        {0}};

static void
check(struct argp_state *state, void *values)
{
    const struct tune_options *o = values;
    if (o->devices && o->plot)
        argp_error(state, "--plot draws shapes, not exchanges");
}

/* On a terminal: a line that the next one replaces. */
static void
show_progress(const struct koshu_tune_row *best)
{
    if (is_terminal(STDERR_FILENO))
        fprintf(stderr, "\r\033[Kkoshu tune: %s, N = %zu",
                koshu_shape_set_name(best->set), best->n);
}

static void
end_progress(void)
{
    if (is_terminal(STDERR_FILENO)) fputs("\r\033[K", stderr);
}

enum { PATH_SIZE = 4096 };

/* Prints, stores and draws what was measured. */
static koshu_status
use_table(struct koshu_context *context, const struct tune_options *o,
          const struct koshu_tune_table *table)
{
    struct koshu_backend *backend;
    char path[PATH_SIZE];
    KOSHU_TRY(koshu_backend_of(context, &backend));
    if (o->json)
        KOSHU_TRY(tune_print_json(backend, table));
    else
        tune_print(backend, table, o->all);
    if (!o->dry) {
        KOSHU_TRY(koshu_tune_save(backend, table, path, sizeof path));
        fprintf(stderr, "koshu tune: the fastest are stored in '%s'\n", path);
    }
    return o->plot ? tune_plot(backend, table, o->plot) : KOSHU_OK;
}

static koshu_status
tune(struct koshu_context *context, const struct tune_options *o)
{
    struct koshu_tune_table table;
    if (o->plot) KOSHU_TRY(refuse_to_draw_over(context, o->plot, o->force));
    koshu_status status = o->devices
                                  ? koshu_tune_exchanges(context, o->sets,
                                                         show_progress, &table)
                                  : koshu_tune_shapes(context, o->sets,
                                                      show_progress, &table);
    end_progress();
    if (status == KOSHU_OK) status = use_table(context, o, &table);
    koshu_tune_free(&table);
    return status;
}

int
command_tune(int argc, char **argv)
{
    const struct command_line line = {
            .doc = doc, .options = option_table, .check = check};
    struct tune_options o = {.sets = (1U << KOSHU_SHAPE_SETS) - 1};
    options_parse(&line, argc, argv, &o);
    struct koshu_context_options options = koshu_context_options_default();
    options.devices = o.devices;
    struct koshu_context *context = make_context_with(&options);
    if (!context) return EXIT_USAGE;
    return end_command(context, tune(context, &o));
}
