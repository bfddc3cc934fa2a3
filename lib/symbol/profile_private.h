/* profile_private - the state of symbol/profile.h. */
#ifndef SYMBOL_PROFILE_PRIVATE_H
#define SYMBOL_PROFILE_PRIVATE_H

#include "bind/native/unwind.h"
#include "reader/tracepoint/tracing.h"
#include "symbol/inputs.h"
#include "symbol/resolve.h"
#include "symbol/text/textline.h"
#include "symbol/timeline.h"

/*
 * Caches for a profile with a table of locations.  They have two elements for each location: as
 * leaf and as caller.
 */
struct located_frames {
	struct located_frame {
		frame_id id;      /* frame_id + 1, or 0 if the frame is not known */
		uint32_t mapping; /* location.mapping */
		uint64_t addr;    /* placed.addr */
	} * known;
	bool *noted; /* the frame was passed to the binder */
	size_t stacks_cap;
	/* indexed by event.stack: number of delayed samples, and the bits of symbol/located.c */
	uint64_t *stack;
	bool delays;      /* profile_delay was called */
	const bool *left; /* the argument of profile_delay */
	size_t left_at;   /* index in `left` of the last sample */
};

struct profile {
	struct session session;
	struct inputs inputs;
	struct frames frames;
	struct unwinder *unwinder;
	struct trace_names trace_names; /* names kernel addresses for the reader */
	struct textlines text;          /* used if the profile is a text */
	struct timeline timeline;       /* used if the profile is a text */
	struct located_frames located;  /* used if the profile has locations */

	struct event event;        /* the current event */
	struct table cgroup_ids;   /* id of a cgroup -> str_id of its path + 1 */
	struct learning *learning; /* symbol/prescan.c, or NULL */
	struct {                   /* symbol/part.c */
		size_t n;          /* number of parts, or 0 */
		uint64_t bytes;    /* size in bytes of a part of a text */
		uint64_t at;       /* offset of the next event of a text */
		/*
		 * for a text: offset of the end of the part.  Otherwise: index of the
		 * slice after the part
		 */
		uint64_t end;
		/* number of events that are applied before the part's own events */
		size_t changes;
		/* number of frames when the worker started, and number of frames sent */
		size_t base, sent;
		size_t njit, ncode; /* numbers of noted addresses that were sent */
		/*
		 * minimum bytes of the slices that the pass before the first sample
		 * notes, or 0 if it notes none
		 */
		uint64_t least;
		bool given;             /* inputs_bind_given was called */
		bool divided;           /* profile_next ends where the part ends */
		bool records;           /* the text has records (such as COMM) */
		bool noted;             /* the frames of all parts were noted */
		bool over;              /* all parts were read */
		struct processes *last; /* the state after all events of the slices */
		/* parts of a perf.data: part i begins at slice first[i] */
		uint32_t *first;
		size_t first_cap;
	} part;
	uint64_t ndamages; /* number of damaged places that were skipped */
	bool met_sample, met_end;
	bool uncounted; /* do not print a summary */
	/* a text contains this error message of perf instead of samples */
	struct str perf_said;
	struct passed_over { /* distinct skipped samples, for a report */
		int32_t pid;
		str_id comm, event;
	} passed[8];
	size_t npassed;
	/* set of 1 << enum select_by: missing fields that were reported */
	unsigned lacking;
	uint8_t unshown;            /* calls of show_progress since the last check */
	uint64_t shown_at;          /* bytes read when progress was last displayed */
	uint64_t nsamples, nframes; /* numbers of samples and frames that were read */
	/*
	 * numbers of samples and records that were lost during the recording, from its
	 * LOST records
	 */
	uint64_t lost_samples, lost_records;
	uint64_t nlost_leaves; /* samples whose leaf is in no mapping */
	uint64_t nguessed;     /* samples that contain a frame with NAMED_GUESSED */
};

#endif
