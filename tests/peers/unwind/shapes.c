#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile unsigned long sink;
static int rounds = 8;

static int compare(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	for (int i = 0; i < 3; i++)
		sink += x ^ y;
	return x < y ? -1 : x > y;
}

__attribute__((noinline)) static void sort(unsigned n)
{
	unsigned *v = malloc(n * sizeof(*v));

	for (unsigned i = 0; i < n; i++)
		v[i] = i * 2654435761u;
	qsort(v, n, sizeof(*v), compare);
	free(v);
}

__attribute__((noinline)) static void grow(int depth)
{
	char *p = alloca(64 + depth * 97 % 300);

	memset(p, depth, 64);
	for (int i = 0; i < 3000; i++)
		sink += i;
	if (depth)
		grow(depth - 1);
	sink += p[depth % 64];
}

/* 40 frames of this are more than a dump. */
__attribute__((noinline)) static void large(int depth)
{
	char room[700];

	memset(room, depth, sizeof(room));
	for (int i = 0; i < 5000; i++)
		sink += room[i % 700];
	if (depth)
		large(depth - 1);
	sink += room[7];
}

static void on_signal(int sig)
{
	for (int i = 0; i < 200000; i++)
		sink += i * sig;
}

/* Without call frame information, with a frame pointer and without. */
void with_pointer(void), without_pointer(void);
__attribute__((used, noinline)) void tick(void)
{
	struct timespec t;

	for (int i = 0; i < 100; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
	sink += t.tv_nsec;
}
#ifdef __x86_64__
__asm__(".text\n.type with_pointer,@function\nwith_pointer:\npush %rbp\nmov %rsp,%rbp\n"
        "call tick\nmov $9000,%eax\n1: dec %eax\njnz 1b\npop %rbp\nret\n"
        ".size with_pointer,.-with_pointer\n.type without_pointer,@function\n"
        "without_pointer:\nsub $24,%rsp\ncall tick\nmov $9000,%eax\n1: dec %eax\njnz 1b\n"
        "add $24,%rsp\nret\n.size without_pointer,.-without_pointer\n");
#else
void with_pointer(void)
{
	tick();
}
void without_pointer(void)
{
	tick();
}
#endif

static void *work(void *p)
{
	char text[100];

	for (int i = 0; i < rounds; i++) {
		sort(20000);
		grow(60);
		large(40);
		for (int k = 0; k < 300; k++) {
			with_pointer();
			without_pointer();
		}
		for (int k = 0; k < 20000; k++)
			snprintf(text, sizeof(text), "%d %f %s", k, k * 1.5, "abc");
	}
	return p;
}

/* ROUNDS, 8 by default. */
int main(int argc, char **argv)
{
	struct itimerval timer = { { 0, 7000 }, { 0, 7000 } };
	pthread_t t;

	if (argc > 1)
		rounds = atoi(argv[1]);
	signal(SIGPROF, on_signal);
	setitimer(ITIMER_PROF, &timer, NULL);
	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	return 0;
}
