/*
 * keeper - sends requests of a confined process to its parent, the keeper.  The keeper is not
 * confined, but reads no input.
 *
 * The keeper creates the files that the confined process writes, and passes their descriptors.
 * Only the keeper names and removes files, and knows the keys of the cache.  The confined process
 * and its children share one connection.  A lock allows only one request at a time.  If a process
 * dies, the kernel releases its lock.
 */
#ifndef BASE_KEEPER_H
#define BASE_KEEPER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/out.h"

struct keeper {
	int fd;   /* socket, or -1 if there is no keeper */
	int lock; /* file for the lock */
};

enum keeper_kind {
	/*
	 * Requests for outputs.  OPEN contains a path.  The answer contains an id in
	 * number[0], and a descriptor.  DONE and DROP contain this id in number[0].
	 */
	KEEPER_OPEN,
	KEEPER_DONE,
	KEEPER_DROP,
	/*
	 * A small file with its path and bytes.  If the serial is 0, there is no answer.  After
	 * an error, the answer to the next OPEN contains the error and the path of this file.
	 */
	KEEPER_POST,
	KEEPER_SPOOL, /* the answer contains the descriptor of a file without a name */
	/* Requests for the cache (cache.c, order.c). */
	KEEPER_LOAD,
	KEEPER_BEGIN,
	KEEPER_STORE,
	KEEPER_FORGET,
	KEEPER_GIVE,
	KEEPER_MAKE,
	/* Requests for workers that read CTF (unpacked.c, ctf_stream.c). */
	KEEPER_DIRECTORY,
	KEEPER_MEMBER,
	KEEPER_REMOVE,
	KEEPER_RUN,
	KEEPER_WAIT,
};

enum { KEEPER_NUMBERS = 8 };

struct keeper_message {
	uint32_t kind; /* enum keeper_kind */
	int32_t error; /* answer: errno or 0 */
	uint64_t serial;
	uint64_t number[KEEPER_NUMBERS];
	char path[PATH_MAX];
};

/* The bytes of a KEEPER_POST. */
struct keeper_bytes {
	size_t n;
	char p[OUT_BUFFER];
};

/*
 * Creates a connection.  *other becomes the keeper's socket.  Returns -1 with errno set after an
 * error.
 */
int keeper_connect(struct keeper *k, int *other);

void keeper_close(struct keeper *k);

/*
 * Sends *m, and the descriptor `give` unless it is -1.  Waits for the answer, which replaces *m.
 * Sets *got to the answer's descriptor, or -1.  got may be NULL.  Returns -1 with errno set if
 * the connection or the request fails.
 */
int keeper_ask(const struct keeper *k, struct keeper_message *m, int give, int *got);

/*
 * Sends *m with the bytes of a small file.  Does not wait.  Returns -1 with errno set after an
 * error.
 */
int keeper_post(const struct keeper *k, struct keeper_message *m, struct str bytes);

/* Sends a message.  Returns -1 with errno set after an error. */
int keeper_send(int fd, const struct keeper_message *m, int give);

/*
 * Receives a message.  Sets *bytes to the bytes of a file, unless `bytes` is NULL.  Returns 1, or
 * 0 if the other process has ended, or -1 with errno set.
 */
int keeper_receive(int fd, struct keeper_message *m, struct keeper_bytes *bytes,
                   int *got);

#endif
