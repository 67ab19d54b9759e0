/* SPDX-License-Identifier: MIT */
/* Everything that libkoshu-fields exports: meshes and transforms, power
 * spectra, cosmological initial conditions, the spectral solver for flows. */
#ifndef KOSHU_FIELDS_FIELDS_H
#define KOSHU_FIELDS_FIELDS_H

#include "fields/assign.h"
#include "fields/flow_spectrum.h"
#include "fields/initial.h"
#include "fields/mesh.h"
#include "fields/power_spectrum.h"
#include "fields/spectral.h"
#include "fields/turbulence.h"
#include "fields/universe.h"

#endif
