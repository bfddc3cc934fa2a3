/*
 * process - the mappings and names of processes over time.
 *
 * Events are applied in the order of delivery, and queries answer for the state after the last
 * one.  A mapping never changes.  If a part of it is replaced, the remaining pieces keep its id,
 * so names found for (mapping id, ip) stay valid.  Mappings live as long as the arena.
 */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include "base/intern.h"
#include "reader/reader.h"

enum map_kind {
	MAPPED_IMAGE, /* a file, or something printed like one ("[vdso]") */
	MAPPED_ANON, /* memory perf takes for JIT code: its module is /tmp/perf-PID.map */
	MAPPED_DOUBLEMAPPER, /* .NET's second view of JIT code (W^X), since 7 */
	MAPPED_INJECTED,     /* JIT code in a file of perf inject: jitted-PID-N.so */
	MAPPED_KERNEL,       /* kernel and modules: printed with the ip itself */
};

struct mapping {
	uint32_t id;          /* from 1, and equal for the pieces of one mapping */
	int32_t pid;          /* the process that mapped it first, or -1 for the kernel */
	uint64_t start, end;  /* of this piece, run-time addresses */
	uint64_t bias;        /* ip - bias = file offset, the same for every piece */
	uint64_t first, last; /* start and end of the whole mapping as recorded */
	struct str build_id;  /* raw bytes, or empty */
	const struct mapping *core; /* the kernel of a kernel module, or NULL */
	struct mapped_file {
		uint32_t maj, min; /* device */
		uint64_t ino, ino_gen;
	} on_disk;        /* all 0: not recorded */
	str_id path;      /* as recorded */
	str_id file;      /* path of a kernel module, or empty */
	str_id reference; /* kernel: the symbol at file_off, "_text", or empty */
	str_id module;    /* as perf prints it */
	uint8_t kind;     /* enum map_kind */
	bool itself;      /* code of one function, called as path: a BPF program */
	bool assumed;     /* synthetic mapping: file offset known, extent unknown */
};

/* True: code generated at run time. */
static inline bool mapping_is_jit(const struct mapping *m)
{
	return m->kind == MAPPED_ANON || m->kind == MAPPED_DOUBLEMAPPER ||
	       m->kind == MAPPED_INJECTED;
}

/* The address that perf 6.1 prints in front of the symbol for an ip in m. */
static inline uint64_t mapping_printed(const struct mapping *m, uint64_t ip)
{
	return m->kind == MAPPED_ANON || m->kind == MAPPED_KERNEL ? ip : ip - m->bias;
}

struct processes;

struct processes *process_new(struct arena *run, struct interner *names);

/*
 * Returns a new state, as before the first event.  As long as it gets the events of `before`, its
 * mappings are the same objects.  `before` does not change.
 */
struct processes *process_again(const struct processes *before);

/* MMAP, COMM, FORK and EXIT change the state, other events do not. */
void process_apply(struct processes *ps, const struct event *ev);

/* Number of changes of mappings so far. */
uint64_t process_changes(const struct processes *ps);

/*
 * Returns the mapping of pid that contains ip, or NULL.  Kernel mode ignores the pid.  Code of
 * hypervisors and virtual machines has no known mapping.
 */
const struct mapping *process_find(struct processes *ps, int32_t pid, uint64_t ip,
                                   enum cpumode mode);

/*
 * Returns a number for the mappings of pid and of the kernel.  It differs between processes, and
 * changes with each change that process_find could see.
 */
uint64_t process_state(struct processes *ps, int32_t pid);

/* The same for the kernel alone, whose mappings do not belong to a process. */
uint64_t process_kernel_state(const struct processes *ps);

/* Returns true if process_find ignores the pid in that mode. */
static inline bool process_is_kernel(enum cpumode mode)
{
	return mode == MODE_KERNEL;
}

/* "jitted-PID-N.so": perf inject made it of the Nth piece of code in a jitdump. */
bool process_is_injected(struct str path);

/* For messages: "process 8039", or "the process" if the pid is -1, unknown. */
struct process_called {
	char text[24];
} process_called(int32_t pid);

/* Returns the kernel's own mapping, not a module's, or NULL. */
const struct mapping *process_kernel(const struct processes *ps);

/* Returns the mapping of pid at ip, or the next one above it, or NULL. */
const struct mapping *process_from(const struct processes *ps, int32_t pid, uint64_t ip);

/*
 * Returns the mapping of pid that contains this byte of the file called module, or NULL.  Use it
 * for text with file offsets.  If there are several, the last one counts.  module is as perf
 * prints it.
 */
const struct mapping *process_find_offset(struct processes *ps, int32_t pid,
                                          str_id module, uint64_t file_off);

/* Returns another mapping of that byte, with a bias different from `than`, or NULL. */
const struct mapping *process_other_offset(struct processes *ps, int32_t pid,
                                           str_id module, uint64_t file_off,
                                           const struct mapping *than);

/*
 * Returns a synthetic mapping of a whole file, in which each ip is the file offset, for text
 * without mappings.  All processes share it, and it has the same id even if the state starts
 * again.
 */
const struct mapping *process_assume(struct processes *ps, str_id module);

/* Returns a synthetic mapping of pid, in which each ip is the file offset plus bias. */
const struct mapping *process_assume_at(struct processes *ps, int32_t pid, str_id module,
                                        uint64_t bias);

/* Returns the current name of thread tid.  Empty if it was not recorded. */
struct str process_comm(const struct processes *ps, int32_t tid);

/* Forgets the name of thread tid. */
void process_end_comm(struct processes *ps, int32_t tid);

/* The process of thread tid, or -1. */
int32_t process_of(const struct processes *ps, int32_t tid);

/* Returns the only process with mappings, or -1 if there is no such process or more than one. */
int32_t process_only(const struct processes *ps);

/* Notes that tid belongs to pid, which samples show too. */
void process_seen(struct processes *ps, int32_t pid, int32_t tid);

/* All mappings that were ever used, and all pids that had one. */
size_t process_mappings(const struct processes *ps, const struct mapping *const **out);

#endif
