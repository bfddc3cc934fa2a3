/*
 * format - the interface between reader.c and each input format of reader/.  Private to reader/.
 *
 * The function `bid` of each format rates the first bytes of a file, and the format with the
 * highest bid opens the file.  The reader of a format begins with a struct reader, which `open`
 * fills in.
 */
#ifndef READER_FORMAT_H
#define READER_FORMAT_H

#include "reader/reader.h"

struct format {
	const char *name; /* "perf.data" */
	/* Text for messages: "this is perf.data".  NULL if all commands accept the format. */
	const char *what;
	struct traits traits;
	int (*bid)(struct str head); /* number of bits that identify the format, or 0 */
	/* If the member is unreadable, reports this with diag_fatal and returns NULL. */
	struct reader *(*open)(struct source *s, size_t member, struct arena *run,
	                       struct diag *diag);
	int (*next)(struct reader *r, struct event *ev); /* as reader_next */
	void (*rewind)(struct reader *r);
	/*
	 * Omits samples with stacks that were already delivered.  NULL if the format
	 * delivers all samples.
	 */
	void (*skip_repeated)(struct reader *r, bool by_thread);
	/* NULL if the format does not support reader_seek. */
	uint64_t (*seek)(struct reader *r, uint64_t at, uint64_t n);
	/* NULL if the format cannot be read in slices: reader/sliced.h */
	bool (*divide)(struct reader *r, uint64_t least, bool skips);
	size_t (*slices)(const struct reader *r);
	uint64_t (*samples)(const struct reader *r); /* may be NULL */
	size_t (*enter)(struct reader *r, size_t slice, size_t end);
	bool (*is_odd)(const struct reader *r, size_t end);
	void (*tell)(struct reader *r, size_t slice);
	/* Selects events to be delivered as samples.  NULL if the format has only samples. */
	void (*want_events)(struct reader *r, const struct event_names *names);
	/*
	 * Keeps the bytes of a pipe from now on.  NULL if the format never needs to keep
	 * them.
	 */
	void (*hold)(struct reader *r);
	uint64_t (*held)(const struct reader *r); /* NULL means 0 */
	void (*progress)(const struct reader *r, uint64_t *done, uint64_t *total);
	size_t (*attrs)(const struct reader *r,
	                const struct attr *const **out);          /* NULL means 0 */
	const struct capture *(*capture)(const struct reader *r); /* may be NULL */
	/* These functions are NULL if the format has no tracepoints. */
	void (*trace_names)(struct reader *r, const struct trace_names *names);
	bool (*trace_text)(struct reader *r, const struct event *ev, struct out *out);
	bool (*trace_value)(struct reader *r, const struct event *ev, struct str field,
	                    struct trace_value *out);
	struct str (*trace_fields)(struct reader *r, const struct event *ev,
	                           struct arena *a);
	/* These functions are NULL without traits.has_locations. */
	size_t (*locations)(const struct reader *r);
	void (*frames)(struct reader *r, struct event *ev);
	void (*skim)(struct reader *r, bool on);
	void (*join)(struct reader *r, bool undated); /* may be NULL */
	struct location (*location)(struct reader *r, uint32_t number);
	struct str (*written)(const struct reader *r); /* may be NULL */
	void (*close)(struct reader *r);
};

struct reader {
	const struct format *format;
	struct arena *run;
	struct diag *diag;
	struct budget *budget; /* time budget of the input, or NULL for no limit */
	struct str name;       /* name of the input, for messages */
	/* damage before this byte or line was already reported */
	uint64_t told;
	bool as_written;                 /* perf.data: deliver events in file order */
	const struct skimming *skimming; /* NULL: all samples are needed */
};

/* Returns true if damage at `at` was not reported yet, and marks it as reported. */
static inline bool format_tells(struct reader *r, uint64_t at)
{
	if (at < r->told)
		return false;
	r->told = at + 1;
	return true;
}

#endif
