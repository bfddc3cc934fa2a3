#include "base/budget.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"

/* Sanitizers reserve huge amounts of memory, so memory cannot be limited. */
#if defined(WITH_ASAN)
enum { LIMITS_MEMORY = 0 };
#else
enum { LIMITS_MEMORY = 1 };
#endif

enum {
	MIB = 1 << 20,
	/* bytes of memory for each megabyte of input.  Each megabyte also adds one second */
	MEMORY_PER_MIB = 16 * MIB,
	GRACE_SECONDS = 5,
	/* number of fields in /proc/self/statm that precede the data pages */
	STATM_DATA = 5,
};

static const uint64_t MOST_MEMORY = (uint64_t)1 << 40;

/* Returns true if another page can be allocated when RLIMIT_DATA is `limit`. */
static bool has_room(uint64_t limit)
{
	struct rlimit now;
	void *p;

	if (getrlimit(RLIMIT_DATA, &now) < 0)
		return false;
	now.rlim_cur = limit;
	if (setrlimit(RLIMIT_DATA, &now) < 0)
		return false;
	p = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p != MAP_FAILED && munmap(p, 1) == 0;
}

/*
 * Finds the size of private writable memory by trying limits.  Used if /proc/self/statm is
 * unreadable: if /proc is not mounted, or in a child of a confined process, because the child may
 * read only the /proc directory of its parent.  Returns 0 if the size is unknown.
 */
static uint64_t try_memory(void)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages;
	struct rlimit before;

	if (getrlimit(RLIMIT_DATA, &before) < 0 || before.rlim_max < MOST_MEMORY)
		return 0;
	pages = bisect(MOST_MEMORY / page, i, !has_room((i + 1) * page));
	setrlimit(RLIMIT_DATA, &before);
	return pages * page;
}

/* Returns the size of private writable memory in bytes, or 0 if unknown. */
static uint64_t own_memory(void)
{
	char text[256];
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text));
	struct str rest = { text, n > 0 ? (size_t)n : 0 }, word;
	uint64_t pages = 0;

	if (fd < 0)
		return try_memory();
	close(fd);
	for (int i = 0; i < STATM_DATA; i++)
		str_cut(&rest, ' ');
	word = str_cut(&rest, ' ');
	str_take_dec(&word, &pages);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Returns the processor time of this process and of the workers for which it has waited. */
static uint64_t read_used_time(void)
{
	struct timespec own = { 0 };
	struct rusage workers = { 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
	getrusage(RUSAGE_CHILDREN, &workers);
	return clock_ns(own) + clock_usage_ns(workers.ru_utime) +
	       clock_usage_ns(workers.ru_stime);
}

/* Returns the amount that the input may use: `fixed`, and per_mib for each megabyte. */
static uint64_t share(const struct budget *b, uint64_t fixed, uint64_t per_mib)
{
	uint64_t whole = fixed + b->input / MIB * per_mib;

	return b->half ? whole / 2 : whole;
}

static void set_soft(__rlimit_resource_t resource, uint64_t value)
{
	struct rlimit now;

	if (getrlimit(resource, &now) < 0)
		return;
	now.rlim_cur = value < now.rlim_max ? value : now.rlim_max;
	setrlimit(resource, &now);
}

static void apply(struct budget *b)
{
	struct timespec own = { 0 };
	uint64_t seconds = share(b, b->seconds, 1);

	b->counted = b->input;
	if (b->seconds) {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
		set_soft(RLIMIT_CPU,
		         (uint64_t)own.tv_sec + seconds + seconds / 4 + GRACE_SECONDS);
	}
	if (b->memory && b->began_data && LIMITS_MEMORY) {
		b->data = b->began_data + share(b, b->memory, MEMORY_PER_MIB);
		set_soft(RLIMIT_DATA, b->data);
	}
}

void budget_begin(struct budget *b)
{
	*b = (struct budget){ .diag = b->diag,
		              .seconds = b->seconds,
		              .memory = b->memory,
		              .began_ns = read_used_time(),
		              .began_data = own_memory() };
	apply(b);
}

void budget_add(struct budget *b, uint64_t n)
{
	if (!b)
		return;
	b->input += n;
	if (b->input - b->counted >= MIB && !b->spent)
		apply(b);
}

void budget_begin_half(struct budget *b)
{
	/* If the budget was spent when the input was opened, this was already reported. */
	if (!b || b->spent)
		return;
	b->half = true;
	apply(b);
}

static bool memory_spent(const struct budget *b)
{
	struct rlimit now;

	/* If an allocation exceeded the limit, budget_extend has raised the limit. */
	return b->data && !getrlimit(RLIMIT_DATA, &now) && now.rlim_cur > b->data;
}

static void end_memory(struct budget *b, const char *what)
{
	if (!memory_spent(b))
		return;
	b->spent = true;
	diag_damage(b->diag, "%s after %llu MiB of memory%s; --max-memory allows more",
	            what, (unsigned long long)(share(b, b->memory, MEMORY_PER_MIB) / MIB),
	            b->half ? " of the first pass" : "");
}

void budget_end(struct budget *b)
{
	if (b && !b->spent)
		end_memory(b, "data may be missing");
}

void budget_end_half(struct budget *b)
{
	if (!b || !b->half)
		return;
	budget_end(b);
	b->half = b->spent = false;
	apply(b);
}

bool budget_check(struct budget *b)
{
	const char *phase;
	uint64_t seconds;

	if (!b || b->spent)
		return b;
	seconds = share(b, b->seconds, 1);
	phase = b->half ? " of the first pass" : "";
	if (b->seconds && read_used_time() - b->began_ns >= seconds * CLOCK_SECOND_NS) {
		b->spent = true;
		diag_damage(b->diag,
		            "stopped after %llu s of processor time%s; --max-time allows "
		            "more",
		            (unsigned long long)seconds, phase);
	} else {
		end_memory(b, "stopped");
	}
	return b->spent;
}

uint64_t budget_used(const struct budget *b)
{
	return read_used_time() - b->began_ns;
}

void budget_continue(struct budget *b, uint64_t used_ns, struct diag *diag)
{
	b->diag = diag;
	b->began_ns = read_used_time() - used_ns;
	apply(b);
}

void budget_spend(struct budget *b, uint64_t ns)
{
	if (b)
		b->began_ns -= ns;
}

uint64_t budget_seconds_left(const struct budget *b, uint64_t most)
{
	uint64_t used, seconds;

	if (!b || !b->seconds)
		return most;
	used = (read_used_time() - b->began_ns) / CLOCK_SECOND_NS;
	seconds = share(b, b->seconds, 1);
	seconds = used < seconds ? seconds - used : 0;
	return seconds < most ? seconds : most;
}

uint64_t budget_worker_memory(const struct budget *b, uint64_t most)
{
	uint64_t memory = b && b->memory ? share(b, b->memory, MEMORY_PER_MIB) : most;

	return memory < most ? memory : most;
}

void budget_limit_memory(uint64_t n)
{
	uint64_t most = own_memory() + n;
	struct rlimit now;

	if (!getrlimit(RLIMIT_DATA, &now) && now.rlim_cur > most)
		set_soft(RLIMIT_DATA, most);
}

void budget_extend_time(void)
{
	struct rlimit now;

	if (!getrlimit(RLIMIT_CPU, &now))
		set_soft(RLIMIT_CPU, now.rlim_cur + GRACE_SECONDS);
}

bool budget_extend(void)
{
	struct rlimit now;

	if (getrlimit(RLIMIT_DATA, &now) < 0 || now.rlim_cur >= now.rlim_max)
		return false;
	now.rlim_cur = now.rlim_max;
	return !setrlimit(RLIMIT_DATA, &now);
}
