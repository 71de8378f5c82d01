package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// ErrBoot is what errors.Is finds when the guest did not come as far as its script.
var ErrBoot = errors.New("the guest did not boot")

// ready and end are the lines of guest/init. The exit code of qemu says
// nothing: it is 0 after a panic.
var (
	ready = regexp.MustCompile(`=====LAB-READY`)
	end   = regexp.MustCompile(`=====LAB-END code=(\d+);`)
)

// command is the qemu command line. No hardware help, no network, no disk: the
// serial console is its standard output, /out a folder of the host.
func (g *Guest) command(ctx context.Context, k kernel, initrd, out string) *exec.Cmd {
	memory := g.Memory
	if memory == 0 {
		memory = 384
	}
	kernelArgs := "console=ttyS0 panic=-1 quiet loglevel=3 mitigations=off random.trust_cpu=on net.ifnames=0"
	if g.NoRXE {
		kernelArgs += " norxe"
	}
	cmd := exec.CommandContext(ctx, "qemu-system-x86_64",
		"-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "1", "-m", strconv.Itoa(memory),
		"-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-nic", "none",
		"-kernel", k.vmlinux(), "-initrd", initrd, "-append", kernelArgs,
		"-serial", "stdio",
		"-virtfs", "local,path="+out+",mount_tag=out,security_model=none,multidevs=remap")
	cmd.SysProcAttr = dieWithParent()
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// boot runs the guest once, and fills in the console and the script's exit code.
func (g *Guest) boot(ctx context.Context, k kernel, initrd string, r *Result) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	log := &console{ready: make(chan struct{})}
	cmd := g.command(ctx, k, initrd, r.Out)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return &Error{Op: "boot", Err: err}
	}
	var ended error
	done := make(chan struct{})
	go func() {
		defer close(done)
		ended = cmd.Wait()
	}()

	err := g.wait(ctx, log, done)
	cancel()
	<-done
	if errors.Is(err, errEnded) {
		err = fmt.Errorf("%w: %w", errEnded, errOrExit(ended))
	}
	r.Console = log.bytes()
	if m := end.FindSubmatch(r.Console); m != nil {
		r.Code, err = strconv.Atoi(string(m[1]))
		return err
	}
	if !ready.Match(r.Console) {
		return &Error{Op: "boot", Err: fmt.Errorf("%w: %w", ErrBoot, err), Console: r.Console}
	}
	return &Error{Op: "script", Err: err, Console: r.Console}
}

var errEnded = errors.New("the guest ended")

// wait waits for the end of the guest, as long as its limits allow.
func (g *Guest) wait(ctx context.Context, log *console, done <-chan struct{}) error {
	boot, limit := g.Boot, g.Limit
	if boot == 0 {
		boot = 90 * time.Second
	}
	if limit == 0 {
		limit = 5 * time.Minute
	}
	timer := time.NewTimer(boot)
	defer timer.Stop()
	started, what := log.ready, "boot"
	for {
		select {
		case <-started:
			timer.Reset(limit)
			started, what, boot = nil, "script", limit
		case <-done:
			return errEnded
		case <-timer.C:
			return fmt.Errorf("the %s was not done after %v: %w", what, boot, context.DeadlineExceeded)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func errOrExit(err error) error {
	if err == nil {
		return errors.New("qemu: exit status 0")
	}
	return fmt.Errorf("qemu: %w", err)
}

// console collects what the guest prints, at most maxConsole bytes.
type console struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	once  sync.Once
	ready chan struct{} // closed when the script begins
}

const maxConsole = 4 << 20

// Write implements io.Writer.
func (c *console) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buf.Len()+len(b) <= maxConsole {
		c.buf.Write(b)
	}
	if ready.Match(c.buf.Bytes()) {
		c.once.Do(func() { close(c.ready) })
	}
	return len(b), nil
}

func (c *console) bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.buf.Bytes())
}
