package devices

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/testenv"
)

// hosts are the machines of the golden files.
var hosts = map[string]func(testing.TB) *testenv.Sysfs{
	"infiniband": infiniBandHost, "mixed": mixedHost, "hostile": hostileHost, "broken": brokenHost,
}

// infiniBandHost has eleven adapters, so that the order matters.
func infiniBandHost(t testing.TB) *testenv.Sysfs {
	var cas []testenv.SysfsCA
	for i, n := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"} {
		ca := testenv.SysfsCA{Name: "mlx5_" + n, Ports: []testenv.SysfsPort{{Num: 1, Rate: "400 Gb/sec (4X NDR)"}}}
		switch i {
		case 1:
			ca.Ports[0] = testenv.SysfsPort{Num: 1, State: "1: DOWN", PhysState: "2: Polling", Rate: "10 Gb/sec (4X)", LID: "0xffff", SMLID: "0"}
		case 2:
			ca.Ports[0] = testenv.SysfsPort{Num: 1, State: "2: INIT", LID: "0", SMLID: "0"}
		case 3:
			ca.Ports[0].Rate = "25 Gb/sec (1X EDR)"
		}
		cas = append(cas, ca)
	}
	s := testenv.NewSysfs(t, cas...)
	for _, ca := range cas {
		s.Write(s.CAFile(ca.Name, "board_id"), "MT_0000000223")
	}
	return s
}

// mixedHost has an InfiniBand and a RoCE port on one adapter, and an iWARP one.
func mixedHost(t testing.TB) *testenv.Sysfs {
	s := testenv.NewSysfs(t,
		testenv.SysfsCA{Name: "mlx4_0", HCAType: "MT4099", Ports: []testenv.SysfsPort{
			{Num: 1, Rate: "56 Gb/sec (4X FDR)"},
			{Num: 2, LinkLayer: "Ethernet", Rate: "40 Gb/sec (4X QDR)", LID: "0", SMLID: "0"},
		}},
		testenv.SysfsCA{Name: "siw0", NodeType: "4: RNIC", Ports: []testenv.SysfsPort{{Num: 1, LinkLayer: "Ethernet", NoUmad: true}}},
		testenv.SysfsCA{Name: "empty0"})
	s.Write(s.CAFile("mlx4_0", "ports/2/gid_attrs/ndevs/0"), "enp65s0d1")
	for name, value := range map[string]string{
		"counters/port_rcv_data": "123456789", "counters/port_xmit_wait": "0",
		"counters/symbol_error": "65535", "hw_counters/lifespan": "10", "hw_counters/out_of_sequence": "7",
	} {
		s.Write(s.CAFile("mlx4_0", "ports/1/"+name), value)
	}
	return s
}

// hostileHost has texts that attack terminals and formats.
func hostileHost(t testing.TB) *testenv.Sysfs {
	s := testenv.NewSysfs(t, testenv.SysfsCA{Name: "mlx5_\x1b[31m", Firmware: "1\x1b]0;title\x07", Ports: []testenv.SysfsPort{{Num: 1, Rate: "\u202e999 Gb/sec"}}})
	s.Write(s.CAFile("mlx5_\x1b[31m", "node_desc"), "host\" \xff\u2028\x9b31m")
	s.Write(s.CAFile("mlx5_\x1b[31m", "board_id"), "MT\n\"fake\": true\t\u200b")
	return s
}

// brokenHost has files that do not read.
func brokenHost(t testing.TB) *testenv.Sysfs {
	s := testenv.NewSysfs(t, testenv.SysfsCA{Name: "mlx5_0", Ports: []testenv.SysfsPort{{Num: 1}}})
	s.Remove(s.CAFile("mlx5_0", "ports/1/state"))
	s.Write(s.CAFile("mlx5_0", "ports/1/rate"), "fast")
	s.Write(s.CAFile("mlx5_0", "node_guid"), "none")
	return s
}

// result is what a command line gave.
type result struct {
	stdout, stderr string
	code           int
}

// world is the surroundings of a command.
type world struct {
	sys      string
	columns  string
	terminal bool
	noColour bool
}

func (w world) run(t testing.TB, args ...string) result {
	t.Helper()
	var out, errOut bytes.Buffer
	variables := map[string]string{"COLUMNS": w.columns}
	if w.noColour {
		variables["NO_COLOR"] = "1"
	}
	e := &env.Env{
		Args: []string{"ibscope"}, Stdout: &out, Stderr: &errOut,
		Getenv:     func(name string) string { return variables[name] },
		Now:        func() time.Time { return time.Date(2026, 11, 29, 19, 43, 42, 0, time.UTC) },
		IsTerminal: func(stream any) bool { return w.terminal && stream == io.Writer(&out) },
		Sys:        w.sys, Dev: "/dev", Proc: filepath.Join(w.sys, "proc"),
	}
	c := Command(e)
	c.SetArgs(append([]string{}, args...)) // nil would be those of the test
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(context.Background())
	r := result{stdout: out.String()}
	var exit *env.ExitError
	if errors.As(err, &exit) {
		r.code = exit.Code
		if exit.Err != nil {
			e.Complain("%v", exit.Err)
		}
	} else if err != nil {
		t.Fatal(err)
	}
	r.stderr = errOut.String()
	// The tree stands in another place each time.
	for _, s := range []*string{&r.stdout, &r.stderr} {
		*s = string(bytes.ReplaceAll([]byte(*s), []byte(w.sys), []byte("/sys")))
	}
	return r
}
