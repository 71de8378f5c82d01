package lab

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// kernel is an unpacked kernel of Debian: vmlinux, and modules below modules/.
type kernel struct {
	dir string
}

func (k kernel) vmlinux() string { return filepath.Join(k.dir, "vmlinux") }
func (k kernel) modules() string { return filepath.Join(k.dir, "modules") }

// moduleDirs is what is kept of the package's modules: 40 MB of 400.
var moduleDirs = []string{
	"drivers/infiniband", "crypto", "arch/x86/crypto", "lib", "net/ipv4", "net/ipv6", "net/9p", "net/netlink",
	"fs/fuse", "fs/9p", "fs/netfs", "fs/fscache", "fs/configfs", "drivers/net/dummy.ko", "drivers/net/veth.ko",
	"drivers/virtio",
}

// cacheDir is where kernels are kept: ibscope-lab in the user's cache folder.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "ibscope-lab"), nil
}

// prepared gives the newest kernel in the cache, and downloads one if there is none.
func prepared(ctx context.Context) (kernel, error) {
	cache, err := cacheDir()
	if err != nil {
		return kernel{}, err
	}
	have, err := filepath.Glob(filepath.Join(cache, "linux-image-*"))
	if err != nil {
		return kernel{}, err
	}
	if len(have) == 0 {
		return download(ctx, cache)
	}
	return kernel{slices.MaxFunc(have, func(a, b string) int { return modified(a).Compare(modified(b)) })}, nil
}

// modified is when a file was last written, the zero time for none.
func modified(file string) time.Time {
	fi, err := os.Stat(file)
	if err != nil {
		return time.Time{}
	}
	return fi.ModTime()
}

// Prepare downloads the kernel that Debian has now, if it is not in the cache.
func Prepare(ctx context.Context) error {
	if err := Missing(); err != nil {
		return err
	}
	cache, err := cacheDir()
	if err != nil {
		return err
	}
	_, err = download(ctx, cache)
	return err
}

var imagePackage = regexp.MustCompile(`Depends: (linux-image-[0-9][^ \n]*)`)

// download fetches and unpacks the kernel that the package linux-image-amd64
// stands for. Nothing is installed. Two that do it at once do not disturb each
// other: the folder appears complete.
func download(ctx context.Context, cache string) (kernel, error) {
	out, err := output(ctx, "", "apt-cache", "depends", "linux-image-amd64")
	if err != nil {
		return kernel{}, err
	}
	m := imagePackage.FindSubmatch(out)
	if m == nil {
		return kernel{}, errors.New("apt knows no kernel (linux-image-amd64); run apt-get update")
	}
	final := filepath.Join(cache, string(m[1]))
	if _, err := os.Stat(final); err == nil {
		return kernel{final}, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return kernel{}, err
	}
	tmp, err := os.MkdirTemp(cache, "tmp-")
	if err != nil {
		return kernel{}, err
	}
	defer os.RemoveAll(tmp)
	if _, err := output(ctx, tmp, "apt-get", "download", string(m[1])); err != nil {
		return kernel{}, fmt.Errorf("%w; perhaps apt-get update helps", err)
	}
	deb, err := filepath.Glob(filepath.Join(tmp, "*.deb"))
	if err != nil || len(deb) != 1 {
		return kernel{}, fmt.Errorf("apt-get download %s left %d packages: %w", m[1], len(deb), err)
	}
	k := kernel{filepath.Join(tmp, "kernel")}
	if err := k.unpack(ctx, deb[0]); err != nil {
		return kernel{}, err
	}
	if err := os.Rename(k.dir, final); err != nil && !errors.Is(err, fs.ErrExist) {
		return kernel{}, err
	}
	return kernel{final}, nil
}

// output runs a program and gives what it prints; the error has what it complains of.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, complaint.Bytes())
	}
	return out, nil
}

// unpack takes the kernel and the modules out of a package.
func (k kernel) unpack(ctx context.Context, deb string) error {
	if err := os.MkdirAll(k.modules(), 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", deb)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = k.untar(ctx, pipe)
	if err == nil {
		_, err = io.Copy(io.Discard, pipe)
	}
	pipe.Close()
	return errors.Join(err, cmd.Wait())
}

func (k kernel) untar(ctx context.Context, r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := path.Clean("/" + h.Name)
		switch {
		case h.Typeflag != tar.TypeReg:
		case strings.HasPrefix(name, "/boot/vmlinuz"):
			err = k.unpackVmlinuz(ctx, t)
		case strings.HasSuffix(name, ".ko"):
			err = k.keepModule(name, t)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

// keepModule writes a module if it is in one of the moduleDirs. The name is
// /lib/modules/VERSION/kernel/….
func (k kernel) keepModule(name string, r io.Reader) error {
	_, name, _ = strings.Cut(name, "/kernel/")
	if !slices.ContainsFunc(moduleDirs, func(d string) bool { return name == d || strings.HasPrefix(name, d+"/") }) {
		return nil
	}
	f, err := os.Create(filepath.Join(k.modules(), path.Base(name)))
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

// unpackVmlinuz writes the kernel that is packed in a bzImage. Qemu starts it
// by its PVH entry: to unpack it in the guest would take as long as the rest of
// the boot.
func (k kernel) unpackVmlinuz(ctx context.Context, r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	at := bytes.Index(data, []byte("\xfd7zXZ\x00"))
	if at < 0 {
		return errors.New("no xz stream in the kernel image")
	}
	f, err := os.Create(k.vmlinux())
	if err != nil {
		return err
	}
	var complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, "xz", "-dc", "--single-stream")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data[at:]), f, &complaint
	err = cmd.Run()
	if fi, serr := f.Stat(); err != nil && serr == nil && fi.Size() > 20<<20 && complaint.Len() == 0 {
		err = nil // it does not like what follows the stream
	}
	return errors.Join(err, f.Close())
}
