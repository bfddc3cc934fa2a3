/* async - recognises frames in which an async method of .NET resumes inside itself. */
#ifndef LABEL_ASYNC_H
#define LABEL_ASYNC_H

#include "base/str.h"

enum async_part {
	ASYNC_NONE,
	ASYNC_METHOD,  /* "App.Svc::RunAsync (async)" */
	ASYNC_RESUMES, /* a frame between an async method and its continuation */
};

/* Returns the part that `label` represents.  The label must not end in a mark. */
enum async_part async_part_of(struct str label);

#endif
