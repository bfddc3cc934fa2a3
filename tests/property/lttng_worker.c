/*
 * lttng_worker - for LD_PRELOAD: libbabeltrace2 fails where it reads a message.
 *
 *	BREAK=crash:N   the N-th message that a process reads raises SIGSEGV
 *	BREAK=pause:N   that one never ends
 *	BREAK=spin:N    nor does that one, which uses the processor
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	char how[8];
	long at, seen;
} broken;

__attribute__((constructor)) static void begin(void)
{
	const char *said = getenv("BREAK"), *colon = said ? strchr(said, ':') : NULL;

	if (!colon || (size_t)(colon - said) >= sizeof(broken.how))
		return;
	memcpy(broken.how, said, (size_t)(colon - said));
	broken.at = strtol(colon + 1, NULL, 10);
}

int bt_message_get_type(const void *message);

int bt_message_get_type(const void *message)
{
	int (*next)(const void *) =
	        (int (*)(const void *))dlsym(RTLD_NEXT, "bt_message_get_type");

	if (++broken.seen == broken.at) {
		if (strcmp(broken.how, "crash") == 0)
			raise(SIGSEGV);
		while (strcmp(broken.how, "pause") == 0)
			pause();
		for (volatile long i = 0; strcmp(broken.how, "spin") == 0; i++)
			;
	}
	return next(message);
}
