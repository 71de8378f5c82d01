package lab

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed guest/init
var initScript []byte

// cTools are copied into the guest from this machine. The first ones must be
// there (see Missing); another that is not installed is left out.
var cTools = []string{
	"rdma", "ip", "ibv_devices", "ibv_devinfo", "ibstat", "bash",
	"ibstatus", "ibaddr", "smpquery", "perfquery", "sminfo", "saquery", "ibnetdiscover", "ibping", "ibroute",
	"iblinkinfo", "vendstat", "ibportstate", "smpdump", "ibtracert", "ibqueryerrors", "dump_fts",
	"ibhosts", "ibswitches", "ibrouters", "ibnodes", "ibv_asyncwatch", "ibv_rc_pingpong", "strace", "rping",
}

const cToolsNeeded = 6

// image builds the guest's file system: busybox, modules, C tools, and what the
// guest's owner adds.
func (g *Guest) image(k kernel) ([]byte, error) {
	a := newArchive()
	for _, dir := range []string{"/proc", "/sys", "/dev", "/tmp", "/run", "/root", "/out", "/mnt", labDir} {
		a.dir(dir)
	}
	a.file("/init", initScript, 0o755)
	a.file("/etc/passwd", []byte("root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n"), 0o644)
	a.file("/etc/group", []byte("root:x:0:\nnogroup:x:65534:\n"), 0o644)
	if err := addModules(a, k); err != nil {
		return nil, err
	}
	if err := addTools(a); err != nil {
		return nil, err
	}
	if err := addBusybox(a); err != nil {
		return nil, err
	}
	a.file(labDir+"/script", []byte(g.Script), 0o755)
	for _, f := range g.Files {
		if err := a.copy(labDir+"/"+f.Name, f.Path); err != nil {
			return nil, err
		}
	}
	return a.bytes(), nil
}

// addModules adds the modules and the list in whose order init loads them.
func addModules(a *archive, k kernel) error {
	order, err := k.loadOrder(wanted)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, file := range order {
		name := "/modules/" + filepath.Base(file)
		if err := a.copy(name, file); err != nil {
			return err
		}
		list.WriteString(name)
		if moduleName(file) == "dummy" {
			list.WriteString(" numdummies=0") // or dummy0 is there already
		}
		list.WriteByte('\n')
	}
	a.file("/modules/order", []byte(list.String()), 0o644)
	return nil
}

// addBusybox adds busybox and a link for each of its applets for which the
// guest has no program of its own.
func addBusybox(a *archive) error {
	if err := a.copy("/bin/busybox", busybox); err != nil {
		return err
	}
	out, err := exec.Command(busybox, "--list").Output()
	if err != nil {
		return fmt.Errorf("%s --list: %w", busybox, err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if !a.has("/bin/"+name) && !a.has("/usr/bin/"+name) && !a.has("/usr/sbin/"+name) && !a.has("/sbin/"+name) {
			a.link("/bin/"+name, "busybox")
		}
	}
	return nil
}

// addTools adds the C tools, their libraries, the providers of libibverbs, and
// the configuration files that they read.
func addTools(a *archive) error {
	libs := newLibraries(a)
	for i, name := range cTools {
		path, err := findProgram(name)
		if err != nil && i < cToolsNeeded {
			return err
		}
		if err != nil {
			continue
		}
		if err := libs.add(path); err != nil {
			return err
		}
	}
	providers, err := filepath.Glob("/usr/lib/x86_64-linux-gnu/libibverbs/*.so")
	if err != nil {
		return err
	}
	for _, p := range providers {
		if err := libs.add(p); err != nil {
			return err
		}
	}
	for _, dir := range []string{"/etc/libibverbs.d", "/etc/infiniband-diags", "/etc/rdma"} {
		if err := a.copy(dir, dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// exists tells whether a file of this machine is there.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
