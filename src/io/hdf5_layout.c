/* SPDX-License-Identifier: MIT */
/* What an opened HDF5 file holds. */
#include "io/hdf5_layout.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

const struct koshu_hdf5_dataset koshu_hdf5_coordinates = {"Coordinates", 3,
                                                          H5T_FLOAT},
                                koshu_hdf5_velocities = {"Velocities", 3,
                                                         H5T_FLOAT},
                                koshu_hdf5_masses = {"Masses", 1, H5T_FLOAT},
                                koshu_hdf5_ids = {"ParticleIDs", 1,
                                                  H5T_INTEGER},
                                koshu_hdf5_potential = {"Potential", 1,
                                                        H5T_FLOAT};

/* SWIFT's name. */
static const struct koshu_hdf5_dataset potentials = {"Potentials", 1,
                                                     H5T_FLOAT};

/* ---- header ----------------------------------------------------------- */

/* The first number of an attribute; value stays where there is none. */
static koshu_status
read_number(const struct koshu_hdf5_place *place, const char *name,
            double *value)
{
    double numbers[KOSHU_HDF5_TYPES];
    size_t n;
    KOSHU_TRY(koshu_hdf5_numbers(place, name, H5T_NATIVE_DOUBLE, numbers,
                                 KOSHU_HDF5_TYPES, &n));
    if (n > 0) *value = numbers[0];
    return KOSHU_OK;
}

static koshu_status
read_counts(struct koshu_hdf5_layout *l, const struct koshu_hdf5_place *header)
{
    size_t n;
    KOSHU_TRY(koshu_hdf5_numbers(header, "NumPart_ThisFile", H5T_NATIVE_INT64,
                                 l->count, KOSHU_HDF5_TYPES, &l->n_types));
    if (l->n_types == 0)
        return koshu_hdf5_fail(header, "NumPart_ThisFile",
                               "is missing: this is no GADGET or SWIFT "
                               "snapshot");
    KOSHU_TRY(koshu_hdf5_numbers(header, "MassTable", H5T_NATIVE_DOUBLE,
                                 l->mass, KOSHU_HDF5_TYPES, &n));
    for (size_t t = 0; t < l->n_types; t++) {
        if (l->count[t] < 0 || l->count[t] > INT64_MAX / KOSHU_HDF5_TYPES)
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
read_header_in(struct koshu_hdf5_layout *l,
               const struct koshu_hdf5_place *header,
               struct koshu_snapshot_info *info)
{
    double files = 1, step = 0;
    KOSHU_TRY(read_counts(l, header));
    KOSHU_TRY(read_number(header, "NumFilesPerSnapshot", &files));
    if (files > 1)
        return koshu_fail(koshu_reader_context(l->reader),
                          KOSHU_ERROR_BAD_INPUT,
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
read_header(struct koshu_hdf5_layout *l, struct koshu_snapshot_info *info)
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
read_units(const struct koshu_hdf5_layout *l, struct koshu_units *units)
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
read_program(const struct koshu_hdf5_layout *l,
             struct koshu_snapshot_info *info)
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

koshu_status
koshu_hdf5_read_origin(const struct koshu_hdf5_layout *l,
                       struct koshu_snapshot_info *info)
{
    KOSHU_TRY(read_units(l, &info->units));
    return read_program(l, info);
}

/* ---- particles -------------------------------------------------------- */

enum { TYPE_NAME = 32 }; /* "PartType", digits, 0 */

/* The group of a particle type that has particles. */
static koshu_status
enter_type(const struct koshu_hdf5_layout *l, size_t type, char name[TYPE_NAME],
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
check_type_in(struct koshu_hdf5_layout *l, size_t type,
              const struct koshu_hdf5_place *place,
              struct koshu_snapshot_info *info)
{
    uint64_t n = (uint64_t)l->count[type];
    size_t width;
    KOSHU_TRY(koshu_hdf5_check(place, &koshu_hdf5_coordinates, n, &width));
    if (width <= 4) info->single = true;
    KOSHU_TRY(koshu_hdf5_check(place, &koshu_hdf5_velocities, n, &width));
    KOSHU_TRY(koshu_hdf5_check(place, &koshu_hdf5_ids, n, &width));
    if (l->mass[type] == 0 ||
        koshu_hdf5_has(place->id, koshu_hdf5_masses.name)) {
        KOSHU_TRY(koshu_hdf5_check(place, &koshu_hdf5_masses, n, &width));
        l->mass[type] = 0;
    }
    const struct koshu_hdf5_dataset *p =
            koshu_hdf5_has(place->id, koshu_hdf5_potential.name)
                    ? &koshu_hdf5_potential
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
check_types(struct koshu_hdf5_layout *l, struct koshu_snapshot_info *info)
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

koshu_status
koshu_hdf5_read_layout(struct koshu_hdf5_layout *l,
                       struct koshu_snapshot_info *info)
{
    KOSHU_TRY(read_header(l, info));
    return check_types(l, info);
}

static koshu_status
read_type(const struct koshu_hdf5_layout *l, size_t type,
          const struct koshu_hdf5_place *place,
          const struct koshu_particle_view *v, size_t first)
{
    uint64_t n = (uint64_t)l->count[type];
    void *const x[] = {v->x + first, v->y + first, v->z + first};
    void *const vx[] = {v->vx + first, v->vy + first, v->vz + first};
    void *const id[] = {v->id + first}, *const mass[] = {v->mass + first};
    void *const phi[] = {v->potential + first};
    KOSHU_TRY(koshu_hdf5_read(place, &koshu_hdf5_coordinates, n, x));
    KOSHU_TRY(koshu_hdf5_read(place, &koshu_hdf5_velocities, n, vx));
    KOSHU_TRY(koshu_hdf5_read(place, &koshu_hdf5_ids, n, id));
    if (l->mass[type] == 0) {
        KOSHU_TRY(koshu_hdf5_read(place, &koshu_hdf5_masses, n, mass));
    } else {
        for (uint64_t i = 0; i < n; i++) v->mass[first + i] = l->mass[type];
    }
    if (!l->potential) return KOSHU_OK;
    return koshu_hdf5_read(place, l->potential, n, phi);
}

koshu_status
koshu_hdf5_read_types(const struct koshu_hdf5_layout *l,
                      const struct koshu_particle_view *v)
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

koshu_status
koshu_hdf5_read_column(const struct koshu_hdf5_layout *l, const char *name,
                       double *values)
{
    const struct koshu_hdf5_dataset wanted = {name, 1, H5T_FLOAT};
    for (size_t t = 0; t < l->n_types; t++) {
        struct koshu_hdf5_place place;
        char type[TYPE_NAME];
        size_t width;
        uint64_t n = (uint64_t)l->count[t];
        if (n == 0) continue;
        KOSHU_TRY(enter_type(l, t, type, &place));
        koshu_status status = KOSHU_ERROR_NOT_FOUND;
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
