#!/bin/bash
# offbox-fetch: what psym --missing lists is had from a real debuginfod and from a tree of
# files that is served as .NET's symbol server serves them; then psym names the frames.
. "$TOP/tests/check.sh"
needs perf debuginfod curl gcc objcopy openssl python3
cd "$TMPDIR" || exit 1
fetch=$TOP/cmd/offbox-fetch
PATH=$BIN:$PATH # offbox-fetch asks psym for the id of a file
unset DEBUGINFOD_URLS http_proxy HTTP_PROXY ALL_PROXY all_proxy
servers=()
trap '[ ${#servers[@]} = 0 ] || kill "${servers[@]}" 2>/dev/null' EXIT

# until_true COMMAND ... - tries it for 20 seconds.
until_true()
{
	for _ in {1..200}; do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}

# A program, stripped, and a library that is called as the runtime's.
mkdir run server debug ssqp
cat >lib.c <<'END'
__attribute__((noinline)) static unsigned collect(unsigned n) { unsigned s = n; while (n--) s = s * 31 + n; return s; }
unsigned coreclr_execute(unsigned n) { return collect(n) + 1; }
END
cat >main.c <<'END'
unsigned coreclr_execute(unsigned n);
__attribute__((noinline)) static unsigned burn(unsigned n) { unsigned s = n; while (n--) s = s * 17 + n; return s; }
int main(void) { unsigned s = 0; for (int i = 0; i < 400; i++) s += burn(500000 + (unsigned)i) + coreclr_execute(500000); return s == 42; }
END
flags='-g -O1 -fno-omit-frame-pointer -Wl,--build-id=sha1'
# shellcheck disable=SC2086 # a list
gcc $flags -fPIC -shared -o run/libcoreclr.so lib.c &&
	gcc $flags -o run/service main.c -Lrun -lcoreclr -Wl,-rpath,"$PWD/run" || exit 1
perf record -q -g -F 999 -o perf.data run/service >/dev/null 2>perf.log ||
	{ cat perf.log; echo "perf cannot record here"; exit 77; }
for file in run/service run/libcoreclr.so; do
	objcopy --only-keep-debug $file debug/${file##*/}.debug
	strip -g $file
	cp $file server/
done
id=$(readelf -n run/libcoreclr.so | sed -n 's/.*Build ID: //p')
mkdir -p "ssqp/libcoreclr.so/elf-buildid-$id" "ssqp/_.debug/elf-buildid-sym-$id"
cp run/libcoreclr.so "ssqp/libcoreclr.so/elf-buildid-$id/libcoreclr.so"
cp debug/libcoreclr.so.debug "ssqp/_.debug/elf-buildid-sym-$id/_.debug"
cp debug/service.debug server/

psym()
{
	"$BIN/psym" --no-host --no-cache "$@"
}

psym --missing perf.data 2>/dev/null >missing
check "psym asks for the program" grep -q '^buildid/.*/executable$' missing
check "psym asks for the runtime" grep -q "^libcoreclr.so/elf-buildid-$id/" missing
check "nothing is named before" sh -c '! "$0" -q --no-host perf.data | grep -qE " (burn|collect)\+"' "$BIN/psym"

# A server that knows ranges, as .NET's does, and counts what it sends.
cat >serve.py <<'END'
import http.server, os, sys
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        path = self.translate_path(self.path)
        if not os.path.isfile(path):
            return self.send_error(404)
        data = open(path, 'rb').read()
        asked = self.headers.get('Range')
        start = int(asked.split('=')[1].split('-')[0]) if asked else 0
        if start >= len(data):
            return self.send_error(416)
        self.send_response(206 if asked else 200)
        self.send_header('Content-Length', str(len(data) - start))
        if asked:
            self.send_header('Content-Range', 'bytes %d-%d/%d' % (start, len(data) - 1, len(data)))
        self.end_headers()
        print(self.path, len(data) - start, flush=True)
        self.wfile.write(data[start:])
    def log_message(self, *words):
        pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
open('port.new', 'w').write(str(server.server_port))
os.rename('port.new', 'port')
os.chdir('ssqp')
server.serve_forever()
END
python3 serve.py >sent &
servers+=($!)
until_true [ -s port ]
symbols=http://127.0.0.1:$(cat port)

HOME=$PWD
export HOME
port=$((20000 + RANDOM % 20000))
debuginfod -F -p $port -d "$PWD/index.sqlite" --disable-source-scan server >debuginfod.log 2>&1 &
servers+=($!)
ids=http://127.0.0.1:$port
program=buildid/$(readelf -n run/service | sed -n 's/.*Build ID: //p')/executable
until_true curl -fso /dev/null "$ids/${program%/*}/debuginfo"
report $? "debuginfod has scanned its files"

# One file more, of which no server has heard: the status says so.
echo buildid/0123456789abcdef0123456789abcdef01234567/debuginfo >>missing
status "some are had, some are not" 1 "$fetch" -d "$ids" -s "$symbols/" -o got missing 2>said
check "said: which could not be had" grep -q 'the server does not have it' said
check "said: how to go on" grep -q 'psym -m got$' said
psym -q -m got perf.data >named
check "the program is named" grep -q ' burn+0x.*/service)' named
check "the runtime's inner function is named" grep -q ' collect+0x.*/libcoreclr.so)' named
check "no directory of a missing file is left" sh -c '! find got -type d -empty | grep -q .'
grep -E "^(libcoreclr|_[.]debug|$program)" missing >wanted
status "again: all there" 0 "$fetch" -d http://127.0.0.1:1 -s http://127.0.0.1:1 -o got wanted

# A file without build-id is had by the hash of its ends, and another file under this key is not kept.
hash_of() { python3 -c 'import hashlib, sys
data = open(sys.argv[1], "rb").read()
print(hashlib.sha256(data[:4096] + data[-4096:] + len(data).to_bytes(8, "big")).hexdigest()[:32])' "$1"; }
key=htlhash/$(hash_of run/service)/executable
other=htlhash/0123456789abcdef0123456789abcdef/executable
mkdir -p "ssqp/${key%/*}" "ssqp/${other%/*}"
cp run/service "ssqp/$key"
cp run/service "ssqp/$other"
printf '%s\n# take the file from the machine: build-id of Go aBc/def\n%s\n' "$key" "$other" |
	status "one of two hashes is right" 1 "$fetch" -q -d "$symbols" -o hashed
same "the file of a hash" run/service "hashed/$key"
check "another file is not kept" [ ! -e "hashed/$other" ]

# A part of an interrupted download is completed, not begun anew.
key=_.debug/elf-buildid-sym-$id/_.debug
size=$(stat -c %s "ssqp/$key")
rm "got/$key"
head -c 1000 "ssqp/$key" >"got/$key.part"
: >sent
echo "$key" | status "a part is gone on with" 0 "$fetch" -q -s "$symbols" -o got
same "the whole file is right" "ssqp/$key" "got/$key"
check "only the rest was sent" grep -qx "/$key $((size - 1000))" sent
rm "got/$key"
cp "ssqp/$key" "got/$key.part"
echo "$key" | status "a part that is whole already" 0 "$fetch" -q -s "$symbols" -o got
same "is the file" "ssqp/$key" "got/$key"

# Several servers, in order; one that sends pages in place of files.
mkdir -p pages/libcoreclr.so/"elf-buildid-$id"
echo '<html>Please log in</html>' >"pages/libcoreclr.so/elf-buildid-$id/libcoreclr.so"
sed 's/ssqp/pages/' serve.py >pages.py
rm port
python3 pages.py >/dev/null &
servers+=($!)
until_true [ -s port ]
pages=http://127.0.0.1:$(cat port)
key=libcoreclr.so/elf-buildid-$id/libcoreclr.so
echo "$key" | status "the second server has it" 0 "$fetch" -q -s "$pages" -s "$symbols" -o second
same "and it is the file" "ssqp/$key" "second/$key"
echo "$key" | status "a page is no file" 2 "$fetch" -s "$pages" -o third 2>said
check "a page is not kept" [ ! -e "third/$key" ]
check "a page is reported" grep -q 'sent another file' said
cp run/service "pages/$key"
echo "$key" | status "a file with another id is refused" 2 "$fetch" -s "$pages" -o third 2>said
check "a file with another id is not kept" [ ! -e "third/$key" ]
head -c 2000000 /dev/zero >>"ssqp/$key"
echo "$key" | status "larger than -m" 2 "$fetch" -m 1 -s "$symbols" -o large 2>said
check "larger than -m is said" grep -q 'larger than 1 MB' said

# A body without Content-Length, and redirections: /open/ sends zeros without an end, and
# /to/URL redirects to that server.
cat >odd.py <<'END'
import http.server, ssl, sys, urllib.parse
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print(self.path, flush=True)
        if self.path.startswith('/open/'):
            self.send_response(200)
            self.end_headers()
            try:
                for _ in range(4096):
                    self.wfile.write(bytes(1 << 20))
            except OSError:
                pass
        elif self.path.startswith('/to/'):
            server, path = self.path[4:].split('/', 1)
            self.send_response(302)
            self.send_header('Location', urllib.parse.unquote(server) + '/' + path)
            self.send_header('Content-Length', '0')
            self.end_headers()
        else:
            data = open('ssqp' + self.path, 'rb').read()
            self.send_response(200)
            self.send_header('Content-Length', str(len(data)))
            self.end_headers()
            self.wfile.write(data)
    def log_message(self, *words):
        pass
server = http.server.ThreadingHTTPServer((sys.argv[1], int(sys.argv[2])), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain('tls.pem')
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
END
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
	-addext subjectAltName=IP:127.0.0.1,IP:203.0.113.7 -keyout key.pem -out cert.pem \
	>/dev/null 2>&1 && cat key.pem cert.pem >tls.pem
plain=$((port + 1)) secure=$((port + 2))
python3 odd.py 127.0.0.1 $plain >plain.log 2>/dev/null &
servers+=($!)
python3 odd.py 127.0.0.1 $secure tls >secure.log 2>/dev/null &
servers+=($!)
export CURL_CA_BUNDLE=$PWD/cert.pem
debug=_.debug/elf-buildid-sym-$id/_.debug
until_true curl -fso /dev/null "http://127.0.0.1:$plain/$debug"
until_true curl -fso /dev/null "https://127.0.0.1:$secure/$debug"
: >plain.log
echo "$debug" | status "a body without Content-Length" 2 \
	"$fetch" -m 3 -s http://127.0.0.1:$plain/open -o endless 2>said
check "the limit holds for it" grep -q 'larger than 3 MB' said
check "its part is removed" sh -c '! find endless -type f 2>/dev/null | grep -q .'
echo "$debug" | status "a local server may redirect to another" 0 \
	"$fetch" -q -s http://127.0.0.1:$plain/to/https%3A%2F%2F127.0.0.1%3A$secure -o redirected
same "the redirected file" "ssqp/$debug" "redirected/$debug"
echo "$debug" | status "a redirection to http is refused" 2 \
	"$fetch" -s http://127.0.0.1:$plain/to/http%3A%2F%2F127.0.0.1%3A$plain -o refused 2>said
check "the refusal is reported" grep -q 'redirects to an address' said
check "the address was not asked" sh -c '! grep -q "^/_" plain.log'

# In a network of its own a server has a public address.
cat >inside.sh <<'END'
ip link set lo up && ip addr add 203.0.113.7/32 dev lo || exit 77
python3 odd.py 203.0.113.7 8001 >public.log 2>/dev/null &
python3 odd.py 127.0.0.1 8002 tls >private.log 2>/dev/null &
python3 odd.py 203.0.113.7 8003 tls >other.log 2>/dev/null &
for at in http://203.0.113.7:8001 https://127.0.0.1:8002 https://203.0.113.7:8003; do
	for _ in {1..100}; do curl -fso /dev/null "$at/$1" && break; sleep 0.1; done
done
: >private.log
for to in https://127.0.0.1:8002 https://2130706433:8002 'https://[::ffff:127.0.0.1]:8002' \
	https://localhost:8002 https://203.0.113.7@127.0.0.1:8002; do
	to=$(printf %s "$to" | sed 's/:/%3A/g; s|/|%2F|g; s/\[/%5B/; s/\]/%5D/')
	echo "$1" | "$2" -s "http://203.0.113.7:8001/to/$to" -o private
done
echo "$1" | "$2" -q -s http://203.0.113.7:8001/to/https%3A%2F%2F203.0.113.7%3A8003 -o public
kill %1 %2 %3
END
if command -v ip >/dev/null && unshare -rn true 2>/dev/null; then
	unshare -rn bash inside.sh "$debug" "$fetch" 2>said
	check "five redirections to private addresses are refused" \
		[ "$(grep -c 'redirects to an address' said)" = 5 ]
	check "the private server was not asked" [ ! -s private.log ]
	same "a redirection to a public address is followed" "ssqp/$debug" "public/$debug"
else
	echo "ok redirections to private addresses # SKIP no network namespace or no ip"
fi

# Keys that a hostile profile could make.
printf '%s\n' ../outside/x /etc/passwd a/../../b -o/x 'a b/c' 'a/$(touch pwned)' 'a/..%2f..%2fx' a//b x >hostile
status "hostile keys" 2 "$fetch" -s "$symbols" -o evil hostile 2>said
check "none of them is asked for" [ "$(grep -c 'not a key' said)" = 9 ]
check "nothing is written" sh -c '[ ! -e evil ] && [ ! -e pwned ] && [ ! -e ../outside ]'
status "an empty list" 0 "$fetch" -q -o none /dev/null
status "no such list" 2 "$fetch" nonesuch
status "a URL of files" 2 "$fetch" -s file:///etc missing
status "an unknown option" 2 "$fetch" -Z
status "a number that is none" 2 "$fetch" -j 0 missing
check "nothing is left behind" sh -c '! ls -d offbox-fetch.* 2>/dev/null'
finish
