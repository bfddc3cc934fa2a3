/*
 * gen-folded STACKS - that many distinct folded stacks, sorted, the same every time.
 *
 * Stacks grow out of one another as in a real profile: each keeps a random part of the
 * one before and goes on from there, 10 to 60 frames deep.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 60, SHALLOW = 10, FUNCTIONS = 20000 };

static uint64_t state = 88172645463325252u;

static unsigned draw(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state % below);
}

/* Frames rise within a level, so lines come out sorted and distinct. */
static void next_stack(unsigned *frame, unsigned *depth)
{
	unsigned keep = *depth ? draw(*depth) : 0;

	frame[keep] = *depth ? frame[keep] + 1 : 0;
	*depth = SHALLOW + draw(DEPTH - SHALLOW);
	if (*depth <= keep)
		*depth = keep + 1;
	for (unsigned i = keep + 1; i < *depth; i++)
		frame[i] = draw(3);
}

int main(int argc, char **argv)
{
	unsigned long stacks = argc > 1 ? strtoul(argv[1], NULL, 10) : 200000;
	unsigned frame[DEPTH + 1] = { 0 }, depth = 0;

	for (unsigned long n = 0; n < stacks; n++) {
		next_stack(frame, &depth);
		fputs("service", stdout);
		for (unsigned i = 0; i < depth; i++)
			printf(";%06u.Module%u::function_%u", frame[i], i,
			       (frame[i] * 7919 + i) % FUNCTIONS);
		printf(" %u\n", 1 + draw(1000));
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
