/* SPDX-License-Identifier: MIT */
/* What beginnings and restarts of runs have in common: see run.h. */
#include "simulation/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "simulation/logs.h"

void
koshu_run_begin(struct koshu_run *run, struct koshu_context *context,
                const struct koshu_parameters *parameters)
{
    const struct koshu_parameter_values *values =
            koshu_parameters_values(parameters);
    *run = (struct koshu_run){
            .context = context,
            .parameters = parameters,
            .values = values,
            .rotation = {context, values->directory, values->checkpoint.keep},
            .checkpoint_step = UINT64_MAX,
            .wall_begin = koshu_now()};
}

/* ---- the directory ------------------------------------------------------- */

koshu_status
koshu_run_take_directory(struct koshu_run *run, bool overwrite)
{
    const char *directory = run->values->directory;
    if (!koshu_is_first_rank(run->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_take(run->context, directory, true, &run->lock));
    return overwrite ? KOSHU_OK : koshu_output_refuse(run->context, directory);
}

koshu_status
koshu_run_take_directory_again(struct koshu_run *run)
{
    const char *directory = run->values->directory;
    if (!koshu_is_first_rank(run->context)) return KOSHU_OK;
    const koshu_status status =
            koshu_run_lock_take(run->context, directory, false, &run->lock);
    if (status != KOSHU_ERROR_NOT_FOUND) return status;
    return koshu_fail(run->context, status,
                      "there is no checkpoint in '%s', and no such directory; "
                      "start without --restart, or name another "
                      "output.directory",
                      directory);
}

koshu_status
koshu_run_clear_directory(struct koshu_run *run)
{
    bool for_another; /* the earlier run, which ended before it saw the file */
    if (!koshu_is_first_rank(run->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_check(run->lock));
    KOSHU_TRY(koshu_output_clear(run->context, run->values->directory));
    return koshu_run_take_stop_file(run, &for_another);
}

/* ---- parameters ---------------------------------------------------------- */

/* *text: the parameters of rank 0, on all ranks. The caller frees it. */
static koshu_status
send_parameters(const struct koshu_run *run, char **text)
{
    koshu_status status = koshu_parameters_text(run->parameters, text);
    size_t size = status == KOSHU_OK ? strlen(*text) + 1 : 0;
    KOSHU_TRY(koshu_ranks_collective_status(run->context, status));
    KOSHU_TRY(koshu_broadcast(run->context, 0, &size, sizeof size));
    if (!koshu_is_first_rank(run->context)) {
        free(*text);
        *text = malloc(size);
    }
    if (!*text) status = koshu_fail_memory(run->context, size, "parameters");
    KOSHU_TRY(koshu_ranks_collective_status(run->context, status));
    return koshu_broadcast(run->context, 0, *text, size);
}

static koshu_status
compare_with(const struct koshu_run *run, const char *text)
{
    struct koshu_parameters *first;
    const char *own, *other;
    KOSHU_TRY(koshu_parameters_create(run->context, &first));
    koshu_status status =
            koshu_parameters_parse(first, "the parameters of rank 0", text);
    const struct koshu_key *key = NULL;
    if (status == KOSHU_OK)
        key = koshu_parameters_difference(run->parameters, first, &own, &other);
    if (key)
        status = koshu_fail(run->context, KOSHU_ERROR_BAD_INPUT,
                            "%s is '%s', and '%s' on rank 0: start all ranks "
                            "with the same parameters, from the same file",
                            key->path, own, other);
    koshu_parameters_destroy(first);
    return status;
}

koshu_status
koshu_run_compare_ranks(const struct koshu_run *run)
{
    char *text = NULL;
    if (koshu_context_ranks(run->context) == 1) return KOSHU_OK;
    koshu_status status = send_parameters(run, &text);
    if (status == KOSHU_OK && !koshu_is_first_rank(run->context))
        status = compare_with(run, text);
    free(text);
    return koshu_ranks_collective_status(run->context, status);
}

static koshu_status
refuse_conflict(const struct koshu_run *run, const struct koshu_parameters *old,
                bool force, const char *remedy)
{
    const char *was, *is;
    char place[512];
    const struct koshu_key *key =
            koshu_parameters_conflict(old, run->parameters, force, &was, &is);
    if (!key) return KOSHU_OK;
    koshu_parameters_place(run->parameters, key->path, place, sizeof place);
    return koshu_fail(run->context, KOSHU_ERROR_BAD_INPUT,
                      "%s%s: '%s' when '%s' was written, '%s' now; %s", place,
                      key->path, was, run->newest_checkpoint, is,
                      key->restart == KOSHU_RESTART_FORCED
                              ? "set it back, or accept the change (--force)"
                              : remedy);
}

koshu_status
koshu_run_compare_parameters(const struct koshu_run *run,
                             const struct koshu_parameters *old, bool force,
                             const char *remedy, bool *changed)
{
    const char *was, *is;
    KOSHU_TRY(refuse_conflict(run, old, force, remedy));
    const struct koshu_key *key =
            koshu_parameters_conflict(old, run->parameters, false, &was, &is);
    if (key) /* a forced change is logged */
        koshu_log(run->context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: '%s' when '%s' was written, '%s' now, as forced",
                  key->path, was, run->newest_checkpoint, is);
    *changed = key != NULL;
    return KOSHU_OK;
}

/* ---- files that the checkpoint has counted ------------------------------- */

/* Something is missing: warns if the loss is accepted, else fails. */
static koshu_status
miss(const struct koshu_run *run, bool accept, const char *what)
{
    if (accept) {
        koshu_log(run->context, KOSHU_LOG_LEVEL_WARNING,
                  "%s; the run goes on without", what);
        return KOSHU_OK;
    }
    return koshu_fail(run->context, KOSHU_ERROR_BAD_INPUT,
                      "%s; put back what is missing, or go on without it "
                      "(--restart --force)",
                      what);
}

koshu_status
koshu_run_check_rows(const struct koshu_run *run,
                     const struct koshu_csv_log *log, const char *path,
                     uint64_t step, uint64_t counted, bool accept)
{
    char what[2 * KOSHU_PATH_SIZE + 128];
    const uint64_t n = koshu_csv_log_count(log);
    if (n >= counted) return KOSHU_OK;
    if (log)
        snprintf(what, sizeof what,
                 "'%s' has %llu rows up to step %llu, '%s' has counted %llu",
                 path, (unsigned long long)n, (unsigned long long)step,
                 run->newest_checkpoint, (unsigned long long)counted);
    else
        snprintf(what, sizeof what,
                 "'%s' is missing, '%s' has counted %llu rows of it", path,
                 run->newest_checkpoint, (unsigned long long)counted);
    return miss(run, accept, what);
}

koshu_status
koshu_run_check_snapshots(const struct koshu_run *run, uint64_t counted,
                          uint64_t *lost, bool accept)
{
    char what[2 * KOSHU_PATH_SIZE + 128];
    const char *directory = run->values->directory;
    const uint64_t accepted = *lost;
    uint64_t first;
    KOSHU_TRY(koshu_output_find_snapshots(run->context, directory, counted,
                                          lost, &first));
    if (*lost <= accepted) return KOSHU_OK;
    snprintf(what, sizeof what,
             "'%s/snapshot_%04llu' is missing, and %llu in all of the %llu "
             "snapshots that '%s' has counted",
             directory, (unsigned long long)first, (unsigned long long)*lost,
             (unsigned long long)counted, run->newest_checkpoint);
    return miss(run, accept, what);
}
