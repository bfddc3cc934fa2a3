#include "bind/dotnet/loaded.h"

#include "bind/binder.h"

static void add(const struct binder *b, const struct image_load *load, int32_t pid)
{
	struct loaded *l = b->loaded;
	uint32_t *last =
	        table_at(&l->of_path, b->run, intern(b->locator->names, load->path), 0);

	*arena_push(b->run, l->image, l->n, l->cap) =
	        (struct loaded_image){ *load, pid, *last };
	*last = (uint32_t)l->n;
}

void loaded_read(struct binder *b)
{
	struct locator *l = b->locator;

	for (size_t i = 0; i < l->n && !b->loaded->read; i++) {
		struct item *it = &l->item[i];
		struct perfinfo pi;

		if (it->kind != ITEM_PERFINFO)
			continue;
		perfinfo_read(&pi, source_map(it->source, it->member), b->run);
		b->loaded->files++;
		for (size_t k = 0; k < pi.n; k++)
			add(b, &pi.load[k], perfinfo_pid(it->name));
	}
	b->loaded->read = true;
}

const struct loaded_image *loaded_find(const struct binder *b, str_id path)
{
	uint32_t at = table_get(&b->loaded->of_path, path, 0);

	return at ? &b->loaded->image[at - 1] : NULL;
}

const struct loaded_image *loaded_next(const struct binder *b,
                                       const struct loaded_image *image)
{
	return image->next ? &b->loaded->image[image->next - 1] : NULL;
}

const unsigned char *loaded_find_mvid(const struct binder *b, str_id path)
{
	const struct loaded_image *i = loaded_find(b, path);
	const unsigned char *mvid = i ? i->load.mvid : NULL;

	for (int tried = 0; i && tried < SAME_NAME; tried++, i = loaded_next(b, i))
		if (memcmp(i->load.mvid, mvid, MVID_BYTES) != 0)
			return NULL;
	return mvid;
}

const unsigned char *loaded_find_process_mvid(const struct binder *b, int32_t pid,
                                              str_id path)
{
	const struct loaded_image *i = loaded_find(b, path);
	const unsigned char *mvid = NULL;

	for (int tried = 0; i && tried < SAME_NAME; tried++, i = loaded_next(b, i)) {
		if (b->loaded->files > 1 && i->pid != pid)
			continue;
		if (mvid && memcmp(i->load.mvid, mvid, MVID_BYTES) != 0)
			return NULL;
		mvid = i->load.mvid;
	}
	return mvid;
}

bool loaded_reaches(const struct image_load *load, uint64_t ip)
{
	return load->base && load->base <= ip && ip - load->base <= UINT32_MAX;
}

const struct image_load *loaded_find_below(struct binder *b, str_id path, uint64_t ip)
{
	const struct image_load *found = NULL;
	const struct loaded_image *i;

	loaded_read(b);
	i = loaded_find(b, path);
	for (int tried = 0; i && tried < SAME_NAME; tried++, i = loaded_next(b, i))
		if (loaded_reaches(&i->load, ip) &&
		    (!found || i->load.base > found->base))
			found = &i->load;
	return found;
}
