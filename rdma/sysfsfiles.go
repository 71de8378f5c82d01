package rdma

import (
	"cmp"
	"slices"
	"strings"
)

// deviceFiles are the names of the device files, by what they belong to.
type deviceFiles struct {
	uverbs     map[string]string // by device
	umad, issm map[portKey]string
}

type portKey struct {
	device string
	port   int
}

func newDeviceFiles() *deviceFiles {
	return &deviceFiles{uverbs: map[string]string{}, umad: map[portKey]string{}, issm: map[portKey]string{}}
}

// read reads a directory of device files: a class, or the same below the bus
// device. A missing class is a module that is not loaded.
func (files *deviceFiles) read(top *dir, class string, f *faults) {
	for _, name := range classEntries(top, class, f) {
		file := class + "/" + name
		device, err := top.text(file + "/ibdev")
		if err != nil {
			f.add(&Error{Op: "read", Attribute: name, Path: top.name(file + "/ibdev"), Err: err})
			continue
		}
		if strings.HasPrefix(name, "uverbs") {
			setFirst(files.uverbs, device, name)
			continue
		}
		a := attributes{dir: top, device: device, faults: f}
		key := portKey{device, int(a.number(file+"/port", 16))}
		if strings.HasPrefix(name, "umad") {
			setFirst(files.umad, key, name)
		} else {
			setFirst(files.issm, key, name)
		}
	}
}

// classEntries lists the device files of a class in natural order, so that the
// lowest number wins when two claim one port, as in libibumad.
func classEntries(top *dir, class string, f *faults) []string {
	entries, err := top.list(class, maxDevices)
	if err != nil && !isAbsent(err) {
		f.add(&Error{Op: "list", Path: top.name(class), Err: err})
	}
	var names []string
	for _, e := range entries {
		for _, kind := range []string{"uverbs", "umad", "issm"} {
			if rest, ok := strings.CutPrefix(e.Name(), kind); ok && rest != "" && isDigit(rest[0]) {
				names = append(names, e.Name())
			}
		}
	}
	slices.SortFunc(names, compareNatural)
	return names
}

// setFirst keeps what is there.
func setFirst[K comparable](m map[K]string, key K, v string) {
	if _, ok := m[key]; !ok {
		m[key] = v
	}
}

// assign sets the names that a device and its ports do not have yet.
func (files *deviceFiles) assign(d *Device) {
	d.UverbsName = cmp.Or(d.UverbsName, files.uverbs[d.Name])
	for _, p := range d.Ports {
		key := portKey{d.Name, p.Num}
		p.UmadName = cmp.Or(p.UmadName, files.umad[key])
		p.IssmName = cmp.Or(p.IssmName, files.issm[key])
	}
}
