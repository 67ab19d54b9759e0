/* SPDX-License-Identifier: MIT */
/* koshu tune: the parameter study of the device's kernels. */
#include "tune.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app.h"

static const char doc[] =
        "Measures the shapes of the GPU's kernels (threads of a block, unroll, "
        "i-particles of a thread, cache as shared memory: Miki et al. 2013, "
        "section 5.1) for each precision and N = 1024 ... 1048576, checks the "
        "forces of each, and stores the fastest for later runs on devices of "
        "this model, in $XDG_CACHE_HOME/koshu/tune.json or "
        "~/.cache/koshu/tune.json. With --devices: measures instead how "
        "several GPUs best exchange particles (Fig. 5), and stores that for as "
        "many GPUs of this model.\v"
        "With KOSHU_TUNE=off in the environment runs ignore that file. Another "
        "shape may change the last bits of a force.";

enum key {
    KEY_PRECISION = 'p',
    KEY_ALL = 'a',
    KEY_DEVICES = 'd',
    KEY_JSON = 256,
    KEY_PLOT,
    KEY_DRY,
    KEY_FORCE
};

static const struct argp_option option_table[] = {
        {"precision", KEY_PRECISION, "P,P,...", 0,
         "fast, single, mixed, double (all of them)", 0},
        {"devices", KEY_DEVICES, "LIST", 0,
         "GPUs by their numbers, 0,1, or all: tunes exchanges between them", 0},
        {"all", KEY_ALL, NULL, 0, "also list the slower shapes", 0},
        {"json", KEY_JSON, NULL, 0, "one JSON object per shape and line", 0},
        {"plot", KEY_PLOT, "OUT.png", 0, "draw the rates", 0},
        {"force", KEY_FORCE, NULL, 0,
         "with --plot: overwrite a file that is there and is not a picture", 0},
        {"dry-run", KEY_DRY, NULL, 0, "measure only: do not write the file", 0},
        {0}};

struct tune_options {
    unsigned sets;
    bool all, json, dry, force;
    const char *plot, *devices;
};

static unsigned
parse_sets(struct argp_state *state, const char *text)
{
    unsigned sets = 0;
    while (*text) {
        const size_t length = strcspn(text, ",");
        unsigned set = 0;
        const char *name;
        while ((name = koshu_shape_set_name(set)) &&
               (strlen(name) != length || strncmp(name, text, length) != 0))
            set++;
        if (!name)
            argp_error(state,
                       "--precision: '%.*s' is not fast, single, mixed or "
                       "double",
                       (int)length, text);
        sets |= 1U << set;
        text += length + (text[length] == ',');
    }
    if (!sets) argp_error(state, "--precision: nothing is named");
    return sets;
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct tune_options *o = state->input;
    switch (key) {
    case KEY_PRECISION: o->sets = parse_sets(state, text); return 0;
    case KEY_ALL: o->all = true; return 0;
    case KEY_JSON: o->json = true; return 0;
    case KEY_PLOT: o->plot = text; return 0;
    case KEY_FORCE: o->force = true; return 0;
    case KEY_DEVICES: o->devices = text; return 0;
    case ARGP_KEY_END:
        if (o->devices && o->plot)
            argp_error(state, "--plot draws shapes, not exchanges");
        return 0;
    case KEY_DRY: o->dry = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* On a terminal: a line that the next one replaces. */
static void
show_progress(enum koshu_shape_set set, size_t n)
{
    if (is_terminal(STDERR_FILENO))
        fprintf(stderr, "\r\033[Kkoshu tune: %s, N = %zu",
                koshu_shape_set_name(set), n);
}

static void
show_shape(void *user, const struct koshu_tune_row *best)
{
    (void)user;
    show_progress(best->set, best->n);
}

static void
show_exchange(void *user, const struct koshu_exchange_row *row)
{
    (void)user;
    show_progress(row->set, row->n);
}

static void
end_progress(void)
{
    if (is_terminal(STDERR_FILENO)) fputs("\r\033[K", stderr);
}

enum { PATH_SIZE = 4096 };

static void
print_stored(const char *path)
{
    fprintf(stderr, "koshu tune: the fastest are stored in '%s'\n", path);
}

static koshu_status
tune_exchanges(struct koshu_context *context, const struct tune_options *o)
{
    struct koshu_exchange_table table;
    struct koshu_backend *backend;
    char path[PATH_SIZE];
    KOSHU_TRY(koshu_tune_exchanges(context, o->sets, show_exchange, NULL,
                                   &table));
    end_progress();
    KOSHU_TRY(koshu_backend_of(context, &backend));
    if (o->json)
        KOSHU_TRY(tune_print_exchanges_json(backend, &table));
    else
        tune_print_exchanges(backend, &table);
    if (o->dry) return KOSHU_OK;
    KOSHU_TRY(koshu_tune_save_exchanges(backend, &table, path, sizeof path));
    print_stored(path);
    return KOSHU_OK;
}

/* What was measured: printed, stored, drawn. */
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
        print_stored(path);
    }
    return o->plot ? tune_plot(backend, table, o->plot) : KOSHU_OK;
}

static koshu_status
tune(struct koshu_context *context, const struct tune_options *o)
{
    struct koshu_tune_table table;
    if (o->plot) KOSHU_TRY(refuse_to_draw_over(context, o->plot, o->force));
    koshu_status status =
            koshu_tune_measure(context, o->sets, show_shape, NULL, &table);
    end_progress();
    if (status == KOSHU_OK) status = use_table(context, o, &table);
    koshu_tune_free(&table);
    return status;
}

int
command_tune(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct tune_options o = {.sets = (1U << KOSHU_SHAPE_SETS) - 1};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    struct koshu_context_options options = koshu_context_options_default();
    options.devices = o.devices;
    struct koshu_context *context = make_context_with(&options);
    if (!context) return EXIT_USAGE;
    return end_command(context, o.devices ? tune_exchanges(context, &o)
                                          : tune(context, &o));
}
