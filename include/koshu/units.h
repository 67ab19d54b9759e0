/* SPDX-License-Identifier: MIT */
/*
 * Units. A unit system is the size of one unit of length, mass and velocity;
 * the unit of time is length / velocity, and all others follow. koshu computes
 * with G = 1: a run in a system with another G uses masses multiplied by G
 * internally, and writes them in the system's unit of mass
 * (koshu/simulation.h).
 *
 * Names of units, in texts: cm m km au ly pc kpc Mpc Gpc Rsun Rearth Rjup; g kg
 * Msun Mearth Mjup; s min h d yr kyr Myr Gyr; products, quotients and powers of
 * them, "km/s", "Msun pc^-3"; each may follow a number, which may be a
 * fraction: "1e10 Msun", "1/64 pc".
 *
 * Threads: all functions may be called from any thread at any time, those with
 * a context only by the thread that uses it.
 */
#ifndef KOSHU_UNITS_H
#define KOSHU_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A unit system, in cgs units. This struct never grows. */
struct koshu_units {
    double length_cm;     /* one unit of length in cm */
    double mass_g;        /* one unit of mass in g */
    double velocity_cm_s; /* one unit of velocity in cm/s */
};

/* Physical quantities, by their dimension. Energy is mass velocity^2;
 * potential, energy per mass. */
enum koshu_quantity {
    KOSHU_QUANTITY_LENGTH,
    KOSHU_QUANTITY_MASS,
    KOSHU_QUANTITY_TIME,
    KOSHU_QUANTITY_VELOCITY,
    KOSHU_QUANTITY_ACCELERATION,
    KOSHU_QUANTITY_POTENTIAL,
    KOSHU_QUANTITY_ENERGY,
    KOSHU_QUANTITY_MOMENTUM,
    KOSHU_QUANTITY_ANGULAR_MOMENTUM,
    KOSHU_QUANTITY_DENSITY,
    KOSHU_QUANTITY_SURFACE_DENSITY,
    KOSHU_QUANTITY_NUMBER_DENSITY,
    KOSHU_QUANTITY_SURFACE_NUMBER_DENSITY
};

/* Name ("length", "surface-density"); NULL past the last. */
KOSHU_API const char *koshu_quantity_name(enum koshu_quantity quantity);

/* Quantity of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: none has it, the message lists the names;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_quantity_find(struct koshu_context *context, const char *name,
                    enum koshu_quantity *quantity);

/*
 * Sets dimensionless units: all three are 1. For isolated systems they are
 * Hénon units: total mass 1, virial radius 1 and total energy -1/4.
 * Source: Heggie & Mathieu 1986.
 */
KOSHU_API void koshu_units_henon(struct koshu_units *units);

/* Whether the units are dimensionless. NULL counts as dimensionless. */
KOSHU_API bool koshu_units_are_henon(const struct koshu_units *units);

/*
 * Parses a unit system: a length, a mass, and a time or a velocity, in any
 * order, "pc, Msun, Myr", "kpc, 1e10 Msun, km/s"; without the last, the unit of
 * time makes G = 1; "henon": dimensionless. context may be NULL.
 * Status: KOSHU_ERROR_BAD_INPUT: it is not a unit system, the message says why,
 * or it is cm, g, s, which files cannot distinguish from dimensionless units;
 * KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_units_find(struct koshu_context *context, const char *text,
                 struct koshu_units *units);

/*
 * Gravitational constant in these units: 6.6743e-8 cm^3 g^-1 s^-2 times mass /
 * (length velocity^2); 1 in dimensionless units; 0 for NULL.
 * Units: length velocity^2 / mass, in those given.
 * Source: CODATA 2018.
 */
KOSHU_API double
koshu_units_gravitational_constant(const struct koshu_units *units);

/* The size of one unit of a quantity; 0 for NULL or an unknown quantity.
 * Units: cgs. */
KOSHU_API double koshu_units_in_cgs(const struct koshu_units *units,
                                    enum koshu_quantity quantity);

/*
 * The factor that converts a number of the quantity from units `from` to units
 * `to`: exactly 1 if the unit is of the same size in both; 0 if either is NULL,
 * or only one of them is dimensionless, as no conversion exists.
 * Units: of the quantity, `to` per `from`.
 */
KOSHU_API double koshu_units_factor(const struct koshu_units *from,
                                    const struct koshu_units *to,
                                    enum koshu_quantity quantity);

/*
 * Parses a number: without a unit it is in `units`; with a unit it is converted
 * to `units`: "0.1", "1/64 pc", "20 km/s". context may be NULL.
 * Units: of the quantity, in `units`.
 * Status: KOSHU_ERROR_BAD_INPUT: it is no finite number with or without a unit,
 * the unit is of another dimension, or `units` are dimensionless and the text
 * has a unit; the message says which; KOSHU_ERROR_INVALID_ARGUMENT: NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_quantity_parse(struct koshu_context *context, const char *text,
                     enum koshu_quantity quantity,
                     const struct koshu_units *units, double *value);

/*
 * Writes the unit of a quantity: "pc", "Msun pc^2/Myr^2", "1e10 Msun", "0.9778
 * Gyr"; "" in dimensionless units or for NULL. A name is used for units within
 * 1e-3 of it, as programs differ by that much in the size of a parsec and the
 * mass of the Sun. Truncated to size.
 */
KOSHU_API void koshu_units_label(const struct koshu_units *units,
                                 enum koshu_quantity quantity, size_t size,
                                 char *text);

/*
 * Writes a number of the quantity for people, in a unit that has a name: "0.5
 * Myr", "489 Myr" for 0.5 kpc/(km/s); without a unit in dimensionless units.
 * Six digits. Truncated to size.
 * Units: value is in `units`.
 */
KOSHU_API void koshu_quantity_text(const struct koshu_units *units,
                                   enum koshu_quantity quantity, double value,
                                   size_t size, char *text);

/* Writes the unit system in words: "pc, Msun, Myr", "kpc, 1e10 Msun, km/s",
 * "Hénon units". Truncated to size. */
KOSHU_API void
koshu_units_text(const struct koshu_units *units, size_t size, char *text);

#ifdef __cplusplus
}
#endif

#endif
