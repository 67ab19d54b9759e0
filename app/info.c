/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/device.h>
#include <koshu/ranks.h>
#include <koshu/version.h>

#include "app.h"
#include "info.h"
#include "json.h"

static const char doc[] =
        "With files: shows what each snapshot holds, by its content. Without: "
        "shows what this machine offers: devices, threads."
        "\v"
        "Examples:\n"
        "  koshu info\n"
        "  koshu info snap_*.hdf5\n"
        "  koshu info --stats --json snap_0004.hdf5\n"
        "  koshu info --parameters snap_0004.hdf5 > again.yaml";

enum key { KEY_JSON = 'j', KEY_PARAMETERS = 'p', KEY_STATS = 's' };

static const struct argp_option option_table[] = {
        {"json", KEY_JSON, NULL, 0, "one JSON object per file and line", 0},
        {"stats", KEY_STATS, NULL, 0,
         "also read the particles: total mass, centre, ranges", 0},
        {"parameters", KEY_PARAMETERS, NULL, 0,
         "print only the parameter file stored in the snapshot", 0},
        {0}};

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct info_arguments *a = state->input;
    switch (key) {
    case KEY_JSON: a->json = true; return 0;
    case KEY_STATS: a->stats = true; return 0;
    case KEY_PARAMETERS: a->parameters = true; return 0;
    case ARGP_KEY_ARG:
        append_argument(state, &a->files, &a->n_files, text);
        return 0;
    case ARGP_KEY_END:
        if (a->n_files == 0 && (a->stats || a->parameters))
            argp_error(state, "name the snapshot");
        if (a->parameters && (a->json || a->stats || a->n_files > 1))
            argp_error(state, "--parameters takes one snapshot, and no other "
                              "option");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the machine ------------------------------------------------------- */

static void
print_device(const struct koshu_device *d)
{
    char number[16] = "";
    if (d->number >= 0) snprintf(number, sizeof number, "%d", d->number);
    printf("device    %-4s %-2s ", d->backend, number);
    if (d->usable)
        printf("%s\n", printable(d->name));
    else
        printf("%s%snot usable: %s\n", printable(d->name), *d->name ? ", " : "",
               printable(d->reason));
}

static koshu_status
print_machine(struct koshu_context *context)
{
    printf("koshu %s %s\n", koshu_version(), koshu_version_commit());
    printf("threads   %d\n", koshu_context_threads(context));
    const char *mpi = koshu_ranks_library();
    printf("ranks     %s\n", mpi ? mpi : "built without MPI");
    const size_t n = koshu_device_count(context);
    for (size_t k = 0; k < n; k++) {
        struct koshu_device device = {.size = sizeof device};
        KOSHU_TRY(koshu_device_get(context, k, &device));
        print_device(&device);
    }
    return KOSHU_OK;
}

static json_t *
device_json(const struct koshu_device *d)
{
    return json_pack("{s:s,s:i,s:s,s:I,s:b,s:s}", "backend", d->backend,
                     "number", d->number, "name", d->name, "memory",
                     (json_int_t)d->memory, "usable", (int)d->usable, "reason",
                     d->reason);
}

static koshu_status
print_machine_json(struct koshu_context *context)
{
    json_t *devices = json_array();
    const size_t n = koshu_device_count(context);
    for (size_t k = 0; k < n; k++) {
        struct koshu_device device = {.size = sizeof device};
        const koshu_status status = koshu_device_get(context, k, &device);
        if (status == KOSHU_OK)
            json_array_append_new(devices, device_json(&device));
    }
    json_t *machine = json_pack(
            "{s:s,s:s,s:i,s:s?,s:o}", "version", koshu_version(), "commit",
            koshu_version_commit(), "threads", koshu_context_threads(context),
            "mpi", koshu_ranks_library(), "devices", devices);
    return print_json(context, machine);
}

/* ---- the command ------------------------------------------------------- */

/* The worst of the exit codes of all files. */
static int
info_files(struct koshu_context *context, const struct info_arguments *a)
{
    int code = EXIT_DONE;
    for (size_t k = 0; k < a->n_files; k++) {
        int one = report(context, info_file(context, a->files[k], a));
        if (one == EXIT_DONE && k + 1 < a->n_files && !a->json) putchar('\n');
        if (one > code) code = one;
    }
    return code;
}

int
command_info(int argc, char **argv)
{
    const struct argp parser = {.options = option_table,
                                .parser = parse,
                                .args_doc = "[FILE...]",
                                .doc = doc};
    struct info_arguments a = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    struct koshu_context *context = make_context(NULL, 0);
    int code = EXIT_FAILED;
    if (context && a.n_files > 0)
        code = info_files(context, &a);
    else if (context)
        code = report(context, a.json ? print_machine_json(context)
                                      : print_machine(context));
    koshu_context_destroy(context);
    free(a.files);
    return code;
}
