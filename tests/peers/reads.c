/*
 * reads - reads of known sizes and waits, for peers/weights.sh.
 *
 *	reads > measured
 *
 * Each line of the output has a function, the sum of its amounts, and the ns it took.  The
 * functions make system calls themselves, so that their frames are the innermost ones.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SMALL = 10, LARGE = 4096, CHUNK = 100, WAIT_NS = 5000000 };

static char buf[LARGE];

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#define KEPT __attribute__((noinline))

/* A probe as sys/sdt.h describes it, reads:took with one argument of 8 bytes. */
#define TOOK(arg)                                                                        \
	__asm__ volatile("990: nop\n"                                                    \
	                 ".pushsection .note.stapsdt,\"?\",\"note\"\n"                   \
	                 ".balign 4\n"                                                   \
	                 ".4byte 992f-991f, 994f-993f, 3\n"                              \
	                 "991: .asciz \"stapsdt\"\n"                                     \
	                 "992: .balign 4\n"                                              \
	                 "993: .8byte 990b, 0, 0\n"                                      \
	                 ".asciz \"reads\"\n"                                            \
	                 ".asciz \"took\"\n"                                             \
	                 ".asciz \"-8@%0\"\n"                                            \
	                 "994: .balign 4\n"                                              \
	                 ".popsection\n" ::"r"(arg))

static inline __attribute__((always_inline)) long call(long n, long a, long b, long c)
{
	long ret;

#if defined(__x86_64__)
	__asm__ volatile("syscall"
	                 : "=a"(ret)
	                 : "a"(n), "D"(a), "S"(b), "d"(c)
	                 : "rcx", "r11", "memory");
#else
	ret = syscall(n, a, b, c);
#endif
	return ret;
}

static KEPT long read_small(int fd)
{
	long n = 0;

	for (int i = 0; i < 100; i++)
		n += call(SYS_read, fd, (long)buf, SMALL);
	return n;
}

static KEPT long read_large(int fd)
{
	long n = 0;

	for (int i = 0; i < 50; i++)
		n += call(SYS_read, fd, (long)buf, LARGE);
	return n;
}

/* Nothing is in the pipe: EAGAIN. */
static KEPT long read_nothing(int fd)
{
	long n = 0;

	for (int i = 0; i < 7; i++)
		n += call(SYS_read, fd, (long)buf, LARGE) < 0;
	return n;
}

static KEPT long wait_long(int fd)
{
	struct timespec t = { 0, WAIT_NS };
	long n = 0;

	(void)fd;
	for (int i = 0; i < 10; i++)
		n += call(SYS_nanosleep, (long)&t, 0, 0) == 0;
	return n;
}

/* Whoever records puts a probe here. */
static KEPT long take(long amount)
{
	TOOK(amount);
	return amount;
}

/* The sum of those above 0. */
static KEPT long take_amounts(int fd)
{
	long n = 0;

	(void)fd;
	for (long i = -2; i < 18; i++) {
		long amount = take(i * CHUNK);

		n += amount > 0 ? amount : 0;
	}
	return n;
}

static void measure(const char *name, long (*f)(int), int fd)
{
	uint64_t begin = now();
	long n = f(fd);

	printf("%s %ld %llu\n", name, n, (unsigned long long)(now() - begin));
}

int main(void)
{
	int zero = open("/dev/zero", O_RDONLY), ends[2];

	if (zero < 0 || pipe2(ends, O_NONBLOCK) < 0)
		return 1;
	measure("read_small", read_small, zero);
	measure("read_large", read_large, zero);
	measure("read_nothing", read_nothing, ends[0]);
	measure("wait_long", wait_long, zero);
	measure("take_amounts", take_amounts, zero);
	return 0;
}
