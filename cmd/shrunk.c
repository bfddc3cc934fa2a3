#include "shrunk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/guard.h"

enum { FILES = 8, PATH_BYTES = 256 };

/*
 * The files that have shrunk.  The variable is global, because the handler of SIGBUS has no
 * parameter for data.
 */
static struct {
	volatile sig_atomic_t n; /* number of files.  May exceed FILES */
	bool nameless;           /* a file without a path has shrunk */
	struct shrunk_file {
		uint64_t at; /* offset of the page in the file */
		char path[PATH_BYTES];
	} file[FILES];
} shrunk;

/* A line of /proc/self/maps: START-END PERMISSIONS OFFSET DEVICE INODE PATH. */
struct map_line {
	uint64_t start, end, offset;
	struct str path;
};

static bool parse_line(struct str s, struct map_line *m)
{
	struct str rest = s;

	*m = (struct map_line){ 0 };
	if (!str_take_hex(&rest, &m->start) || !rest.n || rest.p[0] != '-')
		return false;
	rest = str_from(rest, 1);
	if (!str_take_hex(&rest, &m->end))
		return false;
	rest = str_from(rest, sizeof(" r--p ") - 1);
	if (!str_take_hex(&rest, &m->offset))
		return false;
	m->path = str_from(rest, str_find(rest, '/'));
	return true;
}

/*
 * Finds the mapping that contains `address` in an open maps file, stores its path in buf, and
 * closes the file.  Calls only functions that signal handlers may call.
 */
static bool find_mapping(int fd, uintptr_t address, char *buf, size_t cap,
                         struct map_line *m)
{
	struct str held = { buf, 0 };
	bool found = false;
	ssize_t got;

	while (!found && (got = read(fd, buf + held.n, cap - held.n)) > 0) {
		held.n += (size_t)got;
		while (!found && str_find(held, '\n') < held.n) {
			struct str line = str_cut(&held, '\n');

			found = parse_line(line, m) && address >= m->start &&
			        address < m->end;
		}
		/* The buffer is larger than any line, so this is no line. */
		if (held.n == cap)
			break;
		if (!found)
			memmove(buf, held.p, held.n);
		held.p = buf;
	}
	close(fd);
	return found;
}

/*
 * Sets *m to one page of a file without a path.  Confined workers use this function, because they
 * cannot read /proc/self/maps.
 */
static bool find_page(uintptr_t page, size_t size, struct map_line *m)
{
	*m = (struct map_line){ .start = page, .end = page + size };
	return true;
}

/* Notes a file that has shrunk.  All files without a path are noted together. */
static void note(const struct map_line *m, uintptr_t page)
{
	if (!m->path.n && shrunk.nameless)
		return;
	shrunk.nameless |= !m->path.n;
	if (shrunk.n < FILES) {
		struct shrunk_file *f = &shrunk.file[shrunk.n];
		size_t n = m->path.n < PATH_BYTES ? m->path.n : PATH_BYTES - 1;

		if (n)
			memcpy(f->path, m->path.p, n);
		f->path[n] = '\0';
		f->at = m->offset + (page - m->start);
	}
	shrunk.n++;
}

/*
 * Maps zeros over the rest of the mapping.  Returns false if this fails, or if the mapping has no
 * file.
 */
static bool replace(uintptr_t address)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	uintptr_t page = address - address % size;
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	char buf[8192];
	struct map_line m;
	bool found = fd < 0 ? find_page(page, size, &m)
	                    : find_mapping(fd, address, buf, sizeof(buf), &m) && m.path.n;

	if (!found || mmap((void *)page, m.end - page, PROT_READ,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return false;
	note(&m, page);
	return true;
}

/*
 * Handles SIGBUS.  The read is repeated when the handler returns.  If the mapping could not be
 * replaced, the default action ends the program.
 */
static void on_bus_error(int signal, siginfo_t *info, void *context)
{
	int error = errno;

	(void)context;
	if (info->si_code != BUS_ADRERR || !replace((uintptr_t)info->si_addr)) {
		guard_catch(signal);
		sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	}
	errno = error;
}

void shrunk_watch(void)
{
	struct sigaction act = { .sa_sigaction = on_bus_error,
		                 .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

	sigaction(SIGBUS, &act, NULL);
}

void shrunk_report(struct diag *d)
{
	for (sig_atomic_t i = 0; i < shrunk.n && i < FILES; i++) {
		const struct shrunk_file *f = &shrunk.file[i];

		/*
		 * The message is printed even if reports about the consequences have
		 * reached the limit of messages.
		 */
		if (*f->path)
			diag_fatal(d, "%s:%llu: the file shrank while it was read",
			           f->path, (unsigned long long)f->at);
		else
			diag_fatal(d,
			           "this input, or a file read for it, shrank while it "
			           "was read");
		d->damaged += d->damaged == 0;
	}
	shrunk.n = 0;
	shrunk.nameless = false;
}

int shrunk_count(void)
{
	return (int)shrunk.n;
}
