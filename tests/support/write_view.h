/* SPDX-License-Identifier: MIT */
/* A view of all fields of a store for a test to write; include after
 * fixture.h. */
#ifndef KOSHU_TESTS_WRITE_VIEW_H
#define KOSHU_TESTS_WRITE_VIEW_H

#include <koshu/particles.h>

static inline struct koshu_particle_view
write_view(struct koshu_particles *p)
{
    struct koshu_particle_view v = {.size = sizeof v};
    assert_ok(context,
              koshu_particles_acquire_write(p, KOSHU_FIELD_ALL,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    return v;
}

#endif
