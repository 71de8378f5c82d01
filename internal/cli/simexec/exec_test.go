//go:build linux

package simexec

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const star = "sim:star?hosts=2"

func TestExitCodes(t *testing.T) {
	before := machine(t)
	for _, tt := range []struct {
		name   string
		args   []string
		want   int
		stderr string // part of the one line
	}{
		{"success", []string{star, "--", "true"}, 0, ""},
		{"failure", []string{star, "--", "sh", "-c", "exit 42"}, 42, ""},
		{"killed", []string{star, "--", "sh", "-c", "kill -9 $$"}, 128 + 9, ""},
		{"terminated", []string{star, "--", "sh", "-c", "kill $$"}, 128 + 15, ""},
		{"not there", []string{star, "--", "/nosuch/program"}, 127, "run /nosuch/program: no such file"},
		{"not in PATH", []string{star, "--", "nosuchprogram"}, 127, "run nosuchprogram"},
		{"no program", []string{star, "--", "/etc/passwd"}, 126, "permission denied"},
		{"no such host", []string{star + "&host=x", "--", "true"}, 125, `argument host`},
		{"no such adapter", []string{"--hca", "x", star, "--", "true"}, 125, `--hca`},
		{"no such adapter in the URI", []string{star + "&adapters=x", "--", "true"}, 125, `argument adapters`},
		{"not simulated", []string{"umad:", "--", "true"}, 125, `expected sim:`},
		{"no command", []string{star}, 2, "behind --"},
		{"no command behind --", []string{star, "--"}, 2, "behind --"},
		{"no URI", []string{"--", "true"}, 2, "URI"},
	} {
		r := run(t, simExec(t, tt.args...))
		if r.code != tt.want || !strings.Contains(r.stderr, tt.stderr) || strings.Count(r.stderr, "\n") > 1 || r.stdout != "" {
			t.Errorf("%s: exit code %d, want %d; %q", tt.name, r.code, tt.want, r.stderr)
		}
	}
	if diff := cmp.Diff(before, machine(t)); diff != "" {
		t.Errorf("the machine has changed (-before +after)\n%s", diff)
	}
}

// TestPassThrough: streams, working directory, arguments, environment, user and
// open descriptors are the program's, and nothing more.
func TestPassThrough(t *testing.T) {
	const script = `cat; pwd; echo "$0|$1|$MARK" >&2; cat <&3; id; umask; ls -l /proc/self/fd | wc -l; grep -E "^(Cap|Sig[BIC])" /proc/self/status`
	dir := t.TempDir()
	both := func(cmd *exec.Cmd) result {
		cmd.Stdin = strings.NewReader("from stdin\n")
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "MARK=x y")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := io.WriteString(w, "from descriptor 3\n"); err != nil {
			t.Fatal(err)
		}
		w.Close()
		cmd.ExtraFiles = []*os.File{r}
		return run(t, cmd)
	}
	outside := both(shell(t, script, "a b", "--flag"))
	if !strings.Contains(outside.stdout, "from descriptor 3\n") {
		t.Fatalf("outside: %q", outside.stdout)
	}
	inside := both(simExec(t, star, "--", "sh", "-c", script, "a b", "--flag"))
	if diff := cmp.Diff(outside, inside, cmp.AllowUnexported(result{})); diff != "" {
		t.Errorf("-outside +inside\n%s", diff)
	}
}

// TestView: what is not of the simulator is as outside.
func TestView(t *testing.T) {
	const look = `ls /dev /sys/class /mnt / | grep -v infiniband; test -c /dev/null && test -c /dev/tty && echo x >/dev/null && ls -d /dev/pts/ /dev/shm/; stat -c %t:%T /dev/null /dev/zero; cat /sys/class/net/lo/mtu`
	outside := run(t, shell(t, look))
	if diff := cmp.Diff(outside.stdout, runOK(t, star, "sh", "-c", look)); diff != "" {
		t.Errorf("-outside +inside\n%s", diff)
	}
	devices := runOK(t, star+"&host=node0002 mlx5_0", "ls", "/dev/infiniband", "/sys/class/infiniband", "/sys/class/infiniband_mad")
	want := "/dev/infiniband:\nissm0\numad0\n\n/sys/class/infiniband:\nmlx5_0\n\n/sys/class/infiniband_mad:\nabi_version\nissm0\numad0\n"
	if diff := cmp.Diff(want, devices); diff != "" {
		t.Errorf("devices (-want +got)\n%s", diff)
	}
}

// started is a program that has printed its first line.
func started(t *testing.T, args ...string) (cmd *running) {
	t.Helper()
	c := simExec(t, args...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	r := &running{Cmd: c, out: bufio.NewReader(out)}
	r.first = r.line(t)
	return r
}

// TestSignals: a signal for ibscope reaches the program, whose exit code counts.
func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1} {
		// A signal that this process was started to ignore, as SIGHUP by nohup, would
		// be ignored by all others too; one that it catches is not.
		caught := make(chan os.Signal, 1)
		signal.Notify(caught, s)
		defer signal.Stop(caught)
		cmd := started(t, star, "--", "sh", "-c", `trap "exit 33" TERM INT HUP USR1; echo ready; while :; do sleep 0.05; done`)
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if code := cmd.end(); code != 33 {
			t.Errorf("%v: exit code %d", s, code)
		}
	}
}

// TestParentKilled: a program does not outlive the simulator, even one that does
// not look at its devices; nor does that of a user.
func TestParentKilled(t *testing.T) {
	for _, args := range [][]string{{star}, {"--user-namespace", star}} {
		cmd := started(t, append(args, "--", "sh", "-c", "echo $$; exec sleep 1000")...)
		pid, err := strconv.Atoi(cmd.first)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.end()
		waitGone(t, pid)
	}
}

// TestServerKilled: the devices of a program whose server is gone give ENOTCONN,
// and it ends like others, if it will not end before.
func TestServerKilled(t *testing.T) {
	before := machine(t)
	const program = `import errno, os, select, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
fd = os.open("/dev/infiniband/umad0", os.O_RDWR | os.O_NONBLOCK)
print(os.getpid(), flush=True)
p = select.poll()
p.register(fd, select.POLLIN)
print(p.poll(20000)[0][1] & select.POLLERR, flush=True)
for call in (lambda: os.read(fd, 400), lambda: os.write(fd, b"x" * 320), lambda: os.open("/dev/infiniband/umad0", os.O_RDWR),
             lambda: open("/sys/class/infiniband_mad/abi_version").read()):
    try:
        print("no error", call())
    except OSError as e:
        print(errno.errorcode[e.errno], flush=True)
`
	cmd := startedPython(t, program)
	pid, err := strconv.Atoi(cmd.first)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for range 5 {
		lines = append(lines, cmd.line(t))
	}
	if diff := cmp.Diff([]string{"8", "ENOTCONN", "ENOTCONN", "ENOTCONN", "ENOTCONN"}, lines); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	cmd.end()
	waitGone(t, pid)
	if diff := cmp.Diff(before, machine(t)); diff != "" {
		t.Errorf("the machine has changed (-before +after)\n%s", diff)
	}
}

// TestClientKilled: a client in a read that blocks can be killed, another goes
// on.
func TestClientKilled(t *testing.T) {
	out := runOK(t, star, "sh", "-c", `exec 2>/dev/null
cat /dev/infiniband/umad0 & victim=$!
while ! grep -q . /proc/$victim/wchan || ! ls -l /proc/$victim/fd | grep -q umad0; do sleep 0.01; done
kill -9 $victim; wait $victim; echo killed $?
smpquery nodedesc -D 0,1,2`)
	if !strings.HasPrefix(out, "killed 137\n") || !strings.Contains(out, "node0002") {
		t.Errorf("%s", out)
	}
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
	}
}
