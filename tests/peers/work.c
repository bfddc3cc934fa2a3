/* Work of a fixed amount in twelve functions, of which PARSE percent in parse. */
#ifndef PARSE
#define PARSE 30
#endif
#ifndef UNIT
#define UNIT 9000000
#endif

#define WORK(name)                                                                       \
	__attribute__((noinline, noclone)) static unsigned name(unsigned x, long n)      \
	{                                                                                \
		for (; n > 0; n--)                                                       \
			x += x * 1664525 + 1013904223;                                   \
		return x;                                                                \
	}

WORK(parse)
WORK(format)
WORK(sort)
WORK(hash)
WORK(merge)
WORK(split)
WORK(search)
WORK(encode)
WORK(decode)
WORK(pack)
WORK(unpack)
WORK(print)

int main(void)
{
	volatile unsigned x = 1;

	for (int i = 0; i < 100; i++) {
		x = parse(x, UNIT / 100 * PARSE / 3);
		x = format(x, UNIT / 100 * 9 / 3);
		x = sort(x, UNIT / 100 * 8 / 3);
		x = hash(x, UNIT / 100 * 7 / 3);
		x = merge(x, UNIT / 100 * 7 / 3);
		x = split(x, UNIT / 100 * 6 / 3);
		x = search(x, UNIT / 100 * 6 / 3);
		x = encode(x, UNIT / 100 * 6 / 3);
		x = decode(x, UNIT / 100 * 6 / 3);
		x = pack(x, UNIT / 100 * 5 / 3);
		x = unpack(x, UNIT / 100 * 5 / 3);
		x = print(x, UNIT / 100 * 5 / 3);
	}
	return x == 0;
}
