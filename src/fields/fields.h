/* SPDX-License-Identifier: MIT */
/* All that libkoshu-fields shows: meshes and transforms, power spectra, initial
 * conditions of a universe, a spectral method for flows. */
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
