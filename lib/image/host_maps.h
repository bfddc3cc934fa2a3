/*
 * host_maps - what a runtime of this machine wrote of its JIT code: /tmp/perf-PID.map and
 * /tmp/jit-PID.dump as the process sees /tmp, and the jitdump that it mapped.
 *
 * Only regular files of root, of the process's user or of who runs this are opened.
 */
#ifndef IMAGE_HOST_MAPS_H
#define IMAGE_HOST_MAPS_H

#include "image/locate.h"
#include "process/process.h"

/*
 * Adds those of process pid to l unless host_maps_refuse.  *nspid: the
 * process's pid in its innermost namespace while it lives, else -1.
 */
void host_maps_add(struct locator *l, int32_t pid, int32_t *nspid, struct diag *diag);

/*
 * True if the maps of process pid are not used, as they may be those of another process: the
 * profile was recorded elsewhere.  Reports the reason if there is a map.
 */
bool host_maps_refuse(struct locator *l, int32_t pid, struct diag *diag);

/* Adds the jitdump that m maps, when it is still that file. */
void host_maps_add_mapped(struct locator *l, const struct mapping *m, struct diag *diag);

#endif
