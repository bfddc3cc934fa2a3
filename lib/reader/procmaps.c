/*
 *	7f5d25c40000-7f5d25c50000 r-xp 00000000 fe:00 1065059  /usr/share/dotnet/dotnet
 */
#include "reader/procmaps.h"

#include <sys/mman.h>

static struct str word(struct str *s)
{
	size_t n = 0;
	struct str w;

	while (s->n && *s->p == ' ')
		*s = str_from(*s, 1);
	while (n < s->n && s->p[n] != ' ')
		n++;
	w = str_head(*s, n);
	*s = str_from(*s, n);
	return w;
}

static bool take_range(struct str w, struct mmap_event *m)
{
	uint64_t end;

	if (!str_take_hex(&w, &m->start) || !w.n || *w.p != '-')
		return false;
	w = str_from(w, 1);
	if (!str_take_hex(&w, &end) || w.n || end <= m->start)
		return false;
	m->len = end - m->start;
	return true;
}

static bool parse_line(struct str line, struct mmap_event *m)
{
	struct str prot, dev, ino;
	uint64_t maj, min;

	*m = (struct mmap_event){ .cpumode = MODE_USER };
	if (!take_range(word(&line), m))
		return false;
	prot = word(&line);
	if (prot.n != 4 || !str_is_hex(word(&line), &m->file_off))
		return false;
	dev = word(&line);
	ino = word(&line);
	if (!str_take_hex(&dev, &maj) || !dev.n || *dev.p != ':' ||
	    !str_is_hex(str_from(dev, 1), &min) || !str_is_dec(ino, &m->ino))
		return false;
	m->maj = (uint32_t)maj;
	m->min = (uint32_t)min;
	m->prot = (prot.p[0] == 'r' ? PROT_READ : 0u) |
	          (prot.p[1] == 'w' ? PROT_WRITE : 0u) |
	          (prot.p[2] == 'x' ? PROT_EXEC : 0u);
	m->flags = prot.p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	m->path = str_trim(line);
	/* perf's name for anonymous memory */
	if (!m->path.n)
		m->path = STR("//anon");
	return true;
}

bool procmaps_bid(struct str head)
{
	struct mmap_event m;

	return parse_line(str_cut(&head, '\n'), &m);
}

bool procmaps_mapping(struct str *rest, struct mmap_event *out)
{
	while (rest->n)
		if (parse_line(str_cut(rest, '\n'), out))
			return true;
	return false;
}

bool procmaps_next(struct str *rest, struct mmap_event *out)
{
	while (procmaps_mapping(rest, out))
		if (out->prot & PROT_EXEC)
			return true;
	return false;
}

static bool is_word(char c)
{
	return c == '_' || str_is_alnum(c);
}

/*
 * Returns the last number that has delimiters on both sides, as in "7679/maps" and
 * "maps-7679-java11.txt".  If there is no such number, returns the last number, as in
 * "pid7679.maps".
 */
int32_t procmaps_pid(struct str name)
{
	int32_t alone = -1, any = -1;
	size_t i = 0;

	while (i < name.n) {
		struct str s = str_from(name, i);
		size_t begin = i;
		uint64_t v;

		if (*s.p < '0' || *s.p > '9') {
			i++;
			continue;
		}
		if (!str_take_dec(&s, &v))
			return -1;
		i = name.n - s.n;
		if (v > INT32_MAX)
			continue;
		any = (int32_t)v;
		if (!(begin && is_word(name.p[begin - 1])) && !(s.n && is_word(*s.p)))
			alone = any;
	}
	return alone >= 0 ? alone : any;
}

bool procmaps_is_status(struct str head)
{
	return str_starts(head, STR("Name:\t")) && str_has(head, STR("\nPid:\t"));
}

static bool last_number(struct str line, int32_t *out)
{
	struct str w = str_from(line, str_rfind(line, '\t') + 1);
	uint64_t v;

	if (!str_is_dec(w, &v) || v > INT32_MAX)
		return false;
	*out = (int32_t)v;
	return true;
}

bool procmaps_read_status(struct str bytes, int32_t *pid, int32_t *nspid)
{
	bool has_pid = false, has_ns = false;

	while (bytes.n) {
		struct str line = str_cut(&bytes, '\n');

		if (str_starts(line, STR("Pid:\t")))
			has_pid = last_number(line, pid);
		else if (str_starts(line, STR("NSpid:\t")))
			has_ns = last_number(line, nspid);
	}
	return has_pid && has_ns;
}
