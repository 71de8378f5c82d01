# Runs in the Debian guest, by its systemd: installs the service as docs/deploy.md
# tells, and looks whether all is as it should be. Each line of output is a check.
export LC_ALL=C
api=http://127.0.0.1:9805
unit=ibscope-serve

# is NAME WANTED FOUND
is() { if [[ "$3" == $2 ]]; then echo "ok $1"; else echo "FAILED $1: found '$3', expected '$2'"; fi; }

# until_true COMMAND…: it comes true at last.
until_true() { for _ in $(seq 900); do "$@" >/dev/null 2>&1 && return; sleep 0.2; done; echo "FAILED: never $*"; return 1; }

show() { systemctl show -P "$1" $unit; }
journal() { journalctl -o cat -u $unit; }
pid() { show MainPID; }
answers() { curl -sf $api/healthz; }

. /lab/install
is "the group of the device" "660 rdma" "$(stat -c '%a %G' /dev/infiniband/umad0)"
is "the user" "*(ibscope)*(rdma)*" "$(id ibscope)"

mkdir -p /etc/ibscope
cat >/etc/ibscope/serve.yaml <<'YAML'
fabrics:
  - {name: demo, source: 'sim:fattree?levels=2&radix=4&traffic=30%', refresh: 1s, counters: 1s}
  - {name: port, source: 'umad:rxe0'}
state: /var/lib/ibscope
YAML
/lab/start
is "started" 0 $?
is "active" active "$(systemctl is-active $unit)"
until_true curl -sf $api/healthz
is "health" 0 "$(ibscope serve --health $api; echo $?)"
until_true curl -sf $api/api/v1/fabrics/demo/nodes
status=$(cat /proc/$(pid)/status)
field() { sed -n "s/^$1:[ \t]*//p" <<<"$status" | tr -s '\t ' ' '; }
is "not root" "$(id -u ibscope) $(id -u ibscope) $(id -u ibscope) $(id -u ibscope)" "$(field Uid)"
is "the groups" "*$(getent group rdma | cut -d: -f3)*" "$(field Groups)"
for set in CapInh CapPrm CapEff CapBnd CapAmb; do is "$set" 0000000000000000 "$(field $set)"; done
is "no new privileges" 1 "$(field NoNewPrivs)"
is "system calls are filtered" 2 "$(field Seccomp)"
# Soft-RoCE has no QP0: that is told by a device that could be opened.
is "the device is open" '*this port has no subnet management interface*' "$(curl -s $api/api/v1/fabrics/port)"
is "state" "750 ibscope ibscope" "$(stat -c '%a %U %G' /var/lib/ibscope)"
until_true test -s /var/lib/ibscope/history.db
is "history" "640 ibscope" "$(stat -c '%a %U' /var/lib/ibscope/history.db)"
is "the log" '*"msg":"ready"*' "$(journal)"

sed -i 's/^state/  - {name: second, source: "sim:ring?switches=3"}\nstate/' /etc/ibscope/serve.yaml
before=$(pid)
systemctl reload $unit
until_true curl -sf $api/api/v1/fabrics/second
is "reloaded" "200" "$(curl -s -o /dev/null -w '%{http_code}' $api/api/v1/fabrics/second)"
is "the same process" "$before" "$(pid)"
cp /etc/ibscope/serve.yaml /tmp/right
echo nonsense: 1 >>/etc/ibscope/serve.yaml
systemctl reload $unit
told() { journal | grep -q 'was not taken on'; }
until_true told
is "a mistake is told" '*/etc/ibscope/serve.yaml:*nonsense*' "$(journal)"
is "active after a mistake" active "$(systemctl is-active $unit)"
cp /tmp/right /etc/ibscope/serve.yaml

kill -9 "$before"
again() { [ "$(show NRestarts)" = 1 ] && [ "$(systemctl is-active $unit)" = active ] && answers; }
until_true again
is "another process" "!$before" "!$before$([ "$(pid)" != "$before" ] || echo same)"
is "the history goes on" 200 "$(curl -s -o /dev/null -w '%{http_code}' $api/api/v1/events)"

# What the unit forbids is forbidden: the same unit runs something else.
sed -e 's,^ExecStart=.*,ExecStart=/bin/bash /lab/probe,' -e 's,^Type=.*,Type=oneshot,' -e '/^Restart/d;/^ExecReload/d' \
	-e 's,^StateDirectory=.*,StateDirectory=ibscope-probe,' /etc/systemd/system/$unit.service >/etc/systemd/system/probe.service
echo 'StandardOutput=file:/out/probe' >/tmp/lines; sed -i '/^\[Service\]/r /tmp/lines' /etc/systemd/system/probe.service
sed -i 's,^ProtectHome=yes,&\nBindReadOnlyPaths=/lab,' /etc/systemd/system/probe.service
systemctl daemon-reload
systemctl start probe; is "the probe ran" 0 $?
cat /out/probe
bash /lab/probe free
systemd-analyze security --no-pager $unit >/out/security
is "exposure" '*Overall exposure level for ibscope-serve.service: 1.5 *' "$(tail -n 1 /out/security)"

systemctl stop $unit
is "stopped" "inactive success 0" "$(show ActiveState) $(show Result) $(show ExecMainStatus)"
is "it says so" '*"msg":"the end"*' "$(journal | tail -n 4)"

echo nonsense: 1 >>/etc/ibscope/serve.yaml
systemctl start $unit
is "a mistake is not tried again" "failed failed 2" "$(show ActiveState) $(show SubState) $(show ExecMainStatus)"
echo done
