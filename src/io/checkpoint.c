/* SPDX-License-Identifier: MIT */
/* Checkpoints: writing, reading and verifying them. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "io/checkpoint_steps.h"
#include "io/checkpoint_trailer.h"
#include "io/hdf5_layout.h"
#include "io/io.h"
#include "particles/particles.h"

static const struct koshu_hdf5_dataset datasets[] = {
        {"Accelerations", 3, H5T_FLOAT, KOSHU_ARRAY_AX},
        {"Jerks", 3, H5T_FLOAT, KOSHU_ARRAY_JX},
        {"Ticks", 1, H5T_INTEGER, KOSHU_ARRAY_TICK},
        {"Steps", 1, H5T_INTEGER, KOSHU_ARRAY_STEP},
        {"Coordinates", 3, H5T_FLOAT, KOSHU_ARRAY_X},
        {"Velocities", 3, H5T_FLOAT, KOSHU_ARRAY_VX},
        {"Work", 1, H5T_FLOAT, KOSHU_ARRAY_WORK},
        {"InitialMasses", 1, H5T_FLOAT, KOSHU_ARRAY_INITIAL_MASS}};
enum { N_DATASETS = sizeof datasets / sizeof datasets[0] };
enum { GROUP_FORMAT = 2 }; /* to be increased when the group changes */

/* ---- the numbers of the group ------------------------------------------ */

/* The attributes, in the order of the file. Box, softening and units are in the
 * snapshot. */
static const struct member {
    const char *name;
    size_t offset;
    /* NEWER: integer, missing in files of koshu 0.1; OPTIONAL: real, missing in
     * those of 0.2 */
    enum { REAL, WHOLE, NEWER, OPTIONAL } kind;
} members[] = {
#define AT(member) offsetof(struct koshu_checkpoint, member)
        {"Time", AT(clock.time), REAL},
        {"SynchronisedTime", AT(clock.synchronised), REAL},
        {"OriginTime", AT(clock.origin_time), REAL},
        {"TickLength", AT(clock.tick), REAL},
        {"BeginTime", AT(begin), REAL},
        {"InitialEnergy", AT(initial_energy), REAL},
        {"EnergyError", AT(energy_error), REAL},
        {"Step", AT(clock.steps), WHOLE},
        {"ParticleSteps", AT(clock.particle_steps), WHOLE},
        {"OriginStep", AT(clock.origin_steps), WHOLE},
        {"TicksPassed", AT(clock.ticks), WHOLE},
        {"Snapshots", AT(snapshots), WHOLE},
        {"LostSnapshots", AT(lost_snapshots), NEWER},
        {"EnergyRows", AT(energy_rows), NEWER},
        {"PerformanceRows", AT(performance_rows), NEWER},
        {"ErrorRows", AT(error_rows), NEWER},
        {"ClusterRows", AT(cluster_rows), NEWER},
        {"RunUnitMass_in_g", AT(units.mass_g), OPTIONAL},
        {"MassFactor", AT(mass_factor), OPTIONAL},
        {"VelocityFactor", AT(velocity_factor), OPTIONAL},
        {"KineticIntegral", AT(kinetic_integral), OPTIONAL},
        {"RemovedEnergy", AT(removed_energy), OPTIONAL},
        {"EventRows", AT(event_rows), NEWER}};
enum { N_MEMBERS = sizeof members / sizeof members[0] };

/* ---- writing ----------------------------------------------------------- */

struct content {
    /* its view has the particles predicted to one time */
    struct koshu_snapshot snapshot;
    const struct koshu_particle_view *view;
    const struct koshu_checkpoint *checkpoint;
};

static hid_t
type_of(const struct member *m)
{
    return m->kind == REAL || m->kind == OPTIONAL ? H5T_NATIVE_DOUBLE
                                                  : H5T_NATIVE_UINT64;
}

static bool
put_attributes(hid_t group, const struct koshu_checkpoint *checkpoint)
{
    const char *base = (const char *)checkpoint;
    const uint64_t format = GROUP_FORMAT;
    bool good = koshu_hdf5_put_numbers(group, "Format", H5T_NATIVE_UINT64, 1,
                                       &format) &&
                koshu_hdf5_put_text(group, "Backend", checkpoint->backend);
    for (const struct member *m = members; m < members + N_MEMBERS; m++)
        good = good && koshu_hdf5_put_numbers(group, m->name, type_of(m), 1,
                                              base + m->offset);
    return good;
}

/* Positions and velocities, which the snapshot has too, are written only where
 * the particles are at different times; other datasets where the store has
 * them. */
static bool
is_written(const struct content *content, int k)
{
    const struct koshu_particle_view *v = content->view;
    const unsigned field = koshu_particle_arrays[datasets[k].array].field;
    if (field == KOSHU_FIELD_POSITION || field == KOSHU_FIELD_VELOCITY)
        return koshu_has_block_steps(v) && v->x != content->snapshot.view->x;
    if (field == KOSHU_FIELD_JERK || field == KOSHU_FIELD_STEP)
        return koshu_has_block_steps(v);
    return koshu_particle_array(v, datasets[k].array);
}

static bool
put_group(hid_t file, const void *argument)
{
    const struct content *content = argument;
    const struct koshu_particle_view *v = content->view;
    hid_t group = koshu_hdf5_put_group(file, "Checkpoint");
    bool good = group >= 0 && put_attributes(group, content->checkpoint);
    for (int k = 0; k < N_DATASETS && good; k++)
        good = !is_written(content, k) ||
               koshu_hdf5_put_rows(group, &datasets[k], content->snapshot.rows,
                                   v);
    return good;
}

static koshu_status
write_file(struct koshu_context *context, const char *path,
           const void *argument)
{
    const struct content *content = argument;
    struct koshu_file *file;
    KOSHU_TRY(koshu_file_begin(context, path, &file));
    koshu_status status = koshu_hdf5_write_snapshot(file, &content->snapshot,
                                                    put_group, content);
    if (status == KOSHU_OK) status = koshu_checkpoint_put_trailer(file);
    return koshu_file_end(file, status);
}

koshu_status
koshu_checkpoint_write(struct koshu_particles *particles, const char *path,
                       const struct koshu_checkpoint *checkpoint,
                       const char *parameters)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_rows rows = koshu_rows_of(particles);
    struct koshu_particle_view view, synchronised;
    koshu_status status = koshu_particles_on_host(
            particles, koshu_particles_fields(particles), KOSHU_ACCESS_READ,
            &view);
    if (status == KOSHU_OK) status = koshu_particles_check(particles);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    KOSHU_TRY(koshu_checkpoint_predict(context, &view, checkpoint,
                                       &synchronised));
    koshu_rows_add(&rows, &view);
    koshu_rows_add(&rows, &synchronised);
    struct koshu_snapshot_info info = {.time = checkpoint->clock.time,
                                       .softening = checkpoint->softening,
                                       .box_size = checkpoint->box_size,
                                       .units = checkpoint->units,
                                       .has_potential = true,
                                       .step = checkpoint->clock.steps,
                                       .omega_m = checkpoint->omega_m,
                                       .omega_lambda = checkpoint->omega_lambda,
                                       .hubble = checkpoint->hubble};
    if (checkpoint->mass_factor > 0)
        info.units.mass_g /= checkpoint->mass_factor;
    const struct content content = {
            {&rows, &synchronised, &info, parameters, {1, rows.total, 0}},
            &view,
            checkpoint};
    status = koshu_file_from_ranks(context, path, &rows, write_file, &content);
    koshu_checkpoint_predict_free(&view, &synchronised);
    return status;
}

/* ---- reading ----------------------------------------------------------- */

/* One 8-byte number of that type, which must be there. */
static koshu_status
get_number(const struct koshu_hdf5_place *place, const char *name, hid_t type,
           void *number)
{
    size_t n;
    KOSHU_TRY(koshu_hdf5_numbers(place, name, type, number, 1, &n));
    return n == 1 ? KOSHU_OK : koshu_hdf5_fail(place, name, "is missing");
}

/* Where a NEWER number is missing, it becomes KOSHU_NOT_COUNTED; an OPTIONAL
 * one keeps its value. */
static koshu_status
get_member(const struct koshu_hdf5_place *place, const struct member *m,
           struct koshu_checkpoint *c)
{
    const uint64_t none = KOSHU_NOT_COUNTED;
    void *number = (char *)c + m->offset;
    size_t n;
    if (m->kind == REAL || m->kind == WHOLE)
        return get_number(place, m->name, type_of(m), number);
    if (m->kind == NEWER) memcpy(number, &none, sizeof none);
    return koshu_hdf5_numbers(place, m->name, type_of(m), number, 1, &n);
}

static koshu_status
get_members(const struct koshu_hdf5_place *place, struct koshu_checkpoint *c)
{
    uint64_t format;
    KOSHU_TRY(get_number(place, "Format", H5T_NATIVE_INT64, &format));
    if (format != GROUP_FORMAT)
        return koshu_hdf5_fail(place, "Format",
                               "is %llu; this koshu reads %d: restart with "
                               "the koshu that wrote it",
                               (unsigned long long)format, GROUP_FORMAT);
    koshu_hdf5_text(place, "Backend", c->backend, sizeof c->backend);
    c->clock.size = sizeof c->clock;
    for (const struct member *m = members; m < members + N_MEMBERS; m++)
        KOSHU_TRY(get_member(place, m, c));
    return KOSHU_OK;
}

/* Whether a dataset is read: if another that it comes with is there;
 * accelerations always. */
static bool
is_read(const struct koshu_hdf5_place *place, int k)
{
    static const int with[N_DATASETS] = {0, 1, 1, 1, 4, 4, 6, 7};
    return k == 0 || koshu_hdf5_has(place->id, datasets[with[k]].name);
}

/* Reads the file's numbers bit for bit, whereas reading it as a snapshot
 * converts them to the unit of the run. */
static koshu_status
read_undivided(struct koshu_reader *reader, hid_t file,
               struct koshu_particles *particles, enum koshu_field field,
               int dataset)
{
    struct koshu_hdf5_place place;
    struct koshu_particle_view view;
    KOSHU_TRY(koshu_hdf5_enter(reader, file, "PartType1", &place));
    if (place.id < 0) return koshu_hdf5_fail(&place, "", "is missing");
    KOSHU_TRY(koshu_particles_on_host(particles, field, KOSHU_ACCESS_READ_WRITE,
                                      &view));
    return koshu_hdf5_read_arrays(&place, &koshu_hdf5_datasets[dataset],
                                  koshu_particles_total(particles),
                                  koshu_particles_first(particles), &view);
}

static koshu_status
read_arrays(const struct koshu_hdf5_place *place,
            struct koshu_particles *particles)
{
    struct koshu_particle_view view;
    unsigned fields = 0;
    for (int k = 0; k < N_DATASETS; k++)
        if (is_read(place, k))
            fields |= koshu_particle_arrays[datasets[k].array].field;
    KOSHU_TRY(koshu_particles_on_host(particles, fields,
                                      KOSHU_ACCESS_READ_WRITE, &view));
    for (int k = 0; k < N_DATASETS; k++)
        if (is_read(place, k))
            KOSHU_TRY(koshu_hdf5_read_arrays(
                    place, &datasets[k], koshu_particles_total(particles),
                    koshu_particles_first(particles), &view));
    return KOSHU_OK;
}

static koshu_status
read_opened(struct koshu_reader *reader, hid_t file,
            struct koshu_particles *particles, struct koshu_checkpoint *c)
{
    struct koshu_hdf5_place place;
    KOSHU_TRY(koshu_hdf5_enter(reader, file, "Checkpoint", &place));
    if (place.id < 0) return koshu_hdf5_fail(&place, "", "is missing");
    KOSHU_TRY(get_members(&place, c));
    if (c->mass_factor != 1)
        KOSHU_TRY(read_undivided(reader, file, particles, KOSHU_FIELD_MASS,
                                 KOSHU_HDF5_MASSES));
    if (c->velocity_factor != 1)
        KOSHU_TRY(read_undivided(reader, file, particles, KOSHU_FIELD_VELOCITY,
                                 KOSHU_HDF5_VELOCITIES));
    return read_arrays(&place, particles);
}

/* HDF5 reads in this process, not in a child: the checksum shows that these are
 * the bytes that HDF5 has written. */
static koshu_status
read_group(struct koshu_reader *reader, struct koshu_particles *particles,
           struct koshu_checkpoint *c)
{
    struct koshu_hdf5_errors errors;
    koshu_hdf5_begin(&errors);
    struct koshu_hdf5_file file;
    koshu_status status =
            koshu_hdf5_open(reader, &file)
                    ? read_opened(reader, file.id, particles, c)
                    : koshu_reader_refuse(reader, KOSHU_ERROR_BAD_FORMAT,
                                          "HDF5 cannot open it");
    bool closed = koshu_hdf5_close(&file);
    (void)closed; /* nothing is lost: the file was only read */
    koshu_hdf5_end(&errors);
    /* if HDF5 fails on bytes that it has written itself, memory is short */
    errors.no_memory = errors.no_memory || errors.reason[0];
    return koshu_hdf5_status_of(&errors, reader, status);
}

/* Reads what the snapshot does not have, for this rank's particles. */
static koshu_status
read_rest(struct koshu_context *context, const char *path,
          struct koshu_particles *particles,
          const struct koshu_snapshot_info *info,
          struct koshu_checkpoint *checkpoint)
{
    struct koshu_reader *reader;
    *checkpoint = (struct koshu_checkpoint){.softening = info->softening,
                                            .box_size = info->box_size,
                                            .units = info->units,
                                            .mass_factor = 1,
                                            .velocity_factor = 1,
                                            .omega_m = info->omega_m,
                                            .omega_lambda = info->omega_lambda,
                                            .hubble = info->hubble};
    KOSHU_TRY(koshu_reader_open(context, path, &reader));
    koshu_status status = read_group(reader, particles, checkpoint);
    koshu_reader_close(reader);
    return status;
}

/* Copies a text of rank 0 to all ranks. */
static koshu_status
broadcast_text(struct koshu_context *context, char **text)
{
    size_t size = *text ? strlen(*text) + 1 : 0;
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(koshu_broadcast(context, 0, &size, sizeof size));
    if (!*text) *text = calloc(size + 1, 1);
    if (!*text)
        status = koshu_fail_memory(context, size, "the parameters of a run");
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return koshu_broadcast(context, 0, *text, size);
}

/* Rank 0 reads all bytes for the checksum; then each rank reads its part. */
static koshu_status
read_checked(struct koshu_context *context, const char *path,
             struct koshu_particles **particles,
             struct koshu_checkpoint *checkpoint, char **parameters)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    koshu_status status = KOSHU_OK;
    if (koshu_is_first_rank(context))
        status = koshu_checkpoint_check(context, path);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    KOSHU_TRY(koshu_snapshot_read(context, path, &info, particles));
    if (koshu_is_first_rank(context))
        status = koshu_snapshot_parameters(context, path, parameters);
    if (status == KOSHU_OK)
        status = read_rest(context, path, *particles, &info, checkpoint);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    return broadcast_text(context, parameters);
}

koshu_status
koshu_checkpoint_read(struct koshu_context *context, const char *path,
                      struct koshu_particles **particles,
                      struct koshu_checkpoint *checkpoint, char **parameters)
{
    *particles = NULL;
    *parameters = NULL;
    koshu_status status =
            read_checked(context, path, particles, checkpoint, parameters);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    free(*parameters);
    *particles = NULL;
    *parameters = NULL;
    return status;
}
