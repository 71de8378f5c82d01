package hostcheck

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// fixture is a host under construction: a tree of files, and a simulated fabric
// behind its ports.
type fixture struct {
	*testenv.Sysfs
	t      testing.TB
	faults []sim.Fault
	opt    Options
	model  *fabric.Fabric
}

// newFixture makes a healthy host but for its devices: an adapter, all modules,
// no limit on memory.
func newFixture(t testing.TB, cas ...testenv.SysfsCA) *fixture {
	t.Helper()
	f := &fixture{Sysfs: testenv.NewSysfs(t, cas...), t: t}
	for i, ca := range cas {
		f.adapter(fmt.Sprintf("0000:8%d:00.0", i), 0x15b3, 0x101b, "mlx5_core", ca.Name)
		f.Write(fmt.Sprintf("class/infiniband_verbs/uverbs%d/ibdev", i), ca.Name)
		f.Write(fmt.Sprintf("dev/infiniband/uverbs%d", i), "")
		for j := range ca.Ports {
			f.Write(fmt.Sprintf("class/infiniband_mad/umad%d/dev", j), fmt.Sprintf("231:%d", j))
		}
	}
	f.Mkdir("module/ib_ipoib")
	f.limits("unlimited", "0000000000000000")
	model, err := gen.Parse("star?hosts=3")
	if err != nil {
		t.Fatal(err)
	}
	f.model = model
	return f
}

// adapter adds a PCI function, with a driver and an RDMA device unless "".
func (f *fixture) adapter(address string, vendor, device int, driver, name string) {
	f.t.Helper()
	dir := "bus/pci/devices/" + address + "/"
	f.Write(dir+"vendor", fmt.Sprintf("0x%04x", vendor))
	f.Write(dir+"device", fmt.Sprintf("0x%04x", device))
	f.Write(dir+"class", "0x020700")
	if driver != "" {
		f.link(dir+"driver", "../../drivers/"+driver)
		f.Mkdir("module/" + driver)
	}
	if name != "" {
		f.Mkdir(dir + "infiniband/" + name)
	}
}

func (f *fixture) link(name, target string) {
	f.t.Helper()
	if err := os.Symlink(target, filepath.Join(f.Root, name)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) limits(memory, caps string) {
	f.Write("proc/self/limits", "Limit                     Soft Limit           Hard Limit           Units\n"+
		fmt.Sprintf("Max locked memory         %-20s %-20s bytes", memory, memory))
	f.Write("proc/self/status", "Name:\tx\nCapEff:\t"+caps)
}

func (f *fixture) host() Host {
	return Host{Sys: f.Root, Dev: filepath.Join(f.Root, "dev"), Proc: filepath.Join(f.Root, "proc")}
}

// start is the port of the simulated fabric behind each port of the host.
func (f *fixture) start() *fabric.Port { return f.model.Start() }

// peer is the switch at its other end.
func (f *fixture) peer() *fabric.Node { return f.start().Remote().Node() }

// connect opens a port of the simulated fabric.
func (f *fixture) connect(context.Context, *rdma.Port) (madrpc.Transport, error) {
	s, err := sim.New(f.model, &sim.Options{Faults: f.faults})
	if err != nil {
		return nil, err
	}
	return s.Attach(f.start())
}

// silent makes a node not answer requests for an attribute.
func (f *fixture) silent(node ib.GUID, attr mad.AttrID) {
	f.faults = append(f.faults, sim.Fault{Kind: sim.DeadSMA, Node: node, Attr: attr})
}

// check checks the host; its ports are those of the simulated fabric unless the
// test has set another way to connect.
func (f *fixture) check() *Report {
	f.t.Helper()
	o := f.opt
	if o.Connect == nil {
		o.Connect = f.connect
	}
	if o.Timeout == 0 {
		o.Timeout, o.Retries = 20*time.Millisecond, -1
	}
	return f.host().Check(f.t.Context(), &o)
}

// infiniBand is an active port on the simulated fabric.
func infiniBand(num int) testenv.SysfsPort {
	return testenv.SysfsPort{Num: num, LID: "0x2", SMLID: "0x2"}
}

func hca(name string, ports ...testenv.SysfsPort) testenv.SysfsCA {
	return testenv.SysfsCA{Name: name, Ports: ports}
}

// lines are the findings in short, "warning p-key mlx5_0/1"; those that are ok
// are left out.
func lines(r *Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		if f.Severity == OK {
			continue
		}
		fmt.Fprintf(&b, "%v %s", f.Severity, f.Check)
		if f.Device != "" {
			b.WriteString(" " + f.Device)
		}
		if f.Port != 0 {
			fmt.Fprintf(&b, "/%d", f.Port)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// all is everything that a report says.
func all(r *Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f.Severity, f.Check, f.Device, f.Port, f.Text)
		for _, e := range f.Evidence {
			fmt.Fprintln(&b, "\tseen", e)
		}
		for _, m := range f.Remedy {
			fmt.Fprintln(&b, "\tdo", m)
		}
	}
	return b.String()
}
