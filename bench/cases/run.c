/* SPDX-License-Identifier: MIT */
/* koshu bench run: a complete run with its files, and where its time goes. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cases.h"

static const char doc[] =
        "A run as `koshu run` makes it, with logs, snapshots and checkpoints, "
        "from its particles to its last file: where the wall time goes, in "
        "parts of a hundred.\v"
        "A Plummer model with a softening of 1/64 and whatever else the "
        "defaults of koshu run are; --set changes any of its parameters. The "
        "files go to a new folder of the present directory, which is removed.";

struct options {
    struct bench_options base;
    size_t steps;
    struct word_list settings;
};

struct row {
    struct bench_row base;
    const char *method;
    double steps, step_seconds;
    struct koshu_run_seconds s;
    double forces, other, start, errors, log, snapshots, checkpoints;
};

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%9lld", n),
        {"method", "method", " %-8s", ROW(method)},
        {"steps", "steps", "%7.0f", ROW(steps)},
        BENCH_SHOW("seconds", "%11.4e", timing.seconds),
        {"forces", "forces", "%8.1f", ROW(forces), 0, 100},
        {"steps_without_forces", "steps", "%7.1f", ROW(other), 0, 100},
        {"start", "start", "%7.1f", ROW(start), 0, 100},
        {"errors", "errors", "%7.1f", ROW(errors), 0, 100},
        {"log", "log", "%7.1f", ROW(log), 0, 100},
        {"snapshots", "snapshots", "%10.1f", ROW(snapshots), 0, 100},
        {"checkpoints", "checkpoints", "%12.1f", ROW(checkpoints), 0, 100},
        {"hidden_seconds", NULL, NULL, ROW(s.hidden)},
        {"step_seconds", NULL, NULL, ROW(step_seconds)},
        {0}};

/* ---- parameters ---------------------------------------------------------- */

static koshu_status
set(struct koshu_parameters *p, const char *setting)
{
    char key[128];
    const size_t n = strcspn(setting, "=");
    snprintf(key, sizeof key, "%.*s", (int)n, setting);
    return koshu_parameters_set(p, key, setting + n + 1);
}

static koshu_status
set_number(struct koshu_parameters *p, const char *key, double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", x);
    return koshu_parameters_set(p, key, text);
}

static koshu_status
set_all(const struct bench *b, size_t n, const char *directory,
        struct koshu_parameters *p)
{
    const struct options *o = b->own;
    const struct bench_options *base = &o->base;
    KOSHU_TRY(koshu_parameters_set(p, "initial.model",
                                   koshu_model_name(base->model)));
    KOSHU_TRY(set_number(p, "initial.n", (double)n));
    KOSHU_TRY(set_number(p, "initial.seed", (double)base->seed));
    KOSHU_TRY(koshu_parameters_set(p, "solver.softening", "1/64"));
    KOSHU_TRY(koshu_parameters_set(p, "output.directory", directory));
    for (size_t k = 0; k < o->settings.n; k++)
        KOSHU_TRY(set(p, o->settings.word[k]));
    return set_number(p, "integrator.end",
                      (double)o->steps *
                              koshu_parameters_values(p)->integrator.dt);
}

/* ---- the run ------------------------------------------------------------- */

static koshu_status
make(struct bench *b, const struct koshu_parameters *p,
     struct koshu_simulation **simulation)
{
    struct koshu_simulation_options options =
            koshu_simulation_options_default();
    options.beside = true;
    KOSHU_TRY(koshu_simulation_create(b->context, p, &options, simulation));
    while (koshu_simulation_stopped(*simulation) == KOSHU_STOP_NONE)
        KOSHU_TRY(koshu_simulation_advance(*simulation));
    return koshu_simulation_finish(*simulation);
}

static void
fill(const struct koshu_simulation *simulation, const struct koshu_progress *p,
     struct row *row)
{
    const struct koshu_run_seconds *s = &row->s;
    const struct koshu_parameter_values *v = simulation->values;
    row->base.timing = (struct bench_timing){s->total, s->total, 1};
    row->base.interactions = (double)p->interactions;
    row->base.precision = koshu_precision_name(v->solver.precision);
    row->method = v->integrator.scheme != KOSHU_SCHEME_LEAPFROG
                          ? koshu_scheme_name(v->integrator.scheme)
                          : koshu_method_name(v->solver.method);
    row->steps = (double)p->steps;
    row->step_seconds = (s->forces + s->steps) / row->steps;
    row->forces = s->forces / s->total;
    row->other = s->steps / s->total;
    row->start = s->start / s->total;
    row->errors = s->errors / s->total;
    row->log = s->log / s->total;
    row->snapshots = s->snapshots / s->total;
    row->checkpoints = s->checkpoints / s->total;
}

static koshu_status
run(struct bench *b, const struct koshu_parameters *p, struct row *row)
{
    struct koshu_simulation *s = NULL;
    struct koshu_progress progress = {.size = sizeof progress};
    row->s.size = sizeof row->s;
    koshu_status status = make(b, p, &s);
    if (status == KOSHU_OK) status = koshu_simulation_progress(s, &progress);
    if (status == KOSHU_OK) status = koshu_simulation_seconds(s, &row->s);
    if (status == KOSHU_OK) fill(s, &progress, row);
    koshu_simulation_destroy(s);
    return status;
}

/* ---- its folder ---------------------------------------------------------- */

static void
remove_folder(const char *folder)
{
    char path[1024];
    DIR *directory = opendir(folder);
    if (!directory) return;
    for (struct dirent *e; (e = readdir(directory));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
    }
    closedir(directory);
    rmdir(folder);
}

static koshu_status
measure(struct bench *b, void *row)
{
    char folder[] = "koshu-bench-XXXXXX";
    struct koshu_parameters *p = NULL;
    if (!mkdtemp(folder))
        return koshu_fail_errno(b->context, KOSHU_ERROR_IO,
                                "cannot make a folder here");
    koshu_status status = koshu_parameters_create(b->context, &p);
    if (status == KOSHU_OK)
        status = set_all(b, ((struct row *)row)->base.n, folder, p);
    if (status == KOSHU_OK) status = run(b, p, row);
    koshu_parameters_destroy(p);
    remove_folder(folder);
    return status;
}

/* ---- the case ------------------------------------------------------------ */

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .title = "whole runs: percents of the wall time",
        .figure = {.y_label = "part of the time in forces",
                   .curves = {{"koshu", ROW(forces)}}},
        .measure = measure,
};

static const struct command_option own[] = {
        {"steps", 0, "S", "steps of integrator.dt",
         BENCH_OPTION(struct options, steps), .min = 1},
        {"set", 0, "KEY=VALUE",
         "one parameter of the run: solver.method=tree; may be repeated",
         BENCH_OPTION(struct options, settings), .parse = append_setting},
        {0}};

static const struct options defaults = {
        .base = {.n = {2, {1000, 16384}}, .seed = 1},
        .steps = 256,
};

const struct bench_case bench_run = {
        .name = "run",
        .summary = "a whole run with its files, and where its time goes",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_THREADS | BENCH_TAKES_SEED |
                 BENCH_TAKES_MODEL,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .table = &table,
};
