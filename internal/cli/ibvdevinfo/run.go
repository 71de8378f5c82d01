package ibvdevinfo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/uverbs"
)

// Exit codes of a device.
const (
	codeOpen  = 1
	codeQuery = 2
	codeClose = 3
	codePort  = 4
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int {
	common, args, err := Tool.CutOutput(e)
	if err != nil {
		return diags.Code(e, err)
	}
	r := &report{env: e, json: common, found: document{Devices: []device{}}}
	code := r.run(ctx, args)
	if common != nil {
		r.out.Reset()
		if err := common.PrintDocument(&r.found); err != nil {
			e.Complain("%v", err)
			code |= 1
		}
	}
	if _, err := e.Stdout.Write(r.out.Bytes()); err != nil {
		e.Complain("%v", err)
		code |= 1
	}
	return code & 0xff
}

// report collects what is printed.
type report struct {
	env *env.Env
	out bytes.Buffer

	json  *diags.Common // prints a document in place of out; nil for text
	found document

	device  string // "" for all
	port    uint8  // 0 for all
	verbose bool
}

// run reads the options and acts on each as it comes, as the C tool does: -l
// lists before it looks at the options behind it.
func (r *report) run(ctx context.Context, args []string) int {
	e := r.env
	p := getopt.Parser{Program: e.Args[0], Options: Tool.Options, StopAtOperand: e.Getenv("POSIXLY_CORRECT") != ""}
	_, err := p.Parse(args, func(o *getopt.Option, value string) error { return r.option(ctx, o, value) })
	var done *diags.Exit
	switch {
	case errors.As(err, &done):
		return done.Code
	case err != nil:
		fmt.Fprintln(e.Stderr, escape.Text(err.Error()))
		r.out.WriteString(usage(e.Args[0]))
		return diags.ExitFatal
	}
	return r.devices(ctx)
}

func (r *report) option(ctx context.Context, o *getopt.Option, value string) error {
	switch o.Short {
	case 'd':
		r.device = value
	case 'i':
		num := int32(diags.LeadingInt(value)) // C keeps an int, then 8 bits of it
		if num <= 0 {
			r.out.WriteString(usage(r.env.Args[0]))
			return &diags.Exit{Code: 1}
		}
		r.port = uint8(num)
	case 'v':
		r.verbose = true
	case 'l':
		return &diags.Exit{Code: r.list(ctx)}
	}
	return nil
}

// list prints the names.
func (r *report) list(ctx context.Context) int {
	devices, ok := diags.VerbsDevices(ctx, r.env)
	if !ok {
		if r.json != nil {
			r.json.Problem(errors.New("the list of devices cannot be read"))
		}
		return diags.ExitFatal
	}
	plural := "s"
	if len(devices) == 1 {
		plural = ""
	}
	r.printf("%d HCA%s found:\n", len(devices), plural)
	for _, d := range devices {
		r.printf("\t%s\n", escape.Text(d.Name))
		r.noteDevice(device{Name: d.Name})
	}
	r.printf("\n")
	return 0
}

// devices prints the device that was asked for, or all.
func (r *report) devices(ctx context.Context) int {
	devices, ok := diags.VerbsDevices(ctx, r.env)
	if !ok {
		if r.json != nil {
			r.json.Problem(errors.New("the list of devices cannot be read"))
		}
		return diags.ExitFatal
	}
	if r.device != "" {
		i := slices.IndexFunc(devices, func(d *rdma.Device) bool { return d.Name == r.device })
		if i < 0 {
			return r.fail(diags.ExitFatal, nil, "IB device '%s' wasn't found", escape.Text(r.device))
		}
		devices = devices[i : i+1]
	}
	if len(devices) == 0 {
		return r.fail(diags.ExitFatal, nil, "No IB devices found")
	}
	code := 0
	for _, d := range devices {
		code |= r.query(ctx, d)
	}
	return code
}

// query prints a device and gives its part of the exit code.
func (r *report) query(ctx context.Context, d *rdma.Device) (code int) {
	dev, err := uverbs.Open(d)
	if err != nil {
		return r.fail(codeOpen, err, "Failed to open device")
	}
	defer func() {
		if err := dev.Close(); err != nil {
			code = r.fail(codeClose, err, "Failed to close device")
		}
	}()
	if err := dev.Refused(); err != nil {
		return r.fail(codeOpen, err, "Failed to open device")
	}
	a, err := dev.QueryDevice(ctx)
	if err != nil {
		return r.fail(codeQuery, err, "Failed to query device props")
	}
	if int(r.port) > a.PhysicalPorts {
		return r.fail(codePort, nil, "Invalid port requested for device")
	}
	r.noteDevice(newDevice(d, a))
	r.summary(d, a)
	if r.verbose {
		r.details(a)
	}
	for num := 1; num <= a.PhysicalPorts && code == 0; num++ {
		if r.port == 0 || int(r.port) == num {
			code = r.queryPort(ctx, dev, d, num)
		}
	}
	return code
}

func (r *report) queryPort(ctx context.Context, dev *uverbs.Device, d *rdma.Device, num int) int {
	a, err := dev.QueryPort(ctx, num)
	if err != nil {
		return r.fail(errno(err), err, "Failed to query port %d props", num)
	}
	v := newPort(num, a)
	defer func() { r.notePort(v) }()
	r.portSummary(num, a)
	if r.verbose {
		r.portDetails(a, d.Transport())
		gids, err := dev.GIDs(ctx, num, a.GIDTableLen)
		for _, g := range gids {
			r.gid(g, a.LinkLayer)
			v.GIDs = append(v.GIDs, gid{g.Index, g.GID})
		}
		if err != nil {
			return r.fail(diags.ExitFatal, err, "Failed to query gid to port %d, index %d", num, failedIndex(err))
		}
	}
	r.printf("\n")
	return 0
}

// fail prints a message of the C tool, and the reason, which C keeps to itself.
func (r *report) fail(code int, reason error, format string, args ...any) int {
	fmt.Fprintf(r.env.Stderr, format+"\n", args...)
	if r.json != nil {
		r.json.Problem(problemOf(fmt.Sprintf(format, args...), reason))
	}
	if reason != nil {
		r.env.Complain("%v", reason)
	}
	return code
}

// errno is the exit code for a port without answer.
func errno(err error) int {
	var e syscall.Errno
	if errors.As(err, &e) {
		return int(e)
	}
	return 1
}

func failedIndex(err error) int {
	var e *uverbs.Error
	if errors.As(err, &e) && e.Index > 0 {
		return e.Index
	}
	return 0
}
