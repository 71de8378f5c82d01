# Runs with all that ibscope-serve.service forbids; "free", without, where what it
# tries must be possible, or it would prove nothing.
not() { local name=$1; shift; if "$@" >/dev/null 2>&1; then echo "FAILED probe: $name"; else echo "ok no $name"; fi; }
can() { local name=$1; shift; if "$@" >/dev/null 2>/tmp/why; then echo "ok $name"; else echo "FAILED probe: $name: $(cat /tmp/why)"; fi; }
call() { perl -e 'my ($number, @arguments) = map { $_ + 0 } @ARGV; exit(syscall($number, @arguments) == -1)' "$@"; }

if [ "${1-}" = free ]; then
	not() { can "free: $1" "${@:2}"; }
else
	can "system calls" call 39
	can "file in the state" touch /var/lib/ibscope-probe/file
	can "device" bash -c ': <>/dev/infiniband/umad0'
	can "TCP" call 41 2 1 0
	can "netlink" call 41 16 3 15
	not "file in /usr" touch /usr/file
	not "file in /etc" touch /etc/file
	not "set-user-ID files" chmod u+s /var/lib/ibscope-probe/file
	not "control groups" mkdir /sys/fs/cgroup/probe
	not "mounts" mount -t tmpfs tmpfs /tmp
	not "host name" hostname other
	not "clock" date -s 2000-01-01
	ls -A /tmp | grep -qv '^why$' && echo "FAILED probe: /tmp of others" || echo "ok /tmp of its own"
fi
not "other devices" bash -c ': </dev/kmsg'
not "file in /run" touch /run/file
not "homes" ls ~root
not "processes of others" test -e /proc/1
not "kernel variables" bash -c 'echo 1 >/proc/sys/kernel/sysrq'
not "user namespaces" unshare --user true
not "network namespaces" unshare --net true
not "raw packets" call 41 17 3 0
not "real time" chrt -f 1 true
not "writable code" call 9 0 4096 7 34 -1 0
not "personality" setarch i386 true
not "tracing" call 101 0 0 0 0
