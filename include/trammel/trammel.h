/* trammel/trammel.h - includes all public headers. */
#pragma once

#include "trammel/analysis.h"
#include "trammel/base.h"
#include "trammel/channels.h"
#include "trammel/compare.h"
#include "trammel/contact.h"
#include "trammel/element.h"
#include "trammel/fit.h"
#include "trammel/flexible.h"
#include "trammel/function.h"
#include "trammel/gradient.h"
#include "trammel/io.h"
#include "trammel/kinematics.h"
#include "trammel/locus.h"
#include "trammel/modal.h"
#include "trammel/model.h"
#include "trammel/optimize.h"
#include "trammel/part.h"
#include "trammel/plot.h"
#include "trammel/rail.h"
#include "trammel/record.h"
#include "trammel/recover.h"
#include "trammel/report.h"
#include "trammel/search.h"
#include "trammel/sim.h"
#include "trammel/study.h"
#include "trammel/types.h"

#define TML_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

TML_API const char *tml_version(void);

#ifdef __cplusplus
}
#endif
