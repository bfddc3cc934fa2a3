#include "stack/site.h"

/* Sites are compared as bytes, so a struct site must not have padding. */
_Static_assert(sizeof(struct site) == 11 * sizeof(uint32_t), "a site has no padding");

void site_init(struct sites *p, struct arena *arena)
{
	intern_init(&p->texts, arena);
	intern_init(&p->known, arena);
}

str_id site_add(struct sites *p, const struct site *site)
{
	struct str bytes = { (const char *)site, sizeof(*site) };

	if (site->root && site->pid >= 0) {
		uint32_t *command =
		        table_at(&p->commands, p->known.arena, (uint32_t)site->pid, 0);

		if (!*command || site->tid == site->pid)
			*command = site->comm + 1;
	}
	return intern(&p->known, bytes);
}

str_id site_command(const struct sites *p, int32_t pid)
{
	uint32_t command = table_get(&p->commands, (uint32_t)pid, 0);

	return command ? command - 1 : 0;
}

const struct site *site_at(const struct sites *p, str_id id)
{
	static const struct site none;

	return id ? (const struct site *)(const void *)intern_str(&p->known, id).p
	          : &none;
}
