#include "measure/wait_label.h"

/* Labels of waits.  function: start of the name of a kernel function. */
static const struct {
	const char *function, *label;
} waits[] = {
	{ "futex_", "[futex]" },
	{ "do_futex", "[futex]" },
	{ "do_epoll_wait", "[epoll]" },
	{ "ep_poll", "[epoll]" },
	{ "do_nanosleep", "[nanosleep]" },
	{ "hrtimer_nanosleep", "[nanosleep]" },
	{ "do_sys_poll", "[poll]" },
	{ "do_select", "[poll]" },
	{ "do_sigtimedwait", "[signal]" },
	{ "sigsuspend", "[signal]" },
	{ "do_wait", "[child]" },
	{ "kernel_wait4", "[child]" },
	{ "pipe_", "[pipe]" },
	{ "anon_pipe_", "[pipe]" },
	{ "unix_stream_", "[socket]" },
	{ "inet_csk_accept", "[socket]" },
	{ "tcp_", "[socket]" },
	{ "sk_wait_data", "[socket]" },
	{ "__skb_wait_for_more_packets", "[socket]" },
	{ "io_schedule", "[io]" },
	{ "bit_wait_io", "[io]" },
	{ "folio_wait_", "[io]" },
	{ "blkdev_", "[io]" },
	{ "io_cqring_wait", "[io_uring]" },
	{ "rwsem_", "[kernel lock]" },
	{ "__mutex_lock", "[kernel lock]" },
	{ "exit_to_user_mode", "[signal]" },
	{ "worker_thread", "[kernel worker]" },
	{ "kthread", "[kernel worker]" },
};

const char *wait_label(struct str function)
{
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		if (str_starts(function, str_of(waits[i].function)))
			return waits[i].label;
	return NULL;
}
