/*
 * event - the result of reader_next.
 *
 * The pointers in an event are valid until the next reader_next().  Intern strings for later use.
 * Frames are ordered from leaf to root, as in perf.  Pointers to rare fields may be NULL.
 */
#ifndef READER_EVENT_H
#define READER_EVENT_H

#include "base/str.h"

enum event_kind {
	EV_SAMPLE, /* has frames and, if read from text, raw */
	EV_FOLDED, /* one line of folded stacks.  raw is the stack, root first */
	EV_TEXT,   /* other text, in raw.  Folded stacks: a comment of pfold or pdiff */
	EV_MMAP,   /* has map.  In text, MMAP, COMM, FORK and EXIT also have raw */
	EV_COMM,   /* comm is the new name of tid */
	EV_FORK,   /* thread ptid of process ppid created thread tid of process pid */
	EV_EXIT,
	EV_LOST, /* weight is the number of lost records */
	/* EV_SWITCH to EV_UNTHROTTLE use event.other.  Of these, a text has only EV_SWITCH. */
	EV_LOST_SAMPLES, /* weight is the number of lost samples */
	EV_SWITCH,       /* tid was scheduled out or in */
	EV_NAMESPACES,   /* namespaces of tid */
	EV_CGROUP,
	EV_KSYMBOL,   /* a named range of kernel code was added or removed */
	EV_BPF,       /* a BPF program was loaded or unloaded */
	EV_BPF_NOTES, /* keys and values in a BPF program */
	EV_TEXT_POKE, /* kernel code was changed */
	EV_AUX,
	EV_ITRACE_START,
	EV_THROTTLE,
	EV_UNTHROTTLE,
	EV_ROUND, /* perf.data: a FINISHED_ROUND record */
	/* nettrace: method map.path is at map.start in pid (since time_ns if has_time) */
	EV_CODE,
};

/* The mode in which an ip was executed: PERF_RECORD_MISC_CPUMODE_MASK, linux/perf_event.h. */
enum cpumode {
	MODE_UNKNOWN,
	MODE_KERNEL,
	MODE_USER,
	MODE_HV,
	MODE_GUEST_KERNEL,
	MODE_GUEST_USER
};

enum line_form { LINE_PERF, LINE_BPF }; /* program that printed the line */

struct frame {
	uint64_t ip; /* run-time address.  Text: as printed, 0 until the line is split */
	struct str line; /* text: the line without newline.  Otherwise empty */
	uint8_t cpumode; /* enum cpumode.  MODE_UNKNOWN from text */
	bool caller;     /* ip is a return address, unlike in a leaf */
	bool inlined;    /* text: "(inlined)" ends the source line that follows */
	bool unwound;    /* made by bind/native/unwind.h: ip is in the call instruction */
	uint8_t form;    /* text: enum line_form */
	/* text: length of the function's name, offset of the module in line, or 0 */
	uint16_t func_n, module_at;
	uint16_t whole; /* text: length of `line` and its source line together, or 0 */
	uint32_t known; /* text: 1 + index in event.notes.  Others: location.  Or 0 */
};

/* Returns the line of a frame, including the source line that may follow it. */
static inline struct str frame_whole(const struct frame *f)
{
	return (struct str){ f->line.p, f->whole ? f->whole : f->line.n };
}

struct mmap_event {
	uint64_t start, len; /* run-time address and length in bytes */
	uint64_t file_off;   /* file offset of start (perf: pgoff) */
	uint32_t prot;       /* PROT_*.  PROT_EXEC if not recorded */
	uint32_t flags;      /* MAP_*.  0 if not recorded */
	uint32_t maj, min;   /* device.  0 if the record has a build-id instead */
	uint64_t ino, ino_gen;
	struct str build_id; /* raw bytes, or empty */
	struct str other_id; /* "htlhash/HEX" or "go/TEXT" of a file, or empty */
	struct str path;     /* as perf names it: "/usr/lib/x.so", "//anon", "[vdso]" */
	struct str printed;  /* the module that perf prints, if not equal to path */
	struct str recorded; /* path as recorded: "[kernel.kallsyms]_text" */
	uint8_t cpumode;     /* MODE_KERNEL for the kernel and its modules */
	bool brief;          /* from a MMAP record, which lacks device, prot and flags */
	/* location.mapping of its frames, or 0.  A mapping with len 0 has the addresses outside */
	uint32_t number;
};

/* A perf_event_attr of the profile.  It lives as long as the reader. */
struct attr {
	struct str name; /* "cpu-clock:pppH".  Empty if a text lacks the name */
	struct str unit; /* unit of weights, as in pprof: "nanoseconds".  May be empty */
	uint32_t type;   /* PERF_TYPE_* */
	uint64_t config;
	uint64_t sample_type; /* PERF_SAMPLE_* bits (reader/fields.h) */
	uint64_t branch_type; /* PERF_SAMPLE_BRANCH_* bits */
	bool has_callchain;   /* samples carry call chains */
	bool runtime;         /* an event that reader_want_events selects */
	bool monotonic;       /* times use CLOCK_MONOTONIC (perf record -k mono) */
	int32_t clockid;      /* clockid_t of the times, or -1 for perf's own clock */
};

/* A folded line with two counts, written by difffolded.pl: "main;parse 3 7". */
struct pair {
	struct str stack; /* the stack: event.raw without the first count */
	uint64_t before;  /* the first count.  event.weight is the second count */
	uint32_t fraction;
};

/* The value of a tracepoint's field.  If perf prints a word for it, `text` is set. */
struct trace_value {
	int64_t number;
	struct str text; /* points into the event.  If empty, `number` is the value */
};

struct fields;
struct other_fields;
struct event {
	enum event_kind kind;
	int32_t pid, tid;       /* pid is -1 if a text does not contain it */
	int32_t ppid, ptid;     /* FORK, EXIT */
	int32_t cpu;            /* -1 if unknown */
	int32_t by_pid, by_tid; /* not SAMPLE: the thread that caused the record, or -1 */
	bool has_time;
	bool exec;         /* COMM: exec has set the name */
	uint16_t misc;     /* perf.data: PERF_RECORD_MISC_* bits of the record */
	uint64_t time_ns;  /* 0 unless has_time.  Text: with the printed precision */
	uint64_t weight;   /* SAMPLE: period, or 1 if unknown.  FOLDED: count */
	uint32_t fraction; /* FOLDED: fraction of the count, in billionths */
	struct str comm;   /* COMM, and SAMPLE of text.  Otherwise empty */
	const struct attr *attr; /* text: set only for SAMPLE, with only attr->name */
	struct frame *frames;    /* SAMPLE */
	size_t nframes;
	uint32_t stack;    /* number for reader_frames.  If 0, `frames` is complete */
	uint32_t repeats;  /* SAMPLE: further samples joined with it.  reader_join */
	uint64_t until_ns; /* SAMPLE with repeats: time of the last one.  Otherwise 0 */
	uint32_t *notes;   /* SAMPLE of text: numbers for the caller's use, initially 0 */
	bool stays;        /* lines of frames stay valid until reader_close */
	size_t odd_at;     /* 0, or 1 + number of frames before a marker perf rejects */
	struct frame top;  /* SAMPLE of perf.data: the interrupted instruction */
	struct mmap_event map;       /* MMAP */
	struct str payload;          /* SAMPLE: raw data.  Text: the printed payload */
	const struct fields *fields; /* SAMPLE: rare fields, or NULL */
	const struct pair *pair; /* FOLDED: both counts, or NULL if there is one count */
	const struct other_fields *other; /* of EV_SWITCH to EV_UNTHROTTLE and EV_CODE */
	struct str raw; /* text: bytes of the event, including line ends */
	uint64_t at;    /* byte offset in the input */
};

#endif
