/* session - the state that all of symbol/ shares while a profile is open.  Private to symbol/. */
#ifndef SYMBOL_SESSION_H
#define SYMBOL_SESSION_H

#include "bind/bind.h"
#include "image/locate.h"
#include "process/process.h"
#include "symbol/profile.h"

enum { KERNEL_BIT = 63 }; /* bit of an address that is set in the kernel */

struct session {
	struct profile_opts opts;
	struct diag *diag;
	struct arena run; /* memory that lives as long as the profile */
	struct interner names;
	struct locator locator; /* the files in the sources */
	struct binder *binder;
	struct processes *ps; /* the mappings of each process at the last event */
	bool can_name;        /* true if some source may name a frame */
	int32_t only_pid;     /* -p PID: the process of a text without pids, or -1 */
};

#endif
