/* profile_private - the state of symbol/profile.h. */
#ifndef SYMBOL_PROFILE_PRIVATE_H
#define SYMBOL_PROFILE_PRIVATE_H

#include "bind/native/unwind.h"
#include "reader/tracepoint/tracing.h"
#include "symbol/inputs.h"
#include "symbol/resolve.h"
#include "symbol/text/textline.h"
#include "symbol/timeline.h"

/* The locations of a profile with a table of them, each as leaf and as caller. */
struct located_frames {
	struct located_frame {
		struct placed at;
		bool known;
	} * known;
	bool *noted; /* it was passed to the binder */
	size_t known_cap, noted_cap;
	/* 1 + places of the last sample resolved and noted, for which more values may follow */
	uint64_t resolved_at, noted_at;
};

struct profile {
	struct session session;
	struct inputs inputs;
	struct frames frames;
	struct unwinder *unwinder;
	struct trace_names trace_names; /* uses the names of the binder for the reader */
	struct textlines text;          /* used if the profile is a text */
	struct timeline timeline;       /* used if the profile is a text */
	struct located_frames located;  /* used if the profile has locations */

	struct event event;      /* the current event */
	struct table cgroup_ids; /* id of a cgroup -> str_id of its path + 1 */
	uint64_t nevents;        /* events of the profile, or 0 if unknown */
	uint64_t nread;          /* events that profile_next has read */
	struct {
		/* numbers of the events to deliver */
		uint64_t begin, end;
		size_t base, sent; /* symbol/part.c: frames at the start, frames sent */
		bool bytes;        /* begin, end and nread are offsets in a text */
		bool records;      /* a text has records, which change the state */
		bool over;         /* all parts were read */
	} part;
	uint64_t ndamages; /* damaged places that were passed over */
	bool met_sample, met_end;
	bool uncounted; /* no summary is printed */
	/* an error message of perf, found in a text in place of samples */
	struct str perf_said;
	struct passed_over { /* some properties of the skipped samples */
		int32_t pid;
		str_id comm, event;
	} passed[8];
	size_t npassed;
	/* set of 1 << enum select_by: a report said that samples lack it */
	unsigned lacking;
	uint64_t shown_at; /* bytes that had been read when progress was last shown */
	uint64_t nsamples, nframes; /* numbers of samples and frames that were read */
	/* numbers lost during the recording, according to its records */
	uint64_t lost_samples, lost_records;
	uint64_t nlost_leaves; /* samples whose first frame is in no mapping */
	uint64_t nguessed;     /* samples with a frame that is NAMED_GUESSED */
};

#endif
