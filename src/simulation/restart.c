/* SPDX-License-Identifier: MIT */
/* How a run goes on, from a checkpoint. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "simulation/simulation.h"

/* ---- what has changed -------------------------------------------------- */

static koshu_status
refuse_conflict(struct koshu_simulation *s, const struct koshu_parameters *old,
                bool change_physics)
{
    const char *was, *is;
    char place[512];
    const struct koshu_key *key = koshu_parameters_conflict(
            old, s->parameters, change_physics, &was, &is);
    if (!key) return KOSHU_OK;
    koshu_parameters_place(s->parameters, key->path, place, sizeof place);
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "%s%s: '%s' when '%s' was written, '%s' now; %s", place,
                      key->path, was, s->newest_checkpoint, is,
                      key->restart == KOSHU_RESTART_FORCED
                              ? "set it back, or accept the change (--force)"
                              : "the particles are made already: set it back");
}

/* A change that was forced is not silent. */
static void
warn_of_change(struct koshu_simulation *s, const struct koshu_key *key,
               const char *was, const char *is)
{
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
              "%s: '%s' when '%s' was written, '%s' now, as forced", key->path,
              was, s->newest_checkpoint, is);
}

static void
warn_of_backend(struct koshu_simulation *s, const char *old)
{
    const char *now = koshu_solver_backend(s->solver);
    if (strcmp(old, now) != 0)
        koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
                  "'%s' was written with the %s backend; the run goes on with "
                  "%s, but not bit for bit",
                  s->newest_checkpoint, old, now);
}

/* ---- going on ------------------------------------------------------------ */

/* Particles that do not stand at one time are synchronised by the scheme that
 * left them so. */
static koshu_status
check_scheme(struct koshu_simulation *s)
{
    const struct koshu_integrator_clock *clock = &s->kept.clock;
    if (s->values->integrator.scheme == KOSHU_SCHEME_HERMITE ||
        clock->time == clock->synchronised)
        return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "'%s' was written between two synchronised times, and "
                      "only integrator.scheme: hermite can go on from it; or "
                      "begin with it as initial.file, where its particles are "
                      "predicted to one time",
                      s->newest_checkpoint);
}

static koshu_status
resume(struct koshu_simulation *s, bool changed)
{
    const struct koshu_integrator_clock *clock = &s->kept.clock;
    KOSHU_TRY(check_scheme(s));
    KOSHU_TRY(koshu_integrator_resume(s->integrator, clock));
    if (changed) KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    s->newest_time = clock->time;
    s->checkpoint_step = changed ? UINT64_MAX : clock->steps;
    return KOSHU_OK;
}

/* *changed: other physics than before, as forced. */
static koshu_status
compare_parameters(struct koshu_simulation *s, const char *text, bool force,
                   bool *changed)
{
    struct koshu_parameters *old = NULL;
    const char *was, *is;
    koshu_status status = koshu_parameters_create(s->context, &old);
    if (status == KOSHU_OK)
        status = koshu_parameters_parse_checkpoint(old, s->newest_checkpoint,
                                                   text);
    KOSHU_TRY_CLEANUP(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY_CLEANUP(refuse_conflict(s, old, force));
    const struct koshu_key *key =
            koshu_parameters_conflict(old, s->parameters, false, &was, &is);
    if (key) warn_of_change(s, key, was, is);
    *changed = key != NULL;
cleanup:
    koshu_parameters_destroy(old);
    return status;
}

static koshu_status
resume_run(struct koshu_simulation *s, const char *text, bool force)
{
    const double time = s->kept.clock.time;
    bool changed;
    KOSHU_TRY(compare_parameters(s, text, force, &changed));
    KOSHU_TRY(koshu_check_end(s->context, s->parameters, time));
    koshu_status status = koshu_require_run(
            s->context, s->values, koshu_particles_total(s->particles), true);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(koshu_simulation_equip(s, time));
    warn_of_backend(s, s->kept.backend);
    KOSHU_TRY(resume(s, changed));
    if (koshu_is_first_rank(s->context)) status = koshu_logs_open(s, force);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    koshu_simulation_start(s);
    return KOSHU_OK;
}

/* Before anything is read: what another run writes meanwhile is not its end. */
static koshu_status
take_directory_again(struct koshu_simulation *s)
{
    const char *directory = s->values->directory;
    if (!koshu_is_first_rank(s->context)) return KOSHU_OK;
    koshu_status status =
            koshu_run_lock_take(s->context, directory, false, &s->lock);
    if (status != KOSHU_ERROR_NOT_FOUND) return status;
    return koshu_fail(s->context, status,
                      "there is no checkpoint in '%s', and no such directory; "
                      "start without --restart, or name another "
                      "output.directory",
                      directory);
}

koshu_status
koshu_simulation_restart(struct koshu_context *context,
                         const struct koshu_parameters *parameters,
                         const struct koshu_simulation_options *options,
                         struct koshu_simulation **simulation)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, parameters);
    KOSHU_REQUIRE(context, simulation);
    struct koshu_simulation_options o = koshu_simulation_options_default();
    KOSHU_TRY(koshu_simulation_read_options(context, options, &o));
    struct koshu_simulation *s;
    char *text = NULL;
    koshu_status status = koshu_simulation_allocate(context, parameters, &s);
    if (status == KOSHU_OK) status = take_directory_again(s);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK)
        status = koshu_rotation_read(
                context, s->values->directory, s->values->checkpoint.keep,
                s->newest_checkpoint, &s->particles, &s->kept, &text);
    if (status == KOSHU_OK) status = resume_run(s, text, o.force);
    free(text);
    if (status != KOSHU_OK) koshu_simulation_destroy(s);
    *simulation = status == KOSHU_OK ? s : NULL;
    return status;
}
