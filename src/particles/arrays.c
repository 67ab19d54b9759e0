/* SPDX-License-Identifier: MIT */
/* The table of a store's arrays, and their memory. */
#include <stdlib.h>
#include <string.h>

#include "particles/particles.h"

#define ARRAY(field, member)                                         \
    {                                                                \
#member, field, offsetof(struct koshu_particle_view, member) \
    }
const struct koshu_particle_array koshu_particle_arrays[KOSHU_ARRAYS] = {
        ARRAY(KOSHU_FIELD_ID, id),
        ARRAY(KOSHU_FIELD_MASS, mass),
        ARRAY(KOSHU_FIELD_POSITION, x),
        ARRAY(KOSHU_FIELD_POSITION, y),
        ARRAY(KOSHU_FIELD_POSITION, z),
        ARRAY(KOSHU_FIELD_VELOCITY, vx),
        ARRAY(KOSHU_FIELD_VELOCITY, vy),
        ARRAY(KOSHU_FIELD_VELOCITY, vz),
        ARRAY(KOSHU_FIELD_POTENTIAL, potential),
        ARRAY(KOSHU_FIELD_ACCELERATION, ax),
        ARRAY(KOSHU_FIELD_ACCELERATION, ay),
        ARRAY(KOSHU_FIELD_ACCELERATION, az),
        ARRAY(KOSHU_FIELD_JERK, jx),
        ARRAY(KOSHU_FIELD_JERK, jy),
        ARRAY(KOSHU_FIELD_JERK, jz),
        ARRAY(KOSHU_FIELD_STEP, tick),
        ARRAY(KOSHU_FIELD_STEP, step),
        ARRAY(KOSHU_FIELD_WORK, work),
        ARRAY(KOSHU_FIELD_INITIAL_MASS, initial_mass),
};
enum { ELEMENT = KOSHU_ARRAY_ELEMENT };

static const char *const field_names[] = {
        "id",        "mass", "position", "velocity", "acceleration",
        "potential", "jerk", "step",     "work",     "initial_mass"};
KOSHU_BIT_NAMES(koshu_field, "a field of particles", field_names)

static const char *const access_names[] = {"read", "write", "read-write"};
KOSHU_ENUM_NAMES(koshu_access, "an access to particles", access_names)

size_t
koshu_row_elements(unsigned fields)
{
    size_t n = 0;
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        n += (koshu_particle_arrays[k].field & fields) != 0;
    return n;
}

void *
koshu_particle_array(const struct koshu_particle_view *view, size_t k)
{
    void *memory;
    memcpy(&memory, (const char *)view + koshu_particle_arrays[k].offset,
           sizeof memory);
    return memory;
}

static void
put_array(struct koshu_particle_view *v, size_t k, void *memory)
{
    memcpy((char *)v + koshu_particle_arrays[k].offset, &memory, sizeof memory);
}

/* The number of arrays of a field, if array k is its first; otherwise 0. */
static size_t
arrays_from(size_t k)
{
    const unsigned field = koshu_particle_arrays[k].field;
    if (k > 0 && koshu_particle_arrays[k - 1].field == field) return 0;
    size_t n = 1;
    while (k + n < KOSHU_ARRAYS && koshu_particle_arrays[k + n].field == field)
        n++;
    return n;
}

bool
koshu_particle_add_block(struct koshu_particle_view *view, size_t k, size_t n)
{
    const size_t columns = arrays_from(k), line = KOSHU_ALIGNMENT;
    const size_t lines = (n + line / ELEMENT - 1) / (line / ELEMENT);
    char *block = koshu_alloc(columns * (lines ? lines : 1), line);
    for (size_t c = 0; block && c < columns; c++)
        put_array(view, k + c, block + c * lines * line);
    return block;
}

void
koshu_particle_free_arrays(struct koshu_particle_view *view)
{
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (arrays_from(k)) koshu_free(koshu_particle_array(view, k));
}
