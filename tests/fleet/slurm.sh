#!/bin/bash
# slurm.sh ARCHIVES WANT - resymbolize.sbatch as an array of Slurm, in a chroot of its own, with
# slurmd killed in the middle and its tasks requeued: the results are those that WANT lists.
#
# As root.  The chroot is made once, in build/fleet/root; everything runs in namespaces that end
# with this script.
. "$TOP/tests/check.sh"
root=$TOP/build/fleet/root
packages=slurmctld,slurmd,slurm-client,munge,parallel,procps,babeltrace2
packages+=,libarchive13,libzstd1,libisal2,libtraceevent1,liblzma5,libdw1,libxxhash0,libpcre2-8-0
packages+=,libyajl2,libbabeltrace2-0
if [ "$(id -u)" != 0 ]; then
	echo "only root can make a chroot"
	exit 77
fi
if [ ! -e "$root/made" ]; then
	needs debootstrap
	mkdir -p "$root"
	debootstrap --variant=minbase --include=$packages bookworm "$root" \
		"${MIRROR:-http://deb.debian.org/debian}" >"$root.log" 2>&1 || { tail "$root.log"; exit 1; }
	touch "$root/made"
fi
if [ -z "${FLEET_INSIDE:-}" ]; then
	FLEET_INSIDE=1 exec unshare --mount --uts --pid --fork --kill-child --mount-proc "$0" "$@"
fi
archives=$1 want=$2 node=fleet cpus=2
hostname $node

# The chroot sees the archives, the results and the programs at their paths.
night=$TMPDIR/slurm
mkdir -p "$night"
mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" &&
	mount -t tmpfs run "$root/run" && mount -t tmpfs tmp "$root/tmp" &&
	mkdir -p "$root/run/munge" "$root/var/spool/slurmd" "$root/var/spool/slurmctld" \
		"$root/etc/slurm" || exit 1
for dir in "$archives" "$night" "$TOP/share" "$BIN"; do
	mkdir -p "$root$dir"
	mount --bind "$dir" "$root$dir" || exit 1
done
rm -rf "${root:?}"/var/spool/slurm*/* "$root"/var/log/slurm*
printf '127.0.0.1 localhost %s\n' $node >"$root/etc/hosts"
echo CgroupPlugin=cgroup/v1 >"$root/etc/slurm/cgroup.conf"
cat >"$root/etc/slurm/slurm.conf" <<END
ClusterName=fleet
SlurmctldHost=$node
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldLogFile=/var/log/slurmctld.log
SlurmdLogFile=/var/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$node CPUs=$cpus RealMemory=512 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END

# inside COMMAND ... - in the chroot.
inside()
{
	chroot "$root" env -i PATH="$BIN:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root \
		RESYMBOLIZE="$TOP/cmd/resymbolize" "$@"
}
# within SECONDS COMMAND ... - waits until the command succeeds.
within()
{
	local end=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.5
	done
}
some_done() { [ -n "$(find "$night/each" -name '*.status' | head -n 1)" ]; }
all_ended() { [ -z "$(inside squeue -h)" ]; }
running() { inside squeue -h -t running | grep -q .; }
requeued() { inside squeue -h -o %t | grep -q PD && ! running; }
is_idle() { inside sinfo -h -o %t | grep -qx idle; }

inside chown -R munge: /etc/munge /var/lib/munge /var/log/munge /run/munge
inside runuser -u munge -- /usr/sbin/munged && inside slurmctld && inside slurmd
report $? "munged, slurmctld and slurmd start"
check "the node is idle" within 60 is_idle
inside "$TOP/cmd/resymbolize" -o "$night" -n "$archives"
report $? "archives are noted"
job=$(inside sbatch --parsable --array=4-7 --output=/var/log/slurm-%a.out --chdir=/ \
	"$TOP/share/examples/resymbolize.sbatch" "$night")
check "an array is submitted" [ -n "$job" ]
check "tasks run" within 60 some_done

# slurmd and a task's whole tree are killed: the node is down, and the tasks are requeued.
# The processes are those of this namespace.
pkill -KILL -x slurmd
pkill -KILL -x slurmstepd
victims=$(pgrep -f "$night -t [0-9]+/4")
[ -z "$victims" ] || echo "$victims" | xargs kill -KILL 2>/dev/null
check "not all was done" [ "$(find "$night/each" -name '*.status' | wc -l)" -lt "$(wc -l <"$night/list")" ]
check "tasks are requeued" within 90 requeued
find "$night/each" -name '*.status' -exec stat -c '%n %i' {} + | sort >"$TMPDIR/finished"
check "which Slurm counts" grep -q 'Restarts=[1-9]' <(inside scontrol show job "$job")
inside slurmd
check "slurmd is back" within 60 is_idle
# A requeued task waits for two minutes, unless it is told.
for i in 4 5 6 7; do inside scontrol update "JobId=${job}_$i" StartTime=now 2>/dev/null; done
check "the array ends" within 400 all_ended
find "$night/each" -name '*.status' -exec stat -c '%n %i' {} + | sort | grep -Fxf "$TMPDIR/finished" |
	cmp - "$TMPDIR/finished"
report $? "what was done was not done again"
inside sbatch --output=/var/log/slurm-last.out --chdir=/ --wrap "\$RESYMBOLIZE -o $night" >/dev/null
check "the last job ends" within 120 all_ended
cat "$root"/var/log/slurm-last.out
"$TOP/tests/fleet/results.sh" "$night" >"$TMPDIR/slurm.got"
same "Slurm: the same results" "$want" "$TMPDIR/slurm.got"
check "Slurm: the array has left only failures for the last job" \
	[ "$(cut -f 9 "$night/joblog" | sort -u | wc -l)" = "$(wc -l <"$night/failed")" ]
finish
