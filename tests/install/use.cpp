/* SPDX-License-Identifier: MIT */
/* koshu from C++: a handle in a unique_ptr, a successful call, and one that
 * fails with a message. */
#include <koshu/koshu.h>

#include <cstring>
#include <iostream>
#include <memory>

int
main()
{
    koshu_context *raw = nullptr;
    if (koshu_context_create(nullptr, &raw) != KOSHU_OK) return 1;
    std::unique_ptr<koshu_context, void (*)(koshu_context *)> context(
            raw, koshu_context_destroy);

    koshu_particles *particles = nullptr;
    if (koshu_particles_create(raw, 3, &particles) != KOSHU_OK) return 1;
    const std::size_t count = koshu_particles_count(particles);
    koshu_particles_destroy(particles);

    particles = nullptr;
    if (koshu_particles_create(raw, 0, &particles) !=
        KOSHU_ERROR_INVALID_ARGUMENT)
        return 1;
    std::cout << "koshu " << koshu_version() << ": " << count << " particles; "
              << koshu_context_message(raw) << '\n';
    return count == 3 && !std::strcmp(koshu_version(), KOSHU_VERSION_STRING)
                   ? 0
                   : 1;
}
