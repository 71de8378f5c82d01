package simexec

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/sim/hostfs"
)

// mountName is the name of our mounts in /proc/mounts.
const mountName = "ibscope"

// stagingDirs are where the view is put together. Any directory will do: what
// it holds is hidden for that moment, in this namespace only.
var stagingDirs = [...]string{"/mnt", "/tmp", "/run", "/var"}

// place is a directory of the machine whose entries come from the simulator.
type place struct {
	dir  string
	from map[string]string // its entries, and the directories of package hostfs
}

var places = [...]place{
	{"/dev", map[string]string{"infiniband": hostfs.Devices}},
	{"/sys/class", map[string]string{
		"infiniband": hostfs.Class, "infiniband_mad": hostfs.MAD, "infiniband_verbs": hostfs.Verbs,
	}},
}

// memories are directories in which programs keep what they know of the fabric
// that they saw last, which is another one: OpenSM warns of links and gives out
// LIDs by them. On the machine they are empty, and what is written is gone with
// it.
var memories = [...]string{"/var/cache/opensm"}

// makeView mounts the simulated files and puts them into their places.
func makeView(l *link) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return failed("make private", "/", err)
	}
	staging, err := mountStaging()
	if err != nil {
		return err
	}
	files := filepath.Join(staging, "files")
	if err := mountFUSE(l, files); err != nil {
		return err
	}
	for _, p := range places {
		if err := p.fill(staging, files); err != nil {
			return err
		}
	}
	if err := failed("unmount", staging, unix.Unmount(staging, unix.MNT_DETACH)); err != nil {
		return err
	}
	return forget()
}

// forget covers what programs remember of other fabrics.
func forget() error {
	for _, dir := range memories {
		if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
			continue // nobody has remembered anything
		}
		if err := mountTmpfs(dir, unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC); err != nil {
			return err
		}
	}
	return nil
}

func mountStaging() (string, error) {
	for _, dir := range stagingDirs {
		if fi, err := os.Stat(dir); err == nil && fi.IsDir() {
			return dir, mountTmpfs(dir, unix.MS_NOSUID|unix.MS_NODEV)
		}
	}
	return "", failed("find", "a directory such as "+stagingDirs[0], unix.ENOENT)
}

func mountTmpfs(dir string, flags uintptr) error {
	return failed("mount tmpfs on", dir, unix.Mount(mountName, dir, "tmpfs", flags, "mode=755"))
}

// mountFUSE mounts the parent's files on a new directory. The device has to be
// opened here: the kernel wants it from the user namespace that mounts.
func mountFUSE(l *link, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return failed("make", dir, err)
	}
	fd, err := unix.Open(fuseDevice, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return failed("open", fuseDevice, err)
	}
	defer unix.Close(fd)
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d,default_permissions,allow_other", fd, os.Geteuid(), os.Getegid())
	if err := unix.Mount(mountName, dir, "fuse", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options); err != nil {
		return failed(opMountFUSE, dir, err)
	}
	return l.sendDescriptor(fd)
}

// fill puts the simulated entries into a place. Where the kernel has them they
// are covered. Else the place is replaced by a copy that has them: neither
// devtmpfs nor sysfs can be changed, for nobody would see the change alone.
func (p *place) fill(staging, files string) error {
	target := p.dir
	if !p.hasAll() {
		target = filepath.Join(staging, "copy")
		if err := p.copyTo(target); err != nil {
			return err
		}
	}
	for name, from := range p.from {
		if err := bind(filepath.Join(files, from), filepath.Join(target, name)); err != nil {
			return err
		}
	}
	if target == p.dir {
		return nil
	}
	return failed("move a mount to", p.dir, unix.Mount(target, p.dir, "", unix.MS_MOVE, ""))
}

func (p *place) hasAll() bool {
	for name := range p.from {
		if fi, err := os.Lstat(filepath.Join(p.dir, name)); err != nil || !fi.IsDir() {
			return false
		}
	}
	return true
}

// bind makes what is at one path visible at another, with all that is mounted
// below.
func bind(from, to string) error {
	return failed("bind "+from+" to", to, unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""))
}
