#include "base/guard.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "base/arena.h"
#include "base/budget.h"

/* Sanitizers report crashes themselves. */
#if defined(WITH_ASAN)
enum { CATCHES = 0 };
#else
enum { CATCHES = 1 };
#endif

enum {
	NO_MEMORY = -1,        /* memory ran out.  Used in place of a signal number */
	SIGNAL_ROOM = 8 << 10, /* minimum stack for a handler in bytes */
};

/* State that guard_run restores. */
struct frame {
	sigjmp_buf out;
	struct frame *outer;
};

/*
 * A handler has no parameter for data, and lib/ has no global variables.  Therefore the innermost
 * guard is stored at the low end of the alternate stack, which sigaltstack(2) returns.
 */
struct guard_state {
	char magic[8];
	struct frame *inner; /* the innermost guard, or NULL */
};

static const char magic[8] = "guarded";

struct guard_state *guard_find(void)
{
	struct guard_state *s;
	stack_t stack;

	if (sigaltstack(NULL, &stack) < 0 || stack.ss_flags & SS_DISABLE ||
	    stack.ss_size < sizeof(*s) + SIGNAL_ROOM)
		return NULL;
	s = stack.ss_sp;
	return memcmp(s->magic, magic, sizeof(magic)) == 0 ? s : NULL;
}

void guard_catch(int signal)
{
	struct guard_state *s = guard_find();

	if (s && s->inner)
		siglongjmp(s->inner->out, signal);
}

static void on_crash(int signal)
{
	guard_catch(signal);
	sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	raise(signal);
}

void guard_open(void *stack, size_t n)
{
	static const int crashes[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU
	};
	const struct sigaction act = { .sa_handler = on_crash,
		                       .sa_flags = SA_ONSTACK | SA_NODEFER };
	struct guard_state *s = stack;

	if (!CATCHES)
		return;
	*s = (struct guard_state){ 0 };
	memcpy(s->magic, magic, sizeof(magic));
	if (sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = n }, NULL) < 0)
		return;
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		sigaction(crashes[i], &act, NULL);
}

void guard_out_of_memory(void)
{
	guard_catch(NO_MEMORY);
	errno = ENOMEM;
	for (;;)
		arena_checked(NULL);
}

static void report(const struct guard *g, int signal)
{
	if (signal == NO_MEMORY)
		diag_unread(g->diag, PRSTR ": %s ran out of memory", STRARG(g->file),
		            g->library);
	else if (signal == SIGXCPU)
		diag_unread(g->diag, PRSTR ": %s does not finish; the file is left out",
		            STRARG(g->file), g->library);
	else
		diag_unread(g->diag, PRSTR ": %s crashed (%s); the file is left out",
		            STRARG(g->file), g->library, strsignal(signal));
}

/* Runs `work`.  Returns 0, or the number of the signal that ended it. */
static int run(struct guard_state *s, void (*work)(void *ctx), void *ctx)
{
	struct frame here = { .outer = s->inner };
	int signal = sigsetjmp(here.out, 0);

	if (!signal) {
		s->inner = &here;
		work(ctx);
	}
	s->inner = here.outer;
	return signal;
}

enum guard_end guard_run(const struct guard *g, void (*work)(void *ctx), void *ctx)
{
	struct guard_state *s = g->state ? g->state : guard_find();
	int signal = 0, before = errno;
	bool is_short;

	errno = 0;
	if (s)
		signal = run(s, work, ctx);
	else
		work(ctx);
	is_short = !signal && g->memory && errno == ENOMEM;
	errno = before;
	if (!signal && !is_short)
		return GUARD_DONE;
	report(g, is_short ? NO_MEMORY : signal);
	if (is_short || signal == NO_MEMORY)
		(void)budget_extend();
	else if (signal == SIGXCPU)
		budget_extend_time();
	return is_short ? GUARD_SHORT : GUARD_CRASHED;
}
