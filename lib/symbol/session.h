/*
 * session - the state that all files of symbol/ share while a profile is open.  Private to
 * symbol/.
 */
#ifndef SYMBOL_SESSION_H
#define SYMBOL_SESSION_H

#include "bind/bind.h"
#include "image/locate.h"
#include "process/process.h"
#include "symbol/profile.h"

enum { KERNEL_BIT = 63 }; /* this bit is set in kernel addresses */

struct session {
	struct profile_opts opts;
	struct diag *diag;
	struct arena run; /* memory that lives as long as the profile */
	struct interner names;
	struct locator locator; /* all input files */
	struct binder *binder;
	struct processes *ps; /* the mappings of each process, up to the current event */
	bool can_name;        /* at least one input file may name frames */
	int32_t only_pid;     /* PID of option -p, used if a text has no pids, or -1 */
};

#endif
