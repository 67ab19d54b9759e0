/* SPDX-License-Identifier: MIT */
/*
 * Forces at one time from particles that are each known at their own time, as a
 * code with individual time steps needs them. The particles stay in a
 * j-particle store, on the GPU if there is one; ids identify them.
 *
 *     cc j_store.c $(pkg-config --cflags --libs koshu) -o j_store
 */
#include <stdio.h>
#include <stdlib.h>

#include <koshu/koshu.h>

#define TRY(call)                                      \
    do {                                               \
        koshu_status try_status = (call);              \
        if (try_status != KOSHU_OK) return try_status; \
    } while (0)

/* Two stars on a circular orbit about each other, with distance and angular
 * velocity 1: position, velocity, acceleration and jerk at time 0. */
enum { N = 2 };
static const int64_t id[N] = {101, 102};
static const double mass[N] = {0.5, 0.5}, zero[N] = {0};
static const double x[N] = {0.5, -0.5}, vy[N] = {0.5, -0.5};
static const double ax[N] = {-0.5, 0.5}, jy[N] = {-0.5, 0.5};

/* Arrays that are not given default to zero, here the stars' times. */
static koshu_status
fill(struct koshu_j_store *store)
{
    const struct koshu_j_particles stars = {.n = N,
                                            .id = id,
                                            .mass = mass,
                                            .x = x,
                                            .y = zero,
                                            .z = zero,
                                            .vx = zero,
                                            .vy = vy,
                                            .vz = zero,
                                            .ax = ax,
                                            .ay = zero,
                                            .az = zero,
                                            .jx = zero,
                                            .jy = jy,
                                            .jz = zero};
    return koshu_j_store_set(store, NULL, &stars);
}

/* The forces at time t on the first star, whose step ends then, and on a point
 * at the origin that is not a particle. The store predicts the j-particles, the
 * caller the i-particles. */
static koshu_status
print_forces(struct koshu_j_store *store, double t)
{
    const int64_t i_id[] = {101, KOSHU_NO_ID};
    const double ix[] = {x[0] + t * t / 2 * ax[0], 0};
    const double iy[] = {t * vy[0] + t * t * t / 6 * jy[0], 0};
    const double ivx[] = {t * ax[0], 0}, iz[] = {0, 0}, ivz[] = {0, 0};
    const double ivy[] = {vy[0] + t * t / 2 * jy[0], 0};
    const struct koshu_i_particles i = {.n = 2,
                                        .id = i_id,
                                        .x = ix,
                                        .y = iy,
                                        .z = iz,
                                        .vx = ivx,
                                        .vy = ivy,
                                        .vz = ivz};
    double a[3][2], jerk[3][2], potential[2], r2[2];
    uint64_t nearest[2];
    const struct koshu_force_result result = {.ax = a[0],
                                              .ay = a[1],
                                              .az = a[2],
                                              .jx = jerk[0],
                                              .jy = jerk[1],
                                              .jz = jerk[2],
                                              .potential = potential,
                                              .nearest_r2 = r2,
                                              .nearest = nearest};
    struct koshu_j_store_start_options options =
            koshu_j_store_start_options_default();
    options.nearest = true;

    TRY(koshu_j_store_set_time(store, t));
    TRY(koshu_j_store_start(store, &i, N, &options));
    /* the host can do other work here while a GPU sums */
    TRY(koshu_j_store_wait(store, &result));
    for (int k = 0; k < 2; k++)
        printf("a = (%8.5f, %8.5f)  jerk = (%8.5f, %8.5f)  "
               "potential = %8.5f  nearest: %lld\n",
               a[0][k], a[1][k], jerk[0][k], jerk[1][k], potential[k],
               (long long)koshu_j_store_id(store, nearest[k]));
    return KOSHU_OK;
}

int
main(void)
{
    struct koshu_context *context = NULL;
    struct koshu_j_store *store = NULL;
    koshu_status status = koshu_context_create(NULL, &context);
    if (status == KOSHU_OK)
        status = koshu_j_store_create(context, N, NULL, &store);
    if (status == KOSHU_OK) status = fill(store);
    if (status == KOSHU_OK) status = print_forces(store, 0.125);
    if (status != KOSHU_OK)
        fprintf(stderr, "j_store: %s\n", koshu_context_message(context));
    koshu_j_store_destroy(store);
    koshu_context_destroy(context);
    return status == KOSHU_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
