package versus_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// contender is one program that does a task.
type contender struct {
	name string
	run  func(t testing.TB) usage
}

// inTurn runs all contenders one after the other, that many times, and gives what
// each has taken in each round: what else the machine does meets them all alike.
func inTurn(t testing.TB, rounds int, contenders []contender) [][]usage {
	t.Helper()
	all := make([][]usage, len(contenders))
	for round := range rounds {
		for i, c := range contenders {
			u := c.run(t)
			all[i] = append(all[i], u)
			if rounds <= 3 {
				t.Logf("%s, round %d: %v wall, %v CPU, %d MB", c.name, round+1, u.Wall, u.CPU, u.Memory>>20)
			}
		}
	}
	return all
}

// theirs runs a C tool on a simulator.
func (m *meter) theirs(t testing.TB, s *simulator, tool string, args ...string) contender {
	t.Helper()
	testenv.Need(t, "umad2sim")
	preload, err := testenv.Umad2sim()
	if err != nil {
		t.Fatal(err)
	}
	path := testenv.Tool(t, tool)
	env := []string{"METER_PRELOAD=" + preload, "IBSIM_SOCKNAME=" + s.name, "SIM_HOST=" + s.host, "LC_ALL=C"}
	return contender{"C " + tool + " " + strings.Join(args, " "), func(t testing.TB) usage {
		return m.measure(t, env, path, append([]string{tool}, args...)...)
	}}
}

// ours runs the same tool of ours.
func (m *meter) ours(s *simulator, argv ...string) contender {
	env := []string{"IBSCOPE_FABRIC=ibsim:" + s.name, "SIM_HOST=" + s.host}
	return contender{"our " + strings.Join(argv, " "), func(t testing.TB) usage {
		return m.measure(t, env, *program, argv...)
	}}
}

// measure runs a program in a directory of its own, because libumad2sim makes a
// copy of sysfs where it is. What the program prints is thrown away by the kernel.
func (m *meter) measure(t testing.TB, env []string, path string, argv ...string) usage {
	t.Helper()
	args := m.args(path, argv...)
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), env...)
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 && argv[0] == "ibqueryerrors" {
		err = nil // it has found some
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, said.String())
	}
	return m.read(t)
}
