"""otlp.py BEFORE AFTER - AFTER has all of BEFORE: its fields other than the dictionary, and the entries
of each table in their order, without the lines of locations.  Prints the first difference."""
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, type, contents) of each field."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            n, at = varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
            assert at + n <= len(data)
            value, at = data[at:at + n], at + n
        yield tag >> 3, kind, value


def messages(data):
    if data[0] >> 3:
        yield data
        return
    while data:
        n = int.from_bytes(data[:4], 'big')
        assert n + 4 <= len(data)
        yield data[4:4 + n]
        data = data[4 + n:]


def read(path):
    """For each message: the fields other than the dictionary, and its tables."""
    for message in messages(open(path, 'rb').read()):
        others, tables = [], {}
        for number, kind, value in fields(message):
            if number != 2:
                others.append((number, kind, value))
                continue
            for table, _, entry in fields(value):
                if table == 2:
                    entry = [f for f in fields(entry) if f[0] != 3]
                tables.setdefault(table, []).append(entry)
        yield others, tables


before, after = (list(read(path)) for path in sys.argv[1:])
if len(before) != len(after):
    sys.exit('the number of messages differs')
for (others, tables), (new_others, new_tables) in zip(before, after):
    if others != new_others:
        sys.exit('fields other than the dictionary differ')
    for table, entries in tables.items():
        if new_tables.get(table, [])[:len(entries)] != entries:
            sys.exit(f'table {table} differs')
        if table not in (3, 5) and len(new_tables[table]) != len(entries):
            sys.exit(f'table {table} is longer')
