/*
 * process - tracks the mappings and names of processes over time.
 *
 * The caller applies events in the order of delivery.  Queries return the state after the last
 * applied event.  A mapping never changes.  If a part of it is replaced, the remaining pieces
 * keep its id, so names stored by (mapping id, ip) stay valid.  Mappings live as long as the
 * arena.
 */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include "base/intern.h"
#include "reader/reader.h"

enum map_kind {
	MAPPED_IMAGE, /* a file, or a name like "[vdso]" that perf treats as a file */
	MAPPED_ANON,  /* treated as JIT code: its module is /tmp/perf-PID.map */
	MAPPED_DOUBLEMAPPER, /* second mapping of JIT code in .NET 7 and later (W^X) */
	MAPPED_INJECTED, /* JIT code in a file that perf inject made: jitted-PID-N.so */
	MAPPED_KERNEL,   /* kernel or kernel module, for which perf prints the ip */
};

struct mapping {
	uint32_t id; /* starts at 1.  If a mapping is split, all pieces keep its id */
	int32_t pid; /* the process that first had the mapping, or -1 for the kernel */
	uint64_t start, end; /* run-time addresses of this piece.  The end is exclusive */
	uint64_t bias;       /* ip minus file offset, equal for all pieces */
	uint64_t first, last;       /* recorded start and end of the whole mapping */
	struct str build_id;        /* raw bytes, or empty */
	const struct mapping *core; /* for a kernel module: the kernel, else NULL */
	struct mapped_file {
		uint32_t maj, min; /* the device */
		uint64_t ino, ino_gen;
	} on_disk;        /* all 0 if not recorded */
	str_id path;      /* path as recorded */
	str_id file;      /* path of a kernel module, or empty */
	str_id reference; /* kernel: the symbol at file_off, such as "_text", or empty */
	str_id other_id; /* id of a file without build-id: "htlhash/HEX", "go/TEXT" or empty */
	str_id module; /* as perf prints it */
	uint8_t kind;  /* enum map_kind */
	bool itself;   /* the mapping is one function, named by `path` (BPF program) */
	bool assumed;  /* made for a module of a text that lacks its mappings */
	/* frames refer to the mapping by map.number, so process_find ignores the mapping */
	bool listed;
};

/* Returns true for JIT code. */
static inline bool mapping_is_jit(const struct mapping *m)
{
	return m->kind >= MAPPED_ANON && m->kind <= MAPPED_INJECTED;
}

/* Returns the address that perf 6.1 prints for ip, which is in m. */
static inline uint64_t mapping_printed(const struct mapping *m, uint64_t ip)
{
	return m->kind == MAPPED_ANON || m->kind == MAPPED_KERNEL ? ip : ip - m->bias;
}

struct processes;
struct processes *process_new(struct arena *run, struct interner *names);

/*
 * Returns a new state for another pass over the same events.  `before` is the state of an earlier
 * pass.  The new state uses the mapping objects of `before` again.  process_mapping also finds
 * mappings that only `before` has, and process_adopt adds these mappings to process_mappings.
 */
struct processes *process_again(const struct processes *before);
const struct mapping *process_mapping(const struct processes *ps, uint32_t id);
void process_adopt(struct processes *ps);

/* Applies an event.  Only MMAP, COMM, FORK and KSYMBOL change the state. */
void process_apply(struct processes *ps, const struct event *ev);

/* Returns how often mappings have changed. */
uint64_t process_changes(const struct processes *ps);

/*
 * Returns the mapping of pid that contains ip, or NULL.  Ignores pid in kernel mode.  Always
 * returns NULL for code of hypervisors and virtual machines.
 */
const struct mapping *process_find(struct processes *ps, int32_t pid, uint64_t ip,
                                   enum cpumode mode);

/* Returns a number that changes if the mappings of pid or of the kernel change. */
uint64_t process_state(struct processes *ps, int32_t pid);

/* Like process_state, for the kernel's mappings alone. */
uint64_t process_kernel_state(const struct processes *ps);

/* Returns the mapping that has `listed` set and this map.number, or NULL. */
const struct mapping *process_listed(const struct processes *ps, uint32_t number);

/* Returns true if process_find ignores the pid in that mode. */
static inline bool process_is_kernel(enum cpumode mode)
{
	return mode == MODE_KERNEL;
}

/* Returns true for "jitted-PID-N.so".  perf inject makes such files from a jitdump. */
bool process_is_injected(struct str path);

/* A label for messages: "process 8039", or "the process" if pid is -1. */
struct process_label {
	char text[24];
} process_label(int32_t pid);

/* Returns the mapping of the kernel itself, without its modules, or NULL. */
const struct mapping *process_kernel(const struct processes *ps);

/* Returns the mapping of pid that contains ip, else the next mapping above ip, or NULL. */
const struct mapping *process_find_from(const struct processes *ps, int32_t pid,
                                        uint64_t ip);

/*
 * Returns a synthetic mapping of a whole file.  In it, ip equals the file offset.  It is used for
 * texts without mappings.  All processes share it, and its id survives process_again.
 */
const struct mapping *process_assume(struct processes *ps, str_id module);

/* Returns a synthetic mapping of pid.  In it, ip equals the file offset plus bias. */
const struct mapping *process_assume_at(struct processes *ps, int32_t pid, str_id module,
                                        uint64_t bias);

/* Returns the current name of thread tid, or an empty string if it was not recorded. */
struct str process_comm(const struct processes *ps, int32_t tid);

/*
 * process_end_comm removes the name of a thread.  process_of_thread returns the pid of a thread, or
 * -1.
 */
void process_end_comm(struct processes *ps, int32_t tid);
int32_t process_of_thread(const struct processes *ps, int32_t tid);

/* Returns the pid of the only process that ever had mappings, or -1 if there is not exactly one. */
int32_t process_get_only(const struct processes *ps);
/* Notes that thread tid belongs to process pid.  Samples contain both ids. */
void process_note_thread(struct processes *ps, int32_t pid, int32_t tid);

/* Sets *out to all mappings that ever existed, and returns their number. */
size_t process_mappings(const struct processes *ps, const struct mapping *const **out);

#endif
