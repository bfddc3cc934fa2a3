/*
 * session - what all of symbol/ works with while a profile is open; private to symbol/.
 */
#ifndef SYMBOL_SESSION_H
#define SYMBOL_SESSION_H

#include "bind/bind.h"
#include "image/locate.h"
#include "process/process.h"
#include "symbol/profile.h"

enum { KERNEL_BIT = 63 }; /* of an address: it is the kernel's */

struct session {
	struct profile_opts opts;
	struct diag *diag;
	struct arena run; /* what lives as long as the profile */
	struct interner names;
	struct locator locator; /* what the sources hold */
	struct binder *binder;
	struct processes *ps; /* who has what mapped, as of the last event */
	bool can_name;        /* some source may name a frame */
	int32_t only_pid;     /* -p PID: whose text is that does not say; or -1 */
};

#endif
