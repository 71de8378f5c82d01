package hostfs

import (
	"fmt"
	"strconv"
	"syscall"

	"github.com/ibscope/ibscope/sim/fuse"
)

// Directories of the tree, and where a machine has them.
const (
	Devices = "dev"              // /dev/infiniband
	Class   = "infiniband"       // /sys/class/infiniband
	MAD     = "infiniband_mad"   // /sys/class/infiniband_mad
	Verbs   = "infiniband_verbs" // /sys/class/infiniband_verbs
)

// Numbers that the kernel has.
const (
	madABI     = 5
	verbsABI   = 6
	major      = 231
	minorISSM  = 64
	minorVerbs = 192
)

// Tree is the files of the machine: a root with the directories above. Each
// call makes a new one.
func (h *Host) Tree() *fuse.Node {
	var devices, class []*fuse.Node
	mads := []*fuse.Node{number("abi_version", madABI)}
	verbs := []*fuse.Node{number("abi_version", verbsABI)}
	for _, a := range h.adapters {
		class = append(class, a.dir())
		verbs = append(verbs, charDevice("uverbs", a.index, a.index+minorVerbs, text("ibdev", a.name), number("abi_version", 1)))
		for _, p := range a.ports {
			umad, issm := "umad"+strconv.Itoa(p.index), "issm"+strconv.Itoa(p.index)
			devices = append(devices, fuse.File(umad, 0o600, p.umad), fuse.File(issm, 0o600, p.issm))
			mads = append(mads,
				charDevice("umad", p.index, p.index, text("ibdev", a.name), number("port", p.num)),
				charDevice("issm", p.index, p.index+minorISSM, text("ibdev", a.name), number("port", p.num)))
		}
	}
	return fuse.Dir("", fuse.Dir(Devices, devices...), fuse.Dir(Class, class...), fuse.Dir(MAD, mads...), fuse.Dir(Verbs, verbs...))
}

// charDevice is a directory for a device file, named after its kind and number.
func charDevice(kind string, index, minor int, files ...*fuse.Node) *fuse.Node {
	dev := text("dev", fmt.Sprintf("%d:%d", major, minor))
	return fuse.Dir(kind+strconv.Itoa(index), append(files, dev)...)
}

// text is a file with one line that never changes.
func text(name, line string) *fuse.Node {
	return fuse.Text(name, func() (string, syscall.Errno) { return line + "\n", 0 })
}

func number(name string, n int) *fuse.Node { return text(name, strconv.Itoa(n)) }

// computed is a file with one line that is made when it is read; EINVAL when
// there is no such value, as in sysfs.
func computed(name string, line func() (string, bool)) *fuse.Node {
	return fuse.Text(name, func() (string, syscall.Errno) {
		s, ok := line()
		if !ok {
			return "", syscall.EINVAL
		}
		return s + "\n", 0
	})
}
