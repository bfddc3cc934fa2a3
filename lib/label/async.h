/*
 * async - recognises async methods of .NET, and the frames of the runtime that call such a method
 * again after an await.
 */
#ifndef LABEL_ASYNC_H
#define LABEL_ASYNC_H

#include "base/str.h"

enum async_part {
	ASYNC_NONE,
	ASYNC_METHOD,  /* "App.Svc::RunAsync (async)" */
	ASYNC_RESUMES, /* a frame of the runtime that continues an async method */
};

/* Returns the kind of the frame with this label.  The label must not end in a mark. */
enum async_part async_part_of(struct str label);

#endif
