package testenv

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Sysfs is a tree of files in the shape of /sys, with devices that a test makes
// up. It is gone when the test ends.
type Sysfs struct {
	Root string

	t     testing.TB
	umads int
}

// SysfsCA is a device of a Sysfs. An empty field has a plausible value.
type SysfsCA struct {
	Name       string
	NodeType   string // "1: CA"
	GUID       string // "0002:c903:0000:1000", the system image GUID too
	Firmware   string
	HardwareID string // hw_rev
	HCAType    string
	Ports      []SysfsPort
}

// SysfsPort is a port of a SysfsCA. An empty field has the value of an active
// InfiniBand port.
type SysfsPort struct {
	Num       int
	GUID      string // "0002:c903:0000:1001"
	State     string // "4: ACTIVE"
	PhysState string // "5: LinkUp"
	Rate      string // "100 Gb/sec (4X EDR)"
	LID, LMC  string
	SMLID     string
	CapMask   string
	LinkLayer string
	NoUmad    bool // no device files
}

// NewSysfs makes a tree with those devices, with a umad and an issm file for
// each port in their order, and version 5 of the umad interface.
func NewSysfs(t testing.TB, cas ...SysfsCA) *Sysfs {
	t.Helper()
	s := &Sysfs{Root: t.TempDir(), t: t}
	s.Mkdir("class/infiniband")
	s.Write("class/infiniband_mad/abi_version", "5")
	for _, ca := range cas {
		s.addCA(&ca)
	}
	return s
}

// CAFile is the name of a file of a device, as Write takes it.
func (s *Sysfs) CAFile(ca, name string) string { return "class/infiniband/" + ca + "/" + name }

func (s *Sysfs) addCA(ca *SysfsCA) {
	s.t.Helper()
	guid := cmp.Or(ca.GUID, "0002:c903:0000:1000")
	for name, text := range map[string]string{
		"node_type": cmp.Or(ca.NodeType, "1: CA"), "node_guid": guid, "sys_image_guid": guid,
		"fw_ver": cmp.Or(ca.Firmware, "20.31.1014"), "hw_rev": cmp.Or(ca.HardwareID, "0"),
		"hca_type": cmp.Or(ca.HCAType, "MT4123"), "node_desc": ca.Name + " test",
	} {
		s.Write(s.CAFile(ca.Name, name), text)
	}
	s.Mkdir(s.CAFile(ca.Name, "ports"))
	for i := range ca.Ports {
		s.addPort(ca.Name, &ca.Ports[i])
	}
}

func (s *Sysfs) addPort(ca string, p *SysfsPort) {
	s.t.Helper()
	dir := fmt.Sprintf("ports/%d/", p.Num)
	for name, text := range map[string]string{
		"state": cmp.Or(p.State, "4: ACTIVE"), "phys_state": cmp.Or(p.PhysState, "5: LinkUp"),
		"rate": cmp.Or(p.Rate, "100 Gb/sec (4X EDR)"),
		"lid":  cmp.Or(p.LID, "0x5"), "lid_mask_count": cmp.Or(p.LMC, "0"),
		"sm_lid": cmp.Or(p.SMLID, "0x1"), "sm_sl": "0",
		"cap_mask":   cmp.Or(p.CapMask, "0x2651e848"),
		"link_layer": cmp.Or(p.LinkLayer, "InfiniBand"),
		"gids/0":     "fe80:0000:0000:0000:" + cmp.Or(p.GUID, fmt.Sprintf("0002:c903:0000:10%02x", p.Num)),
		"pkeys/0":    "0xffff",
	} {
		s.Write(s.CAFile(ca, dir+name), text)
	}
	if p.NoUmad {
		return
	}
	for _, kind := range []string{"umad", "issm"} {
		at := fmt.Sprintf("class/infiniband_mad/%s%d/", kind, s.umads)
		s.Write(at+"ibdev", ca)
		s.Write(at+"port", fmt.Sprint(p.Num))
	}
	s.umads++
}

// Write writes a file, as the kernel shows one: with a newline.
func (s *Sysfs) Write(name, text string) {
	s.t.Helper()
	s.Mkdir(filepath.Dir(name))
	if err := os.WriteFile(filepath.Join(s.Root, name), []byte(text+"\n"), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// Mkdir makes a directory, and those above it.
func (s *Sysfs) Mkdir(name string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Join(s.Root, name), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

// Remove removes a file or a directory with all that is in it.
func (s *Sysfs) Remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.Root, name)); err != nil {
		s.t.Fatal(err)
	}
}
