#include "image/dotnet/streams.h"

#include "base/cursor.h"

enum { ROOT_MAGIC = 0x424a5342 };

bool streams_bid(struct str root)
{
	struct cursor c = cur_little(root);

	return cur_u32(&c) == ROOT_MAGIC;
}

struct str streams_find(struct str root, struct str name)
{
	struct cursor c = cur_little(root);
	uint16_t n;

	if (cur_u32(&c) != ROOT_MAGIC)
		return (struct str){ 0 };
	cur_take(&c, 8);
	cur_take(&c, (cur_u32(&c) + (size_t)3) & ~(size_t)3);
	cur_u16(&c);
	n = cur_u16(&c);
	for (int i = 0; i < n && !c.bad; i++) {
		uint32_t off = cur_u32(&c), size = cur_u32(&c);
		struct str found = cur_zstr(&c);

		cur_take(&c, (4 - (found.n + 1) % 4) % 4);
		if (!c.bad && str_eq(found, name))
			return str_head(str_from(root, off), size);
	}
	return (struct str){ 0 };
}
