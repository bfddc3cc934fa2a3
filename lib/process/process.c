#include "process/process_private.h"

#include <stdio.h>
#include <sys/mman.h>

#include "process/known_runtime.h"
#include "reader/fields.h"

/* perf wrote the FORK for a process that was already running */
enum { MISC_FORK_EXEC = 1 << 13 };

struct processes *process_new(struct arena *run, struct interner *names)
{
	struct processes *ps = arena_new(run, struct processes, 1);

	ps->run = run;
	ps->names = names;
	return ps;
}

struct processes *process_again(const struct processes *before)
{
	struct processes *ps = process_new(before->run, before->names);

	ps->known = before->maps;
	ps->nknown = before->nmaps;
	return ps;
}

const struct mapping *process_mapping(const struct processes *ps, uint32_t id)
{
	bool again = ps->nknown > ps->nmaps;
	const struct mapping *const *maps = again ? ps->known : ps->maps;
	size_t end = again ? ps->nknown : ps->nmaps, at;

	/* If there are no assumed mappings, element N - 1 has the id N. */
	if (id && id <= end && maps[id - 1]->id == id)
		return maps[id - 1];
	at = bisect(end, i, maps[i]->id < id);
	return at < end && maps[at]->id == id ? maps[at] : NULL;
}

static struct thread *thread_at(struct processes *ps, int32_t tid)
{
	uint32_t *at = table_at(&ps->thread_ids, ps->run, process_key(tid), 0);

	return table_item(at, ps->run, ps->threads, ps->nthreads, ps->threads_cap,
	                  (struct thread){ .pid = -1 });
}

/* Returns the process, or NULL.  First tries the result of the last call. */
static struct process *known_process(struct processes *ps, int32_t pid)
{
	uint32_t at = ps->last;

	if (!at || ps->list[at - 1].pid != pid)
		at = table_get(&ps->process_ids, process_key(pid), 0);
	if (!at)
		return NULL;
	ps->last = at;
	return &ps->list[at - 1];
}

static struct process *process_at(struct processes *ps, int32_t pid)
{
	uint32_t *at = table_at(&ps->process_ids, ps->run, process_key(pid), 0);

	return table_item(at, ps->run, ps->list, ps->n, ps->cap,
	                  (struct process){ .pid = pid, .parent = -1 });
}

/* Follows is_anon_memory() and is_no_dso_memory() of perf 6.1 (util/map.c). */
static bool is_anonymous(const struct mmap_event *m)
{
	return str_starts(m->path, STR("//anon")) ||
	       str_starts(m->path, STR("/dev/zero")) ||
	       str_starts(m->path, STR("/anon_hugepage")) || (m->flags & MAP_HUGETLB) ||
	       str_starts(m->path, STR("[stack")) || str_starts(m->path, STR("/SYSV")) ||
	       str_eq(m->path, STR("[heap]"));
}

bool process_is_injected(struct str path)
{
	return str_starts(str_base(path), STR("jitted-")) && str_ends(path, STR(".so"));
}

static enum map_kind kind_of(const struct mmap_event *m)
{
	if (m->cpumode == MODE_KERNEL)
		return MAPPED_KERNEL;
	if (known_runtime_is_doublemapper(m->path))
		return MAPPED_DOUBLEMAPPER;
	if (process_is_injected(m->path))
		return MAPPED_INJECTED;
	return is_anonymous(m) ? MAPPED_ANON : MAPPED_IMAGE;
}

/*
 * Returns the module name that perf prints.  For executable anonymous memory, returns the name of
 * a perf map.
 */
static str_id module_of(struct processes *ps, const struct mmap_event *m,
                        enum map_kind kind, int32_t pid)
{
	arena_scope(scratch);

	if (kind != MAPPED_ANON || !(m->prot & PROT_EXEC) || pid < 0)
		return intern(ps->names, m->printed.n ? m->printed : m->path);
	return intern(ps->names, arena_fmt(&scratch, "/tmp/perf-%d.map", pid));
}

static void set_ranges(struct processes *ps, struct process *p, struct range *ranges)
{
	if (ranges && !p->owns) {
		p->owns = true;
		if (!ps->owners++)
			ps->owner = p->pid;
	}
	p->ranges = ranges;
	p->state = 0;
}

static void add_kernel(struct processes *ps, const struct mapping *m)
{
	ps->kernel =
	        ranges_insert(ps->kernel, m, &(struct ranges_edit){ .run = ps->run });
	ps->kernel_states = ++ps->states;
}

static bool is_same(const struct mapping *a, const struct mapping *b)
{
	return a->id == b->id && a->kind == b->kind && a->pid == b->pid &&
	       a->start == b->start && a->end == b->end && a->bias == b->bias &&
	       a->first == b->first && a->last == b->last && a->itself == b->itself &&
	       a->path == b->path && a->file == b->file && a->reference == b->reference &&
	       a->module == b->module && str_eq(a->build_id, b->build_id) &&
	       a->other_id == b->other_id && a->on_disk.maj == b->on_disk.maj &&
	       a->on_disk.min == b->on_disk.min && a->on_disk.ino == b->on_disk.ino &&
	       a->on_disk.ino_gen == b->on_disk.ino_gen && a->core == b->core &&
	       a->assumed == b->assumed && a->listed == b->listed;
}

static void add_mapping(struct processes *ps, const struct mapping *m)
{
	arena_fit(ps->run, ps->maps, ps->nmaps + 1, ps->maps_cap);
	arena_fit(ps->run, ps->prior, ps->nmaps + 1, ps->prior_cap);
	ps->maps[ps->nmaps] = m;
	ps->prior[ps->nmaps++] = 0;
}

/*
 * Stores a mapping.  If the previous pass had the same mapping, returns the object of that pass.
 */
static const struct mapping *keep_mapping(struct processes *ps,
                                          const struct mapping *made)
{
	const struct mapping *m = ps->nmaps < ps->nknown ? ps->known[ps->nmaps] : NULL;
	struct mapping *own;

	if (!m || !is_same(m, made)) {
		ps->nknown = 0;
		own = arena_new(ps->run, struct mapping, 1);
		*own = *made;
		m = own;
	}
	add_mapping(ps, m);
	ps->changes++;
	return m;
}

void process_adopt(struct processes *ps)
{
	while (ps->nmaps < ps->nknown)
		add_mapping(ps, ps->known[ps->nmaps]);
}

static void add_to_process(struct processes *ps, struct process *p,
                           const struct mapping *m)
{
	if (!p->owner)
		p->owner = ++ps->range_owners;
	ps->prior[ps->nmaps - 1] = p->last;
	p->last = (uint32_t)ps->nmaps;
	p->n++;
	set_ranges(
	        ps, p,
	        ranges_insert(p->ranges, m, &(struct ranges_edit){ ps->run, p->owner }));
}

static struct mapping mapping_of(struct processes *ps, const struct event *ev)
{
	const struct mmap_event *e = &ev->map;
	struct mapping m = { .id = ++ps->last_id, .kind = (uint8_t)kind_of(e) };

	m.pid = m.kind == MAPPED_KERNEL ? -1 : ev->pid;
	m.start = m.first = e->start;
	m.end = m.last = e->start + e->len < e->start ? UINT64_MAX : e->start + e->len;
	m.bias = e->start - e->file_off;
	if (str_eq(e->path, STR("[vdso]")))
		m.bias = e->start;
	m.path = intern(ps->names, e->path);
	m.module = module_of(ps, e, m.kind, ev->pid);
	if (m.kind == MAPPED_KERNEL && str_starts(e->recorded, STR("/")))
		m.file = intern(ps->names, e->recorded);
	if (m.kind == MAPPED_KERNEL && str_starts(e->recorded, e->path))
		m.reference = intern(ps->names, str_from(e->recorded, e->path.n));
	m.on_disk = (struct mapped_file){ e->maj, e->min, e->ino, e->ino_gen };
	if (e->build_id.n)
		m.build_id = intern_str(ps->names, intern(ps->names, e->build_id));
	else
		m.other_id = intern(ps->names, e->other_id);
	if (m.kind == MAPPED_KERNEL && !str_starts(e->path, STR("[kernel.kallsyms]")))
		m.core = ps->core;
	m.listed = e->number != 0;
	m.assumed = m.listed && !e->len && m.kind == MAPPED_IMAGE;
	if (m.assumed)
		m.end = m.last = UINT64_MAX;
	return m;
}

static void list(struct processes *ps, const struct mapping *m, uint32_t number)
{
	arena_fit(ps->run, ps->listed, number + 1u, ps->nlisted);
	ps->listed[number] = m;
}

const struct mapping *process_listed(const struct processes *ps, uint32_t number)
{
	return number < ps->nlisted ? ps->listed[number] : NULL;
}

static void apply_mmap(struct processes *ps, const struct event *ev)
{
	const struct mapping made = mapping_of(ps, ev);
	const struct mapping *m = keep_mapping(ps, &made);

	ps->hint = NULL;
	if (m->listed)
		list(ps, m, ev->map.number);
	else if (m->kind == MAPPED_KERNEL)
		add_kernel(ps, m);
	else
		add_to_process(ps, process_at(ps, ev->pid), m);
	if (m->kind == MAPPED_KERNEL &&
	    str_starts(ev->map.path, STR("[kernel.kallsyms]")))
		ps->core = m;
}

/* Applies a KSYMBOL record, which names a function that the kernel generated. */
static void apply_ksymbol(struct processes *ps, const struct event *ev)
{
	const struct other_fields *s = ev->other;
	struct mapping made = { .kind = MAPPED_KERNEL, .itself = true, .pid = -1 };

	if (s->flags & 1 || !s->len || s->addr + s->len < s->addr || !s->name.n)
		return;
	made.id = ++ps->last_id;
	made.start = made.first = made.bias = s->addr;
	made.end = made.last = s->addr + s->len;
	made.path = made.module = intern(ps->names, s->name);
	add_kernel(ps, keep_mapping(ps, &made));
}

/*
 * Adds p's own mappings, which it did not inherit, to `ranges`.  Adds the oldest first, because a
 * newer mapping replaces older mappings at the same addresses.
 */
static struct range *add_own(struct processes *ps, struct process *p,
                             struct range *ranges)
{
	arena_scope(scratch);
	uint32_t *own = arena_new(&scratch, uint32_t, p->n);
	size_t n = 0;

	p->owner = ++ps->range_owners;
	for (uint32_t i = p->last; i; i = ps->prior[i - 1])
		own[n++] = i;
	while (n--)
		ranges = ranges_insert(ranges, ps->maps[own[n] - 1],
		                       &(struct ranges_edit){ ps->run, p->owner });
	return ranges;
}

/*
 * Gives a new process the mappings of its parent.  If there are no times, records are in file
 * order, which depends on per-CPU buffers.  The FORK of a process may then follow the mappings of
 * the process.  In this case, the parent's mappings are used only at addresses that have no
 * mapping yet.
 */
static void inherit(struct processes *ps, const struct event *ev)
{
	struct process *from = process_at(ps, ev->ppid), *forked;
	struct range *ranges = from->ranges;
	bool late;

	/* Both processes now share the nodes, so neither may change them. */
	from->owner = 0;
	forked = process_at(ps, ev->pid);
	late = !ev->has_time && !(ev->misc & MISC_FORK_EXEC) && forked->n;
	/* Ignore later FORK records, because add_own for each of them would take too long. */
	if (late && forked->has_parent)
		return;
	forked->owner = 0;
	/*
	 * PERF_RECORD_MISC_FORK_EXEC: the process was already running, and perf writes
	 * its mappings separately, so it inherits no mappings.
	 */
	if (ev->misc & MISC_FORK_EXEC)
		ranges = NULL;
	else if (late)
		ranges = add_own(ps, forked, ranges);
	set_ranges(ps, forked, ranges);
	forked->parent = ev->ppid;
	forked->has_parent = true;
	ps->hint = NULL;
	ps->changes++;
}

static void apply_fork(struct processes *ps, const struct event *ev)
{
	struct thread *parent = thread_at(ps, ev->ptid);
	struct thread was = *parent;
	struct thread *child = thread_at(ps, ev->tid);

	*child = was;
	/* If no COMM record names the idle thread, its child gets the name "swapper". */
	if (!ev->ptid && !was.named) {
		child->comm = intern(ps->names, STR("swapper"));
		child->named = true;
	}
	child->pid = ev->pid;
	if (ev->pid != ev->ppid)
		inherit(ps, ev);
}

void process_apply(struct processes *ps, const struct event *ev)
{
	struct thread *t;

	switch (ev->kind) {
	case EV_MMAP:
		/* A virtual machine has its own address space, so its mappings are ignored. */
		if (ev->map.cpumode >= MODE_HV)
			break;
		if (ev->pid >= 0)
			process_note_thread(ps, ev->pid, ev->tid);
		apply_mmap(ps, ev);
		break;
	case EV_COMM:
		t = thread_at(ps, ev->tid);
		t->pid = ev->pid;
		t->comm = intern(ps->names, ev->comm);
		t->named = true;
		break;
	case EV_FORK:
		apply_fork(ps, ev);
		break;
	case EV_KSYMBOL:
		apply_ksymbol(ps, ev);
		break;
	default:
		break;
	}
}

uint64_t process_changes(const struct processes *ps)
{
	return ps->changes;
}

const struct mapping *process_find(struct processes *ps, int32_t pid, uint64_t ip,
                                   enum cpumode mode)
{
	const struct process *p;
	const struct mapping *m;

	if (mode >= MODE_HV)
		return NULL;
	if (process_is_kernel(mode))
		return ranges_find(ps->kernel, ip);
	if (ps->hint && ps->hint_pid == pid && ip >= ps->hint->start &&
	    ip < ps->hint->end)
		return ps->hint;
	p = known_process(ps, pid);
	m = p ? ranges_find(p->ranges, ip) : NULL;
	if (m) {
		ps->hint = m;
		ps->hint_pid = pid;
	}
	return m;
}

uint64_t process_state(struct processes *ps, int32_t pid)
{
	struct process *p = known_process(ps, pid);

	if (!p)
		p = process_at(ps, pid);
	if (p->state <= ps->kernel_states)
		p->state = ++ps->states;
	return p->state;
}

uint64_t process_kernel_state(const struct processes *ps)
{
	return ps->kernel_states;
}

struct process_label process_label(int32_t pid)
{
	struct process_label c = { "the process" };

	if (pid >= 0)
		snprintf(c.text, sizeof(c.text), "process %d", pid);
	return c;
}

const struct mapping *process_kernel(const struct processes *ps)
{
	return ps->core;
}

const struct mapping *process_find_from(const struct processes *ps, int32_t pid,
                                        uint64_t ip)
{
	uint32_t at = table_get(&ps->process_ids, process_key(pid), 0);

	return at ? ranges_find_from(ps->list[at - 1].ranges, ip) : NULL;
}

enum { ASSUMED_ID = 1u << 30 }; /* lowest id of an assumed mapping */

/* Returns an assumed mapping.  The id depends only on `who`, so all passes use the same id. */
static const struct mapping *assume(struct processes *ps, str_id who, int32_t pid,
                                    str_id module, uint64_t bias)
{
	uint32_t *at = table_at(&ps->assumed_ids, ps->run, who, 0);
	struct mapping *m;

	if (*at)
		return ps->assumed[*at - 1];
	m = arena_new(ps->run, struct mapping, 1);
	m->id = ASSUMED_ID + who;
	m->kind = process_is_injected(intern_str(ps->names, module)) ? MAPPED_INJECTED
	                                                             : MAPPED_IMAGE;
	m->pid = pid;
	m->end = UINT64_MAX;
	m->bias = bias;
	m->path = m->module = module;
	m->assumed = true;
	*arena_push(ps->run, ps->assumed, ps->nassumed, ps->assumed_cap) = m;
	*at = (uint32_t)ps->nassumed;
	add_mapping(ps, m);
	return m;
}

const struct mapping *process_assume(struct processes *ps, str_id module)
{
	return assume(ps, module, -1, module, 0);
}

const struct mapping *process_assume_at(struct processes *ps, int32_t pid, str_id module,
                                        uint64_t bias)
{
	arena_scope(scratch);
	/* Newlines separate the parts, because a module's name does not contain newlines. */
	struct str pair =
	        arena_fmt(&scratch, "%d\n%llx\n" PRSTR, pid, (unsigned long long)bias,
	                  STRARG(intern_str(ps->names, module)));
	str_id who = intern(ps->names, pair);

	return assume(ps, who, pid, module, bias);
}

struct str process_comm(const struct processes *ps, int32_t tid)
{
	uint32_t at = table_get(&ps->thread_ids, process_key(tid), 0);

	if (!at || !ps->threads[at - 1].named)
		return (struct str){ 0 };
	return intern_str(ps->names, ps->threads[at - 1].comm);
}

void process_end_comm(struct processes *ps, int32_t tid)
{
	uint32_t at = table_get(&ps->thread_ids, process_key(tid), 0);

	if (at)
		ps->threads[at - 1].named = false;
}

int32_t process_of_thread(const struct processes *ps, int32_t tid)
{
	uint32_t at = table_get(&ps->thread_ids, process_key(tid), 0);

	return at ? ps->threads[at - 1].pid : -1;
}

int32_t process_get_only(const struct processes *ps)
{
	return ps->owners == 1 ? ps->owner : -1;
}

void process_note_thread(struct processes *ps, int32_t pid, int32_t tid)
{
	uint32_t at = table_get(&ps->thread_ids, process_key(tid), 0);

	if (at)
		ps->threads[at - 1].pid = pid;
	else
		thread_at(ps, tid)->pid = pid;
}

size_t process_mappings(const struct processes *ps, const struct mapping *const **out)
{
	*out = ps->maps;
	return ps->nmaps;
}
