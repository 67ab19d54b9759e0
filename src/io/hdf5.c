/* SPDX-License-Identifier: MIT */
/*
 * HDF5 in the layout of GADGET-4 and SWIFT, which yt and pynbody open:
 *
 *     /Header       attributes NumPart_ThisFile, NumPart_Total,
 *                   NumPart_Total_HighWord, MassTable [6 each], Time,
 *                   Time_GYR, BoxSize, NumFilesPerSnapshot, Softening, Step
 *     /Units        attributes UnitLength_in_cm, UnitMass_in_g,
 *                   UnitVelocity_in_cm_per_s
 *     /Code         attributes Code, Version, GitCommit
 *     /Parameters   dataset Text: the parameter file
 *     /PartType1    datasets Coordinates, Velocities [n][3], Masses,
 *                   ParticleIDs, Potential [n]
 *
 * Written in HDF5's 1.10 file format, whose metadata carries checksums, and
 * with checksums on the data: a damaged byte is found, wherever it is. Read
 * are all types in their order, float or double, ids of any width, masses
 * from MassTable where there is no dataset, and the names of units and
 * potential that GADGET-4 and SWIFT use.
 *
 * The HDF5 library is not safe against damaged files: it may crash on them, and
 * it leaks where it does not. It reads in a child process therefore, which
 * hands over what it found (child.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/version.h>

#include "base/base.h"
#include "io/child.h"
#include "io/format.h"
#include "io/hdf5_file.h"

enum {
    MAX_TYPES = 16,
    WRITTEN_TYPES = 6,
    DARK = 1, /* the type that is written */
    LONGEST_TEXT = 1 << 20
};

static const unsigned char signature[] = {0x89, 'H',  'D',  'F',
                                          '\r', '\n', 0x1a, '\n'};

static const struct koshu_hdf5_dataset coordinates = {"Coordinates", 3,
                                                      H5T_FLOAT},
                                       velocities = {"Velocities", 3,
                                                     H5T_FLOAT},
                                       masses = {"Masses", 1, H5T_FLOAT},
                                       ids = {"ParticleIDs", 1, H5T_INTEGER},
                                       potential = {"Potential", 1, H5T_FLOAT},
                                       potentials = {"Potentials", 1,
                                                     H5T_FLOAT};

/* An opened file as its header and datasets show it. */
struct layout {
    struct koshu_reader *reader;
    hid_t file;
    size_t n_types;
    int64_t count[MAX_TYPES];
    double mass[MAX_TYPES];                     /* 0: in a dataset */
    const struct koshu_hdf5_dataset *potential; /* NULL: none */
};

static bool
recognise(const unsigned char *head, size_t n, uint64_t size)
{
    (void)size;
    return n >= sizeof signature &&
           memcmp(head, signature, sizeof signature) == 0;
}

/* ---- header ----------------------------------------------------------- */

/* The first number of an attribute; value stays where there is none. */
static koshu_status
read_number(const struct koshu_hdf5_place *place, const char *name,
            double *value)
{
    double numbers[MAX_TYPES];
    size_t n;
    KOSHU_TRY(koshu_hdf5_numbers(place, name, H5T_NATIVE_DOUBLE, numbers,
                                 MAX_TYPES, &n));
    if (n > 0) *value = numbers[0];
    return KOSHU_OK;
}

static koshu_status
read_counts(struct layout *l, const struct koshu_hdf5_place *header)
{
    size_t n;
    KOSHU_TRY(koshu_hdf5_numbers(header, "NumPart_ThisFile", H5T_NATIVE_INT64,
                                 l->count, MAX_TYPES, &l->n_types));
    if (l->n_types == 0)
        return koshu_hdf5_fail(header, "NumPart_ThisFile",
                               "is missing: this is no GADGET or SWIFT "
                               "snapshot");
    KOSHU_TRY(koshu_hdf5_numbers(header, "MassTable", H5T_NATIVE_DOUBLE,
                                 l->mass, MAX_TYPES, &n));
    for (size_t t = 0; t < l->n_types; t++) {
        if (l->count[t] < 0 || l->count[t] > INT64_MAX / MAX_TYPES)
            return koshu_hdf5_fail(header, "NumPart_ThisFile",
                                   "has %lld for type %zu; this is no number "
                                   "of particles",
                                   (long long)l->count[t], t);
        if (!isfinite(l->mass[t]) || l->mass[t] < 0)
            return koshu_hdf5_fail(header, "MassTable",
                                   "has %g for type %zu; this is no mass",
                                   l->mass[t], t);
    }
    return KOSHU_OK;
}

static koshu_status
read_header_in(struct layout *l, const struct koshu_hdf5_place *header,
               struct koshu_snapshot_info *info)
{
    double files = 1, step = 0;
    KOSHU_TRY(read_counts(l, header));
    KOSHU_TRY(read_number(header, "NumFilesPerSnapshot", &files));
    if (files > 1)
        return koshu_fail(koshu_reader_context(l->reader), KOSHU_BAD_INPUT,
                          "%s: it is one of the %g files of a snapshot; koshu "
                          "reads snapshots of one file",
                          koshu_reader_path(l->reader), files);
    KOSHU_TRY(read_number(header, "Time", &info->time));
    KOSHU_TRY(read_number(header, "BoxSize", &info->box_size));
    KOSHU_TRY(read_number(header, "Softening", &info->softening));
    KOSHU_TRY(read_number(header, "Step", &step));
    if (step >= 0 && step < 9e15) info->step = (uint64_t)step;
    return KOSHU_OK;
}

static koshu_status
read_header(struct layout *l, struct koshu_snapshot_info *info)
{
    struct koshu_hdf5_place header;
    KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, "Header", &header));
    if (header.id < 0)
        return koshu_hdf5_fail(&header, "",
                               "is missing: this is no GADGET or SWIFT "
                               "snapshot");
    koshu_status status = read_header_in(l, &header, info);
    koshu_hdf5_leave(&header);
    return status;
}

/* ---- units and program ------------------------------------------------ */

static koshu_status
read_units_in(const struct koshu_hdf5_place *place, struct koshu_units *units)
{
    double time = 0;
    KOSHU_TRY(read_number(place, "UnitLength_in_cm", &units->length_cm));
    KOSHU_TRY(read_number(place, "UnitMass_in_g", &units->mass_g));
    KOSHU_TRY(read_number(place, "UnitVelocity_in_cm_per_s",
                          &units->velocity_cm_s));
    /* SWIFT's names */
    KOSHU_TRY(
            read_number(place, "Unit length in cgs (U_L)", &units->length_cm));
    KOSHU_TRY(read_number(place, "Unit mass in cgs (U_M)", &units->mass_g));
    KOSHU_TRY(read_number(place, "Unit time in cgs (U_t)", &time));
    if (time > 0) units->velocity_cm_s = units->length_cm / time;
    return KOSHU_OK;
}

/* SWIFT and koshu keep units in /Units, GADGET-4 in /Parameters, AREPO in
 * /Header. */
static koshu_status
read_units(const struct layout *l, struct koshu_units *units)
{
    static const char *const groups[] = {"Header", "Parameters", "Units"};
    for (size_t k = 0; k < sizeof groups / sizeof groups[0]; k++) {
        struct koshu_hdf5_place place;
        KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, groups[k], &place));
        if (place.id < 0) continue;
        koshu_status status = read_units_in(&place, units);
        koshu_hdf5_leave(&place);
        KOSHU_TRY(status);
    }
    return KOSHU_OK;
}

static koshu_status
read_program(const struct layout *l, struct koshu_snapshot_info *info)
{
    struct koshu_hdf5_place code;
    char name[24], version[20], commit[16]; /* fit into program */
    KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, "Code", &code));
    if (code.id < 0) return KOSHU_OK;
    koshu_hdf5_text(&code, "Code", name, sizeof name);
    koshu_hdf5_text(&code, "Version", version, sizeof version);
    if (!version[0])
        koshu_hdf5_text(&code, "Code Version", version, sizeof version);
    koshu_hdf5_text(&code, "GitCommit", commit, sizeof commit);
    snprintf(info->program, sizeof info->program, "%s%s%s%s%s", name,
             version[0] ? " " : "", version, commit[0] ? " " : "", commit);
    koshu_hdf5_leave(&code);
    return KOSHU_OK;
}

/* ---- particles -------------------------------------------------------- */

enum { TYPE_NAME = 32 }; /* "PartType", digits, 0 */

/* The group of a particle type that has particles. */
static koshu_status
enter_type(const struct layout *l, size_t type, char name[TYPE_NAME],
           struct koshu_hdf5_place *place)
{
    snprintf(name, TYPE_NAME, "PartType%zu", type);
    KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, name, place));
    if (place->id >= 0) return KOSHU_OK;
    return koshu_hdf5_fail(place, "",
                           "is missing, but the header counts %lld particles "
                           "in it",
                           (long long)l->count[type]);
}

static koshu_status
check_type_in(struct layout *l, size_t type,
              const struct koshu_hdf5_place *place,
              struct koshu_snapshot_info *info)
{
    uint64_t n = (uint64_t)l->count[type];
    size_t width;
    KOSHU_TRY(koshu_hdf5_check(place, &coordinates, n, &width));
    if (width <= 4) info->single = true;
    KOSHU_TRY(koshu_hdf5_check(place, &velocities, n, &width));
    KOSHU_TRY(koshu_hdf5_check(place, &ids, n, &width));
    if (l->mass[type] == 0 || koshu_hdf5_has(place->id, masses.name)) {
        KOSHU_TRY(koshu_hdf5_check(place, &masses, n, &width));
        l->mass[type] = 0;
    }
    const struct koshu_hdf5_dataset *p =
            koshu_hdf5_has(place->id, potential.name)    ? &potential
            : koshu_hdf5_has(place->id, potentials.name) ? &potentials
                                                         : NULL;
    if (info->n == 0) l->potential = p;
    if (l->potential != p) l->potential = NULL; /* not of all particles */
    if (l->potential) KOSHU_TRY(koshu_hdf5_check(place, p, n, &width));
    info->n += n;
    info->n_types++;
    return KOSHU_OK;
}

static koshu_status
check_types(struct layout *l, struct koshu_snapshot_info *info)
{
    for (size_t t = 0; t < l->n_types; t++) {
        struct koshu_hdf5_place place;
        char name[TYPE_NAME];
        if (l->count[t] == 0) continue;
        KOSHU_TRY(enter_type(l, t, name, &place));
        koshu_status status = check_type_in(l, t, &place, info);
        koshu_hdf5_leave(&place);
        KOSHU_TRY(status);
    }
    info->has_potential = l->potential != NULL;
    return KOSHU_OK;
}

static koshu_status
read_type(const struct layout *l, size_t type,
          const struct koshu_hdf5_place *place,
          const struct koshu_particle_view *v, size_t first)
{
    uint64_t n = (uint64_t)l->count[type];
    void *const x[] = {v->x + first, v->y + first, v->z + first};
    void *const vx[] = {v->vx + first, v->vy + first, v->vz + first};
    void *const id[] = {v->id + first}, *const mass[] = {v->mass + first};
    void *const phi[] = {v->potential + first};
    KOSHU_TRY(koshu_hdf5_read(place, &coordinates, n, x));
    KOSHU_TRY(koshu_hdf5_read(place, &velocities, n, vx));
    KOSHU_TRY(koshu_hdf5_read(place, &ids, n, id));
    if (l->mass[type] == 0) {
        KOSHU_TRY(koshu_hdf5_read(place, &masses, n, mass));
    } else {
        for (uint64_t i = 0; i < n; i++) v->mass[first + i] = l->mass[type];
    }
    if (!l->potential) return KOSHU_OK;
    return koshu_hdf5_read(place, l->potential, n, phi);
}

static koshu_status
read_types(const struct layout *l, const struct koshu_particle_view *v)
{
    size_t first = 0;
    for (size_t t = 0; t < l->n_types; t++) {
        struct koshu_hdf5_place place;
        char name[TYPE_NAME];
        if (l->count[t] == 0) continue;
        KOSHU_TRY(enter_type(l, t, name, &place));
        koshu_status status = read_type(l, t, &place, v, first);
        koshu_hdf5_leave(&place);
        KOSHU_TRY(status);
        first += (size_t)l->count[t];
    }
    return KOSHU_OK;
}

/* A dataset of every type that has particles. */
static koshu_status
read_column(const struct layout *l, const char *name, double *values)
{
    const struct koshu_hdf5_dataset wanted = {name, 1, H5T_FLOAT};
    for (size_t t = 0; t < l->n_types; t++) {
        struct koshu_hdf5_place place;
        char type[TYPE_NAME];
        size_t width;
        uint64_t n = (uint64_t)l->count[t];
        if (n == 0) continue;
        KOSHU_TRY(enter_type(l, t, type, &place));
        koshu_status status = KOSHU_NOT_FOUND;
        if (koshu_hdf5_has(place.id, name))
            status = koshu_hdf5_check(&place, &wanted, n, &width);
        if (status == KOSHU_OK)
            status = koshu_hdf5_read(&place, &wanted, n,
                                     (void *const[]){values});
        koshu_hdf5_leave(&place);
        KOSHU_TRY(status);
        values += n;
    }
    return KOSHU_OK;
}

/* ---- reading ---------------------------------------------------------- */

/* What is wanted of a file. */
struct task {
    struct koshu_reader *reader;
    struct koshu_snapshot_info *info;
    const struct koshu_particle_view *view; /* NULL: not the particles */
    char *parameters;                       /* NULL: not the parameters */
    const char *column;                     /* NULL: not a column */
    double *values;                         /* of the column */
    uint64_t n;                             /* numbers there is room for */
};

static koshu_status
read_text(const struct task *task, hid_t file)
{
    struct koshu_hdf5_place place;
    KOSHU_TRY(koshu_hdf5_enter(task->reader, file, "Parameters", &place));
    if (place.id < 0) return KOSHU_OK;
    koshu_status status = koshu_hdf5_long_text(&place, "Text", task->parameters,
                                               LONGEST_TEXT);
    koshu_hdf5_leave(&place);
    return status;
}

static koshu_status
read_opened(const struct task *task, hid_t file)
{
    struct layout l = {.reader = task->reader, .file = file};
    if (task->parameters) return read_text(task, file);
    KOSHU_TRY(read_header(&l, task->info));
    KOSHU_TRY(check_types(&l, task->info));
    if (task->column && task->info->n == task->n)
        return read_column(&l, task->column, task->values);
    KOSHU_TRY(read_units(&l, &task->info->units));
    KOSHU_TRY(read_program(&l, task->info));
    if (!task->view && !task->column) return KOSHU_OK;
    if (task->column || task->view->n != task->info->n)
        return koshu_reader_fail(task->reader, "the file changed while it was "
                                               "read");
    return read_types(&l, task->view);
}

/* In the child. */
static koshu_status
perform(void *argument)
{
    const struct task *task = argument;
    struct koshu_hdf5_voice voice;
    koshu_hdf5_hush(&voice);
    hid_t file = koshu_hdf5_open(task->reader);
    if (file >= 0) return read_opened(task, file);
    char reason[256];
    koshu_hdf5_reason(reason, sizeof reason);
    return koshu_fail(koshu_reader_context(task->reader), KOSHU_BAD_FORMAT,
                      "%s: it begins as an HDF5 file, but is damaged or "
                      "truncated (HDF5: %s)",
                      koshu_reader_path(task->reader), reason);
}

/* HDF5 is made ready here, once, and not in every child again. */
static koshu_status
perform_in_child(struct task *task, const struct koshu_region *regions,
                 size_t n_regions)
{
    if (H5open() < 0)
        return koshu_fail(koshu_reader_context(task->reader), KOSHU_EXTERNAL,
                          "the HDF5 library cannot be used");
    return koshu_child_run(task->reader, perform, task, regions, n_regions);
}

static koshu_status
inspect(struct koshu_reader *reader, struct koshu_snapshot_info *info)
{
    struct task task = {.reader = reader, .info = info};
    const struct koshu_region regions[] = {{info, sizeof *info}};
    return perform_in_child(&task, regions, 1);
}

static koshu_status
read_particles(struct koshu_reader *reader,
               const struct koshu_snapshot_info *info,
               const struct koshu_particle_view *v)
{
    struct koshu_snapshot_info again = {.units = info->units};
    struct task task = {.reader = reader, .info = &again, .view = v};
    size_t size = v->n * sizeof(double);
    const struct koshu_region regions[] = {
            {v->id, size}, {v->mass, size}, {v->x, size},
            {v->y, size},  {v->z, size},    {v->vx, size},
            {v->vy, size}, {v->vz, size},   {v->potential, size}};
    size_t n_regions = sizeof regions / sizeof regions[0];
    if (!info->has_potential) n_regions--;
    return perform_in_child(&task, regions, n_regions);
}

static koshu_status
read_one_column(struct koshu_reader *reader,
                const struct koshu_snapshot_info *info, const char *name,
                double *values)
{
    struct koshu_snapshot_info again = {.units = info->units};
    struct task task = {.reader = reader,
                        .info = &again,
                        .column = name,
                        .values = values,
                        .n = info->n};
    const struct koshu_region regions[] = {
            {values, (size_t)info->n * sizeof *values}};
    return perform_in_child(&task, regions, 1);
}

static koshu_status
read_parameters(struct koshu_reader *reader, char **text)
{
    struct task task = {.reader = reader,
                        .parameters = calloc(LONGEST_TEXT, 1)};
    if (!task.parameters)
        return koshu_fail_memory(koshu_reader_context(reader), LONGEST_TEXT,
                                 "the parameters of a snapshot");
    const struct koshu_region regions[] = {{task.parameters, LONGEST_TEXT}};
    koshu_status status = perform_in_child(&task, regions, 1);
    if (status == KOSHU_OK && task.parameters[0])
        *text = task.parameters;
    else
        free(task.parameters);
    return status;
}

/* ---- writing ---------------------------------------------------------- */

/* The time for pynbody, which takes Time for a scale factor. */
static double
gigayears(const struct koshu_snapshot_info *info)
{
    const double seconds_of_one = 1e9 * 365.25 * 86400;
    return info->time * info->units.length_cm / info->units.velocity_cm_s /
           seconds_of_one;
}

static bool
write_header(hid_t group, size_t n, const struct koshu_snapshot_info *info)
{
    const uint64_t this_file[WRITTEN_TYPES] = {[DARK] = n};
    const uint32_t total[WRITTEN_TYPES] = {[DARK] = (uint32_t)n};
    const uint32_t high[WRITTEN_TYPES] = {
            [DARK] = (uint32_t)((uint64_t)n >> 32)};
    const double table[WRITTEN_TYPES] = {0};
    const int32_t files = 1;
    return koshu_hdf5_put_numbers(group, "NumPart_ThisFile", H5T_NATIVE_UINT64,
                                  WRITTEN_TYPES, this_file) &&
           koshu_hdf5_put_numbers(group, "NumPart_Total", H5T_NATIVE_UINT32,
                                  WRITTEN_TYPES, total) &&
           koshu_hdf5_put_numbers(group, "NumPart_Total_HighWord",
                                  H5T_NATIVE_UINT32, WRITTEN_TYPES, high) &&
           koshu_hdf5_put_numbers(group, "MassTable", H5T_NATIVE_DOUBLE,
                                  WRITTEN_TYPES, table) &&
           koshu_hdf5_put_numbers(group, "NumFilesPerSnapshot",
                                  H5T_NATIVE_INT32, 1, &files) &&
           koshu_hdf5_put_number(group, "Time", info->time) &&
           koshu_hdf5_put_number(group, "Time_GYR", gigayears(info)) &&
           koshu_hdf5_put_number(group, "BoxSize", info->box_size) &&
           koshu_hdf5_put_number(group, "Softening", info->softening) &&
           koshu_hdf5_put_numbers(group, "Step", H5T_NATIVE_UINT64, 1,
                                  &info->step);
}

static bool
write_units(hid_t group, const struct koshu_units *units)
{
    return koshu_hdf5_put_number(group, "UnitLength_in_cm", units->length_cm) &&
           koshu_hdf5_put_number(group, "UnitMass_in_g", units->mass_g) &&
           koshu_hdf5_put_number(group, "UnitVelocity_in_cm_per_s",
                                 units->velocity_cm_s);
}

static bool
write_code(hid_t group)
{
    return koshu_hdf5_put_text(group, "Code", "koshu") &&
           koshu_hdf5_put_text(group, "Version", koshu_version()) &&
           koshu_hdf5_put_text(group, "GitCommit", koshu_version_commit());
}

static bool
write_type(hid_t group, const struct koshu_rows *rows,
           const struct koshu_particle_view *v, bool with_potential)
{
    const void *const x[] = {v->x, v->y, v->z};
    const void *const vx[] = {v->vx, v->vy, v->vz};
    const void *const id[] = {v->id}, *const mass[] = {v->mass};
    const void *const phi[] = {v->potential};
    return koshu_hdf5_put_rows(group, &coordinates, rows, x) &&
           koshu_hdf5_put_rows(group, &velocities, rows, vx) &&
           koshu_hdf5_put_rows(group, &masses, rows, mass) &&
           koshu_hdf5_put_rows(group, &ids, rows, id) &&
           (!with_potential ||
            koshu_hdf5_put_rows(group, &potential, rows, phi));
}

static bool
write_all(hid_t file, const struct koshu_rows *rows,
          const struct koshu_particle_view *v,
          const struct koshu_snapshot_info *info, const char *parameters)
{
    enum { HEADER, UNITS, CODE, TYPE, PARAMETERS, N_GROUPS };
    static const char *const names[N_GROUPS] = {"Header", "Units", "Code",
                                                "PartType1", "Parameters"};
    hid_t group[N_GROUPS];
    bool good = true;
    int n_groups = parameters ? N_GROUPS : PARAMETERS;
    for (int g = 0; g < n_groups; g++) {
        group[g] = koshu_hdf5_put_group(file, names[g]);
        good = good && group[g] >= 0;
    }
    good = good && write_header(group[HEADER], rows->total, info) &&
           write_units(group[UNITS], &info->units) && write_code(group[CODE]) &&
           write_type(group[TYPE], rows, v, info->has_potential);
    if (good && parameters)
        good = koshu_hdf5_put_long_text(group[PARAMETERS], "Text", parameters);
    for (int g = 0; g < n_groups; g++)
        if (group[g] >= 0) H5Gclose(group[g]);
    return good;
}

koshu_status
koshu_hdf5_write_snapshot(struct koshu_file *file,
                          const struct koshu_rows *rows,
                          const struct koshu_particle_view *view,
                          const struct koshu_snapshot_info *info,
                          const char *parameters,
                          bool (*add)(hid_t file, const void *argument),
                          const void *argument)
{
    struct koshu_hdf5_voice voice;
    char reason[256] = "";
    if (parameters && strlen(parameters) >= LONGEST_TEXT)
        return koshu_fail(koshu_file_context(file), KOSHU_UNSUPPORTED,
                          "a parameter file of %zu bytes is too long for a "
                          "snapshot, which keeps up to %d",
                          strlen(parameters), LONGEST_TEXT - 1);
    koshu_hdf5_hush(&voice);
    hid_t id = koshu_hdf5_create(file);
    bool good = id >= 0 && write_all(id, rows, view, info, parameters) &&
                (!add || add(id, argument));
    if (!good) koshu_hdf5_reason(reason, sizeof reason);
    if (id >= 0) good = H5Fclose(id) >= 0 && good;
    koshu_hdf5_speak(&voice);
    if (good) return KOSHU_OK;
    return koshu_fail(koshu_file_context(file), KOSHU_EXTERNAL,
                      "HDF5 could not write a snapshot: %s", reason);
}

static koshu_status
write_particles(struct koshu_file *file, const struct koshu_rows *rows,
                const struct koshu_particle_view *view,
                const struct koshu_snapshot_info *info, const char *parameters)
{
    return koshu_hdf5_write_snapshot(file, rows, view, info, parameters, NULL,
                                     NULL);
}

const struct koshu_format_ops koshu_format_hdf5 = {
        .name = "hdf5",
        .endings = {".hdf5", ".h5"},
        .by_rows = true,
        .recognise = recognise,
        .inspect = inspect,
        .read = read_particles,
        .parameters = read_parameters,
        .column = read_one_column,
        .write = write_particles,
};
