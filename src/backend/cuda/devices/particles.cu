/* SPDX-License-Identifier: MIT */
/* A particle store's fields on several devices, a slice on each. */
#include <cstdlib>
#include <new>

#include "backend/cuda/devices/particles.cuh"

using namespace koshu;

int
koshu_cuda_group_store_create(struct koshu_cuda_group *group, size_t n,
                              struct koshu_cuda_group_store **store)
{
    void *memory = calloc(1, sizeof(koshu_cuda_group_store));
    *store = nullptr;
    if (!memory) return cudaErrorMemoryAllocation;
    koshu_cuda_group_store *s = new (memory) koshu_cuda_group_store();
    s->group = group;
    s->slices = distribution(n, group->n);
    int error = by_all(group, [&](size_t k) {
        return koshu_cuda_store_create(group->members[k].lane[0],
                                       s->slices.count(k), &s->slice[k].store);
    });
    if (error == 0)
        *store = s;
    else
        koshu_cuda_group_store_destroy(s);
    return error;
}

void
koshu_cuda_group_store_destroy(struct koshu_cuda_group_store *store)
{
    if (!store) return;
    int unasked = koshu_cuda_group_wait(store->group);
    (void)unasked; /* a failure has been reported, or will be by the next call
                    */
    for (slice_on_device &s : store->slice) koshu_cuda_store_destroy(s.store);
    store->~koshu_cuda_group_store();
    free(store);
}

/* ---- copies -------------------------------------------------------------- */

static koshu_particle_view
view_from(const koshu_particle_view &all, size_t first)
{
    koshu_particle_view v = all;
    for (double **column : {&v.mass, &v.x, &v.y, &v.z, &v.vx, &v.vy, &v.vz,
                            &v.ax, &v.ay, &v.az, &v.potential})
        if (*column) *column += first;
    return v;
}

/* Units are the same for all: they follow from the extent of all. */
static void
join_extents(koshu_cuda_group_store *s)
{
    box extent;
    double largest_mass = 0;
    for (size_t k = 0; k < s->group->n; k++) {
        const koshu_cuda_store *slice = s->slice[k].store;
        for (int c = 0; c < 3; c++) extent.of[c].join(slice->extent.of[c]);
        largest_mass = fmax(largest_mass, slice->largest_mass);
    }
    for (size_t k = 0; k < s->group->n; k++) {
        s->slice[k].store->extent = extent;
        s->slice[k].store->largest_mass = largest_mass;
    }
}

int
koshu_cuda_group_store_upload(struct koshu_cuda_group_store *store,
                              unsigned fields,
                              const struct koshu_particle_view *host)
{
    koshu_cuda_group_store *s = store;
    int error = by_all(s->group, [&](size_t k) {
        const koshu_particle_view v = view_from(*host, s->slices.first(k));
        return koshu_cuda_store_upload(s->slice[k].store, fields, &v);
    });
    if (error == 0 && fields & (KOSHU_FIELD_POSITION | KOSHU_FIELD_MASS))
        join_extents(s);
    return error;
}

int
koshu_cuda_group_store_download(struct koshu_cuda_group_store *store,
                                unsigned fields,
                                const struct koshu_particle_view *host)
{
    koshu_cuda_group_store *s = store;
    return by_all(s->group, [&](size_t k) {
        const koshu_particle_view v = view_from(*host, s->slices.first(k));
        return koshu_cuda_store_download(s->slice[k].store, fields, &v);
    });
}

/* ---- leapfrog ------------------------------------------------------------ */

int
koshu_cuda_group_store_kick(struct koshu_cuda_group_store *store, double dt)
{
    return by_all(store->group, [&](size_t k) {
        if (store->slices.count(k) == 0) return (int)cudaSuccess;
        return koshu_cuda_store_kick(store->slice[k].store, dt);
    });
}

int
koshu_cuda_group_store_drift(struct koshu_cuda_group_store *store, double dt)
{
    return by_all(store->group, [&](size_t k) {
        if (store->slices.count(k) == 0) return (int)cudaSuccess;
        int error = hold_for_others(store->group, k);
        if (error != 0) return error;
        return koshu_cuda_store_drift(store->slice[k].store, dt);
    });
}

int
koshu_cuda_group_store_largest_acceleration(
        struct koshu_cuda_group_store *store, double *a2)
{
    double of_slice[KOSHU_MAX_DEVICES] = {};
    const int error = by_all(store->group, [&](size_t k) {
        if (store->slices.count(k) == 0) return (int)cudaSuccess;
        return koshu_cuda_store_largest_acceleration(store->slice[k].store,
                                                     &of_slice[k]);
    });
    *a2 = 0;
    for (size_t k = 0; k < store->group->n; k++) *a2 = fmax(*a2, of_slice[k]);
    return error;
}

bool
koshu_cuda_group_store_not_finite(struct koshu_cuda_group_store *store)
{
    bool found = false;
    for (size_t k = 0; k < store->group->n; k++)
        found |= koshu_cuda_store_not_finite(store->slice[k].store);
    return found;
}
