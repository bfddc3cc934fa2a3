#include "keeping.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kept.h"

enum {
	GRACE_MS = 5000,  /* ms after which a child that ignores a signal is killed */
	IDLE_MS = 600000, /* ms without a request after which a maker is killed */
	MOST_STATUS = 3,  /* largest exit status of a filter (pdiff --fail-if) */
};

struct keeping {
	struct kept kept;
	struct cmd *c;
	pid_t child;
	int socket, signals;
	sigset_t before; /* the original signal mask */
	int ending;      /* the signal that will end the program, or 0 */
	bool ended;      /* the child has ended with `status` */
	int status;
};

/* Blocks the signals that the keeper handles, unless they are ignored. */
static void hold_signals(struct keeping *k)
{
	static const int held[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP };
	struct sigaction now;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++)
		if (sigaction(held[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(&set, held[i]);
	signal(SIGCHLD, SIG_DFL);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &k->before);
	k->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void end_child(struct keeping *k, int status)
{
	k->ended = true;
	k->status = status;
}

/*
 * On SIGTSTP, stops the child and then this process.  The shell waits only for this process, and
 * may not send the signal to the child.
 */
static void stop(const struct keeping *k)
{
	if (!k->ended)
		kill(k->child, SIGSTOP);
	raise(SIGSTOP);
	if (!k->ended)
		kill(k->child, SIGCONT);
}

static void take_signals(struct keeping *k)
{
	struct signalfd_siginfo info;
	int status;

	while (read(k->signals, &info, sizeof(info)) == sizeof(info)) {
		int number = (int)info.ssi_signo;

		if (number == SIGCHLD) {
			if (!k->ended && waitpid(k->child, &status, WNOHANG) == k->child)
				end_child(k, status);
		} else if (number == SIGTSTP) {
			stop(k);
		} else {
			k->ending = number;
			if (!k->ended)
				kill(k->child, number);
		}
	}
}

/* Answers a message of the child.  Returns false if there is no message. */
static bool answer(struct keeping *k)
{
	struct keeper_message m;
	struct keeper_bytes bytes;
	int given, made = -1;

	if (keeper_receive(k->socket, &m, &bytes, &given) <= 0)
		return false;
	m.error = kept_answer(&k->kept, &m, &bytes, given, &made);
	if (given >= 0)
		close(given);
	if (m.serial)
		(void)keeper_send(k->socket, &m, made);
	if (made >= 0)
		close(made);
	return true;
}

static void serve(struct keeping *k)
{
	struct makers *makers = &k->kept.makers;
	struct pollfd polled[] = { { .fd = k->signals, .events = POLLIN },
		                   { .fd = k->socket, .events = POLLIN },
		                   { .events = POLLIN } };
	int timeout = -1, n;

	while (!k->ended) {
		makers_run(makers);
		polled[2].fd = makers->socket;
		n = poll(polled, 3, timeout);
		if (n == 0)
			kill(k->child, SIGKILL);
		if (n > 0 && polled[0].revents)
			take_signals(k);
		if (n > 0 && polled[1].revents && !answer(k))
			polled[1].fd = -1;
		if (n > 0 && polled[2].revents)
			makers_answer(makers);
		if (k->ending)
			timeout = GRACE_MS;
	}
}

/* After the output is complete, makes the cache entries that makers have not made yet. */
static void finish_makers(struct keeping *k)
{
	struct makers *makers = &k->kept.makers;

	while (!k->ending && makers_run(makers)) {
		struct pollfd polled[] = { { .fd = k->signals, .events = POLLIN },
			                   { .fd = makers->socket, .events = POLLIN } };

		int n = poll(polled, 2, IDLE_MS);

		if (n == 0)
			break;
		if (n < 0)
			continue;
		if (polled[0].revents)
			take_signals(k);
		if (polled[1].revents)
			makers_answer(makers);
	}
}

/* Ends this process with the signal that ended the child, so that the shell reports it. */
static void end_by(const struct keeping *k, int number)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	signal(number, SIG_DFL);
	sigprocmask(SIG_SETMASK, &k->before, NULL);
	raise(number);
}

/*
 * Closes standard input and output in the keeper.  If only the child has them open, the processes
 * at the other ends of the pipes notice when the child ends.
 */
static void leave_pipes(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

static int keep(struct keeping *k)
{
	bool good;

	leave_pipes();
	serve(k);
	while (answer(k))
		;
	/*
	 * No filter returns more than MOST_STATUS, so a greater status is from a library.
	 * For example, the dynamic loader exits with 127 if memory is short.
	 */
	if (WIFEXITED(k->status) && WEXITSTATUS(k->status) > MOST_STATUS) {
		diag_fatal(&k->c->diag, "a library has ended the program with status %d",
		           WEXITSTATUS(k->status));
		k->status = EXIT_UNUSABLE << 8;
	}
	good = WIFEXITED(k->status) && WEXITSTATUS(k->status) != EXIT_UNUSABLE;
	if (kept_end(&k->kept, good) < 0)
		k->status = EXIT_UNUSABLE << 8;
	if (good)
		finish_makers(k);
	makers_end(&k->kept.makers);
	cache_close(&k->c->cache);
	if (WIFSIGNALED(k->status))
		end_by(k, WTERMSIG(k->status));
	if (k->ending)
		end_by(k, k->ending);
	return WEXITSTATUS(k->status);
}

/* Prepares the child.  The kernel kills it if its parent ends first. */
static void begin_child(struct keeping *k, pid_t parent)
{
	close(k->socket);
	close(k->signals);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(EXIT_UNUSABLE);
	sigprocmask(SIG_SETMASK, &k->before, NULL);
	cache_give_to_keeper(&k->c->cache, &k->c->keeper);
}

int keeping_start(struct cmd *c)
{
	struct keeping k = { .c = c };
	pid_t parent = getpid();

	if (keeper_connect(&c->keeper, &k.socket) < 0)
		return diag_fatal(&c->diag, "no process can be made: %s",
		                  strerror(errno));
	hold_signals(&k);
	k.child = k.signals < 0 ? -1 : fork();
	if (k.child < 0) {
		int error = errno;

		sigprocmask(SIG_SETMASK, &k.before, NULL);
		return diag_fatal(&c->diag, "no process can be made: %s",
		                  strerror(error));
	}
	if (k.child == 0) {
		begin_child(&k, parent);
		return 0;
	}
	keeper_close(&c->keeper);
	(void)fcntl(k.socket, F_SETFL, O_NONBLOCK);
	kept_begin(&k.kept, c, &k.before);
	c->ended = keep(&k);
	close(k.socket);
	close(k.signals);
	return -1;
}
