/* SPDX-License-Identifier: MIT */
/*
 * Vortices in C++17: the velocity of a vortex ring along its axis by the fast
 * multipole method, and its gradient there.
 *
 *     c++ -std=c++17 laplace.cpp $(pkg-config --cflags --libs koshu) -o laplace
 */
#include <cmath>
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
    void operator()(koshu_laplace *laplace) const
    {
        koshu_laplace_destroy(laplace);
    }
};
using context_pointer = std::unique_ptr<koshu_context, destroy>;
using laplace_pointer = std::unique_ptr<koshu_laplace, destroy>;

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

static laplace_pointer
make_laplace(koshu_context *context, double tolerance)
{
    koshu_laplace *laplace;
    koshu_laplace_options options = koshu_laplace_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.tolerance = tolerance;
    check(koshu_laplace_create(context, &options, &laplace), context);
    return laplace_pointer(laplace);
}

/* Positions, and strengths: all x components, then all y, then all z. */
struct vortices {
    std::vector<double> x, y, z, strength;

    explicit vortices(std::size_t n) : x(n), y(n), z(n), strength(3 * n)
    {
    }

    koshu_laplace_points points() const
    {
        koshu_laplace_points p = koshu_laplace_points_default();
        p.n = x.size();
        p.x = x.data();
        p.y = y.data();
        p.z = z.data();
        p.n_rhs = 3;
        p.charge = strength.data();
        return p;
    }
};

/* A ring of radius 1 about the z axis, circulation 1. */
static vortices
make_ring(std::size_t n)
{
    vortices ring(n);
    const double step = 2 * 3.14159265358979 / static_cast<double>(n);
    for (std::size_t j = 0; j < n; j++) {
        const double phi = step * static_cast<double>(j);
        ring.x[j] = std::cos(phi);
        ring.y[j] = std::sin(phi);
        ring.strength[j] = -step * std::sin(phi);
        ring.strength[n + j] = step * std::cos(phi);
    }
    return ring;
}

static void
run()
{
    const context_pointer context = make_context();
    const laplace_pointer laplace = make_laplace(context.get(), 1e-9);
    const vortices ring = make_ring(20000);
    vortices axis(9);
    for (std::size_t i = 0; i < 9; i++)
        axis.z[i] = 0.5 * static_cast<double>(i) - 2;

    std::vector<double> u(3 * 9), gradient(9 * 9);
    double *const g = gradient.data();
    koshu_laplace_velocity velocity = koshu_laplace_velocity_default();
    velocity.x = u.data();
    velocity.y = u.data() + 9;
    velocity.z = u.data() + 18;
    double **const component[] = {&velocity.gradient_xx, &velocity.gradient_xy,
                                  &velocity.gradient_xz, &velocity.gradient_yx,
                                  &velocity.gradient_yy, &velocity.gradient_yz,
                                  &velocity.gradient_zx, &velocity.gradient_zy,
                                  &velocity.gradient_zz};
    for (std::size_t k = 0; k < 9; k++) *component[k] = g + 9 * k;

    const koshu_laplace_points from = ring.points(), at = axis.points();
    check(koshu_laplace_biot_savart(laplace.get(), &from, &at, &velocity),
          context.get());
    for (std::size_t i = 0; i < 9; i++)
        std::printf("z = %4.1f  u_z = %.9f (1 / 2 (1 + z^2)^1.5 = %.9f)  "
                    "du_z/dz = %12.9f\n",
                    axis.z[i], velocity.z[i],
                    0.5 / std::pow(1 + axis.z[i] * axis.z[i], 1.5),
                    velocity.gradient_zz[i]);
}

int
main()
{
    try {
        run();
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "laplace: %s\n", failure.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
