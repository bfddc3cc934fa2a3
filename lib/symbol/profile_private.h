/*
 * profile_private - the state behind symbol/profile.h.
 */
#ifndef SYMBOL_PROFILE_PRIVATE_H
#define SYMBOL_PROFILE_PRIVATE_H

#include "bind/native/unwind.h"
#include "reader/tracepoint/tracing.h"
#include "symbol/inputs.h"
#include "symbol/resolve.h"
#include "symbol/text/textline.h"
#include "symbol/timeline.h"

struct profile {
	struct session session;
	struct inputs inputs;
	struct frames frames;
	struct unwinder *unwinder;
	struct trace_names trace_names; /* for the reader, of what the binder knows */
	struct textlines text;          /* when it is a text */
	struct timeline timeline;       /* likewise */

	struct event event;      /* the current one */
	struct table cgroup_ids; /* id of a cgroup -> str_id of its path + 1 */
	uint64_t ndamages; /* damaged places that were passed over */
	bool met_sample, met_end;
	struct str perf_said; /* in a text, in place of samples */
	struct passed_over {  /* what samples that are not wanted are of, some of it */
		int32_t pid;
		str_id comm, event;
	} passed[8];
	size_t npassed;
	unsigned lacking;     /* 1 << enum select_by: it was said that samples lack it */
	uint64_t shown_at;    /* bytes read when progress was shown last */
	uint64_t nsamples, nframes; /* that were read */
	uint64_t lost_samples, lost_records; /* while it was recorded, as its records say */
	uint64_t nlost_leaves; /* samples that were taken in no mapping */
	uint64_t nguessed;          /* samples with a frame that is NAMED_GUESSED */
};

#endif
