package oracle

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/slurm"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

// slurmConf is a cluster without anything that takes privileges or other programs.
const slurmConf = `ClusterName=test
SlurmctldHost=localhost
SlurmUser=%s
AuthType=auth/none
CredType=cred/none
StateSaveLocation=%[2]s/state
SlurmctldPidFile=%[2]s/pid
SlurmctldPort=%d
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
TopologyPlugin=topology/tree
%[4]s
PartitionName=all Nodes=ALL Default=YES
`

// cluster is a slurm.conf with its topology.conf.
type cluster struct {
	dir  string
	tool string
	stop func() string // ends slurmctld and gives its log
}

// newSlurm writes the configuration of a cluster with the given nodes.
func newSlurm(t *testing.T, conf string, nodes []string) *cluster {
	t.Helper()
	c := &cluster{dir: t.TempDir(), tool: testenv.Tool(t, "scontrol")}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	line := "NodeName=node1 NodeAddr=127.0.0.1"
	if len(nodes) > 0 {
		line = "NodeName=" + strings.Join(nodes, ",") + " NodeAddr=127.0.0.1"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	if err := os.Mkdir(filepath.Join(c.dir, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"slurm.conf": fmt.Sprintf(slurmConf, me.Username, c.dir, port, line), "topology.conf": conf,
	} {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c *cluster) scontrol(args ...string) (string, error) {
	cmd := exec.Command(c.tool, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+filepath.Join(c.dir, "slurm.conf"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("scontrol %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// start runs slurmctld until the test ends, and waits until it answers.
func (c *cluster) start(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, testenv.Tool(t, "slurmctld"), "-D", "-f", filepath.Join(c.dir, "slurm.conf"))
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGKILL) } // it has nothing to save
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() { _ = cmd.Wait(); close(exited) }()
	c.stop = func() string { cancel(); <-exited; return log.String() }
	t.Cleanup(func() { c.stop() })
	for {
		if out, err := c.scontrol("ping"); err == nil && strings.Contains(out, "UP") {
			return
		}
		select {
		case <-exited:
			t.Fatalf("slurmctld ended:\n%s", c.stop())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

var (
	slurmFault  = regexp.MustCompile(`(?i)error|warning|fatal`)
	slurmAlways = regexp.MustCompile(`(?i)mpi|mailprog|state (save )?file`)
)

var slurmSwitch = regexp.MustCompile(`(?m)^SwitchName=(\S+) Level=(\d+) LinkSpeed=1 Nodes=(\S+)`)

// complaints are lines of slurmctld's log that tell of a fault, but for those of a
// cluster that has never run, sends no mail and has no library for MPI.
func complaints(log string) (list []string) {
	for line := range strings.Lines(log) {
		if slurmFault.MatchString(line) && !slurmAlways.MatchString(line) {
			list = append(list, line)
		}
	}
	return list
}

// TestSlurmComplains makes sure that a fault would be seen.
func TestSlurmComplains(t *testing.T) {
	testenv.Need(t, "slurmctld", "scontrol")
	c := newSlurm(t, "SwitchName=leaf1 Nodes=node[1-3]\n", []string{"node[1-2]"})
	c.start(t)
	list := strings.Join(complaints(c.stop()), "")
	if !strings.Contains(list, "node3") {
		t.Errorf("slurmctld says nothing of node3, which it does not know: %s", list)
	}
}

// TestSlurmReadsTopology gives slurmctld what we write of fabrics, and compares what
// it says of each switch with the tree.
func TestSlurmReadsTopology(t *testing.T) {
	testenv.Need(t, "slurmctld", "scontrol")
	for _, text := range []string{"gpupod?units=8&radix=16&hosts=4&rails=4&storage=8", "fattree?levels=3&radix=16", "star?hosts=2"} {
		t.Run(text, func(t *testing.T) {
			f, err := gen.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			slurmReads(t, f)
		})
	}
}

// TestSlurmReadsRealTopology does so with real fabrics.
func TestSlurmReadsRealTopology(t *testing.T) {
	testenv.Need(t, "slurmctld", "scontrol")
	for _, file := range []string{"ufm-selene-storage.txt", "topograph-example.out", "hk-topo5-superpod.txt", "cyberang3l-k4n3.topo"} {
		t.Run(file, func(t *testing.T) {
			f, err := format.Load(filepath.Join(testenv.Corpus(t), "topo", file))
			if f == nil {
				t.Fatal(err)
			}
			slurmReads(t, f)
		})
	}
}

func slurmReads(t *testing.T, f *fabric.Fabric) {
	t.Helper()
	forest := hosttree.Build([]hosttree.Input{{Fabric: f, Topology: topology.Classify(f, nil)}}, nil)
	var conf bytes.Buffer
	if err := slurm.WriteConf(&conf, forest.Networks, nil); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{} // "level nodes" by switch
	var below func(d *hosttree.Domain) []string
	below = func(d *hosttree.Domain) []string {
		hosts := slices.Clone(d.Hosts)
		for _, child := range d.Children {
			hosts = append(hosts, below(child)...)
		}
		slices.SortFunc(hosts, topology.CompareNatural)
		want[d.Name] = fmt.Sprintf("level %d: %s", d.Level-1, strings.Join(hosts, " "))
		return hosts
	}
	var nodes []string
	for _, root := range forest.Networks[0].Roots {
		nodes = append(nodes, below(root)...)
	}
	c := newSlurm(t, conf.String(), nodes)
	c.start(t)
	out, err := c.scontrol("show", "topology")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, m := range slurmSwitch.FindAllStringSubmatch(out, -1) {
		hosts, err := slurm.Expand(m[3])
		if err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
		slices.SortFunc(hosts, topology.CompareNatural)
		got[m[1]] = fmt.Sprintf("level %s: %s", m[2], strings.Join(hosts, " "))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("slurmctld knows another topology (-ours +its):\n%s\n%s", d, &conf)
	}
	if list := complaints(c.stop()); len(list) > 0 {
		t.Errorf("slurmctld complains: %s", strings.Join(list, ""))
	}
}

// TestListsAgainstSlurm asks scontrol what it makes of lists.
func TestListsAgainstSlurm(t *testing.T) {
	c := newSlurm(t, "", nil)
	var names []string
	for i := range 130 {
		names = append(names, fmt.Sprintf("node%03d", i+7), fmt.Sprintf("gpu%d", i*3%97), fmt.Sprintf("r%dn%02d-ib", i%5, i))
	}
	names = append(names, "n1", "n01", "n001", "n9", "n10", "n010", "login", "a.b-c_d9")
	list := slurm.Compress(names)
	out, err := c.scontrol("show", "hostnames", list)
	if err != nil {
		t.Fatal(err)
	}
	want, err := slurm.Expand(list)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, strings.Fields(out)); d != "" {
		t.Errorf("scontrol reads %s in another way (-ours +its):\n%s", list, d)
	}
	for _, n := range names {
		if !slices.Contains(want, n) {
			t.Errorf("%s is not in %s", n, list)
		}
	}
}
