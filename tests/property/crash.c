/*
 * crash - for LD_PRELOAD: a function of a library crashes when it is called for the n-th time.
 *
 *	CRASH=dwarf_begin_elf:2:SEGV   or ABRT, FPE, ILL; XCPU: it does not come to an end
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void crash(const char *function)
{
	static long calls;
	const char *said = getenv("CRASH"), *colon = said ? strchr(said, ':') : NULL,
	           *how;

	if (!colon || strncmp(said, function, (size_t)(colon - said)) != 0 ||
	    function[colon - said] || ++calls != strtol(colon + 1, (char **)&how, 10))
		return;
	if (strcmp(how, ":SEGV") == 0)
		*(volatile char *)8 = 1;
	else if (strcmp(how, ":XCPU") == 0)
		for (;;)
			__asm__ volatile("");
	else
		raise(strcmp(how, ":FPE") == 0   ? SIGFPE
		      : strcmp(how, ":ILL") == 0 ? SIGILL
		                                 : SIGABRT);
}

/* A function of up to four arguments in registers. */
#define CRASHES(name)                                                                    \
	uintptr_t name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)               \
	{                                                                                \
		uintptr_t (*real)(uintptr_t, uintptr_t, uintptr_t, uintptr_t) =          \
		        (uintptr_t(*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t))dlsym( \
		                RTLD_NEXT, #name);                                       \
                                                                                         \
		crash(#name);                                                            \
		return real(a, b, c, d);                                                 \
	}

CRASHES(dwarf_begin_elf)
CRASHES(dwarf_srclines)
CRASHES(dwarf_child)
CRASHES(gelf_getsym)
CRASHES(tep_parse_event)
CRASHES(archive_read_next_header2)
