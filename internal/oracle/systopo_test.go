package oracle_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/systopo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

// planScript lets ibdm print the nodes and links of a topology.
const planScript = `
set f [new_IBFabric]
IBFabric_parseTopology $f [lindex $argv 0]
foreach pair [IBFabric_NodeByName_get $f] {
  set n [IBFabric_getNode $f [lindex $pair 0]]
  puts "@ [IBNode_name_get $n] [IBNode_type_get $n] [IBNode_numPorts_get $n]"
  for {set i 1} {$i <= [IBNode_numPorts_get $n]} {incr i} {
    set p [IBNode_getPort $n $i]
    if {$p == ""} continue
    set r [IBPort_p_remotePort_get $p]
    if {$r != ""} {
      puts "@ [IBNode_name_get $n] port $i to [IBNode_name_get [IBPort_p_node_get $r]] port [IBPort_num_get $r]"
    }
  }
}
exit
`

// TestPlans compares plans of systems with what ibdm of ibutils makes of them: its
// own examples, and those of the corpus.
func TestPlans(t *testing.T) {
	testenv.Need(t, "ibdmsh")
	definitions, err := filepath.Glob("/usr/lib/*/ibdm*/ibnl/*.ibnl")
	if err != nil || len(definitions) == 0 {
		testenv.Lack(t, "ibdmsh", "the definitions of systems of ibutils are not installed")
	}
	plans, err := filepath.Glob("/usr/lib/*/ibdm*/ibnl/*.topo")
	if err != nil {
		t.Fatal(err)
	}
	if corpus := os.Getenv("IBSCOPE_CORPUS"); corpus != "" {
		more, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "ibutils-topo", "*.topo"))
		if err != nil || len(more) == 0 {
			t.Fatalf("no plans in the corpus: %v", err)
		}
		plans = append(plans, more...)
	}
	script := filepath.Join(t.TempDir(), "plan.tcl")
	if err := os.WriteFile(script, []byte(planScript), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, plan := range plans {
		t.Run(filepath.Base(plan), func(t *testing.T) {
			comparePlan(t, script, plan, definitions)
		})
	}
}

func comparePlan(t *testing.T, script, plan string, definitions []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, testenv.Tool(t, "ibdmsh"), script, plan).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(out)) {
		if text, ok := strings.CutPrefix(line, "@ "); ok {
			want = append(want, strings.TrimSpace(text))
		}
	}
	if strings.Contains(string(out), "-E-") {
		t.Skip("ibdm has no definition of a system in it")
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, planned(readPlan(t, plan, definitions))); diff != "" {
		t.Errorf("-ibdm +ours\n%.3000s", diff)
	}
}

func readPlan(t *testing.T, plan string, definitions []string) *fabric.Fabric {
	t.Helper()
	set, systems := facts.NewSet(), systopo.NewSystems()
	for _, name := range append(slices.Clone(definitions), plan) {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == plan {
			err = systopo.ReadInto(file, set.File(name), systems)
		} else {
			err = systems.Read(file, set.File(name))
		}
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := set.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Problems() {
		t.Log(p)
	}
	return f
}

// planned lists nodes and links as planScript does.
func planned(f *fabric.Fabric) []string {
	var list []string
	for n := range f.Nodes() {
		const ibdmCA, ibdmSwitch = 1, 2
		typ := ibdmCA
		if n.Type() == ib.NodeSwitch {
			typ = ibdmSwitch
		}
		list = append(list, fmt.Sprintf("%s %d %d", n.Description(), typ, n.NumPorts()))
		for p := range n.Ports() {
			if r := p.Remote(); r != nil {
				list = append(list, fmt.Sprintf("%s port %d to %s port %d", n.Description(), p.Num(), r.Node().Description(), r.Num()))
			}
		}
	}
	slices.Sort(list)
	return list
}
