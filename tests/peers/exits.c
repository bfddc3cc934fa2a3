/*
 * exits - threads that end while another thread preempts them, for peers/offcpu.sh and
 * fixtures/sched517.prof.tar.gz and sched61.prof.tar.gz.
 *
 *	exits THREADS
 *
 * Starts THREADS threads, one after the other.  Each writes to /dev/null and returns.  A
 * thread of a realtime class wakes up all the time on the same CPU, so some threads are
 * preempted when the kernel has already taken their ids away.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static atomic_bool over;

static void *interrupt(void *arg)
{
	const struct timespec pause = { .tv_nsec = 50000 };
	struct sched_param first = { .sched_priority = 1 };

	prctl(PR_SET_NAME, "interrupts");
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &first) != 0)
		fputs("exits: no realtime thread is allowed here\n", stderr);
	while (!over)
		nanosleep(&pause, NULL);
	return arg;
}

static void *end(void *arg)
{
	char bytes[64] = { 0 };
	int fd = open("/dev/null", O_WRONLY);

	prctl(PR_SET_NAME, "ends");
	for (size_t n = 1; n < sizeof(bytes); n *= 2)
		if (write(fd, bytes, n) < 0)
			break;
	close(fd);
	return arg;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t interrupts, ends;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (pthread_create(&interrupts, NULL, interrupt, NULL) != 0)
		return 1;
	for (int i = 0; i < threads; i++) {
		if (pthread_create(&ends, NULL, end, NULL) != 0)
			return 1;
		pthread_join(ends, NULL);
	}
	over = true;
	pthread_join(interrupts, NULL);
	return 0;
}
