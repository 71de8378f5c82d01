package hostcheck

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// deviceFile is a file in /dev/infiniband that does not open.
type deviceFile struct {
	name  string // "/dev/infiniband/umad0"
	class string // in sysfs, "infiniband_mad"
	host  Host
}

// explanation is why it does not open.
type explanation struct {
	text             string
	evidence, remedy []string
}

// explain tells from the error of open(2) what is in the way.
func (d deviceFile) explain(err error) explanation {
	e := explanation{evidence: []string{evidence("open "+d.name, openCause(err))}}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.text = "Its device file " + d.name + " is missing."
		e.remedy = d.makeNode()
	case errors.Is(err, unix.EACCES):
		e.text = "This user may not open its device file " + d.name + "."
		e.evidence = append(e.evidence, d.rights()...)
		e.remedy = d.udevRule()
	case errors.Is(err, unix.EPERM):
		e.text = "The device controller of a control group forbids its device file " + d.name + ", as for containers."
		e.remedy = []string{
			"docker run --device=" + word(d.name) + " …  # or podman; all of them: --device=/dev/infiniband",
			"# a systemd service: DeviceAllow=" + d.name + " rw in its unit",
		}
	case errors.Is(err, unix.ENXIO) || errors.Is(err, unix.ENODEV):
		e.text = "Its device file " + d.name + " belongs to no device: it is left over, or has a wrong number."
		e.remedy = append([]string{"rm " + word(d.name)}, d.makeNode()...)
	default:
		e.text = "Its device file " + d.name + " does not open."
		e.remedy = []string{"dmesg | tail"}
	}
	return e
}

// openCause is the errno of an error that holds others beside it.
func openCause(err error) error {
	for _, errno := range []unix.Errno{unix.ENOENT, unix.EACCES, unix.EPERM, unix.ENXIO, unix.ENODEV} {
		if errors.Is(err, errno) {
			return errno
		}
	}
	return err
}

// rights says who may open the file, and who asks.
func (d deviceFile) rights() []string {
	var lines []string
	var st unix.Stat_t
	if err := unix.Stat(d.name, &st); err == nil {
		mode := fs.FileMode(st.Mode & 0o777)
		lines = append(lines, fmt.Sprintf("%s: mode %04o, owner %d, group %d", d.name, uint32(mode), st.Uid, st.Gid))
	}
	groups, _ := os.Getgroups()
	groups = slices.Compact(append([]int{os.Getegid()}, groups...)) // the first is mostly named twice
	return append(lines, fmt.Sprintf("this process: user %d, groups %s", os.Geteuid(), strings.Trim(fmt.Sprint(groups), "[]")))
}

// udevRule are commands that give a group access, now and at each boot.
func (d deviceFile) udevRule() []string {
	kind := d.kind()
	rule := fmt.Sprintf(`SUBSYSTEM=="%s", KERNEL=="%s*", GROUP="rdma", MODE="0660"`, d.class, kind)
	if kind == "uverbs" { // the file alone gives no power over the fabric
		rule = fmt.Sprintf(`SUBSYSTEM=="%s", KERNEL=="uverbs*", MODE="0666"`, d.class)
	}
	lines := []string{"echo '" + rule + "' >/etc/udev/rules.d/90-" + kind + ".rules"}
	if kind != "uverbs" {
		lines = append([]string{"groupadd -f rdma && usermod -a -G rdma USER  # who is in it can reconfigure the whole fabric"}, lines...)
	}
	return append(lines, "udevadm control --reload && udevadm trigger --action=add --subsystem-match="+d.class)
}

// makeNode are commands that bring a missing device file.
func (d deviceFile) makeNode() []string {
	lines := []string{
		"udevadm trigger --action=add --subsystem-match=" + d.class + "  # on a host with udev",
		"docker run --device=" + word(d.name) + " …  # a container, also podman; all of them: --device=/dev/infiniband",
	}
	number, err := readText(d.host.sys(filepath.Join("class", d.class, filepath.Base(d.name), "dev")))
	var major, minor int
	if _, scanErr := fmt.Sscanf(strings.TrimSpace(number), "%d:%d", &major, &minor); err == nil && scanErr == nil {
		mode := "600"
		if d.kind() == "uverbs" {
			mode = "666"
		}
		lines = append(lines, fmt.Sprintf("mkdir -p %s && mknod -m %s %s c %d %d  # neither", word(filepath.Dir(d.name)), mode, word(d.name), major, minor))
	}
	return lines
}

// kind is "umad" or "uverbs".
func (d deviceFile) kind() string { return strings.TrimRight(filepath.Base(d.name), "0123456789") }
