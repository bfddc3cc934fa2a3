/*
 * reader - bytes in, events out.
 *
 * The reader looks at the first bytes, picks the format that bids highest, and
 * then yields one event a call whatever the format was: perf.data, the text of
 * perf script, folded stacks.  Time order is that of `perf script`.
 *
 * What an event points to is valid until the next reader_next(); keep longer by
 * interning.  Frames run from leaf to root, as perf has them.
 */
#ifndef READER_READER_H
#define READER_READER_H

#include "base/arena.h"
#include "base/diag.h"
#include "source/source.h"

enum event_kind {
	EV_SAMPLE, /* frames; from text also the raw span */
	EV_FOLDED, /* one line of folded stacks: raw is the stack, root first */
	EV_TEXT,   /* text that is none of this: raw is passed through */
	EV_MMAP,   /* map; from text also raw, as for COMM, FORK and EXIT */
	EV_COMM,   /* comm is the new name of tid */
	EV_FORK,   /* pid, tid came from ppid, ptid */
	EV_EXIT,
	EV_LOST, /* weight records were lost */
};

/* Whose address an ip is: PERF_RECORD_MISC_CPUMODE_MASK, include/uapi/linux/perf_event.h.
 */
enum cpumode {
	MODE_UNKNOWN,
	MODE_KERNEL,
	MODE_USER,
	MODE_HV,
	MODE_GUEST_KERNEL,
	MODE_GUEST_USER
};

struct frame {
	uint64_t ip;     /* run-time address; 0 from text: see line */
	struct str line; /* text: the frame's line without its line end; else empty */
	uint8_t cpumode; /* enum cpumode; MODE_UNKNOWN from text */
	bool caller;     /* ip is a return address: not the leaf of its chain */
};

struct mmap_event {
	uint64_t start, len; /* run-time address and bytes */
	uint64_t file_off;   /* offset of start in the file (perf: pgoff) */
	uint32_t prot;       /* PROT_*; PROT_EXEC when the record has none */
	uint32_t flags;      /* MAP_*; 0 when the record has none */
	uint32_t maj, min;   /* device; 0 when it has a build-id instead */
	uint64_t ino, ino_gen;
	struct str build_id; /* raw bytes; empty when unknown */
	struct str path;     /* as perf prints it: "/usr/lib/x.so", "//anon", "[vdso]" */
	uint8_t cpumode;     /* MODE_KERNEL for the kernel and its modules */
};

/* One perf_event_attr of the profile; lives as long as the reader. */
struct attr {
	struct str name; /* "cpu-clock:pppH"; empty from text without event */
	uint32_t type;   /* PERF_TYPE_* */
	uint64_t config;
	uint64_t sample_type; /* PERF_SAMPLE_* bits */
	bool has_callchain;   /* samples carry call chains */
};

struct event {
	enum event_kind kind;
	int32_t pid, tid;    /* pid -1: the text does not say */
	int32_t ppid, ptid;  /* FORK, EXIT */
	int32_t cpu, by_tid; /* -1 when unknown; by_tid: whose record it is, no SAMPLE */
	bool has_time;
	uint64_t time_ns;        /* 0 when !has_time; text: to the digits it had */
	uint64_t weight;         /* SAMPLE: period (1 when it has none); FOLDED: count */
	uint32_t fraction;       /* FOLDED: billionths behind the point of the count */
	struct str comm;         /* SAMPLE from text, COMM; else empty */
	bool exec;               /* COMM: by exec */
	const struct attr *attr; /* any of perf.data; of a text's SAMPLE, name only */
	struct frame *frames;    /* SAMPLE */
	size_t nframes;
	struct frame top;      /* SAMPLE of perf.data: where it was taken */
	struct mmap_event map; /* MMAP */
	struct str payload;    /* SAMPLE: raw data of a tracepoint; empty from text */
	struct str raw;        /* text: the bytes of the event, line ends included */
	uint64_t at;           /* byte offset in the input */
};

struct reader;

/* How sure a format is of these first bytes; 0: none of ours. */
enum reader_format { READ_NONE, READ_PERFDATA, READ_PERFSCRIPT, READ_FOLDED };
enum reader_format reader_bid(struct str head);

/*
 * Which member of s is the profile, of the formats in mask (1 << enum
 * reader_format): perf.data before perf script text before folded stacks; among
 * several of one format the shallowest, then the one called perf.data.  name is
 * --member, or NULL.  -1: none, or still several (listed); reported by diag_fatal.
 */
int reader_choose(struct source *s, const char *name, unsigned mask, struct diag *diag,
                  size_t *out);

/* NULL: no format wants the member, reported.  run holds what lives as long as it. */
struct reader *reader_open(struct source *s, size_t member, struct arena *run,
                           struct diag *diag);

enum reader_format reader_format(const struct reader *r);

/* 1: *ev is the next event.  0: end.  -1: damage, reported; go on. */
int reader_next(struct reader *r, struct event *ev);

/* Back to the first event.  Damage met again is not reported again. */
void reader_rewind(struct reader *r);

/*
 * A pipe is kept from here on, so that reader_rewind can come back; a file needs
 * nothing.  reader_held says how many bytes are being kept (0 for a file).
 */
void reader_hold(struct reader *r);
uint64_t reader_held(const struct reader *r);

/* Where it is and how much there is, in bytes; total is 0 when unknown. */
void reader_progress(const struct reader *r, uint64_t *done, uint64_t *total);

/* The events of the profile (perf.data: all; text: none). */
size_t reader_attrs(const struct reader *r, const struct attr *const **out);

/* Text of a tracepoint's payload as perf prints it, into out; false: unknown format. */
struct out;
bool reader_trace_text(struct reader *r, const struct event *ev, struct out *out);

/* Accepts NULL. */
void reader_close(struct reader *r);

/* What one frame line of perf script says.  All slices point into line. */
struct frame_text {
	uint64_t addr;     /* as printed: run-time or file offset, by perf version */
	struct str func;   /* without offset; empty when "[unknown]" or absent */
	uint64_t func_off; /* behind "+0x" */
	bool has_off;
	struct str module; /* what stands in the last parentheses; empty: none */
	bool inlined;      /* "(inlined)" stands there */
	struct str tail;   /* what follows the parentheses ("insn: ...") */
};

/* False when line is not a frame line. */
bool reader_parse_frame(struct str line, struct frame_text *out);

#endif
