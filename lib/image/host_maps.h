/*
 * host_maps - finds the perf maps and jitdumps that runtimes wrote on this machine.
 *
 * The files are perf-PID.map and jit-PID.dump in the /tmp of the process, which may be in a
 * container, and all jitdumps that the process mapped.
 *
 * Only regular files are opened.  Their owner must be root, the user of the process, or the user
 * of this program.
 */
#ifndef IMAGE_HOST_MAPS_H
#define IMAGE_HOST_MAPS_H

#include "image/locate.h"
#include "process/process.h"

/*
 * Adds the maps of process `pid` to `l`, unless host_maps_refuse returns true.  Sets
 * *nspid to the pid of the process in its innermost namespace, or to -1 if the process
 * has ended.
 */
void host_maps_add(struct locator *l, int32_t pid, int32_t *nspid, struct diag *diag);

/*
 * Returns true if the maps of process `pid` must not be used, because the profile was recorded on
 * another machine, where the pid belonged to a different process.  If a map exists here, reports
 * the reason.
 */
bool host_maps_refuse(struct locator *l, int32_t pid, struct diag *diag);

/* Adds the jitdump that `m` maps if the file still exists and was not replaced. */
void host_maps_add_mapped(struct locator *l, const struct mapping *m, struct diag *diag);

#endif
