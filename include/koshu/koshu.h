/* SPDX-License-Identifier: MIT */
/* The whole public interface of libkoshu. */
#ifndef KOSHU_KOSHU_H
#define KOSHU_KOSHU_H

#include <koshu/cluster.h>
#include <koshu/components.h>
#include <koshu/context.h>
#include <koshu/device.h>
#include <koshu/diagnostics.h>
#include <koshu/ewald.h>
#include <koshu/external.h>
#include <koshu/fewbody.h>
#include <koshu/force.h>
#include <koshu/initial.h>
#include <koshu/integrator.h>
#include <koshu/interaction.h>
#include <koshu/j_store.h>
#include <koshu/laplace.h>
#include <koshu/nwalk.h>
#include <koshu/parameters.h>
#include <koshu/particles.h>
#include <koshu/picture.h>
#include <koshu/ranks.h>
#include <koshu/simulation.h>
#include <koshu/snapshot.h>
#include <koshu/solver.h>
#include <koshu/status.h>
#include <koshu/tree.h>
#include <koshu/units.h>
#include <koshu/version.h>
#include <koshu/view.h>

#endif
