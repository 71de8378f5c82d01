// Command cuseport gives the guest of the lab a port of a simulated fabric as
// /dev/infiniband/umad0, a character device, and below /sys/class what belongs
// to it. It returns when they are there; a second process goes on serving.
//
//	cuseport 'sim:fattree?levels=2&radix=8&hosts=64'
//
// It replaces /sys/class/infiniband and infiniband_mad for good: use it in the
// guest only, and without real devices.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/lab/cuse"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/sim/fuse"
	"github.com/ibscope/ibscope/sim/hostfs"
	"github.com/ibscope/ibscope/sim/umadev"
)

// mountPoint is where the tree of hostfs is, before its parts are bound to
// where they belong.
const mountPoint = "/run/cuseport"

const isReady = "ready"

func main() {
	var err error
	switch {
	case len(os.Args) == 2:
		err = start(os.Args[1])
	case len(os.Args) == 3 && os.Args[1] == "-serve":
		err = serve(os.Args[2])
	default:
		err = errors.New("usage: cuseport FABRIC-URI")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cuseport:", err)
		os.Exit(1)
	}
}

// start runs the serving process and puts its tree in place.
func start(uri string) error {
	cmd := exec.Command("/proc/self/exe", "-serve", uri)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if line, _, err := bufio.NewReader(out).ReadLine(); err != nil || string(line) != isReady {
		return fmt.Errorf("the serving process ended: %w", cmd.Wait())
	}
	for _, dir := range []string{hostfs.Class, hostfs.MAD} {
		to := filepath.Join("/sys/class", dir)
		if err := unix.Mount(filepath.Join(mountPoint, dir), to, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mount %s: %w", to, err)
		}
	}
	return nil
}

// serve makes the devices and the tree, says so, and answers until it is killed.
func serve(uri string) error {
	s, err := source.OpenSimulator(uri)
	if err != nil {
		return err
	}
	host, err := hostfs.New(s.Fabric, []*fabric.Node{s.At})
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	if err := mountTree(host.Tree(), ended); err != nil {
		return err
	}
	for i, num := range ports(s.At) {
		at, err := s.Fabric.AttachAt(s.At.GUID().String(), num)
		if err != nil {
			return err
		}
		device, err := cuse.New(fmt.Sprintf("infiniband/umad%d", i), umadev.New(at))
		if err != nil {
			return err
		}
		go func() { ended <- device.Serve() }()
	}
	fmt.Println(isReady)
	return <-ended
}

// ports are the ports that get a device, in hostfs's order.
func ports(n *fabric.Node) []int {
	if n.Type() == ib.NodeSwitch {
		return []int{0}
	}
	var list []int
	for num := range n.NumPorts() {
		list = append(list, num+1)
	}
	return list
}

// mountTree serves a tree by FUSE.
func mountTree(root *fuse.Node, ended chan<- error) error {
	if err := os.MkdirAll(mountPoint, 0o755); err != nil {
		return err
	}
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("/dev/fuse: %w", err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd)
	if err := unix.Mount("cuseport", mountPoint, "fuse", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("mount %s: %w", mountPoint, err)
	}
	server := fuse.New(os.NewFile(uintptr(fd), "/dev/fuse"), root, fuse.Owner{})
	go func() { ended <- server.Serve() }()
	return nil
}
