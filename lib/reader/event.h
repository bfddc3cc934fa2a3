/*
 * event - the result of a call to a reader.
 *
 * The pointers in an event are valid until the next reader_next().  Intern strings to keep them
 * longer.  Frames run from leaf to root, as in perf.  Rare fields are behind pointers, so that
 * other events do not pay for them.
 */
#ifndef READER_EVENT_H
#define READER_EVENT_H

#include "base/str.h"

enum event_kind {
	EV_SAMPLE, /* frames, and from text also the raw span */
	EV_FOLDED, /* one line of folded stacks: raw is the stack, root first */
	/* other text, passed on as raw.  For folded stacks, the header of pfold */
	EV_TEXT,
	EV_MMAP, /* map, and from text also raw, as for COMM, FORK and EXIT */
	EV_COMM, /* comm is the new name of tid */
	EV_FORK, /* pid, tid came from ppid, ptid */
	EV_EXIT,
	EV_LOST, /* weight records were lost */
	/* From here to EV_UNTHROTTLE, event.other has the fields.  Text has SWITCH too. */
	EV_LOST_SAMPLES, /* weight samples were lost */
	EV_SWITCH,       /* tid was scheduled out or in */
	EV_NAMESPACES,   /* of tid */
	EV_CGROUP,
	EV_KSYMBOL,   /* a named range of kernel code was added or removed */
	EV_BPF,       /* a BPF program was loaded or unloaded */
	EV_TEXT_POKE, /* kernel code was changed */
	EV_AUX,
	EV_ITRACE_START,
	EV_THROTTLE,
	EV_UNTHROTTLE,
	EV_ROUND, /* perf.data: a FINISHED_ROUND record, without contents */
	/* nettrace: code of pid, called map.path, at map.start since time_ns if has_time */
	EV_CODE,
};

/* An ip is an address of one of these: PERF_RECORD_MISC_CPUMODE_MASK, linux/perf_event.h. */
enum cpumode {
	MODE_UNKNOWN,
	MODE_KERNEL,
	MODE_USER,
	MODE_HV,
	MODE_GUEST_KERNEL,
	MODE_GUEST_USER
};

/* The program that printed the line of a frame. */
enum line_form { LINE_PERF, LINE_BPF };

struct frame {
	uint64_t ip;     /* run-time address.  From text as printed, 0 before the split */
	struct str line; /* text: the frame's line without its line end, else empty */
	uint8_t cpumode; /* enum cpumode.  MODE_UNKNOWN from text */
	bool caller;     /* ip is a return address: not the leaf of its chain */
	bool inlined;    /* text: the source line after it has "(inlined)" */
	bool unwound;    /* bind/native/unwind.h: ip is the call itself */
	uint8_t form;    /* text: enum line_form */
	uint16_t func_n, module_at; /* text: bytes of func, offset of the module, or 0 */
	uint16_t whole; /* text: bytes of line with the source line after it, or 0 */
	uint32_t known; /* text: 1 + the index of the line's note in event.notes, or 0 */
};

/* The line of a frame, and the source line below it if there is one. */
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
	struct str printed;  /* module in perf's frames, or empty for path */
	struct str recorded; /* as the record has it: "[kernel.kallsyms]_text" */
	uint8_t cpumode;     /* MODE_KERNEL for the kernel and its modules */
	bool brief;          /* a MMAP record: it has no device, prot and flags */
};

/* One perf_event_attr of the profile.  Lives as long as the reader. */
struct attr {
	struct str name; /* "cpu-clock:pppH", or empty from text without event */
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
	struct str stack; /* raw without the first count */
	uint64_t before;  /* the first count.  The second is the event's weight */
	uint32_t fraction;
};

/* A field of a tracepoint's payload.  text is set if perf prints it as a word. */
struct trace_value {
	int64_t number;
	struct str text; /* points into the event, or empty if number has the value */
};

struct fields;
struct other_fields;

struct event {
	enum event_kind kind;
	int32_t pid, tid;       /* pid is -1 if the text does not contain it */
	int32_t ppid, ptid;     /* FORK, EXIT */
	int32_t cpu;            /* -1 when unknown */
	int32_t by_pid, by_tid; /* except for SAMPLE: thread of the record, or -1 */
	bool has_time;
	bool exec;         /* COMM: by exec */
	uint16_t misc;     /* perf.data: PERF_RECORD_MISC_* bits of the record */
	uint64_t time_ns;  /* 0 if !has_time.  From text as precise as printed */
	uint64_t weight;   /* SAMPLE: period (1 if it was not recorded).  FOLDED: count */
	uint32_t fraction; /* FOLDED: decimals of the count, in billionths */
	struct str comm;   /* SAMPLE from text and COMM, else empty */
	const struct attr *attr; /* of perf.data.  For a SAMPLE of text only the name */
	struct frame *frames;    /* SAMPLE */
	size_t nframes;
	uint32_t *notes; /* SAMPLE from text: words for the caller, initially 0 */
	/* SAMPLE: bytes that, with frames[0].cpumode, determine the other frames, or empty */
	struct str callers;
	bool stays; /* callers, or the lines of frames, are valid until reader_close */
	/* SAMPLE: 1 + frames before a context marker for which perf 6.1 drops the chain */
	size_t odd_at;
	struct frame top;      /* SAMPLE of perf.data: the interrupted instruction */
	struct mmap_event map; /* MMAP */
	struct str payload;    /* SAMPLE: raw data, or from text the printed payload */
	const struct fields *fields;      /* SAMPLE, or NULL without such fields */
	const struct pair *pair;          /* FOLDED: two counts, or NULL for one */
	const struct other_fields *other; /* EV_SWITCH to EV_UNTHROTTLE, else NULL */
	struct str raw; /* text: the event's bytes, line ends included */
	uint64_t at;    /* byte offset in the input */
};

#endif
