/* SPDX-License-Identifier: MIT */
/* The field of a disk and the moments of its velocities, tabulated on a grid
 * of R and z. */
#include "initial/disk.h"

#include <math.h>

enum { NR = KOSHU_DISK_R, NZ = KOSHU_DISK_Z };

/* ---- the grid ------------------------------------------------------------ */

/* R from 0 to 20 in steps from 0.006 to 1; z up to 8 z0 in steps of z0 / 6. */
static void
make_grid(struct koshu_disk *d)
{
    const double nearest = 0.1, farthest = 20;
    const double rate = log(1 + farthest / nearest) / (NR - 1);
    for (size_t k = 0; k < NR; k++) d->R[k] = nearest * expm1(rate * (double)k);
    d->step_z = 8 * d->options.height / (NZ - 1);
}

/* ---- the field of the disk ----------------------------------------------- */

/* I and dI/dz of one k, at each z of the grid: the layers below and above it
 * are summed in cells of a fourth of the grid's step. */
static void
find_layers(const struct koshu_disk *d, double k, double I[NZ], double dI[NZ])
{
    enum { PER_STEP = 4, SIDE = (NZ - 1) * PER_STEP + 8 * PER_STEP };
    const double z0 = d->options.height, h = d->step_z / PER_STEP;
    const double decay = exp(-k * h), half = exp(-k * h / 2);
    double below = 0;
    for (int j = -SIDE; j <= SIDE; j++) {
        /* treats the mass of a cell as if it were at its middle */
        const double from = (j - 1) * h / z0, to = j * h / z0;
        below = below * decay + half * (tanh(to) - tanh(from)) / 2;
        if (j >= 0 && j % PER_STEP == 0 && j / PER_STEP < NZ)
            I[j / PER_STEP] = dI[j / PER_STEP] = below;
    }
    double above = 0;
    for (int j = SIDE; j >= 0; j--) {
        const double from = j * h / z0, to = (j + 1) * h / z0;
        above = above * decay + half * (tanh(to) - tanh(from)) / 2;
        if (j % PER_STEP != 0 || j / PER_STEP >= NZ) continue;
        dI[j / PER_STEP] = k * (above - dI[j / PER_STEP]);
        I[j / PER_STEP] += above;
    }
}

/* Adds the contribution of an interval dk of wave numbers around k. */
static void
add_wave(struct koshu_disk *d, double k, double dk)
{
    double I[NZ], dI[NZ];
    const double weight = d->options.mass * pow(1 + k * k, -1.5) * dk;
    find_layers(d, k, I, dI);
    for (size_t r = 0; r < NR; r++) {
        const double radial = weight * k * j1(k * d->R[r]),
                     vertical = -weight * j0(k * d->R[r]);
        for (size_t z = 0; z < NZ; z++) {
            d->pull_R[r][z] += radial * I[z];
            d->pull_z[r][z] += vertical * dI[z];
        }
    }
}

static void
find_field(struct koshu_disk *d)
{
    const double last = 60, dk = 0.02;
    for (size_t r = 0; r < NR; r++)
        for (size_t z = 0; z < NZ; z++) d->pull_R[r][z] = d->pull_z[r][z] = 0;
    for (double k = dk / 2; k < last; k += dk) add_wave(d, k, dk);
    for (size_t r = 0; r < NR; r++) d->pull_z[r][0] = 0;
}

/* ---- moments ------------------------------------------------------------- */

/* The force of what is beside the disk, divided by the distance. */
static double
pull_of_sphere(const struct koshu_disk *d, double R, double z)
{
    const double r = sqrt(R * R + z * z);
    if (r == 0) return 0;
    return d->options.beside(d->options.user, r) / (r * r * r);
}

/* 1 - tanh x and sech^2 x, without cancellation where they are small. */
static double
above(double x)
{
    return 2 / (exp(2 * x) + 1);
}

static double
sech2(double x)
{
    const double e = exp(-2 * x);
    return 4 * e / ((1 + e) * (1 + e));
}

/* Integrates over the layers above each z, from the top down; in each layer the
 * force is the mean of those at its two sides. */
static void
find_sigma_z(struct koshu_disk *d, size_t r)
{
    const double z0 = d->options.height;
    double pull[NZ], sum = 0;
    for (size_t j = 0; j < NZ; j++) {
        const double z = (double)j * d->step_z;
        pull[j] = d->pull_z[r][j] + z * pull_of_sphere(d, d->R[r], z);
    }
    sum = pull[NZ - 1] * above(8);
    for (size_t j = NZ; j-- > 0;) {
        const double x = (double)j * d->step_z / z0;
        if (j < NZ - 1)
            sum += (pull[j] + pull[j + 1]) / 2 *
                   (above(x) - above(x + d->step_z / z0));
        d->sigma_z2[r][j] = z0 * sum / sech2(x);
    }
}

static double
speed2(const struct koshu_disk *d, size_t r)
{
    const double R = d->R[r];
    return R * (d->pull_R[r][0] + R * pull_of_sphere(d, R, 0));
}

/* kappa^2 / Omega^2 = 2 + d ln v^2 / d ln R */
static void
find_epicycles(struct koshu_disk *d)
{
    for (size_t r = 1; r < NR; r++) {
        const size_t a = r > 1 ? r - 1 : r, b = r < NR - 1 ? r + 1 : r;
        const double slope =
                log(speed2(d, b) / speed2(d, a)) / log(d->R[b] / d->R[a]);
        d->epicycle[r] = fmin(1, fmax(0.25, (2 + slope) / 4));
    }
    d->epicycle[0] = d->epicycle[1];
}

static double
surface_density(const struct koshu_disk *d, double R)
{
    return d->options.mass * exp(-R) / (2 * M_PI);
}

void
koshu_disk_solve(const struct koshu_disk_options *options,
                 struct koshu_disk *disk)
{
    const double R = 2.5;
    disk->options = *options;
    make_grid(disk);
    find_field(disk);
    for (size_t r = 0; r < NR; r++) find_sigma_z(disk, r);
    find_epicycles(disk);
    disk->sigma_R2 = 0;
    const double kappa = koshu_disk_moments(disk, R, 0).kappa;
    const double sigma = options->q * 3.36 * surface_density(disk, R) / kappa;
    disk->sigma_R2 = sigma * sigma * exp(R);
}

/* ---- at a place ---------------------------------------------------------- */

/* A cell of the grid and the position in it; outside the grid, at its edge. */
struct place {
    size_t r, z;
    double in_r, in_z;
};

static struct place
place_of(const struct koshu_disk *d, double R, double z)
{
    size_t low = 0, high = NR - 1;
    while (high - low > 1) {
        const size_t k = (low + high) / 2;
        if (d->R[k] <= R)
            low = k;
        else
            high = k;
    }
    const double x = fmin(z / d->step_z, NZ - 1);
    const size_t layer = x < NZ - 2 ? (size_t)x : NZ - 2;
    return (struct place){low, layer,
                          fmin(1, (R - d->R[low]) / (d->R[high] - d->R[low])),
                          x - (double)layer};
}

static double
interpolate(double table[const NR][NZ], const struct place *p)
{
    const double near = table[p->r][p->z] +
                        p->in_z * (table[p->r][p->z + 1] - table[p->r][p->z]);
    const double far =
            table[p->r + 1][p->z] +
            p->in_z * (table[p->r + 1][p->z + 1] - table[p->r + 1][p->z]);
    return near + p->in_r * (far - near);
}

/* Outside the grid the disk attracts like a point mass. */
static double
radial_pull(const struct koshu_disk *d, double R, double z)
{
    const struct place p = place_of(d, R, z);
    const double last = d->R[NR - 1];
    const double beyond = R > last ? last * last / (R * R) : 1;
    return beyond * interpolate((double(*)[NZ])d->pull_R, &p) +
           R * pull_of_sphere(d, R, z);
}

struct koshu_disk_at
koshu_disk_moments(const struct koshu_disk *disk, double R, double z)
{
    const struct koshu_disk *d = disk;
    const struct place p = place_of(d, R, z);
    const double e = d->epicycle[p.r] +
                     p.in_r * (d->epicycle[p.r + 1] - d->epicycle[p.r]);
    const double sigma2 = d->sigma_R2 * exp(-R);
    const double mean2 = R * radial_pull(d, R, z) + sigma2 * (1 - e - 2 * R);
    const double omega = R > 0 ? sqrt(radial_pull(d, R, 0) / R) : 0;
    return (struct koshu_disk_at){
            .sigma_R = sqrt(sigma2),
            .sigma_phi = sqrt(e * sigma2),
            .sigma_z = sqrt(interpolate((double(*)[NZ])d->sigma_z2, &p)),
            .mean = sqrt(fmax(0, mean2)),
            .kappa = 2 * sqrt(e) * omega,
            .omega = omega};
}

double
koshu_disk_radius(double part)
{
    double low = 0, high = 800; /* exp(-R) is 0 in double */
    for (int turn = 0; turn < 80; turn++) {
        const double R = (low + high) / 2;
        if (-expm1(-R) - R * exp(-R) < part)
            low = R;
        else
            high = R;
    }
    return low;
}
