/* SPDX-License-Identifier: MIT */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/ranks.h>
#include <koshu/version.h>

#include "app.h"
#include "info.h"
#include "internal.h"
#include "json.h"

static const char doc[] =
        "With files: shows what each snapshot holds, by its content. Without: "
        "shows what this machine offers: backends, devices, threads."
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

static void
add_file(struct argp_state *state, char *name, struct info_arguments *a)
{
    char **files = reallocarray(a->files, a->n_files + 1, sizeof *files);
    if (!files) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    a->files = files;
    a->files[a->n_files++] = name;
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct info_arguments *a = state->input;
    switch (key) {
    case KEY_JSON: a->json = true; return 0;
    case KEY_STATS: a->stats = true; return 0;
    case KEY_PARAMETERS: a->parameters = true; return 0;
    case ARGP_KEY_ARG: add_file(state, text, a); return 0;
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

/* Of a backend whose devices have numbers, for --devices. */
static void
print_devices(const struct koshu_backend_ops *ops)
{
    char name[128];
    for (int k = 0; ops->device_name && k < ops->devices(); k++) {
        ops->device_name(k, name, sizeof name);
        printf("  GPU %-4d %s\n", k, name);
    }
}

static void
print_machine(struct koshu_context *context)
{
    printf("koshu %s %s\n", koshu_version(), koshu_version_commit());
    printf("threads   %d\n", koshu_context_threads(context));
    const char *mpi = koshu_ranks_library();
    printf("ranks     %s\n", mpi ? mpi : "built without MPI");
    const struct koshu_backend_ops *ops;
    for (size_t k = 0; (ops = koshu_backend_at(k)); k++) {
        printf("backend   %-6s %s\n", ops->name,
               ops->devices() > 0 ? "ready" : "no device");
        print_devices(ops);
    }
}

/* NULL: they have none. */
static json_t *
device_names(const struct koshu_backend_ops *ops)
{
    char name[128];
    if (!ops->device_name) return NULL;
    json_t *names = json_array();
    for (int k = 0; k < ops->devices(); k++) {
        ops->device_name(k, name, sizeof name);
        json_array_append_new(names, json_string(name));
    }
    return names;
}

static koshu_status
print_machine_json(struct koshu_context *context)
{
    json_t *backends = json_array();
    const struct koshu_backend_ops *ops;
    for (size_t k = 0; (ops = koshu_backend_at(k)); k++)
        json_array_append_new(backends,
                              json_pack("{s:s,s:i,s:o*}", "name", ops->name,
                                        "devices", ops->devices(), "names",
                                        device_names(ops)));
    json_t *machine = json_pack(
            "{s:s,s:s,s:i,s:s?,s:o}", "version", koshu_version(), "commit",
            koshu_version_commit(), "threads", koshu_context_threads(context),
            "mpi", koshu_ranks_library(), "backends", backends);
    return print_json(context, machine);
}

/* ---- the command ------------------------------------------------------- */

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
    int code = context ? EXIT_DONE : EXIT_FAILED;
    if (context && a.n_files == 0 && a.json)
        code = report(context, print_machine_json(context));
    else if (context && a.n_files == 0)
        print_machine(context);
    for (size_t k = 0; context && k < a.n_files; k++) {
        int one = report(context, info_file(context, a.files[k], &a));
        if (one == EXIT_DONE && k + 1 < a.n_files && !a.json) putchar('\n');
        if (one > code) code = one;
    }
    koshu_context_destroy(context);
    free(a.files);
    return code;
}
