/* SPDX-License-Identifier: MIT */
/* The device copy of a particle store, and leapfrog steps on it. */
#include "backend/cuda/devices/copy.cuh"
#include "backend/cuda/particles/resident.cuh"

#include "backend/cuda/runtime/object.cuh"
#include "particles/particles.h"

using namespace koshu;

/* ---- copies of fields ---------------------------------------------------- */

static koshu_particle_view
view_from(const koshu_particle_view &all, size_t first)
{
    koshu_particle_view v = all;
    for (double **column : {&v.mass, &v.x, &v.y, &v.z, &v.vx, &v.vy, &v.vz,
                            &v.ax, &v.ay, &v.az, &v.potential, &v.work})
        if (*column) *column += first;
    return v;
}

static koshu_status
to_host(void *self, unsigned fields, const koshu_particle_view *host)
{
    koshu_cuda_copy *c = static_cast<koshu_cuda_copy *>(self);
    const cudaError_t error = by_slices(c, [&](size_t k) {
        return download_fields(c->store[k], fields,
                               view_from(*host, c->slices.first(k)));
    });
    return status_in(c->group, error, "copying particles from the device");
}

/* Units are the same on all devices: they follow from the common extent. */
static void
join_extents(koshu_cuda_copy *c)
{
    box extent;
    double largest_mass = 0;
    for (size_t k = 0; k < c->slices.devices; k++) {
        const koshu_cuda_store *slice = c->store[k];
        for (int d = 0; d < 3; d++) extent.of[d].join(slice->extent.of[d]);
        largest_mass = fmax(largest_mass, slice->largest_mass);
    }
    for (size_t k = 0; k < c->slices.devices; k++) {
        c->store[k]->extent = extent;
        c->store[k]->largest_mass = largest_mass;
    }
}

static koshu_status
from_host(void *self, unsigned fields, const koshu_particle_view *host)
{
    koshu_cuda_copy *c = static_cast<koshu_cuda_copy *>(self);
    const cudaError_t error = by_slices(c, [&](size_t k) {
        return upload_fields(c->store[k], fields,
                             view_from(*host, c->slices.first(k)));
    });
    if (c->slices.devices > 1 &&
        fields & (KOSHU_FIELD_POSITION | KOSHU_FIELD_MASS))
        join_extents(c);
    return status_in(c->group, error, "copying particles to the device");
}

/* ---- diagnostics --------------------------------------------------------- */

static koshu_status
sum(void *self, koshu_sum *sums)
{
    koshu_cuda_copy *c = static_cast<koshu_cuda_copy *>(self);
    koshu_sum of_slice[KOSHU_MAX_DEVICES][KOSHU_DIAGNOSTIC_SUMS] = {};
    const cudaError_t error = by_slices(c, [&](size_t k) {
        return sum_diagnostics(c->store[k], of_slice[k]);
    });
    for (size_t k = 0; k < c->slices.devices; k++)
        for (int q = 0; q < KOSHU_DIAGNOSTIC_SUMS; q++)
            koshu_sum_merge(&sums[q], of_slice[k][q]);
    return status_in(c->group, error, "summing diagnostics");
}

/* With several devices the host adds up the masses, digit by digit. */
static cudaError_t
find_in_slices(koshu_cuda_copy *c, koshu_shell_search *search)
{
    for (int digit = 0; digit < KOSHU_SHELL_DIGITS; digit++) {
        uint64_t bins[KOSHU_SHELL_PREFIXES * KOSHU_SHELL_BINS] = {};
        KOSHU_CUDA_TRY(by_slices(c, [&](size_t k) {
            return count_shells(c->store[k], *search, bins);
        }));
        koshu_shell_digits(search, bins);
    }
    return cudaSuccess;
}

static koshu_status
find(void *self, koshu_shell_search *search)
{
    koshu_cuda_copy *c = static_cast<koshu_cuda_copy *>(self);
    const cudaError_t error =
            c->slices.devices > 1
                    ? find_in_slices(c, search)
                    : by_slices(c, [&](size_t k) {
                          return koshu::find_shells(c->store[k], search);
                      });
    return status_in(c->group, error, "finding Lagrangian radii");
}

/* ---- resident particles -------------------------------------------------- */

/* Calls work(store) for a copy on one device. */
template <class Work>
static koshu_status
by_store(void *self, const Work &work, const char *doing)
{
    koshu_cuda_copy *c = static_cast<koshu_cuda_copy *>(self);
    const cudaError_t error =
            by_slices(c, [&](size_t k) { return work(c->store[k]); });
    return status_in(c->group, error, doing);
}

static const char cutting[] = "cutting domains";

static koshu_status
outline(void *self, bool accelerations, koshu_particle_outline *outline)
{
    return by_store(
            self,
            [=](koshu_cuda_store *s) {
                return outline_store(s, accelerations, outline);
            },
            "finding the extent of particles");
}

static koshu_status
start(void *self)
{
    return by_store(
            self, [](koshu_cuda_store *s) { return start_cuts(s); }, cutting);
}

static koshu_status
count(void *self, size_t n, size_t zooms, const koshu_cut *cut, size_t bins,
      uint64_t *count)
{
    return by_store(
            self,
            [=](koshu_cuda_store *s) {
                return count_bins(s, n, zooms, cut, bins, count);
            },
            cutting);
}

static koshu_status
divide(void *self, size_t n, const koshu_cut *cut)
{
    return by_store(
            self, [=](koshu_cuda_store *s) { return divide_boxes(s, n, cut); },
            cutting);
}

static koshu_status
others(void *self, uint32_t box, size_t capacity, uint64_t *other, size_t *n)
{
    return by_store(
            self,
            [=](koshu_cuda_store *s) {
                return list_others(s, box, capacity, other, n);
            },
            cutting);
}

static koshu_status
rows(void *self, unsigned fields, unsigned there, size_t n,
     const uint32_t *number, void *rows)
{
    return by_store(
            self,
            [=](koshu_cuda_store *s) {
                return read_rows(s, fields, there, n, number, rows);
            },
            "sending particles to other domains");
}

static koshu_status
change(void *self, const koshu_change *change, unsigned there)
{
    koshu_cuda_copy *c = static_cast<koshu_cuda_copy *>(self);
    KOSHU_TRY(by_store(
            self,
            [=](koshu_cuda_store *s) {
                return change_store(s, *change, there);
            },
            "taking particles of other domains"));
    c->slices = distribution(c->store[0]->n, 1);
    return KOSHU_OK;
}

static const koshu_resident_ops resident = {
        .outline = outline,
        .cuts = {start, count, divide, others},
        .rows = rows,
        .change = change};

/* ---- life ---------------------------------------------------------------- */

static void
destroy(void *self)
{
    koshu_cuda_copy *c = static_cast<koshu_cuda_copy *>(self);
    const cudaError_t unasked = wait_for_all(c->group);
    (void)unasked; /* errors have been reported, or will be by the next call */
    for (koshu_backend_partition *part : c->part) destroy_partition(part);
    for (koshu_cuda_store *store : c->store) destroy_store(store);
    free_object(c);
}

static const koshu_device_copy_ops copy_ops = {.to_host = to_host,
                                               .from_host = from_host,
                                               .destroy = destroy,
                                               .sum = sum,
                                               .find_shells = find,
                                               .resident = &resident};

/* Particles of other ranks may join those of this one. */
static size_t
spare_for_others(const koshu_particles *particles)
{
    const size_t n = koshu_particles_count(particles);
    return n < koshu_particles_total(particles) ? spare_particles(n) : 0;
}

static koshu_status
make_copy(koshu_cuda_group *group, koshu_particles *particles, size_t devices,
          koshu_cuda_copy **copy)
{
    koshu_cuda_copy *c = make_object<koshu_cuda_copy>();
    if (!c) return koshu_fail_memory(group->context, sizeof *c, "device copy");
    c->group = group;
    c->slices = distribution(koshu_particles_count(particles), devices);
    const size_t spare = spare_for_others(particles);
    const cudaError_t error = by_slices(c, [&](size_t k) {
        return create_store(group->members[k].lane[0], c->slices.count(k),
                            c->slices.count(k) + spare, &c->store[k]);
    });
    koshu_status status = status_in(
            group, error, "making room for the particles on the device");
    if (status == KOSHU_OK)
        status = koshu_particles_set_device_copy(particles, &copy_ops, c);
    if (status == KOSHU_OK)
        *copy = c;
    else
        destroy(c);
    return status;
}

koshu_status
koshu::copy_of(const koshu_backend *backend, koshu_particles *particles,
               size_t devices, koshu_cuda_copy **copy)
{
    koshu_cuda_group *group = group_of(backend);
    *copy = static_cast<koshu_cuda_copy *>(
            koshu_particles_device_copy(particles, &copy_ops));
    if (*copy && (devices == ANY_DEVICES || (*copy)->slices.devices == devices))
        return KOSHU_OK;
    return make_copy(group, particles, devices > 0 ? devices : group->n, copy);
}

koshu_status
koshu_cuda_store_of(struct koshu_backend *backend,
                    struct koshu_particles *particles,
                    struct koshu_cuda_store **store)
{
    koshu_cuda_copy *copy;
    KOSHU_TRY(copy_of(backend, particles, 1, &copy));
    *store = copy->store[0];
    enter(backend);
    return KOSHU_OK;
}

koshu_status
koshu_cuda_keep(struct koshu_backend *backend,
                struct koshu_particles *particles)
{
    struct koshu_cuda_store *store;
    return koshu_cuda_store_of(backend, particles, &store);
}

/* ---- access to fields ---------------------------------------------------- */

koshu_status
koshu::start_forces(koshu_particles *particles, unsigned fields)
{
    KOSHU_TRY(koshu_particles_on_device(particles,
                                        KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                        KOSHU_ACCESS_READ));
    return koshu_particles_on_device(particles, fields, KOSHU_ACCESS_WRITE);
}

/* ---- leapfrog ------------------------------------------------------------ */

/* Kicks and drifts run asynchronously: a result that is not finite is reported
 * by a later call. */
static koshu_status
finite(koshu_cuda_copy *c)
{
    bool found = false;
    for (size_t k = 0; k < c->slices.devices; k++)
        found |= take_not_finite(c->store[k]);
    return found ? KOSHU_ERROR_NOT_FINITE : KOSHU_OK;
}

/* A step that reads one field and changes another. */
template <class Work>
static koshu_status
advance_slices(koshu_backend *backend, koshu_particles *particles, unsigned by,
               unsigned changed, const Work &work, const char *doing)
{
    koshu_cuda_copy *c;
    KOSHU_TRY(copy_of(backend, particles, ANY_DEVICES, &c));
    KOSHU_TRY(koshu_particles_on_device(particles, by, KOSHU_ACCESS_READ));
    KOSHU_TRY(koshu_particles_on_device(particles, changed,
                                        KOSHU_ACCESS_READ_WRITE));
    const cudaError_t error =
            by_slices(c, [&](size_t k) { return work(c->store[k]); });
    KOSHU_TRY(status_in(c->group, error, doing));
    return finite(c);
}

koshu_status
koshu_cuda_kick(struct koshu_backend *backend,
                struct koshu_particles *particles, double dt)
{
    return advance_slices(
            backend, particles, KOSHU_FIELD_ACCELERATION, KOSHU_FIELD_VELOCITY,
            [=](koshu_cuda_store *s) { return kick(s, dt); },
            "kicking particles");
}

koshu_status
koshu_cuda_drift(struct koshu_backend *backend,
                 struct koshu_particles *particles, double dt)
{
    return advance_slices(
            backend, particles, KOSHU_FIELD_VELOCITY, KOSHU_FIELD_POSITION,
            [=](koshu_cuda_store *s) { return drift(s, dt); },
            "moving particles");
}

koshu_status
koshu_cuda_wrap(struct koshu_backend *backend,
                struct koshu_particles *particles, const double corner[3],
                double box)
{
    return advance_slices(
            backend, particles, 0, KOSHU_FIELD_POSITION,
            [=](koshu_cuda_store *s) { return wrap_positions(s, corner, box); },
            "moving particles into their box");
}

koshu_status
koshu_cuda_largest_acceleration(struct koshu_backend *backend,
                                struct koshu_particles *particles, double *a2)
{
    koshu_cuda_copy *c;
    double of_slice[KOSHU_MAX_DEVICES] = {};
    KOSHU_TRY(copy_of(backend, particles, ANY_DEVICES, &c));
    KOSHU_TRY(koshu_particles_on_device(particles, KOSHU_FIELD_ACCELERATION,
                                        KOSHU_ACCESS_READ));
    const cudaError_t error = by_slices(c, [&](size_t k) {
        return largest_acceleration(c->store[k], &of_slice[k]);
    });
    *a2 = 0;
    for (size_t k = 0; k < c->slices.devices; k++) *a2 = fmax(*a2, of_slice[k]);
    return status_in(c->group, error, "finding the largest acceleration");
}
