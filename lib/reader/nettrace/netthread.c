#include "reader/nettrace/netthread.h"

enum { THREAD_NAME = 1, THREAD_PID = 2, THREAD_TID = 3, THREAD_PAIR = 4 };

static struct net_thread read_thread(struct cursor *in)
{
	struct net_thread t = { -1, -1 };

	while (cur_left(in) && !in->bad) {
		uint8_t kind = cur_u8(in);

		if (kind == THREAD_PID)
			t.pid = (int32_t)cur_uleb(in);
		else if (kind == THREAD_TID)
			t.tid = (int32_t)cur_uleb(in);
		else if (kind == THREAD_NAME)
			netfile_string(in);
		else if (kind == THREAD_PAIR)
			netfile_string(in), netfile_string(in);
		else
			break;
	}
	return t;
}

/* Reads rows: u16 size of the row, index of the thread, data of the thread. */
const char *netthread_read(struct netthreads *threads, const struct netblock *block,
                           struct arena *run)
{
	struct cursor in = cur_little(block->bytes);

	while (cur_left(&in) && !in.bad) {
		uint16_t bytes = cur_u16(&in);
		const char *p = cur_take(&in, bytes);
		struct cursor row = cur_little((struct str){ p, p ? bytes : 0 });
		uint32_t *at = table_at(&threads->at, run, cur_uleb(&row), 0);

		if (row.bad)
			break;
		*table_item(at, run, threads->thread, threads->n, threads->cap,
		            (struct net_thread){ 0 }) = read_thread(&row);
	}
	return in.bad ? "a damaged thread block" : NULL;
}

struct net_thread netthread_of(const struct netthreads *threads, const struct netfile *nf,
                               uint64_t thread)
{
	uint32_t at;

	if (nf->version < 6)
		return (struct net_thread){ nf->pid, (int32_t)thread };
	at = table_get(&threads->at, thread, 0);
	return at ? threads->thread[at - 1] : (struct net_thread){ -1, -1 };
}
