/* unused_maps - reports why perf maps and jitdumps name no code.  Private to bind/. */
#ifndef BIND_UNUSED_MAPS_H
#define BIND_UNUSED_MAPS_H

#include "bind/map_candidates.h"

/* Reports each candidate that is not bound to a process, with the reason. */
void unused_maps_report(const struct map_candidates *c);

#endif
