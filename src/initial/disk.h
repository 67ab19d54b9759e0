/* SPDX-License-Identifier: MIT */
/*
 * The disk of a galaxy: its field, and the moments of its velocities. G, the
 * mass of the galaxy and the scale length of the disk are 1. Density
 *
 *     rho(R, z) = m exp(-R) / (2 pi) sech^2(z / z0) / (2 z0)
 *
 * and field (Binney & Tremaine 2008, sections 2.6.1 and 2.6.3; I is of a layer)
 *
 *     Phi(R, z) = -m int J0(k R) (1 + k^2)^(-3/2) I(k, z) dk,
 *     I(k, z) = int sech^2(z' / z0) / (2 z0) exp(-k |z - z'|) dz'
 *
 * Moments from Jeans' equations (Binney & Tremaine 2008, eqs. 4.222), with the
 * axes of the velocity ellipsoid along R, phi and z:
 *
 *     sigma_z^2 = 1 / rho int_z^inf rho dPhi/dz dz,  sigma_R^2 = C exp(-R),
 *     sigma_phi^2 = sigma_R^2 kappa^2 / (4 Omega^2),
 *     <v_phi>^2 = R dPhi/dR + sigma_R^2 (1 - kappa^2 / (4 Omega^2) - 2 R)
 *
 * where Phi is that of the disk and of what else is there, a sphere; C gives
 * sigma_R = Q 3.36 Sigma / kappa at R = 2.5 (Hernquist 1993; Toomre 1964).
 */
#ifndef KOSHU_INITIAL_DISK_H
#define KOSHU_INITIAL_DISK_H

#include <stddef.h>

/* The mass within r of what is there besides the disk. */
typedef double koshu_sphere_mass(const void *user, double r);

struct koshu_disk_options {
    double mass, height, q; /* m, z0, Toomre's Q */
    koshu_sphere_mass *beside;
    const void *user;
};

enum { KOSHU_DISK_R = 96, KOSHU_DISK_Z = 49 };

struct koshu_disk {
    struct koshu_disk_options options;
    double R[KOSHU_DISK_R];                    /* R[0] = 0 */
    double step_z;                             /* z[j] = j step_z */
    double pull_R[KOSHU_DISK_R][KOSHU_DISK_Z]; /* dPhi/dR of the disk */
    double pull_z[KOSHU_DISK_R][KOSHU_DISK_Z]; /* dPhi/dz of the disk */
    double sigma_z2[KOSHU_DISK_R][KOSHU_DISK_Z];
    double epicycle[KOSHU_DISK_R]; /* kappa^2 / (4 Omega^2) at z = 0 */
    double sigma_R2;               /* at R = 0: C */
};

void koshu_disk_solve(const struct koshu_disk_options *options,
                      struct koshu_disk *disk);

/* Field and moments at a place with z >= 0. The field is interpolated from the
 * table, to 1 % of its largest value at the same R (test_galaxy). */
struct koshu_disk_at {
    double sigma_R, sigma_phi, sigma_z, mean; /* of v_phi */
    double kappa, omega;                      /* at z = 0 */
};
struct koshu_disk_at
koshu_disk_moments(const struct koshu_disk *disk, double R, double z);

/* The R that encloses this fraction of the mass. */
double koshu_disk_radius(double part);

#endif
