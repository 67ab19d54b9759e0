/* SPDX-License-Identifier: MIT */
/*
 * A few bodies without softening, by algorithmic regularisation.
 *
 * Symbols: X, V   chain vectors and their rates, X_k = r_(k+1) - r_k
 *          T, U   kinetic energy about the centre of mass; sum m_i m_j / r_ij
 *          B      U - T, held as it was at the start: the binding energy
 *          s      the fictitious time, dt = ds / (T + B) = ds / U
 *
 * The Hamiltonian log(T + B) - log U splits into two parts that can be
 * integrated exactly (Mikkola & Tanikawa 1999), and its leapfrog moves two
 * bodies along their orbit itself, with an error of the time alone, through any
 * encounter. Extrapolation to substeps of length 0 takes the error of the time,
 * and that of other bodies, to rounding.
 */
#ifndef KOSHU_FEWBODY_FEWBODY_H
#define KOSHU_FEWBODY_FEWBODY_H

#include <koshu/fewbody.h>

#include "base/base.h"

/* ---- order.c, chain.c, renew.c, chain_energy.c --------------------------- */

enum {
    KOSHU_CHAIN_LINKS = KOSHU_FEWBODY_MAX - 1,
    KOSHU_CHAIN_SIZE = 6 * KOSHU_CHAIN_LINKS + 2
};

/* A body from outside: where it is relative to the centre of mass of a chain,
 * and how that changes, at the time 0 of a polynomial. */
struct koshu_perturber {
    double mass, x[3], v[3], a[3], jerk[3];
};

/* Those of a chain. */
struct koshu_perturbers {
    size_t n;
    double time; /* of the chain, which is the polynomials' 0 */
    struct koshu_perturber *body;
    size_t capacity_body;
    /* OPTIONAL: adds the accelerations of n bodies at x by what else acts, at
     * that time of the chain; tide: by how much two of them differ, over their
     * distance; rate: at which that changes, where faster than bodies in such a
     * tide move. */
    void (*field)(const void *user, double time, size_t n, const double (*x)[3],
                  double (*f)[3]);
    const void *user;
    double tide, rate;
};

/*
 * Bodies in an order in which each is next to near ones: what is near is the
 * difference of no large coordinates, but one vector or the sum of a few.
 */
struct koshu_chain {
    size_t n;
    unsigned body[KOSHU_FEWBODY_MAX]; /* which is the k-th */
    double mass[KOSHU_FEWBODY_MAX];   /* of the k-th */
    double total_mass;
    double binding; /* B, with the Hamiltonian of the slowed pairs */
    /* 1 / kappa of a link: 1, or of a pair that is slowed down by kappa */
    double rate[KOSHU_CHAIN_LINKS];
    const struct koshu_perturbers *perturbers; /* NULL: none */
    /* X of all links, V of all links, time; what perturbers have taken from the
     * energy, which is to be added to B */
    struct koshu_sum y[KOSHU_CHAIN_SIZE];
};

/* Components of X or V together; where V begins; where the time is, and beside
 * it what is added to B; of all. */
static inline size_t
koshu_chain_half(const struct koshu_chain *c)
{
    return 3 * (c->n - 1);
}

static inline size_t
koshu_chain_size(const struct koshu_chain *c)
{
    return 2 * koshu_chain_half(c) + 2;
}

/* B, as perturbers have changed it. */
static inline double
koshu_chain_binding(const struct koshu_chain *c)
{
    return c->binding + koshu_sum_value(c->y[2 * koshu_chain_half(c) + 1]);
}

static inline double
koshu_chain_time(const struct koshu_chain *c)
{
    return koshu_sum_value(c->y[2 * koshu_chain_half(c)]);
}

/* From the time of the chain to that one, with all digits. */
static inline double
koshu_chain_until(const struct koshu_chain *c, double time)
{
    const struct koshu_sum *t = &c->y[2 * koshu_chain_half(c)];
    return time - t->sum - t->rest;
}

/* An order in which each of the bodies is next to near ones. */
void koshu_chain_order(size_t n, const double (*x)[3], unsigned *order);

/* A chain of bodies in any place. */
void koshu_chain_make(struct koshu_chain *chain, size_t n, const double *mass,
                      const double (*x)[3], const double (*v)[3], double time);

/* The order of the chain as the bodies now stand; no link changes but by
 * rounding in the last digits of its compensated sum. */
void koshu_chain_renew(struct koshu_chain *chain);

/* Positions and velocities about the centre of mass, by the numbers of the
 * bodies; either may be NULL. */
void koshu_chain_bodies(const struct koshu_chain *chain, double (*x)[3],
                        double (*v)[3]);

/* The same with the rates at which positions change, where pairs are slowed. */
void koshu_chain_moving(const struct koshu_chain *chain, double (*x)[3],
                        double (*v)[3]);

/* T of rates v, and U with the accelerations of links, where links of slowed
 * pairs count by their rates. */
double koshu_chain_kinetic(const struct koshu_chain *chain, const double *v);
double
koshu_chain_forces(const struct koshu_chain *chain, const double *x, double *a);

/* The numbers X or V of a chain, without their rests. */
void koshu_chain_values(const struct koshu_chain *chain, double *x, double *v);

/* B of the bodies as they are now. */
void koshu_chain_bind(struct koshu_chain *chain);

/* Accelerations and potentials of the bodies, by their numbers. */
void koshu_chain_fields(const struct koshu_chain *chain, double (*a)[3],
                        double *potential);

/* T - U without any slowing, of the motion about the centre of mass; *u: U. */
double koshu_chain_energy(const struct koshu_chain *chain, double *u);

/* ---- leapfrog.c ---------------------------------------------------------- */

/* Rates at which links change, of the rates v that they have: those of slowed
 * pairs, and what the links beside them see of that. */
void
koshu_chain_slowed(const struct koshu_chain *chain, const double *v, double *w);

/* What steps add to y: compensated sums, of each number. */
struct koshu_increment {
    double sum[KOSHU_CHAIN_SIZE], rest[KOSHU_CHAIN_SIZE];
};

/* n steps of s / n each. */
void koshu_chain_leapfrog(const struct koshu_chain *chain, double s, unsigned n,
                          struct koshu_increment *increment);

/* The same of several numbers of substeps, for rows first ... end - 1 of a
 * table: what row k adds to to[k]. */
struct koshu_gbs_rows {
    double s;
    unsigned first, end;
    const unsigned *substeps;
    struct koshu_increment *to;
};
void koshu_chain_rows(const struct koshu_chain *chain,
                      const struct koshu_gbs_rows *rows);

/* Adds to y what a step has made; in extrapolate.c. */
void koshu_chain_add(struct koshu_chain *chain,
                     const struct koshu_increment *increment);

/* ---- perturb.c ----------------------------------------------------------- */

/* Accelerations of bodies at x, about the centre of mass, at that time of the
 * chain. */
void koshu_perturbers_fields(const struct koshu_perturbers *perturbers,
                             double time, size_t n, const double (*x)[3],
                             double (*f)[3]);

/* ---- extrapolate.c ------------------------------------------------------- */

enum { KOSHU_GBS_ROWS = 9 };

/* Of the next step. */
struct koshu_gbs_step {
    double s;     /* its length, of the fictitious time */
    unsigned row; /* in which it is to converge */
};

/* Each thread has one: on cache lines of its own, as each writes to its own at
 * every evaluation. */
struct koshu_gbs {
    _Alignas(KOSHU_ALIGNMENT) double tolerance;
    double slow_down; /* that of koshu_fewbody_options, for koshu_chain_move */
    /* of what a step adds: the last row of the table of Aitken and Neville */
    struct koshu_increment row[KOSHU_GBS_ROWS];
    uint64_t steps, rejected, evaluations;
};

/* A step, shortened until it converges; *step becomes that which should be
 * next, *made the length that was made. KOSHU_ERROR_NOT_FINITE, without a
 * message: none converges. */
koshu_status koshu_gbs_advance(struct koshu_gbs *gbs, struct koshu_chain *chain,
                               struct koshu_gbs_step *step, double *made);

/* Bodies are spheres of radius (mass / `mass`)^exponent times `radius`; 0: they
 * are points. */
struct koshu_radius_law {
    double radius, mass, exponent;
};

/* Whether and where two bodies have touched: the link, or KOSHU_NO_CONTACT. */
#define KOSHU_NO_CONTACT SIZE_MAX
struct koshu_contact {
    const struct koshu_radius_law *law;
    size_t link;
};

/* ---- leap.c -------------------------------------------------------------- */

/* Some of the way to that time, later, of a chain with pairs that go round so
 * often that only their mean counts; law: none of them touches on the way, or
 * NULL. false: it is none. */
bool koshu_chain_leap_far(struct koshu_gbs *gbs, struct koshu_chain *chain,
                          double time, const struct koshu_radius_law *law);

/* The same of one to whose pairs others do little, slowed or not. */
bool
koshu_chain_leap(struct koshu_gbs *gbs, struct koshu_chain *chain, double time);

/* ---- move.c -------------------------------------------------------------- */

/* Two bodies at any time, by Kepler's law. */
void koshu_chain_move_pair(struct koshu_chain *c, double time);

/* The chain at that time, later or the same; *step: the next, as the last left
 * it. Two bodies without perturbers by Kepler's law. With contact, no further
 * than where two bodies touch. KOSHU_ERROR_NOT_FINITE, without a message: no
 * step converges. */
koshu_status koshu_chain_move(struct koshu_gbs *gbs, struct koshu_chain *chain,
                              struct koshu_gbs_step *step, double time,
                              struct koshu_contact *contact);

/* ---- contact.c ----------------------------------------------------------- */

double koshu_radius_of(const struct koshu_radius_law *law, double mass);

/* The time until two bodies, of distance x and its rate v, are first at that
 * distance, by Kepler's law; 0: they are nearer; infinite: they never are. */
double koshu_pair_contact(double mu, const double *x, const double *v,
                          double distance);

/* The same of the links of a chain: the first to touch, and that time. */
double koshu_chain_contact(const struct koshu_chain *chain,
                           const struct koshu_radius_law *law, size_t *link);

/* The bodies of a link become one, at their centre of mass and with its
 * velocity: of the two numbers of bodies the lower is left, those above the
 * other are one less. */
void koshu_chain_merge(struct koshu_chain *chain, size_t link);

/* ---- kepler.c ------------------------------------------------------------ */

/* Two bodies' distance x and its rate v, after dt: mu = G (m1 + m2). */
void koshu_kepler_move(double mu, double dt, double x[3], double v[3]);

/* ---- kepler_part.c ------------------------------------------------------- */

/* The same by a part of a revolution, faster: after dt; or by X, in which dt =
 * r dX, and 2 pi / sqrt(2 mu / r - v^2) is a revolution: returns dt. */
void koshu_kepler_move_for(double mu, double dt, double x[3], double v[3]);
double koshu_kepler_move_by(double mu, double dx, double x[3], double v[3]);

/* The X of dt > 0, which may be many revolutions, of a bound pair. */
double
koshu_kepler_find(double mu, double dt, const double x[3], const double v[3]);

/* ---- slow_down.c --------------------------------------------------------- */

/* The rates of the pairs as the bodies and the perturbers now stand, tolerance
 * being that of koshu_fewbody_options.slow_down; 0: all stay as they are. */
void koshu_chain_slow(struct koshu_chain *chain, double tolerance);

/* The same of some links; left_out: those that stay. */
void koshu_chain_slow_others(struct koshu_chain *chain, double tolerance,
                             const bool *left_out);

/* The pair of that link, or all, are slowed no more: the bodies are where they
 * would be without. Perturbers must be those with which they moved. */
void koshu_chain_speed_up(struct koshu_chain *chain, size_t k);
void koshu_chain_settle(struct koshu_chain *chain);

/* ---- swing.c ------------------------------------------------------------- */

/* The energy of the pair of a link by what it swings more or less where its
 * kappa becomes another; 0: it is the mean. */
void koshu_chain_change_swing(struct koshu_chain *chain, size_t k,
                              double before, double after);

/* Another rate of a link, with what the energy of its pair swings by more or
 * less with that. B is to begin anew. */
void koshu_chain_set_rate(struct koshu_chain *chain, size_t k, double rate);

/* ---- fewbody.c, advance.c ------------------------------------------------ */

struct koshu_fewbody {
    struct koshu_context *context;
    struct koshu_fewbody_options options;
    struct koshu_chain chain;   /* after the last step */
    struct koshu_chain next;    /* after the one that is ahead of now, */
    bool is_ahead;              /* where it has been made; */
    struct koshu_gbs_step step; /* for the next */
    struct koshu_gbs_step then; /* after that ahead */
    struct koshu_chain now;     /* at the time that was integrated to */
    struct koshu_gbs gbs;
    /* of the centre of mass: where it is at `time`, and its velocity */
    double centre[3], velocity[3], time;
    double energy0; /* about the centre of mass */
};

/* The bodies from here on. KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_NOT_FINITE: as
 * koshu_fewbody_create(). */
koshu_status koshu_fewbody_set(struct koshu_fewbody *fewbody,
                               const struct koshu_particle_const_view *bodies,
                               double time);

/* The length of the first step, of the fictitious time, that is tried. */
double koshu_fewbody_first_step(const struct koshu_chain *chain);

#endif
