/*
 * verified - the evidence that a source names the code that ran, and the required amount of it.
 * Shared inside bind/.
 */
#ifndef BIND_VERIFIED_H
#define BIND_VERIFIED_H

enum verified {
	VERIFIED_NOT,   /* no source names the code */
	VERIFIED_ID,    /* same build-id */
	VERIFIED_INODE, /* the file of this machine that was mapped, unchanged since */
	VERIFIED_BOOT,  /* the running kernel, at the recorded address */
	VERIFIED_PATH,  /* same name and same length of the code, nothing else */
	/* a file named by -m: segments and calls agree with this module only */
	VERIFIED_CALLS,
	VERIFIED_TEXT, /* kallsyms: the kernel's text has the same length */
	VERIFIED_CODE, /* .NET image: length, and calls before return addresses */
	/* .NET image: another image of the same framework was verified */
	VERIFIED_BESIDE,
	VERIFIED_MVID,     /* .NET map: it has the MVID of the loaded image in perfinfo */
	VERIFIED_COVERS,   /* map of JIT code: it covers the sampled addresses */
	VERIFIED_FORCED,   /* assigned by -p */
	VERIFIED_RECORDED, /* text of the same capture */
	VERIFIED_EVENT,    /* the profile's own records name the code */
	VERIFIED_GIVEN,    /* the text that is the profile has the name */
};

/* Limits of the evidence from return addresses, if there is no other evidence. */
enum {
	VERIFIED_MIN_CALLS = 8, /* least number of distinct return addresses */
	/* least number of return addresses for a file named by -m, if all follow calls */
	VERIFIED_GIVEN_CALLS = 2,
	/*
	 * a file is another one if fewer than 50 % of the return addresses follow calls
	 */
	VERIFIED_OTHER_PERCENT = 50,
	/*
	 * a file is the right one if at least 90 % of the return addresses follow calls
	 */
	VERIFIED_CALLS_PERCENT = 90,
};

/* maximum number of files, or of loads, with one name that are tried */
enum { SAME_NAME = 256 };

#endif
