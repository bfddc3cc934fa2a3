/*
 * keeper - requests of a confined process to its parent, which is not confined and reads no
 * input.
 *
 * The parent makes the files that the confined process may write, and passes their descriptors.
 * It alone gives them names, removes them, and knows the key of the cache.  Processes that the
 * confined one forks share its connection: a lock lets one ask at a time, and the kernel frees
 * the lock of a process that dies.
 */
#ifndef BASE_KEEPER_H
#define BASE_KEEPER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keeper {
	int fd;   /* socket, or -1 without a keeper */
	int lock; /* file of the lock */
};

enum keeper_kind {
	/* Outputs.  OPEN: path -> number[0] is its id, descriptor.  Others: number[0] is an id. */
	KEEPER_OPEN,
	KEEPER_DONE,
	KEEPER_DROP,
	KEEPER_SPOOL, /* -> descriptor of a file without a name */
	/* The cache, see cache.c. */
	KEEPER_LOAD,
	KEEPER_BEGIN,
	KEEPER_STORE,
	KEEPER_FORGET,
	/* Workers that read CTF, see unpacked.c and ctf_stream.c. */
	KEEPER_DIRECTORY,
	KEEPER_MEMBER,
	KEEPER_REMOVE,
	KEEPER_RUN,
	KEEPER_WAIT,
};

enum { KEEPER_NUMBERS = 8 };

struct keeper_message {
	uint32_t kind; /* enum keeper_kind */
	int32_t error; /* of an answer: errno, 0 */
	uint64_t serial;
	uint64_t number[KEEPER_NUMBERS];
	char path[PATH_MAX];
};

static inline bool keeper_is_there(const struct keeper *k)
{
	return k && k->fd >= 0;
}

/* Makes a connection.  *other is the socket of the parent.  Returns -1 with errno set. */
int keeper_connect(struct keeper *k, int *other);

void keeper_close(struct keeper *k);

/*
 * Sends *m, with the descriptor `give` if that is not -1, and waits for the answer, which
 * replaces *m.  *got becomes its descriptor, or -1.  got may be NULL.  -1: errno, of the keeper or
 * of the connection.
 */
int keeper_ask(const struct keeper *k, struct keeper_message *m, int give, int *got);

/* Sends a message.  -1: errno. */
int keeper_send(int fd, const struct keeper_message *m, int give);

/* Receives one.  1: there it is.  0: the other side has ended.  -1: errno. */
int keeper_receive(int fd, struct keeper_message *m, int *got);

#endif
