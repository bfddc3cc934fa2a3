/*
 * event - the result of a call to a reader.
 *
 * The pointers in an event are valid until the next reader_next().  Intern strings for later use.
 * Frames run from leaf to root, as in perf.  Rare fields are reached through pointers.
 */
#ifndef READER_EVENT_H
#define READER_EVENT_H

#include "base/str.h"

enum event_kind {
	EV_SAMPLE, /* has frames.  From text also raw */
	EV_FOLDED, /* one line of folded stacks.  raw is the stack, root first */
	/* Any other text, to be copied from raw.  In folded stacks, the header of pfold. */
	EV_TEXT,
	EV_MMAP, /* has map.  From text, MMAP, COMM, FORK and EXIT also have raw */
	EV_COMM, /* comm is the new name of tid */
	EV_FORK, /* thread tid of pid was created by ptid of ppid */
	EV_EXIT,
	EV_LOST, /* weight is the number of lost records */
	/* EV_SWITCH to EV_UNTHROTTLE use event.other.  Text has EV_SWITCH too. */
	EV_LOST_SAMPLES, /* weight is the number of lost samples */
	EV_SWITCH,       /* tid was scheduled out or in */
	EV_NAMESPACES,   /* the namespaces of tid */
	EV_CGROUP,
	EV_KSYMBOL,   /* a named range of kernel code was added or removed */
	EV_BPF,       /* a BPF program was loaded or unloaded */
	EV_BPF_NOTES, /* what a BPF program states about itself */
	EV_TEXT_POKE, /* kernel code was changed */
	EV_AUX,
	EV_ITRACE_START,
	EV_THROTTLE,
	EV_UNTHROTTLE,
	EV_ROUND, /* perf.data: a FINISHED_ROUND record, without contents */
	/* nettrace: method map.path of pid, at map.start (since time_ns, if has_time) */
	EV_CODE,
};

/* The mode that executed an ip: PERF_RECORD_MISC_CPUMODE_MASK, linux/perf_event.h. */
enum cpumode {
	MODE_UNKNOWN,
	MODE_KERNEL,
	MODE_USER,
	MODE_HV,
	MODE_GUEST_KERNEL,
	MODE_GUEST_USER
};

enum line_form { LINE_PERF, LINE_BPF }; /* the program that printed a frame's line */

struct frame {
	uint64_t ip;     /* run-time address.  Text: as printed, 0 until line is split */
	struct str line; /* text: the frame's line without newline.  Empty otherwise */
	uint8_t cpumode; /* enum cpumode.  MODE_UNKNOWN from text */
	bool caller;     /* ip is a return address (not the leaf of a chain) */
	bool inlined;    /* text: the following source line ends in "(inlined)" */
	bool unwound; /* made by bind/native/unwind.h: ip is the call, not its return */
	uint8_t form; /* text: enum line_form */
	/* text: bytes of the function, offset of the module, or 0 */
	uint16_t func_n, module_at;
	uint16_t whole; /* text: bytes of line plus the following source line, or 0 */
	/* text: 1 + index of the line in event.notes.  Table: number of the location.  Or 0 */
	uint32_t known;
};

/* Returns the line of a frame, with the source line below it if there is one. */
static inline struct str frame_whole(const struct frame *f)
{
	return (struct str){ f->line.p, f->whole ? f->whole : f->line.n };
}

struct mmap_event {
	uint64_t start, len; /* run-time address and bytes */
	uint64_t file_off;   /* offset of start in the file (perf: pgoff) */
	uint32_t prot;       /* PROT_*, or PROT_EXEC if it was not recorded */
	uint32_t flags;      /* MAP_*, or 0 if it was not recorded */
	uint32_t maj, min;   /* device, or 0 if the record has a build-id instead */
	uint64_t ino, ino_gen;
	struct str build_id; /* raw bytes, or empty */
	struct str path;     /* as perf names it: "/usr/lib/x.so", "//anon", "[vdso]" */
	struct str printed;  /* module in perf's frames, if it is not path */
	struct str recorded; /* the path in the record: "[kernel.kallsyms]_text" */
	uint8_t cpumode;     /* MODE_KERNEL for the kernel and its modules */
	bool brief;          /* from a MMAP record, which has no device, prot and flags */
	/* table: number of the mapping.  len is 0 if its addresses are out of its range */
	uint32_t number;
};

/* One perf_event_attr of the profile.  Lives as long as the reader. */
struct attr {
	struct str name; /* "cpu-clock:pppH", or empty if a text does not print it */
	struct str unit; /* of the weights, as pprof names it: "nanoseconds".  Or empty */
	uint32_t type;   /* PERF_TYPE_* */
	uint64_t config;
	uint64_t sample_type; /* PERF_SAMPLE_* bits: reader/fields.h */
	uint64_t branch_type; /* PERF_SAMPLE_BRANCH_* bits */
	bool has_callchain;   /* samples carry call chains */
	bool runtime;         /* delivered because of reader_want_events */
	bool monotonic;       /* times are of CLOCK_MONOTONIC (perf record -k mono) */
	int32_t clockid;      /* clockid_t of the times, or -1 for perf's own clock */
};

/* A folded line with two counts, as difffolded.pl writes it: "main;parse 3 7". */
struct pair {
	struct str stack; /* the event's raw without the first count */
	uint64_t before;  /* the first count.  The second one is event.weight */
	uint32_t fraction;
};

/* The value of a tracepoint's field.  `text` is set if perf prints it as a word. */
struct trace_value {
	int64_t number;
	struct str text; /* points into the event.  Empty: `number` is the value */
};

struct fields;
struct other_fields;

struct event {
	enum event_kind kind;
	int32_t pid, tid;       /* pid is -1 if the text does not contain it */
	int32_t ppid, ptid;     /* FORK, EXIT */
	int32_t cpu;            /* -1 when unknown */
	int32_t by_pid, by_tid; /* not SAMPLE: the thread that caused the record, or -1 */
	bool has_time;
	bool exec;         /* COMM: the name was set by exec */
	uint16_t misc;     /* perf.data: PERF_RECORD_MISC_* bits of the record */
	uint64_t time_ns;  /* 0 if !has_time.  From text with the printed precision */
	uint64_t weight;   /* SAMPLE: period (1 if it was not recorded).  FOLDED: count */
	uint32_t fraction; /* FOLDED: decimals of the count, in billionths */
	struct str comm;   /* COMM and SAMPLE from text.  Empty for other events */
	const struct attr *attr; /* from perf.data.  Text: only attr->name, for SAMPLE */
	struct frame *frames;    /* SAMPLE */
	size_t nframes;
	uint32_t *notes;  /* SAMPLE from text: words for the caller, initially 0 */
	bool stays;       /* the lines of frames are valid until reader_close */
	size_t odd_at;    /* SAMPLE: 1 + frames before a marker that perf rejects, or 0 */
	struct frame top; /* SAMPLE of perf.data: the interrupted instruction */
	struct mmap_event map; /* MMAP */
	struct str payload;    /* SAMPLE: raw data, or from text the printed payload */
	const struct fields *fields; /* SAMPLE: rare fields, or NULL */
	const struct pair *pair;     /* FOLDED: the two counts, or NULL if there is one */
	const struct other_fields *other; /* fields of some kinds, or NULL */
	struct str raw; /* text: the event's bytes, line ends included */
	uint64_t at;    /* byte offset in the input */
};

#endif
