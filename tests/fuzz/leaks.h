/* libtraceevent forgets some of what it allocated when a format cannot be parsed. */
#ifndef FUZZ_LEAKS_H
#define FUZZ_LEAKS_H

const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

#endif
