#include "image/dotnet/pdb.h"

#include "base/cursor.h"
#include "image/dotnet/streams.h"

static const char msf_magic[] = "Microsoft C/C++ MSF 7.00\r\n\x1a"
                                "DS\0\0";

enum {
	MSF_MAGIC = 32,    /* size in bytes, including the NUL of the literal */
	MSF_BLOCK = 65536, /* maximum size of a block in bytes */
	PDB_STREAM = 1,    /* number of the stream with the signature in Windows PDBs */
	/* offset of the signature in stream PDB_STREAM, after version, time and age */
	PDB_GUID_AT = 12,
};

bool pdb_bid(struct str head)
{
	return streams_bid(head) ||
	       str_starts(head, (struct str){ msf_magic, MSF_MAGIC });
}

/*
 * A Windows PDB.  It consists of blocks of equal size.  Its directory, the table of the block
 * numbers of each stream, is spread over several blocks.
 */
struct msf {
	struct str bytes;
	uint32_t block; /* size of a block in bytes */
	/* number of the block that lists the directory's blocks */
	uint32_t directory_map;
};

static struct cursor block_at(const struct msf *f, uint32_t number, size_t offset)
{
	uint64_t at = (uint64_t)number * f->block + offset;

	return cur_little(str_from(f->bytes, at < f->bytes.n ? at : f->bytes.n));
}

/*
 * Reads the word at an offset of the directory.  Returns false if the word is outside of the
 * file.
 */
static bool directory_word(const struct msf *f, uint64_t offset, uint32_t *out)
{
	struct cursor c = block_at(f, f->directory_map, offset / f->block * 4);

	/*
	 * Directory maps larger than one block are not supported.  Linkers do not write
	 * them.
	 */
	if (offset / f->block * 4 >= f->block)
		return false;
	c = block_at(f, cur_u32(&c), offset % f->block);
	*out = cur_u32(&c);
	return !c.bad;
}

/*
 * Sets *out to the stream PDB_STREAM.  The directory contains the number of streams, the size of
 * each stream, and then the block numbers of each stream.
 */
static bool find_pdb_stream(const struct msf *f, struct cursor *out)
{
	uint32_t n, first_size, block;

	if (!directory_word(f, 0, &n) || n <= PDB_STREAM ||
	    !directory_word(f, 4, &first_size))
		return false;
	if (first_size == UINT32_MAX)
		first_size = 0;
	if (!directory_word(f,
	                    4 + 4 * (uint64_t)n +
	                            ((uint64_t)first_size + f->block - 1) / f->block * 4,
	                    &block))
		return false;
	*out = block_at(f, block, PDB_GUID_AT);
	return true;
}

static bool read_msf(struct str bytes, struct cursor *out)
{
	struct cursor c = cur_little(str_from(bytes, MSF_MAGIC));
	struct msf f = { .bytes = bytes };

	f.block = cur_u32(&c);
	cur_take(&c, 16);
	f.directory_map = cur_u32(&c);
	return !c.bad && f.block && f.block % 4 == 0 && f.block <= MSF_BLOCK &&
	       find_pdb_stream(&f, out);
}

bool pdb_signature(struct str bytes, unsigned char guid[PDB_GUID_BYTES])
{
	struct cursor c;
	const char *p;

	if (!pdb_bid(bytes))
		return false;
	if (streams_bid(bytes))
		c = cur_little(streams_find(bytes, STR("#Pdb")));
	else if (!read_msf(bytes, &c))
		return false;
	p = cur_take(&c, PDB_GUID_BYTES);
	if (p)
		memcpy(guid, p, PDB_GUID_BYTES);
	return p != NULL;
}
