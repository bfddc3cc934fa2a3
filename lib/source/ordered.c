#include "source/ordered.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/order.h"
#include "source/archive_cache.h"
#include "source/file.h"
#include "source/index.h"

static bool name_directory(const struct cache *c, const char *path,
                           struct cache_name *out)
{
	char *real = realpath(path, NULL);

	if (real)
		*out = index_name(c, str_of(real));
	free(real);
	return real != NULL;
}

static bool name_archive(const struct cache *c, const char *path, bool is_profile,
                         struct cache_name *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct archive_cache_key key;
	bool good = fd >= 0 && archive_cache_identify(fd, str_of(path), is_profile, &key);

	if (good)
		*out = archive_cache_name(c, &key);
	if (fd >= 0)
		close(fd);
	return good;
}

bool ordered_source(const struct cache *c, char kind, const char *path, bool is_profile,
                    struct cache_name *out)
{
	return kind == 'i'   ? name_directory(c, path, out)
	       : kind == 'u' ? name_archive(c, path, is_profile, out)
	                     : false;
}

struct cache_sum ordered_stamp(const struct cache *c, const struct file_stamp *stamp)
{
	return cache_sum(c, (struct str){ (const char *)stamp, sizeof(*stamp) });
}

struct cache_sum ordered_all(const struct cache *c, const struct cache_sum *each,
                             size_t n)
{
	struct cache_sum all[ORDER_FILES] = { 0 };

	memcpy(all, each, n * sizeof(*each));
	return cache_sum(c, (struct str){ (const char *)all, sizeof(all) });
}

bool ordered_files(const struct cache *c, char kind, const int *fd, size_t files,
                   struct cache_name *out)
{
	struct cache_sum each[ORDER_FILES] = { 0 };
	struct file_stamp stamp;
	struct stat sb;

	if ((kind != 't' && kind != 'd') || files > ORDER_FILES)
		return false;
	for (size_t i = 0; i < files; i++) {
		if (fd[i] < 0)
			continue;
		if (fstat(fd[i], &sb) < 0 || !S_ISREG(sb.st_mode) ||
		    !file_stamp(fd[i], &stamp))
			return false;
		each[i] = ordered_stamp(c, &stamp);
	}
	*out = (struct cache_name){ kind, ordered_all(c, each, files) };
	return true;
}
