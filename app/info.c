/* SPDX-License-Identifier: MIT */
/* koshu info: about this machine and build, and about files. */
#include <stdio.h>
#include <stdlib.h>

#include <koshu/device.h>
#include <koshu/ranks.h>
#include <koshu/version.h>

#include "app.h"
#include "info.h"
#include "json.h"
#include "options.h"

static const char doc[] =
        "With files: shows what each is (a snapshot, a log, a parameter file, "
        "a picture or costs of ranks) and what it holds. Without: shows the "
        "devices and threads of this machine.\v"
        "Examples:\n"
        "  koshu info\n"
        "  koshu info snap_*.hdf5\n"
        "  koshu info --stats --json snap_0004.hdf5\n"
        "  koshu info --parameters snap_0004.hdf5 > again.yaml";

static const struct command_option option_table[] = {
        {"json", 'j', NULL, "one JSON object per file and line",
         FIELD(struct info_arguments, json)},
        {"stats", 's', NULL,
         "also read the particles: total mass, energies, momenta, radii, "
         "centres, ranges",
         FIELD(struct info_arguments, stats)},
        {"energy", 'e', NULL,
         "the same, with potentials computed even for more than 1048576 "
         "particles",
         FIELD(struct info_arguments, energy)},
        {"parameters", 'p', NULL,
         "print only the parameter file stored in the snapshot",
         FIELD(struct info_arguments, parameters)},
        {0}};

static void
check(struct argp_state *state, void *values)
{
    const struct info_arguments *a = values;
    if (a->files.n == 0 && (a->stats || a->energy || a->parameters))
        argp_error(state, "name the snapshot");
    if (a->parameters && (a->json || a->stats || a->energy || a->files.n > 1))
        argp_error(state, "--parameters takes one snapshot, and no other "
                          "option");
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

/* Returns the worst exit code of all files. */
static int
info_files(struct koshu_context *context, const struct info_arguments *a)
{
    int code = EXIT_DONE;
    for (size_t k = 0; k < a->files.n; k++) {
        int one = report(context, info_file(context, a->files.word[k], a));
        if (one == EXIT_DONE && k + 1 < a->files.n && !a->json) putchar('\n');
        if (one > code) code = one;
    }
    return code;
}

int
command_info(int argc, char **argv)
{
    const struct command_line line = {
            .arguments = "[FILE...]",
            .doc = doc,
            .options = option_table,
            .word = FIELD(struct info_arguments, files),
            .check = check};
    struct info_arguments a = {0};
    options_parse(&line, argc, argv, &a);
    struct koshu_context *context = make_context(NULL, 0);
    int code = EXIT_FAILED;
    if (context && a.files.n > 0)
        code = info_files(context, &a);
    else if (context)
        code = report(context, a.json ? print_machine_json(context)
                                      : print_machine(context));
    koshu_context_destroy(context);
    free(a.files.word);
    return code;
}
