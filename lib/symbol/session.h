/*
 * session - the state behind symbol/profile.h; private to symbol/.
 */
#ifndef SYMBOL_SESSION_H
#define SYMBOL_SESSION_H

#include "base/table.h"
#include "image/locate.h"
#include "reader/tracepoint/tracing.h"
#include "symbol/recorded.h"
#include "process/process.h"
#include "bind/bind.h"
#include "symbol/chain.h"
#include "symbol/profile.h"
#include "bind/native/unwind.h"

enum { KERNEL_BIT = 63 }; /* of an address: it is the kernel's */

/* What the addresses of user frames in a text are. */
struct text_forms {
	enum address_form is, said; /* said: by the version in its header */
	size_t offset, absolute;    /* frames that can only be such */
	size_t named;               /* of them, those whose names show it */
};

/* Lines whose addresses may mean different things. */
enum text_line {
	TEXT_LINE_CHAIN, /* a frame of a call chain of perf's */
	TEXT_LINE_LONE,  /* perf's, where no call chain was recorded */
	TEXT_LINE_BPF,
};

/*
 * Whom a line was looked at for last.  For the same process it means the same until
 * something is mapped.
 */
struct line_last {
	const struct processes *ps; /* NULL: for nobody yet */
	uint64_t changes;           /* process_changes then */
	int32_t pid;
	bool caller;
	frame_id frame; /* what it was, if it was resolved and not only read ahead */
};

/* A distinct line of a text. */
struct line_fact {
	bool parsed, is_frame;
	bool fixed;     /* frame is what it is, in every process at any time */
	frame_id frame; /* when fixed */
	uint64_t addr;  /* when not: what it says */
	str_id module;  /* 0: none stands there */
	enum text_line kind;
	struct str prefix; /* LINE_BPF: what stands in front of the name */
	struct line_last last;
};

struct profile {
	struct profile_opts opts;
	struct diag *diag;
	struct diag source_diag; /* for readers of sources: their damage warns */
	struct arena run;
	struct interner names;
	struct source *source; /* the input; NULL when there is none */
	size_t member;
	struct reader *reader;
	struct source **sources; /* -m and -p */
	size_t nsources, sources_cap;
	struct locator locator;
	struct processes *ps;
	struct binder *binder;
	struct unwinder *unwinder;
	struct trace_names trace_names; /* for the reader, of what the binder knows */
	struct recorded recorded;
	bool can_name;    /* some source may name a frame */
	int32_t only_pid; /* -p PID: whose text is that does not say; or -1 */

	struct text_forms form; /* text: what addresses mean */
	struct table shown_of;  /* (module, pid) -> index of shown + 1 */
	struct table shown_by;  /* (address, index of shown) -> 1 + enum address_form */
	struct shown_module *shown; /* symbol/text/named_evidence.h */
	size_t nshown, shown_cap;
	struct seeker *seeker; /* symbol/text/find_bias.h; NULL: nothing to look for */
	uint64_t unplaced;     /* text: frames of JIT code whose ip nothing tells, */
	uint64_t unowned;      /* and those of them whose process nothing tells */
	uint64_t unmapped;     /* frames of files, likewise */

	/* Text: a perf.data of the same capture, read along with it. */
	struct reader *timeline; /* NULL: none */
	struct event ahead;      /* its next event */
	bool has_ahead;

	struct resolved *frame; /* by frame_id */
	uint64_t *uses;         /* by frame_id: times it was met */
	size_t nframes, frames_cap, uses_cap;
	struct table
	        by_ip; /* (mapping, ip and caller) -> frame_id + 1, or one that varies */
	struct table by_generation; /* (one that varies, its piece of code) -> likewise */
	uint32_t nvarying;          /* addresses whose code changes in the profile */
	struct table line_of;       /* (file, line) -> str_id of "FILE:LINE" */
	struct inlined_name *inlined; /* of the frame at hand */
	size_t inlined_cap;
	struct interner lines;
	struct line_fact *line; /* by str_id of lines */
	size_t lines_cap;
	struct chains chains;
	struct table by_line; /* (line and caller, mapping or pid) -> frame_id + 1 */

	struct table cgroup_ids; /* id of a cgroup -> str_id of its path + 1 */

	bool met_sample, met_end;
	struct str perf_said; /* in a text, in place of samples */
	struct event event;   /* the current one */
	frame_id *ids;        /* of the current sample */
	size_t ids_cap;
	struct coverage coverage;
	unsigned lacking;  /* 1 << enum select_by: it was said that samples lack it */
	uint64_t shown_at; /* bytes read when progress was shown last */
};

/* setup.c: opens, and proves.  -1: reported. */
int profile_setup(struct profile *p);

struct reader *profile_open_item(struct profile *p, const struct item *it);

/* Saved /proc/PID/maps, for what nothing else knows the mappings of. */
void profile_apply_saved_maps(struct profile *p);

/* prove.c: reads ahead, binds, and comes back to the beginning. */
void profile_prove(struct profile *p);

/* Applies what the timeline says up to that time. */
void profile_advance(struct profile *p, const struct event *ev);

/* resolve.c: the frames of a sample, into p->ids; returns the number of its chain. */
uint32_t profile_resolve(struct profile *p, const struct event *ev, int32_t pid);

/*
 * textline.c: the same for a text that is copied as it is, where nothing can name a frame: they are
 * counted by their chains.  profile_settle_counts makes of that uses of frames.
 */
void profile_count(struct profile *p, const struct event *ev);
void profile_settle_counts(struct profile *p);

/* coverage.c */
void profile_show_progress(struct profile *p);

#endif
