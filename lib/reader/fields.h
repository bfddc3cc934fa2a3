/*
 * fields - rare fields of perf.data: fields that few samples have, and fields of events that are
 * not samples, mappings or threads.
 *
 * All fields have the byte order and word size of this machine.  They are valid as long as the
 * event.
 */
#ifndef READER_FIELDS_H
#define READER_FIELDS_H

#include "base/str.h"

/* PERF_TYPE_*: the values of attr.type. */
enum {
	TYPE_HARDWARE,
	TYPE_SOFTWARE,
	TYPE_TRACEPOINT,
	TYPE_HW_CACHE,
	TYPE_RAW,
	TYPE_BREAKPOINT,
};

/* PERF_SAMPLE_*, include/uapi/linux/perf_event.h: bits of attr.sample_type. */
enum {
	HAS_IP = 1 << 0,
	HAS_TID = 1 << 1,
	HAS_TIME = 1 << 2,
	HAS_ADDR = 1 << 3,
	HAS_READ = 1 << 4,
	HAS_CALLCHAIN = 1 << 5,
	HAS_ID = 1 << 6,
	HAS_CPU = 1 << 7,
	HAS_PERIOD = 1 << 8,
	HAS_STREAM_ID = 1 << 9,
	HAS_RAW = 1 << 10,
	HAS_BRANCH_STACK = 1 << 11,
	HAS_REGS_USER = 1 << 12,
	HAS_STACK_USER = 1 << 13,
	HAS_WEIGHT = 1 << 14,
	HAS_DATA_SRC = 1 << 15,
	HAS_IDENTIFIER = 1 << 16,
	HAS_TRANSACTION = 1 << 17,
	HAS_REGS_INTR = 1 << 18,
	HAS_PHYS_ADDR = 1 << 19,
	HAS_AUX = 1 << 20,
	HAS_CGROUP = 1 << 21,
	HAS_DATA_PAGE_SIZE = 1 << 22,
	HAS_CODE_PAGE_SIZE = 1 << 23,
	HAS_WEIGHT_STRUCT = 1 << 24,
};

/* PERF_SAMPLE_BRANCH_*: bits of attr.branch_type. */
enum {
	/* The branches are calls that have not returned yet (LBR). */
	BRANCH_CALL_STACK = 1 << 11,
	BRANCH_HW_INDEX = 1 << 17,
	BRANCH_COUNTERS = 1 << 19,
};

/* A counter of PERF_SAMPLE_READ. */
struct counter {
	uint64_t value, id, lost; /* id and lost are 0 if not recorded */
};

/* One struct perf_branch_entry. */
struct branch {
	uint64_t from, to;
	uint64_t flags;   /* bits as on a little-endian machine: mispred is bit 0 */
	uint64_t counter; /* number of events, or 0 if not recorded */
};

/*
 * Bit of PERF_SAMPLE_REGS_ABI_*: vector registers follow, which are not kept.  If this bit is set
 * on x86, R16 to R31 and SSP have the register numbers of XMM registers.
 */
enum { REGS_ABI_SIMD = 4 };

/* The registers of a sample, in the order of PERF_REG_* of the recording machine. */
struct regs {
	/* PERF_SAMPLE_REGS_ABI_*: 0 no registers, 1 32 bits, 2 64 bits, flag REGS_ABI_SIMD */
	uint64_t abi;
	uint64_t mask; /* bit i is set if register i was recorded.  0 if abi is 0 */
	const uint64_t *value; /* one value for each bit of mask, lowest bit first */
};

/* Fields of a SAMPLE.  If attr.sample_type lacks the bit of a field, the field is 0. */
struct fields {
	uint64_t id; /* id of the counter: ID or IDENTIFIER */
	uint64_t stream_id;
	uint64_t addr, phys_addr;
	uint64_t weight; /* WEIGHT, or the lower 32 bits of WEIGHT_STRUCT */
	/*
	 * WEIGHT_STRUCT: latency of the instruction (weight2) and of its retirement
	 * (weight3).
	 */
	uint16_t weight2, weight3;
	uint64_t data_src, transaction, cgroup;
	uint64_t data_page_size, code_page_size;
	bool group; /* READ: `counters` contains all counters of the group */
	uint64_t enabled_ns, running_ns; /* READ: times in ns, or 0 if not recorded */
	const struct counter *counters;  /* READ */
	size_t ncounters;
	const struct branch *branches; /* newest first */
	size_t nbranches;
	uint64_t hw_idx; /* index of the newest branch, or ~0 if not recorded */
	struct regs user, intr;
	/* The valid part of the recorded user stack.  Its first byte is at the stack pointer. */
	struct str stack;
	struct str aux;
};

/* struct perf_ns_link_info of each namespace: net, uts, ipc, pid, user, mnt, cgroup, ... */
struct namespace_link {
	uint64_t dev, ino;
};

/* The source of JIT-compiled or loaded code.  It lives as long as the reader. */
struct code_fields {
	uint32_t method;       /* row of the MethodDef table */
	struct str image, pdb; /* path of the assembly, and build-time path of its PDB */
	struct str guid;       /* GUID of the PDB, or empty */
	/* pairs of IL offsets and native offsets, 32 bits each, unsorted.  May be empty */
	struct str il, native;
};

/* Sizes in bytes of the key and the value in a note of EV_BPF_NOTES. */
enum { BPF_NOTE_KEY = 64, BPF_NOTE_VALUE = 256 };

/* Fields of EV_SWITCH to EV_UNTHROTTLE, and of EV_CODE.  Fields that a kind lacks are 0. */
struct other_fields {
	const struct code_fields *code; /* CODE */
	bool out, preempt, wide; /* SWITCH.  wide: other_pid and other_tid are known */
	/* SWITCH: the next thread if `out` is set.  Otherwise the previous thread. */
	int32_t other_pid, other_tid;
	const struct namespace_link *namespaces;
	size_t nnamespaces;
	uint64_t id;        /* CGROUP, BPF, THROTTLE, UNTHROTTLE */
	uint64_t stream_id; /* THROTTLE, UNTHROTTLE */
	uint64_t addr, len; /* KSYMBOL, TEXT_POKE: code.  AUX: range in the AUX area */
	uint32_t type;  /* KSYMBOL, BPF: PERF_RECORD_KSYMBOL_TYPE_*, PERF_BPF_EVENT_* */
	uint64_t flags; /* KSYMBOL (1: removed), BPF, AUX */
	/* KSYMBOL: name.  CGROUP: path.  BPF: 8 bytes of the tag.  BPF_NOTES: program */
	struct str name;
	struct str notes;    /* BPF_NOTES: keys and values, padded with NUL */
	struct str old, new; /* TEXT_POKE: bytes before and after the change */
};

#endif
