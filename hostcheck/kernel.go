package hostcheck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/umad"
)

// checkKernel says whether the kernel has RDMA; without it nothing else is.
func (c *checker) checkKernel() bool {
	class := c.host.sys("class/infiniband")
	there, why := exists(class)
	f := Finding{Check: KernelRDMA, Text: "The kernel has RDMA.", Evidence: []string{why}}
	if !errors.Is(c.readErr, unix.ENOSYS) {
		if !there { // netlink has answered
			f.Severity, f.Text = Note, "The kernel has RDMA, but sysfs does not show it here."
		}
		c.add(f)
		return true
	}
	f.Severity, f.Text = Failure, "The kernel has no RDMA: no driver of an RDMA adapter is loaded."
	if c.host.isThis() {
		f.Evidence = append(f.Evidence, "netlink: RDMA is not a protocol of this kernel")
	}
	modules := "ib_umad ib_uverbs"
	for i := range c.adapters {
		if m := c.adapters[i].driver.modules; m != "" {
			modules = m + " " + modules
			break
		}
	}
	f.Remedy = load(modules)
	if len(c.adapters) == 0 {
		f.Remedy = append(f.Remedy, "# to try things without an adapter: ibscope sim exec --help")
	}
	c.add(f)
	return false
}

// checkNetNSMode says whether devices may be hidden in other namespaces. Kernels
// that do not tell, before 5.1, share them.
func (c *checker) checkNetNSMode(ctx context.Context) {
	if !c.host.isThis() {
		return
	}
	s, err := c.system(ctx)
	if err != nil {
		return
	}
	if s.SharedNetNS {
		c.add(Finding{
			Check: NetNSMode, Text: "All network namespaces share the RDMA devices.",
			Evidence: []string{"netlink: netns mode shared"},
		})
		return
	}
	f := Finding{
		Check: NetNSMode, Severity: Note, Text: "Each RDMA device belongs to one network namespace: others do not see it.",
		Evidence: []string{"netlink: netns mode exclusive"},
	}
	if len(c.devices) == 0 {
		f.Severity = Warning
		f.Text = "Each RDMA device belongs to one network namespace, and this one has none."
		f.Remedy = []string{
			"rdma dev  # in the host's namespace: what is there?",
			"rdma dev set mlx5_0 netns NAME  # in the host's namespace: gives a device to this one",
			"rdma system set netns shared  # or: all see all; only while no other namespace is in use",
		}
	}
	c.add(f)
}

// checkUmadModule says whether there is a usable interface for MADs.
func (c *checker) checkUmadModule() {
	dir := c.host.sys("class/infiniband_mad")
	there, why := exists(dir)
	f := Finding{Check: UmadModule, Text: "The module ib_umad is loaded: programs can send MADs.", Evidence: []string{why}}
	if !there {
		f.Severity, f.Text = Failure, "The module ib_umad is not loaded: no program can send MADs."
		f.Remedy = load("ib_umad")
		c.add(f)
		return
	}
	c.add(f)
	version, err := c.host.umad().ABIVersion()
	name := c.host.sys("class/infiniband_mad/abi_version")
	f = Finding{Check: UmadABI, Text: fmt.Sprintf("The interface for MADs has version %d.", version), Evidence: []string{fmt.Sprintf("%s: %d", name, version)}}
	if err != nil {
		f.Severity = Failure
		f.Text = fmt.Sprintf("The interface for MADs has version %d, which is too old: 5 or later is needed.", version)
		f.Remedy = []string{"uname -r  # a kernel from 2.6.22 on has version 5"}
	}
	if err != nil && version == 0 {
		f.Text, f.Evidence = "The version of the interface for MADs cannot be read.", []string{evidence(name, abiCause(err))}
		f.Remedy = []string{"ls -l " + name + "  # in a container: is all of /sys/class/infiniband_mad there?"}
	}
	c.hasUmad = err == nil
	c.add(f)
}

// abiCause is what went wrong, without the words about it and the hint.
func abiCause(err error) error {
	if e, ok := errors.AsType[*umad.Error](err); ok {
		err = e.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return unix.ENOENT
	}
	return err
}

// checkVerbsModule says whether programs can use verbs. The fabric can be managed
// without.
func (c *checker) checkVerbsModule() {
	there, why := exists(c.host.sys("class/infiniband_verbs"))
	f := Finding{Check: VerbsModule, Text: "The module ib_uverbs is loaded: programs can use verbs.", Evidence: []string{why}}
	if !there {
		f.Severity, f.Text = Warning, "The module ib_uverbs is not loaded: programs that move data by RDMA do not work."
		f.Remedy = load("ib_uverbs")
	}
	c.add(f)
}

// checkIPoIB says whether there is IP over InfiniBand, when there is InfiniBand.
func (c *checker) checkIPoIB() {
	if ib, _ := c.linkLayers(); len(ib) == 0 {
		return
	}
	there, why := exists(c.host.sys("module/ib_ipoib"))
	f := Finding{Check: IPoIBModule, Text: "The module ib_ipoib is loaded: there is IP over InfiniBand.", Evidence: []string{why}}
	if !there {
		f.Severity, f.Text = Note, "The module ib_ipoib is not loaded: there is no IP over InfiniBand."
		f.Remedy = load("ib_ipoib")
	}
	c.add(f)
}
