#!/bin/bash
# ssh.sh ARCHIVES WANT - resymbolize on two machines by --sshloginfile: this one and, with names,
# processes and temporary files of its own, one that sshd lets in.  It goes down in the middle:
# this one does the rest, and the results are those that WANT lists.  As root.
. "$TOP/tests/check.sh"
needs parallel ssh ssh-keygen unshare
[ -x /usr/sbin/sshd ] || { echo "sshd is not installed"; exit 77; }
if [ "$(id -u)" != 0 ]; then
	echo "only root can make a machine"
	exit 77
fi
if [ -z "${FLEET_INSIDE:-}" ]; then
	FLEET_INSIDE=1 exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"
fi
archives=$1 want=$2
export PATH=$BIN:$PATH HOME=$TMPDIR
script=$TOP/cmd/resymbolize
cd "$TMPDIR" || exit 1
port=$((20000 + RANDOM % 10000))
mkdir -p machine night
ssh-keygen -q -t ed25519 -N '' -f machine/host && ssh-keygen -q -t ed25519 -N '' -f machine/user || exit 1
cat >machine/sshd.conf <<END
Port $port
ListenAddress 127.0.0.1
HostKey $PWD/machine/host
AuthorizedKeysFile $PWD/machine/user.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
MaxStartups 100
SetEnv PATH=$PATH
END
cat >machine/ssh <<END
#!/bin/sh
exec ssh -F none -p $port -i $PWD/machine/user -o StrictHostKeyChecking=no -o LogLevel=ERROR \\
	-o UserKnownHostsFile=$PWD/machine/known "\$@"
END
chmod +x machine/ssh

# boots - the machine "second", whose processes end with $machine.
boots()
{
	# shellcheck disable=SC2016 # of the other shell
	unshare --uts --mount --pid --fork --kill-child --mount-proc sh -c '
		hostname second && mkdir -p /run/sshd && mount -t tmpfs tmp "$1/machine/tmp" &&
			exec env TMPDIR="$1/machine/tmp" /usr/sbin/sshd -D -e -f "$1/machine/sshd.conf"' \
		sh "$PWD" 2>machine/log &
	machine=$!
	for _ in $(seq 100); do
		machine/ssh 127.0.0.1 true 2>/dev/null && break
		sleep 0.1
	done
	check "there is a second machine" [ "$(machine/ssh 127.0.0.1 uname -n)" = second ]
}
# done_on NIGHT HOST - how many archives, by parallel's log.
done_on() { awk -v host="$2" 'NR > 1 && $2 == host && $7 == 0' "$1/joblog" 2>/dev/null | wc -l; }
away="$PWD/machine/ssh 127.0.0.1"
printf '1/:\n1/%s\n' "$away" >machines
mkdir machine/tmp

boots
"$script" -o night -c night/cache -S machines "$archives" 2>said
"$TOP/tests/fleet/results.sh" night >got
same "two machines: the same results" "$want" got
here=$(done_on night :) there=$(($(grep -c . night/joblog) - 1 - $(done_on night :)))
check "two machines: each has done some" [ "$here" -gt 2 ] && [ "$there" -gt 2 ]

rm -rf down
"$script" -o down -c down/cache -S machines "$archives" 2>said &
pid=$!
for _ in $(seq 600); do
	[ "$(find down/each -name '*.status' 2>/dev/null | wc -l)" -gt 4 ] && break
	sleep 0.1
done
kill -KILL $machine
wait $pid
check "one goes down: that is said" grep -q '^parallel: Warning: Removed ' said
"$TOP/tests/fleet/results.sh" down >got
same "one goes down: the same results" "$want" got
finish
