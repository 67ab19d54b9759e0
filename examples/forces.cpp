/* SPDX-License-Identifier: MIT */
/*
 * forces.c in C++17: forces between particles in vectors of your own.
 *
 *     c++ -std=c++17 forces.cpp $(pkg-config --cflags --libs koshu) -o forces
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include <koshu/koshu.h>

struct destroy {
    void operator()(koshu_context *context) const
    {
        koshu_context_destroy(context);
    }
};
using context_pointer = std::unique_ptr<koshu_context, destroy>;

static void
check(koshu_status status, const koshu_context *context)
{
    if (status != KOSHU_OK)
        throw std::runtime_error(koshu_context_message(context));
}

static context_pointer
make_context()
{
    koshu_context *context;
    check(koshu_context_create(nullptr, &context), nullptr);
    return context_pointer(context);
}

static void
run()
{
    /* The corners of a square of side 2 and a massless particle at its
     * centre. */
    const std::vector<double> x{1, -1, -1, 1, 0}, y{1, 1, -1, -1, 0}, z(5);
    const std::vector<double> mass{0.25, 0.25, 0.25, 0.25, 0};
    const std::vector<std::int64_t> id{0, 1, 2, 3, 4};
    std::vector<double> ax(5), ay(5), az(5), potential(5);

    const context_pointer context = make_context();
    koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;

    koshu_i_particles i{};
    i.n = x.size();
    i.x = x.data();
    i.y = y.data();
    i.z = z.data();
    i.id = id.data(); /* pairs of equal ids are left out */

    koshu_j_particles j{};
    j.n = x.size();
    j.x = x.data();
    j.y = y.data();
    j.z = z.data();
    j.mass = mass.data(); /* ids: 0, 1, 2, ... */

    koshu_force_result result{};
    result.ax = ax.data();
    result.ay = ay.data();
    result.az = az.data();
    result.potential = potential.data();

    check(koshu_force_direct(context.get(), &i, &j, &options, &result),
          context.get());
    for (std::size_t k = 0; k < x.size(); k++)
        std::printf("(%2g,%2g)  a = (%8.5f, %8.5f, %8.5f)  potential = %8.5f\n",
                    x[k], y[k], ax[k], ay[k], az[k], potential[k]);
}

int
main()
{
    try {
        run();
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "forces: %s\n", failure.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
