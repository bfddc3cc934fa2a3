/*
 * host_maps - the maps of JIT code that runtimes of this machine wrote: /tmp/perf-PID.map and
 * /tmp/jit-PID.dump as the process sees /tmp, and the jitdump that it mapped.
 *
 * Only regular files are opened, and only if their owner is root, the user of the process, or the
 * user who runs this.
 */
#ifndef IMAGE_HOST_MAPS_H
#define IMAGE_HOST_MAPS_H

#include "image/locate.h"
#include "process/process.h"

/*
 * Adds the maps of process pid to l unless host_maps_refuse.  *nspid: the pid of the process in
 * its innermost namespace while it lives, else -1.
 */
void host_maps_add(struct locator *l, int32_t pid, int32_t *nspid, struct diag *diag);

/*
 * Returns true if the maps of process pid are not used because the profile was recorded
 * elsewhere, so that they may belong to another process.  Reports the reason if there is a map.
 */
bool host_maps_refuse(struct locator *l, int32_t pid, struct diag *diag);

/* Adds the jitdump that m maps, when it is still that file. */
void host_maps_add_mapped(struct locator *l, const struct mapping *m, struct diag *diag);

#endif
