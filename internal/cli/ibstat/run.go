package ibstat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/umad"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// settings are what the command line says.
type settings struct {
	*diags.Common
	list, short, guids bool

	ca      string
	hasCA   bool
	port    int
	hasPort bool
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, _ string) error {
		switch o.Short {
		case 'l':
			s.list = true
		case 's':
			s.short = true
		case 'p':
			s.guids = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	if len(operands) > 0 {
		s.ca, s.hasCA = operands[0], true
	}
	if len(operands) > 1 { // more are ignored, as in C
		s.port = int(int32(diags.LeadingInt(operands[1])))
		s.hasPort = s.port >= 0 // a negative number stands for all ports
	}
	return s, nil
}

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	cas, readErr := umad.Host{Sys: e.Sys, Dev: e.Dev}.CAs(ctx)
	if err := diags.ListError(readErr); err != nil && len(cas) == 0 && !errors.Is(err, unix.ENOSYS) {
		return &diags.Panic{Text: "can't list IB device names", Cause: err}
	}
	r := &report{settings: s, env: e, problems: rdma.Problems(readErr)}
	if s.hasCA {
		i := slices.IndexFunc(cas, func(d *rdma.Device) bool { return d.Name == s.ca })
		if i < 0 {
			return &diags.Panic{Text: fmt.Sprintf("'%s' IB device can't be found", s.ca), Cause: unix.ENODEV}
		}
		cas = cas[i : i+1]
	}
	for _, ca := range cas {
		r.device(ca)
	}
	if s.JSON {
		return s.Finish(r.err, r.document(cas))
	}
	if _, err := e.Stdout.Write(r.out.Bytes()); err != nil {
		return &diags.Panic{Text: "can't write", Cause: err}
	}
	return r.err
}

// report collects what is printed, and what went wrong.
type report struct {
	*settings
	env      *env.Env
	problems []*rdma.Error
	out      bytes.Buffer
	err      error // the first failure
}

// device prints what was asked for of one device.
func (r *report) device(d *rdma.Device) {
	switch {
	case r.list && !r.guids:
		r.printf("%s\n", escape.Text(d.Name))
	case r.failed(d, 0):
	case r.guids:
		r.portGUIDs(d)
	case r.hasPort && !r.short:
		r.onePort(d)
	default:
		r.header(d)
		for _, p := range d.Ports {
			if !r.short && !r.failed(d, p.Num) {
				r.portLines(p, "\t\t", "\t")
			}
		}
	}
}

// needed are the attributes without which there is nothing to print.
var needed = []string{
	"ports", "node_guid", "sys_image_guid",
	"state", "phys_state", "rate", "lid", "lid_mask_count", "sm_lid", "cap_mask", "gids/0",
}

// failed reports whether what is needed of a port (0: of the device itself)
// could not be read, and tells about it.
func (r *report) failed(d *rdma.Device, port int) bool {
	bad := false
	for _, p := range r.problems {
		if p.Device != d.Name || p.Port != port || p.Attribute != "" && !slices.Contains(needed, p.Attribute) {
			continue
		}
		bad = true
		diags.IBWarn(r.env, "ca_stat", "%v", p)
		r.fail(&diags.Panic{Text: fmt.Sprintf("stat of IB device '%s' failed", d.Name), Cause: p})
	}
	return bad
}

// fail keeps the first failure, with which the command will end.
func (r *report) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// portGUIDs lists the port GUIDs of a device that are not zero.
func (r *report) portGUIDs(d *rdma.Device) {
	for _, p := range d.Ports {
		if !r.failed(d, p.Num) && !p.GUID().IsZero() {
			r.printf("%v\n", p.GUID())
		}
	}
}

// onePort prints the port with the number that was given.
func (r *report) onePort(d *rdma.Device) {
	p, ok := d.Port(r.port)
	switch {
	case !ok:
		diags.IBWarn(r.env, "ca_stat", "%v: '%s' has no port number %d - max (%d)", d.NodeType, d.Name, r.port, numPorts(d))
		r.fail(&diags.Panic{Text: fmt.Sprintf("stat of IB device '%s' failed", d.Name), Cause: unix.EINVAL})
	case !r.failed(d, p.Num):
		r.printf("%v: '%s'\n", d.NodeType, escape.Text(d.Name))
		r.portLines(p, "", "")
	}
}

// numPorts is the highest number of a port.
func numPorts(d *rdma.Device) (highest int) {
	for _, p := range d.Ports {
		highest = max(highest, p.Num)
	}
	return highest
}
