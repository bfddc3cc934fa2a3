/* verified - the kinds of evidence that a file names the code that ran.  Shared inside bind/. */
#ifndef BIND_VERIFIED_H
#define BIND_VERIFIED_H

enum verified {
	VERIFIED_NOT,   /* no file names the code */
	VERIFIED_ID,    /* same build-id */
	VERIFIED_INODE, /* this machine's file was mapped, and is unchanged since */
	VERIFIED_BOOT,  /* the running kernel has the recorded address */
	VERIFIED_PATH,  /* only the names and the code lengths are equal */
	/*
	 * a file named by -m.  Its segments agree only with this module, and the return
	 * addresses sampled in the module follow calls in the file
	 */
	VERIFIED_CALLS,
	VERIFIED_TEXT, /* kallsyms: the kernel's code has the recorded length */
	/* .NET image: the length agrees, and calls precede the return addresses */
	VERIFIED_CODE,
	/* .NET image: another image of its framework was verified */
	VERIFIED_BESIDE,
	VERIFIED_MVID,     /* .NET map: perfinfo has the MVID of the map */
	VERIFIED_COVERS,   /* map of JIT code: the map covers the sampled addresses */
	VERIFIED_FORCED,   /* assigned by -p */
	VERIFIED_RECORDED, /* a recorded text of the same capture contains the name */
	VERIFIED_EVENT,    /* the profile contains records that name the code */
	VERIFIED_GIVEN,    /* the profile is a text, and contains the name */
};

/* Limits that apply if return addresses are the only evidence. */
enum {
	VERIFIED_MIN_CALLS = 8, /* least number of distinct return addresses */
	/*
	 * number of return addresses that suffice for a file of -m if all of them follow
	 * calls
	 */
	VERIFIED_GIVEN_CALLS = 2,
	/*
	 * if a smaller percentage of the return addresses follows calls, the file is from another
	 * build
	 */
	VERIFIED_OTHER_PERCENT = 50,
	/* if at least this percentage follows calls, the file is from the right build */
	VERIFIED_CALLS_PERCENT = 90,
};

/* maximum number of files (or loaded images) with one name that are compared */
enum { SAME_NAME = 256 };

#endif
