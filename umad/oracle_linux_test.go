package umad

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/rdma"
)

// chooser asks libibumad for ports: arguments are pairs of a device, "-" for
// any, and a port number. It prints a line for each, "-" for an error.
const chooser = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <infiniband/umad.h>
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		umad_port_t port;
		char *ca = strcmp(argv[i], "-") ? argv[i] : NULL;
		if (umad_get_port(ca, atoi(argv[i + 1]), &port) < 0) {
			puts("-");
			continue;
		}
		printf("%s %d\n", port.ca_name, port.portnum);
		umad_release_port(&port);
	}
	return 0;
}
`

func buildChooser(t *testing.T) string {
	t.Helper()
	testenv.Need(t, "gcc", "libibumad-dev", "mount-namespace")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "chooser.c"), filepath.Join(dir, "chooser")
	if err := os.WriteFile(source, []byte(chooser), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-o", program, source, "-libumad").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// TestPortLikeC compares choices on made-up machines. Where they differ, ours
// must be a better port by the rules of Host.Port, or C's a RoCE port that ours
// does not take while there is InfiniBand.
func TestPortLikeC(t *testing.T) {
	program := buildChooser(t)
	random := rand.New(rand.NewPCG(1, 2))
	same, better := 0, 0
	for range 25 {
		var cas []testenv.SysfsCA
		for i := range 1 + random.IntN(3) {
			var ports []string
			for range 1 + random.IntN(3) {
				layer := []string{"", "", "d", "e"}[random.IntN(4)]
				ports = append(ports, fmt.Sprintf("%d/%d%s", 1+random.IntN(4), []int{2, 3, 5}[random.IntN(3)], layer))
			}
			cas = append(cas, hca(fmt.Sprintf("ca%d", i), ports...))
		}
		tree := testenv.NewSysfs(t, cas...)
		type query struct {
			ca  string
			num int
		}
		queries := []query{{"", 0}, {"", 1}, {"", 2}, {"ca0", 0}, {"ca1", 0}, {"ca2", 0}, {"ca0", 1}, {"ca1", 2}}
		var args []string
		for _, q := range queries {
			args = append(args, cmp.Or(q.ca, "-"), fmt.Sprint(q.num))
		}
		stdout, stderr, code := tree.Run(program, args...)
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		if code != 0 || len(lines) != len(queries) {
			t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
		}
		h := Host{Sys: tree.Root}
		for i, q := range queries {
			ours, err := h.Port(t.Context(), q.ca, q.num)
			theirs := portOf(t, h, lines[i])
			switch {
			case ours == nil && theirs == nil, ours != nil && theirs != nil && ours.Device == theirs.Device && ours.Num == theirs.Num:
				same++
			case theirs != nil && !theirs.LinkLayer.IsInfiniBand(), theirs == nil && !ours.LinkLayer.IsInfiniBand():
				better++
			case ours != nil && theirs != nil && q.ca == "" && rankOf(ours, false) >= rankOf(theirs, false):
				better++ // or equal: libibumad takes the order of the directory
			default:
				t.Errorf("%v: %q %d gives %v (%v), libibumad has %s", cas, q.ca, q.num, ours, err, lines[i])
			}
		}
	}
	t.Logf("%d choices are the same, %d better", same, better)
	if same < 100 {
		t.Errorf("only %d choices are the same", same)
	}
}

// portOf finds the port that C printed.
func portOf(t *testing.T, h Host, line string) *rdma.Port {
	t.Helper()
	var ca string
	var num int
	if line == "-" {
		return nil
	}
	if _, err := fmt.Sscan(line, &ca, &num); err != nil {
		t.Fatal(err)
	}
	p, err := h.Port(t.Context(), ca, num)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
