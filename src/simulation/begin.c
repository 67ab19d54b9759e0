/* SPDX-License-Identifier: MIT */
/* How a run begins, with new particles. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "simulation/simulation.h"

/* Overwriting a directory must not remove what the run was made from. */
static koshu_status
keep_initial_file(struct koshu_simulation *s)
{
    char *file = realpath(s->values->initial_file, NULL);
    char *directory = realpath(s->values->directory, NULL);
    bool inside = false;
    if (file && directory) {
        *strrchr(file, '/') = '\0';
        inside = strcmp(file, directory) == 0;
    }
    free(file);
    free(directory);
    if (!inside) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "initial.file '%s' lies in the output directory that is "
                      "to be overwritten; choose another output.directory",
                      s->values->initial_file);
}

/* Rank 0 alone reads and writes the output directory. No other process does
 * from here on: what is found now holds until the run ends. */
static koshu_status
take_directory(struct koshu_simulation *s, bool overwrite)
{
    const char *directory = s->values->directory;
    if (!koshu_is_first_rank(s->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_take(s->context, directory, true, &s->lock));
    return overwrite ? keep_initial_file(s)
                     : koshu_output_refuse(s->context, directory);
}

static koshu_status
prepare_directory(struct koshu_simulation *s)
{
    if (!koshu_is_first_rank(s->context)) return KOSHU_OK;
    KOSHU_TRY(koshu_run_lock_check(s->lock));
    KOSHU_TRY(koshu_output_clear(s->context, s->values->directory));
    KOSHU_TRY(koshu_logs_create(s));
    bool for_another; /* an earlier run, which ended before it saw the file */
    return koshu_take_stop_file(s, &for_another);
}

/* A model is refused before it is made, a file once the particles are read. */
static koshu_status
make_particles(struct koshu_simulation *s, struct koshu_snapshot_info *info)
{
    const bool is_file = s->values->initial_file[0] != '\0';
    koshu_status status = KOSHU_OK;
    if (!is_file)
        status = koshu_require_run(s->context, s->values, s->values->initial.n,
                                   false);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(koshu_initial_particles(s->context, s->values, &s->particles,
                                      info));
    if (is_file)
        status = koshu_require_run(s->context, s->values,
                                   koshu_particles_total(s->particles), true);
    return koshu_ranks_collective_status(s->context, status);
}

/* The first row, snapshot and checkpoint. */
static koshu_status
write_beginning(struct koshu_simulation *s)
{
    KOSHU_TRY(koshu_ranks_collective_status(s->context, prepare_directory(s)));
    KOSHU_TRY(koshu_output_begin(s));
    return s->values->checkpoint.first ? koshu_simulation_checkpoint(s)
                                       : KOSHU_OK;
}

static koshu_status
begin_new(struct koshu_simulation *s, bool overwrite)
{
    KOSHU_TRY(koshu_ranks_collective_status(s->context,
                                            take_directory(s, overwrite)));
    struct koshu_snapshot_info info = {.size = sizeof info};
    KOSHU_TRY(make_particles(s, &info));
    KOSHU_TRY(koshu_check_end(s->context, s->parameters, info.time));
    s->kept.begin = info.time;
    s->kept.box_size = info.box_size;
    s->kept.units = info.units;
    KOSHU_TRY(koshu_simulation_equip(s, info.time));
    KOSHU_TRY(koshu_integrator_evaluate(s->integrator));
    KOSHU_TRY(write_beginning(s));
    koshu_simulation_start(s);
    return KOSHU_OK;
}

koshu_status
koshu_simulation_create(struct koshu_context *context,
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
    koshu_status status = koshu_simulation_allocate(context, parameters, &s);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = begin_new(s, o.overwrite);
    if (status != KOSHU_OK) koshu_simulation_destroy(s);
    *simulation = status == KOSHU_OK ? s : NULL;
    return status;
}
