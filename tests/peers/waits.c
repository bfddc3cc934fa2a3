/*
 * waits - threads that wait in known ways, for peers/offcpu.sh.
 *
 *	waits > times
 *
 * Sixteen threads sleep, contend for mutexes, read from slow pipes and compute.  Each
 * line of the output has a thread, the function that it waited or was preempted in, and
 * the ns it was off the CPU there; "wall" and "on" are of the whole thread between its
 * first and its last line.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define KEPT __attribute__((noinline))

enum { THREADS = 16, ROUNDS = 25 };

struct worker {
	pthread_t thread;
	int n;
	int pipe[2];
	uint64_t off, wall, on; /* ns */
	unsigned long spins;
};

static struct worker workers[THREADS];
static pthread_mutex_t mutex[THREADS];
static pthread_barrier_t start;

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/*
 * Adds the time off the CPU that a function takes.  The call chain of a function of libc
 * that has no frame pointer lacks its caller, so each stands in a function of its own.
 */
static void measure(struct worker *w, void (*work)(struct worker *w))
{
	uint64_t on = now(CLOCK_THREAD_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);

	work(w);
	wall = now(CLOCK_MONOTONIC) - wall;
	on = now(CLOCK_THREAD_CPUTIME_ID) - on;
	w->off += wall > on ? wall - on : 0;
}

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000L }, NULL);
}

KEPT static void sleep_once(struct worker *w)
{
	pause_ms(10 + w->n);
	__asm__ volatile("");
}

KEPT static void lock_once(struct worker *w)
{
	pthread_mutex_lock(&mutex[w->n / 2]);
	__asm__ volatile("");
}

KEPT static void read_once(struct worker *w)
{
	char c;

	(void)!read(w->pipe[0], &c, 1);
	__asm__ volatile("");
}

KEPT static void waits_in_sleep(struct worker *w)
{
	sleep_once(w);
	__asm__ volatile("");
}

KEPT static void waits_for_mutex(struct worker *w)
{
	lock_once(w);
	__asm__ volatile("");
}

KEPT static void waits_for_pipe(struct worker *w)
{
	read_once(w);
	__asm__ volatile("");
}

KEPT static void computes(struct worker *w)
{
	uint64_t until = now(CLOCK_THREAD_CPUTIME_ID) + 8000000;

	while (now(CLOCK_THREAD_CPUTIME_ID) < until)
		w->spins++;
}

/* Two threads share a mutex, or a pipe into which the second one writes. */
static void work_once(struct worker *w)
{
	switch (w->n / 4) {
	case 0:
		measure(w, waits_in_sleep);
		break;
	case 1:
		measure(w, waits_for_mutex);
		pause_ms(6);
		pthread_mutex_unlock(&mutex[w->n / 2]);
		pause_ms(1);
		break;
	case 2:
		if (w->n % 2 == 0) {
			measure(w, waits_for_pipe);
			break;
		}
		pause_ms(9);
		(void)!write(workers[w->n - 1].pipe[1], "x", 1);
		break;
	default:
		measure(w, computes);
	}
}

static const char *const functions[] = { "waits_in_sleep", "waits_for_mutex",
	                                 "waits_for_pipe", "computes" };

static void *run(void *arg)
{
	struct worker *w = arg;
	char working[16], ended[16];
	uint64_t wall, on;

	snprintf(working, sizeof(working), "w%d", w->n);
	snprintf(ended, sizeof(ended), "x%d", w->n);
	pthread_barrier_wait(&start);
	wall = now(CLOCK_MONOTONIC);
	on = now(CLOCK_THREAD_CPUTIME_ID);
	/* By its name the time from here on is found; a thread may wait long for its end. */
	prctl(PR_SET_NAME, working);
	for (int i = 0; i < ROUNDS; i++)
		work_once(w);
	w->wall = now(CLOCK_MONOTONIC) - wall;
	w->on = now(CLOCK_THREAD_CPUTIME_ID) - on;
	prctl(PR_SET_NAME, ended);
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&start, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		workers[i].n = i;
		pthread_mutex_init(&mutex[i], NULL);
		if (pipe(workers[i].pipe) != 0)
			return 1;
	}
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&workers[i].thread, NULL, run, &workers[i]) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++) {
		const struct worker *w = &workers[i];

		pthread_join(w->thread, NULL);
		if (w->off)
			printf("w%d %s %llu\n", i, functions[i / 4],
			       (unsigned long long)w->off);
		printf("w%d wall %llu\n", i, (unsigned long long)w->wall);
		printf("w%d on %llu\n", i, (unsigned long long)w->on);
	}
	return 0;
}
