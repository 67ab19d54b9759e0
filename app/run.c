/* SPDX-License-Identifier: MIT */
/* koshu run: reads the parameters and runs the simulation. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/ranks.h>

#include "app.h"
#include "options.h"
#include "run.h"

static const char doc[] =
        "Runs the simulation that a parameter file describes."
        "\v"
        "`koshu run --help-parameters > my.yaml` writes a parameter file to "
        "start from.\n\n"
        "`mpirun -q -n K koshu run FILE.yaml` runs it on K ranks; -q keeps "
        "mpirun from adding its own paragraphs to an error message.\n\n"
        "SIGINT (ctrl-c), SIGTERM, SIGHUP, SIGUSR1 (which mpirun passes on), a "
        "file named `stop` in the output directory, or run.wall_clock_limit "
        "end the run after the current step, with a checkpoint and exit status "
        "0; --restart continues it. Another signal, more than a second later, "
        "ends it at once.";

struct arguments {
    const char *file;
    struct koshu_parameters *parameters;
    bool restart, force, dry_run, quiet;
    /* settings override the file, wherever they stand; kept until it is read */
    struct word_list settings;
    const char *backend, *threads, *devices, *exchange, *view;
    bool view_control;
    struct run_measures measures;
    double began;
};

/* ---- the command line -------------------------------------------------- */

static void
print_parameters(struct argp_state *state, const char *option, char *format,
                 void *member)
{
    (void)member;
    if (format && strcmp(format, "markdown") != 0)
        argp_error(state, "%s: '%s' is not markdown", option, format);
    char *text =
            format ? koshu_parameters_markdown() : koshu_parameters_template();
    if (!text) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    fputs(text, stdout);
    free(text);
    exit(EXIT_DONE);
}

/* Without a port, any free one is used. */
static void
parse_view(struct argp_state *state, const char *option, char *text,
           void *member)
{
    (void)state, (void)option;
    *(const char **)member = text ? text : "0";
}

#define VALUE(member) FIELD(struct arguments, member)

static const struct command_option option_table[] = {
        {"set", 's', "KEY=VALUE",
         "set one parameter, overriding the file: solver.softening=1/64; may "
         "be repeated",
         VALUE(settings), .parse = append_setting},
        {"restart", 'r', NULL,
         "continue from the newest checkpoint in the output directory",
         VALUE(restart)},
        {"force", 'f', NULL,
         "overwrite an earlier run in the output directory; with --restart: "
         "continue with changed physics (solver.*, integrator.*)",
         VALUE(force)},
        {"backend", 'b', "NAME",
         "auto, cpu, simd, cuda or ref: the same as --set run.backend=NAME",
         VALUE(backend)},
        {"devices", 0, "LIST",
         "GPUs that share the force sums, 0,1 or all: the same as --set "
         "run.devices=LIST. For tests, one GPU may be given several times: 0,0",
         VALUE(devices)},
        {"exchange", 0, "NAME",
         "how these GPUs exchange particles: auto, send-sync, sync-recv or "
         "mutual: the same as --set run.exchange=NAME",
         VALUE(exchange)},
        {"threads", 't', "T", "CPU threads: the same as --set run.threads=T",
         VALUE(threads)},
        {"view", 0, "PORT",
         "show the particles live in a browser, at a port of 127.0.0.1 (any "
         "that is free) or, --view=/PATH, through a Unix socket",
         VALUE(view), .parse = parse_view, .flags = OPTION_ARG_OPTIONAL},
        {"view-control", 0, NULL,
         "let the page pause the run, make single steps, and stop it with a "
         "checkpoint",
         VALUE(view_control)},
        {"power-spectrum", 0, NULL,
         "measure each snapshot of a periodic box when it is written, as koshu "
         "analyse does: power_0003.csv beside snapshot_0003",
         VALUE(measures.spectrum)},
        {"groups", 0, NULL,
         "find the groups in each snapshot of a periodic box: groups_0003.hdf5",
         VALUE(measures.groups)},
        {"dry-run", 'n', NULL,
         "report the memory, disk space and time of the run, and write nothing",
         VALUE(dry_run)},
        {"quiet", 'q', NULL, "print errors and warnings only", VALUE(quiet)},
        {"help-parameters", 0, "FORMAT",
         "print all parameters as a parameter file or, with =markdown, as a "
         "page",
         .parse = print_parameters, .flags = OPTION_ARG_OPTIONAL},
        {0}};

static void
check(struct argp_state *state, void *values)
{
    const struct arguments *a = values;
    if (!a->file)
        argp_error(state, "name a parameter file; `koshu run "
                          "--help-parameters` prints one to start from");
    if (a->dry_run && a->restart)
        argp_error(state, "--dry-run estimates a whole run, not a "
                          "--restart");
    if (a->view_control && !a->view)
        argp_error(state, "--view-control goes with --view");
}

/* Applies a setting, "solver.softening=1/64". */
static koshu_status
set(struct koshu_parameters *parameters, const char *setting)
{
    const size_t length = strcspn(setting, "=");
    char *key = strndup(setting, length);
    if (!key) return KOSHU_ERROR_OUT_OF_MEMORY;
    koshu_status status =
            koshu_parameters_set(parameters, key, setting + length + 1);
    free(key);
    return status;
}

/* Reads the file, then applies the settings in order. */
static koshu_status
read_parameters(struct arguments *a)
{
    koshu_status status = koshu_parameters_read(a->parameters, a->file);
    for (size_t k = 0; k < a->settings.n && status == KOSHU_OK; k++)
        status = set(a->parameters, a->settings.word[k]);
    const struct {
        const char *key, *value;
    } options[] = {{"run.backend", a->backend},
                   {"run.threads", a->threads},
                   {"run.devices", a->devices},
                   {"run.exchange", a->exchange}};
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
        if (status == KOSHU_OK && options[k].value)
            status = koshu_parameters_set(a->parameters, options[k].key,
                                          options[k].value);
    return status;
}

/* ---- the run ----------------------------------------------------------- */

static koshu_status
begin(struct koshu_context *context, const struct arguments *a,
      struct koshu_simulation **simulation)
{
    struct koshu_simulation_options options =
            koshu_simulation_options_default();
    options.overwrite = options.force = a->force;
    options.beside = true;
    return a->restart ? koshu_simulation_restart(context, a->parameters,
                                                 &options, simulation)
                      : koshu_simulation_create(context, a->parameters,
                                                &options, simulation);
}

/* The exit status. Once files have been written, bad input is a failure,
 * too. */
static int
end(struct koshu_context *context, koshu_status status, struct report *out,
    struct koshu_simulation *simulation)
{
    if (!simulation) return report(context, status);
    if (status == KOSHU_OK)
        report_end(out, simulation);
    else
        report_break(out);
    const int code = report(context, status);
    koshu_simulation_destroy(simulation);
    return code == EXIT_DONE ? EXIT_DONE : EXIT_FAILED;
}

static int
run(struct koshu_context *context, const struct arguments *a)
{
    struct koshu_simulation *s = NULL;
    struct koshu_view *view = NULL;
    struct report out = {.quiet = a->quiet,
                         .restarted = a->restart,
                         .began = a->began,
                         .file = a->file,
                         .settings = &a->settings,
                         .options = {{"--backend", a->backend},
                                     {"--threads", a->threads},
                                     {"--devices", a->devices},
                                     {"--exchange", a->exchange}},
                         .values = koshu_parameters_values(a->parameters)};
    koshu_status status = run_analyse_check(context, out.values, &a->measures);
    if (status != KOSHU_OK) return report(context, status);
    if (out.values->flow.method != KOSHU_FLOW_METHOD_NONE)
        return run_flow(context, a->parameters, a->force, &out);
    /* if what reads standard output ends, the run continues */
    signal(SIGPIPE, SIG_IGN);
    report_title(&out);
    signals_catch();
    status = run_view_open(context, a->view, a->view_control,
                           out.values->directory, &view);
    if (status == KOSHU_OK) status = begin(context, a, &s);
    if (s) signals_stop(s);
    if (s) farewell_prepare(context, out.values->directory);
    struct run_measures measures = a->measures;
    if (s) run_analyse_begin(s, a->restart, &measures);
    if (s) out.values = s->values; /* including values that it has chosen */
    if (s) report_begin(&out, s);
    while (s && koshu_simulation_stopped(s) == KOSHU_STOP_NONE) {
        status = koshu_simulation_advance(s);
        if (status != KOSHU_OK) break;
        report_progress(&out, s);
        run_view_update(&view, s);
        run_analyse_update(&measures, s);
    }
    if (status == KOSHU_OK) status = koshu_simulation_finish(s);
    if (s && status == KOSHU_OK) run_view_update(&view, s);
    if (s && status == KOSHU_OK) run_analyse_update(&measures, s);
    koshu_view_destroy(view);
    signals_restore();
    return end(context, status, &out, s);
}

/* A grid for several ranks must not be used on one rank alone. */
static koshu_status
arrange(struct koshu_context *context,
        const struct koshu_parameters *parameters)
{
    const int ranks = koshu_ranks_count(context);
    struct koshu_parameters *own; /* so that its messages are in this context */
    int grid[3];
    if (ranks == 1) return KOSHU_OK;
    KOSHU_TRY(koshu_parameters_copy(context, parameters, &own));
    koshu_status status = koshu_parameters_grid(own, ranks, grid);
    koshu_parameters_destroy(own);
    return status == KOSHU_OK ? koshu_ranks_arrange(context, grid) : status;
}

static int
estimate(struct koshu_context *context, const struct arguments *a)
{
    struct koshu_estimate e = {.size = sizeof e};
    /* before measuring, whose memory a run will not need */
    const uint64_t memory = koshu_memory_limits(NULL, 1).capacity;
    if (koshu_parameters_values(a->parameters)->flow.method !=
        KOSHU_FLOW_METHOD_NONE)
        return estimate_flow(context, a->parameters, memory);
    koshu_status status = arrange(context, a->parameters);
    if (status == KOSHU_OK)
        status = estimate_on_first(context, a->parameters, &e);
    if (status == KOSHU_OK)
        status = koshu_parameters_use_units(a->parameters, &e.units);
    if (status == KOSHU_OK)
        status = koshu_choose_solver(context, a->parameters, e.n, e.offset);
    if (status != KOSHU_OK) return report(context, status);
    print_placement(context, koshu_parameters_values(a->parameters));
    report_estimate(koshu_parameters_values(a->parameters), &e, memory,
                    koshu_ranks_count(context));
    return EXIT_DONE;
}

/* Backend and threads are parameters, so a context of one thread reads the
 * parameters, and a second context runs. */
static int
prepare(struct koshu_context *reader, struct arguments *a,
        struct koshu_context **context)
{
    struct koshu_context_options options = koshu_context_options_default();
    koshu_status status = koshu_parameters_create(reader, &a->parameters);
    if (status == KOSHU_OK) status = read_parameters(a);
    status = koshu_ranks_collective_status(reader, status);
    if (status == KOSHU_OK)
        status = koshu_parameters_context(a->parameters, &options);
    if (status != KOSHU_OK) return report(reader, status);
    *context = make_context_with(&options);
    return *context ? EXIT_DONE : EXIT_USAGE;
}

int
command_run(int argc, char **argv)
{
    const struct command_line line = {.arguments = "FILE.yaml",
                                      .doc = doc,
                                      .options = option_table,
                                      .word = VALUE(file),
                                      .word_is = "file",
                                      .check = check};
    struct arguments a = {.began = koshu_now()};
    struct koshu_context *reader = make_context(NULL, 1), *context = NULL;
    int code = EXIT_FAILED;
    if (reader) {
        options_parse(&line, argc, argv, &a);
        code = prepare(reader, &a, &context);
    }
    if (context) code = a.dry_run ? estimate(context, &a) : run(context, &a);
    koshu_context_destroy(context);
    koshu_parameters_destroy(a.parameters);
    koshu_context_destroy(reader);
    options_free(option_table, &a);
    return code;
}
