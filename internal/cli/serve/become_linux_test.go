package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/process"
	"github.com/ibscope/ibscope/internal/cli/simexec"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestMain makes this binary the two commands that TestUser runs in processes of their
// own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "sim" || os.Args[1] == "serve") {
		os.Exit(process.Main(commands))
	}
	os.Exit(m.Run())
}

func commands(ctx context.Context, e *env.Env) int {
	root := &cobra.Command{Use: "ibscope", SilenceErrors: true, SilenceUsage: true}
	sim := &cobra.Command{Use: "sim"}
	sim.AddCommand(simexec.Command(e))
	root.AddCommand(sim, Command(e))
	err := root.ExecuteContext(ctx)
	var exit *env.ExitError
	switch {
	case err == nil:
		return env.OK
	case errors.As(err, &exit) && exit.Err == nil:
		return exit.Code
	}
	fmt.Fprintln(os.Stderr, err)
	return env.Failed
}

// TestUser opens a device that only root may open, becomes nobody, and goes on reading
// the fabric through it, without any right.
func TestUser(t *testing.T) {
	testenv.Need(t, "fuse")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for d := dir; d != "/"; d = filepath.Dir(d) { // nobody must come to it
		if info, err := os.Stat(d); err != nil || info.Mode()&0o001 == 0 {
			if err := os.Chmod(d, 0o711); err != nil {
				t.Fatal(err)
			}
		}
	}
	state := filepath.Join(dir, "state")
	d := &daemonTest{t: t, done: make(chan error, 1)}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, self, "sim", "exec", "sim:star?hosts=3", "--", self, "serve", "--fabric", "lab=umad:",
		"--listen", "127.0.0.1:0", "--user", "nobody", "--state", state, "--refresh", "1s", "--counters", "1s")
	c.Stderr = &d.log
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { d.done <- c.Wait() }()
	d.until(func() bool { return d.log.find("ready") != nil })
	d.url = fmt.Sprint("http://", d.log.find("answering")["address"])
	d.until(func() bool { // it sweeps as nobody
		_, body := d.get(api.Prefix + "/fabrics/lab")
		var answer api.FabricAnswer
		return json.Unmarshal([]byte(body), &answer) == nil && answer.Fabric.Refresh.Count >= 2 && answer.Fabric.Status == api.Live
	})
	pid := d.log.find("ready")["pid"]
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%.0f/task/*/status", pid))
	if err != nil || len(threads) < 2 {
		t.Fatalf("%d threads, %v", len(threads), err)
	}
	for _, thread := range threads {
		withoutRights(t, thread)
	}
	info, err := os.Stat(filepath.Join(state, "history.db"))
	if err != nil {
		t.Fatal(err)
	}
	if uid := info.Sys().(*syscall.Stat_t).Uid; uid == 0 {
		t.Error("the history belongs to root")
	}
	cancel()
	if err := <-d.done; err != nil && ctx.Err() == nil {
		t.Errorf("it ended with %v\n%s", err, d.log.all.String())
	}
	if d.log.find("the end") == nil {
		t.Errorf("it does not end by itself:\n%s", d.log.all.String())
	}
}

// withoutRights fails unless a thread has nothing of root: no user or group, no
// capability.
func withoutRights(t *testing.T, file string) {
	t.Helper()
	status, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return // a thread that has ended
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		field, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch field {
		case "Uid", "Gid", "Groups":
			if slices.Contains(strings.Fields(value), "0") {
				t.Errorf("%s: %s", file, line)
			}
		case "CapPrm", "CapEff", "CapInh", "CapAmb":
			if strings.Trim(value, "0") != "" {
				t.Errorf("%s: %s", file, line)
			}
		}
	}
}
