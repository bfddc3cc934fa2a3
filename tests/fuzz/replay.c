/*
 * Runs a fuzz target over files: each argument is one, or a directory of them.
 * Each input stands in an allocation of its own size, so that ASan sees a read
 * behind its end.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_fd(int fd, const char *name)
{
	struct stat st;
	uint8_t *data;
	size_t size;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return fprintf(stderr, "%s: not a file\n", name), -1;
	size = (size_t)st.st_size;
	data = malloc(size ? size : 1);
	if (!data || read(fd, data, size) != st.st_size) {
		perror(name);
		free(data);
		return -1;
	}
	fprintf(stderr, "%s\n", name);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 1;
}

static int replay_file(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC), ran;

	if (fd < 0) {
		perror(name);
		return -1;
	}
	ran = replay_fd(fd, name);
	close(fd);
	return ran;
}

/* How many inputs were run; -1 after an error. */
static int replay(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int ran = 0;

	if (!dir)
		return replay_file(AT_FDCWD, path);
	while (ran >= 0 && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			ran = replay_file(dirfd(dir), entry->d_name) < 0 ? -1 : ran + 1;
	closedir(dir);
	return ran;
}

int main(int argc, char **argv)
{
	int total = 0;

	for (int i = 1; i < argc; i++) {
		int ran = replay(argv[i]);

		if (ran < 0)
			return EXIT_FAILURE;
		total += ran;
	}
	if (!total) {
		fputs("no inputs\n", stderr);
		return EXIT_FAILURE;
	}
	printf("ok %d inputs\n", total);
	return EXIT_SUCCESS;
}
