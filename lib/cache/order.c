#include "cache/order.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/out.h"

bool order_is_needed(const struct cache *c, char kind)
{
	return c->keeper && !c->ordered && !cache_is_own(kind);
}

static bool spell(struct keeper_message *m, struct str path)
{
	if (path.n >= sizeof(m->path) || (path.n && memchr(path.p, '\0', path.n)))
		return false;
	snprintf(m->path, sizeof(m->path), PRSTR, STRARG(path));
	return true;
}

/* Passes a file to the keeper.  Returns its id, or 0 if the keeper refuses it. */
static uint64_t give(const struct cache *c, struct str name, int fd)
{
	struct keeper_message m = { .kind = KEEPER_GIVE };

	if (!spell(&m, name) || keeper_ask(c->keeper, &m, fd, NULL) < 0)
		return 0;
	return m.number[0] + 1;
}

/* Returns a file that contains the list, or -1. */
static int write_list(struct str list)
{
	int fd = memfd_create("list", MFD_CLOEXEC);

	if (fd >= 0 && out_all_at(fd, list, 0) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void order_send(const struct cache *c, const struct order *o)
{
	struct keeper_message m = { .kind = KEEPER_MAKE,
		                    .number = { (unsigned char)o->kind, o->is_profile,
		                                o->files } };
	int list = write_list(o->list);
	bool whole = list >= 0 && spell(&m, o->path);

	for (size_t i = 0; i < o->files; i++) {
		if (o->fd[i] < 0)
			continue;
		m.number[3 + i] = whole ? give(c, o->name[i], o->fd[i]) : 0;
		whole = whole && m.number[3 + i];
		close(o->fd[i]);
	}
	/*
	 * If a file could not be sent, the kind becomes 0, and the keeper makes no
	 * entry, but releases the files.
	 */
	m.number[0] = whole ? m.number[0] : 0;
	(void)keeper_ask(c->keeper, &m, list, NULL);
	if (list >= 0)
		close(list);
}
