/* profile_private - the state of symbol/profile.h. */
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
	struct trace_names trace_names; /* for the reader, with names from the binder */
	struct textlines text;          /* when it is a text */
	struct timeline timeline;       /* the same */

	struct event event;      /* the current one */
	struct table cgroup_ids; /* id of a cgroup -> str_id of its path + 1 */
	uint64_t ndamages;       /* damaged places that were passed over */
	bool met_sample, met_end;
	struct str perf_said; /* in a text, in place of samples */
	struct passed_over {  /* some properties of the skipped samples */
		int32_t pid;
		str_id comm, event;
	} passed[8];
	size_t npassed;
	/* 1 << enum select_by, if it was reported that samples lack it */
	unsigned lacking;
	uint64_t shown_at;          /* bytes read when progress was shown last */
	uint64_t nsamples, nframes; /* that were read */
	/* during the recording, according to its records */
	uint64_t lost_samples, lost_records;
	uint64_t nlost_leaves; /* samples that were taken in no mapping */
	uint64_t nguessed;     /* samples with a frame that is NAMED_GUESSED */
};

#endif
