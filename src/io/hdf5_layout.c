/* SPDX-License-Identifier: MIT */
/* Reads what an opened HDF5 file holds. */
#include "io/hdf5_layout.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

const struct koshu_hdf5_dataset koshu_hdf5_datasets[KOSHU_HDF5_DATASETS] = {
        {"Coordinates", 3, H5T_FLOAT, KOSHU_ARRAY_X},
        {"Velocities", 3, H5T_FLOAT, KOSHU_ARRAY_VX},
        {"Masses", 1, H5T_FLOAT, KOSHU_ARRAY_MASS},
        {"ParticleIDs", 1, H5T_INTEGER, KOSHU_ARRAY_ID},
        {"Potential", 1, H5T_FLOAT, KOSHU_ARRAY_POTENTIAL}};

/* SWIFT's name for the potential. */
static const struct koshu_hdf5_dataset potentials = {"Potentials", 1, H5T_FLOAT,
                                                     KOSHU_ARRAY_POTENTIAL};

/* ---- header ----------------------------------------------------------- */

static koshu_status
check_counts(const struct koshu_hdf5_layout *l,
             const struct koshu_hdf5_place *header)
{
    for (size_t t = 0; t < l->n_types; t++) {
        if (l->count[t] < 0 || l->count[t] > INT64_MAX / KOSHU_HDF5_TYPES)
            return koshu_hdf5_fail(header, "NumPart_ThisFile",
                                   "has %lld for type %zu; this is not a "
                                   "number of particles",
                                   (long long)l->count[t], t);
        if (!isfinite(l->mass[t]) || l->mass[t] < 0)
            return koshu_hdf5_fail(header, "MassTable",
                                   "has %g for type %zu; this is not a mass",
                                   l->mass[t], t);
    }
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
                               "is missing: this is not a GADGET or SWIFT "
                               "snapshot");
    KOSHU_TRY(koshu_hdf5_numbers(header, "MassTable", H5T_NATIVE_DOUBLE,
                                 l->mass, KOSHU_HDF5_TYPES, &n));
    return check_counts(l, header);
}

/* The sum of an attribute's numbers. */
static koshu_status
read_sum(const struct koshu_hdf5_place *place, const char *name, uint64_t *sum)
{
    int64_t numbers[KOSHU_HDF5_TYPES];
    size_t n;
    KOSHU_TRY(koshu_hdf5_numbers(place, name, H5T_NATIVE_INT64, numbers,
                                 KOSHU_HDF5_TYPES, &n));
    *sum = 0;
    for (size_t t = 0; t < n; t++) *sum += (uint64_t)numbers[t];
    return KOSHU_OK;
}

static koshu_status
read_set(struct koshu_hdf5_layout *l, const struct koshu_hdf5_place *header)
{
    double files = 1;
    uint64_t low, high;
    KOSHU_TRY(koshu_hdf5_number(header, "NumFilesPerSnapshot", &files));
    l->set = (struct koshu_snapshot_set){.files = 1};
    if (!(files > 1 && files < INT32_MAX)) return KOSHU_OK;
    KOSHU_TRY(read_sum(header, "NumPart_Total", &low));
    KOSHU_TRY(read_sum(header, "NumPart_Total_HighWord", &high));
    l->set = (struct koshu_snapshot_set){.files = (uint64_t)files,
                                         .n = low + (high << 32)};
    return KOSHU_OK;
}

/* One number, or SWIFT's three, of a cube. */
static koshu_status
read_box(const struct koshu_hdf5_place *header, double *box_size)
{
    double edge[3] = {0};
    size_t n;
    KOSHU_TRY(koshu_hdf5_numbers(header, "BoxSize", H5T_NATIVE_DOUBLE, edge, 3,
                                 &n));
    if (n > 1 && !(edge[1] == edge[0] && edge[2] == edge[0]))
        return koshu_hdf5_fail(header, "BoxSize",
                               "is %g x %g x %g, but koshu's boxes are cubes: "
                               "cut a cube out of it, or set BoxSize to 0 if "
                               "the particles are isolated",
                               edge[0], edge[1], edge[2]);
    if (n > 0) *box_size = edge[0];
    return KOSHU_OK;
}

static koshu_status
read_header(struct koshu_hdf5_layout *l, struct koshu_snapshot_info *info)
{
    struct koshu_hdf5_place header;
    double step = 0;
    KOSHU_TRY(koshu_hdf5_enter(l->reader, l->file, "Header", &header));
    if (header.id < 0)
        return koshu_hdf5_fail(&header, "",
                               "is missing: this is not a GADGET or SWIFT "
                               "snapshot");
    KOSHU_TRY(read_counts(l, &header));
    KOSHU_TRY(read_set(l, &header));
    KOSHU_TRY(koshu_hdf5_number(&header, "Time", &info->time));
    KOSHU_TRY(read_box(&header, &info->box_size));
    KOSHU_TRY(koshu_hdf5_number(&header, "Softening", &info->softening));
    KOSHU_TRY(koshu_hdf5_number(&header, "Step", &step));
    if (step >= 0 && step < 9e15) info->step = (uint64_t)step;
    return KOSHU_OK;
}

/* ---- particles -------------------------------------------------------- */

/* A type with particles in the file and its group; the first of them has the
 * index `first`. */
struct type {
    struct koshu_hdf5_layout *layout;
    struct koshu_hdf5_place place;
    size_t number, first;
    uint64_t n;
    void *argument; /* of the visitor */
};

typedef koshu_status visitor(const struct type *type);

static koshu_status
visit_type(struct type *t, visitor *visit)
{
    char name[32];
    snprintf(name, sizeof name, "PartType%zu", t->number);
    KOSHU_TRY(koshu_hdf5_enter(t->layout->reader, t->layout->file, name,
                               &t->place));
    if (t->place.id < 0)
        return koshu_hdf5_fail(&t->place, "",
                               "is missing, but the header counts %lld "
                               "particles in it",
                               (long long)t->n);
    return visit(t);
}

static koshu_status
for_types(const struct koshu_hdf5_layout *l, visitor *visit, void *argument)
{
    struct type t = {.layout = (struct koshu_hdf5_layout *)l,
                     .argument = argument};
    for (; t.number < l->n_types; t.number++) {
        t.n = (uint64_t)l->count[t.number];
        if (t.n > 0) KOSHU_TRY(visit_type(&t, visit));
        t.first += (size_t)t.n;
    }
    return KOSHU_OK;
}

static koshu_status
check_dataset(const struct type *t, int k, size_t *width)
{
    return koshu_hdf5_check(&t->place, &koshu_hdf5_datasets[k], t->n, width);
}

/* The potential by the name of koshu and GADGET, or of SWIFT; NULL: none. */
static const struct koshu_hdf5_dataset *
potential_of(const struct type *t)
{
    static const struct koshu_hdf5_dataset *const known[] = {
            &koshu_hdf5_datasets[KOSHU_HDF5_POTENTIAL], &potentials};
    for (int k = 0; k < 2; k++)
        if (koshu_hdf5_has(t->place.id, known[k]->name)) return known[k];
    return NULL;
}

static koshu_status
check_type(const struct type *t)
{
    struct koshu_hdf5_layout *l = t->layout;
    struct koshu_snapshot_info *info = t->argument;
    double *mass = &l->mass[t->number];
    size_t width;
    KOSHU_TRY(check_dataset(t, KOSHU_HDF5_COORDINATES, &width));
    if (width <= 4) info->single = true;
    KOSHU_TRY(check_dataset(t, KOSHU_HDF5_VELOCITIES, &width));
    KOSHU_TRY(check_dataset(t, KOSHU_HDF5_IDS, &width));
    if (koshu_hdf5_has(t->place.id,
                       koshu_hdf5_datasets[KOSHU_HDF5_MASSES].name))
        *mass = 0;
    if (*mass == 0) KOSHU_TRY(check_dataset(t, KOSHU_HDF5_MASSES, &width));
    const struct koshu_hdf5_dataset *p = potential_of(t);
    if (info->n == 0) l->potential = p;
    if (l->potential != p) l->potential = NULL; /* not all particles have it */
    if (l->potential) KOSHU_TRY(koshu_hdf5_check(&t->place, p, t->n, &width));
    info->n += t->n;
    info->n_types++;
    return KOSHU_OK;
}

/* ---- factors of a and h ------------------------------------------------- */

/* The exponents of each dataset, from the first type that has particles. */
struct stated {
    struct koshu_hdf5_exponents exponents[KOSHU_HDF5_DATASETS];
    bool there;
};

static koshu_status
read_stated(const struct type *t, int k, struct stated *s)
{
    const struct koshu_hdf5_layout *l = t->layout;
    const char *name = k == KOSHU_HDF5_POTENTIAL ? l->potential->name
                                                 : koshu_hdf5_datasets[k].name;
    struct koshu_hdf5_exponents e = s->exponents[k];
    /* masses are in MassTable */
    if (!koshu_hdf5_has(t->place.id, name)) return KOSHU_OK;
    KOSHU_TRY(koshu_hdf5_read_exponents(&t->place, name, &e));
    if (s->there && (e.a != s->exponents[k].a || e.h != s->exponents[k].h))
        return koshu_hdf5_fail(&t->place, name,
                               "has other factors of a and h than those of "
                               "another type of particles");
    s->exponents[k] = e;
    return KOSHU_OK;
}

static koshu_status
read_all_stated(const struct type *t)
{
    struct stated *s = t->argument;
    for (int k = 0; k < KOSHU_HDF5_DATASETS; k++)
        if (k != KOSHU_HDF5_IDS &&
            (k != KOSHU_HDF5_POTENTIAL || t->layout->potential))
            KOSHU_TRY(read_stated(t, k, s));
    s->there = true;
    return KOSHU_OK;
}

/* Defaults where the file states none: SWIFT's numbers have no h, and its
 * velocities are a dx/dt. */
static struct stated
usual(const struct koshu_hdf5_layout *l)
{
    struct stated s = {.there = false};
    memcpy(s.exponents, koshu_hdf5_own_exponents, sizeof s.exponents);
    for (int k = 0; k < KOSHU_HDF5_DATASETS && l->is_swift; k++)
        s.exponents[k].h = 0;
    if (l->is_swift) s.exponents[KOSHU_HDF5_VELOCITIES].a = 0;
    return s;
}

/* The box is comoving, whatever the coordinates are. */
static koshu_status
read_factors(struct koshu_hdf5_layout *l, struct koshu_snapshot_info *info)
{
    struct stated s = usual(l);
    for (int k = 0; k < KOSHU_HDF5_DATASETS; k++) l->factor[k] = 1;
    if (!(info->hubble > 0)) return KOSHU_OK;
    KOSHU_TRY(for_types(l, read_all_stated, &s));
    for (int k = 0; k < KOSHU_HDF5_DATASETS; k++)
        if (k != KOSHU_HDF5_IDS && (k != KOSHU_HDF5_POTENTIAL || l->potential))
            koshu_hdf5_convert(l, k, &s.exponents[k], info);
    const double h = s.exponents[KOSHU_HDF5_COORDINATES].h -
                     koshu_hdf5_own_exponents[KOSHU_HDF5_COORDINATES].h;
    info->box_size *= pow(info->hubble, h);
    for (size_t t = 0; t < l->n_types; t++)
        l->mass[t] *= l->factor[KOSHU_HDF5_MASSES];
    return KOSHU_OK;
}

koshu_status
koshu_hdf5_read_layout(struct koshu_hdf5_layout *l,
                       struct koshu_snapshot_info *info)
{
    KOSHU_TRY(read_header(l, info));
    KOSHU_TRY(for_types(l, check_type, info));
    info->has_potential = l->potential != NULL;
    KOSHU_TRY(koshu_hdf5_read_origin(l, info));
    return read_factors(l, info);
}

static void
multiply(size_t n, double factor, double *values)
{
    for (size_t i = 0; i < n && factor != 1; i++) values[i] *= factor;
}

static void
divide(size_t n, double factor, double *values)
{
    for (size_t i = 0; i < n && factor != 1; i++) values[i] /= factor;
}

/* Converts to the run's unit of mass, and to the velocities that files have. */
static void
divide_factors(const struct koshu_hdf5_layout *l,
               const struct koshu_particle_view *v)
{
    divide(v->n, l->mass_factor, v->mass);
    divide(v->n, l->velocity_factor, v->vx);
    divide(v->n, l->velocity_factor, v->vy);
    divide(v->n, l->velocity_factor, v->vz);
}

static void
multiply_arrays(const struct koshu_hdf5_layout *l,
                const struct koshu_particle_view *v, int k)
{
    const struct koshu_hdf5_dataset *d = &koshu_hdf5_datasets[k];
    for (int c = 0; c < d->columns; c++)
        multiply(v->n, l->factor[k],
                 koshu_particle_array(v, d->array + (unsigned)c));
}

/* The particles to be read, of all types. */
struct wanted {
    uint64_t first;
    const struct koshu_particle_view *view;
};

/* Reads the rows of a type from `row` on. */
static koshu_status
read_rows(const struct type *t, uint64_t row,
          const struct koshu_particle_view *v)
{
    const struct koshu_hdf5_layout *l = t->layout;
    const double mass = l->mass[t->number];
    for (int k = 0; k < KOSHU_HDF5_POTENTIAL; k++) {
        if (k == KOSHU_HDF5_MASSES && mass != 0) continue;
        KOSHU_TRY(koshu_hdf5_read_arrays(&t->place, &koshu_hdf5_datasets[k],
                                         t->n, row, v));
        if (k != KOSHU_HDF5_IDS) multiply_arrays(l, v, k);
    }
    for (size_t i = 0; i < v->n && mass != 0; i++) v->mass[i] = mass;
    divide_factors(l, v);
    if (!l->potential) return KOSHU_OK;
    KOSHU_TRY(koshu_hdf5_read_arrays(&t->place, l->potential, t->n, row, v));
    multiply_arrays(l, v, KOSHU_HDF5_POTENTIAL);
    return KOSHU_OK;
}

static koshu_status
read_type(const struct type *t)
{
    const struct wanted *w = t->argument;
    const struct koshu_slice all = {t->first, (size_t)t->n};
    uint64_t row;
    const struct koshu_particle_view v =
            koshu_snapshot_group(w->view, w->first, all, &row);
    return v.n > 0 ? read_rows(t, row, &v) : KOSHU_OK;
}

koshu_status
koshu_hdf5_read_types(const struct koshu_hdf5_layout *l, uint64_t first,
                      const struct koshu_particle_view *v)
{
    struct wanted w = {first, v};
    return for_types(l, read_type, &w);
}

struct column {
    const char *name;
    double *values;
};

static koshu_status
read_column(const struct type *t)
{
    const struct column *c = t->argument;
    const struct koshu_hdf5_dataset wanted = {c->name, 1, H5T_FLOAT, 0};
    size_t width;
    if (!koshu_hdf5_has(t->place.id, c->name)) return KOSHU_ERROR_NOT_FOUND;
    KOSHU_TRY(koshu_hdf5_check(&t->place, &wanted, t->n, &width));
    const struct koshu_slice rows = {0, (size_t)t->n};
    double *const values = c->values + t->first;
    KOSHU_TRY(koshu_hdf5_read(&t->place, &wanted, t->n, rows,
                              (void *const[]){values}));
    if (strcmp(c->name, koshu_hdf5_datasets[KOSHU_HDF5_MASSES].name) == 0) {
        multiply(rows.n, t->layout->factor[KOSHU_HDF5_MASSES], values);
        divide(rows.n, t->layout->mass_factor, values);
    }
    return KOSHU_OK;
}

koshu_status
koshu_hdf5_read_column(const struct koshu_hdf5_layout *l, const char *name,
                       double *values)
{
    struct column column = {name, values};
    return for_types(l, read_column, &column);
}
