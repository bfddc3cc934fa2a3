/*
 * coverage - writes a table or JSON of the sources from which the frames of each module got their
 * names.  Also lists the files to fetch for unnamed frames.
 */
#ifndef WRITER_COVERAGE_H
#define WRITER_COVERAGE_H

#include "base/out.h"
#include "symbol/report/modules.h"
#include "symbol/report/sources.h"
#include "symbol/report/summary.h"

/*
 * Writes lines for each module:
 *
 * 	      2508 of       9012 unnamed  /usr/lib/cc1  build-id 4178...
 * 	      6504 by usr/lib/cc1/4178.../elf (build-id)
 * 	           unnamed: it is stripped, and no debug file was found
 *
 * If `most` is 0, writes all modules.  Otherwise writes at most that number of modules, and only
 * those with unnamed frames.
 */
void coverage_write(struct out *o, const struct coverage *all,
                    const struct module_coverage *m, size_t n, size_t most);

/* Writes a line for each truncated jitdump, with the setting that prevents the truncation. */
void coverage_write_cut(struct out *o, const struct cut_dump *cut, size_t n);

/* Writes one JSON object on one line. */
void coverage_write_json(struct out *o, const char *input, const struct coverage *all,
                         const struct module_coverage *m, size_t n,
                         const struct cut_dump *cut, size_t ncut);

/*
 * Writes the missing files of each module: a line with the reason, and then lines with keys for
 * other tools:
 *
 * 	# 1021 frames in /usr/lib/x86_64-linux-gnu/libc.so.6: no symbols
 * 	buildid/93ac61ec5a8eb1396f9fbd350e3169a558528a40/debuginfo
 *
 * Keys have the form of debuginfod's protocol, or of .NET's symbol server (dotnet/symstore,
 * SSQP_Key_Conventions.md):
 *
 * 	libcoreclr.so/elf-buildid-ID/libcoreclr.so
 * 	_.debug/elf-buildid-sym-ID/_.debug
 * 	system.linq.dll/8CA9F2A1e0000/system.linq.dll
 * 	system.linq.ni.r2rmap/r2rmap-v1-SIGNATURE/system.linq.ni.r2rmap
 * 	shop.pdb/ac7079a44b78bf40af9a7275b4fad775ffffffff/shop.pdb
 *
 * The key of a source file contains the hash and the path of the file.  Its URL follows the key:
 *
 * 	source/93ac61ec5a8eb1396f9fbd350e3169a558528a40/srv/app/Work.cs https://example.org/Work.cs
 *
 * PDBs and source files are listed if profile_opts.lines was set.
 */
void coverage_write_missing(struct out *o, const struct profile *p);

#endif
