package devices

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/hostcheck"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/rdma"
)

func (s *settings) run(ctx context.Context, e *env.Env) error {
	if !slices.Contains(outputs, s.output) {
		return env.Exitf(env.Usage, "--output %s: there are %s", s.output, strings.Join(outputs, ", "))
	}
	list, err := rdma.Host{Sys: e.Sys, Dev: e.Dev}.Devices(ctx)
	if errors.Is(err, unix.ENOSYS) && len(list) == 0 {
		err = nil // a host without RDMA is complete
	}
	v := &view{devices: list, errs: []error{err}}
	if s.counters {
		v.readCounters(ctx)
	}
	problems := rdma.Problems(errors.Join(v.errs...))
	var b bytes.Buffer
	if s.output == "json" {
		err = output.JSON(&b, v.document(e.Now(), problems))
	} else {
		err = v.print(&b, e.Columns(e.Stdout), e.Colour(e.Stdout))
	}
	if err == nil {
		_, err = io.Copy(e.Stdout, &b)
	}
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	for _, p := range problems {
		e.Complain("%v", p)
	}
	if len(list) == 0 {
		e.Complain("no RDMA devices%s", reason(ctx, e))
	}
	if err := ctx.Err(); err != nil {
		return env.Exitf(env.Incomplete, "ended early: %w", err)
	}
	if len(problems) > 0 {
		return &env.ExitError{Code: env.Incomplete}
	}
	return nil
}

// reason is why there may be no devices.
func reason(ctx context.Context, e *env.Env) string {
	r := hostcheck.Host{Sys: e.Sys, Dev: e.Dev, Proc: e.Proc}.Check(ctx, &hostcheck.Options{Passive: true})
	if f, ok := r.NoDevice(); ok {
		return ": " + strings.TrimSuffix(f.Text, ".") + " (ibscope doctor tells more)"
	}
	return ""
}

// view is what is shown.
type view struct {
	devices []*rdma.Device
	ports   map[*rdma.Port]counters   // with --counters
	own     map[*rdma.Device]counters // of the devices as a whole
	errs    []error                   // what could not be read
}

// counters are those of a port or a device.
type counters struct {
	standard, driver rdma.Counters
}

func (v *view) readCounters(ctx context.Context) {
	v.ports, v.own = map[*rdma.Port]counters{}, map[*rdma.Device]counters{}
	for _, d := range v.devices {
		driver, err := d.HWCounters(ctx)
		v.own[d] = counters{driver: driver}
		v.errs = append(v.errs, err)
		for _, p := range d.Ports {
			standard, err := p.Counters(ctx)
			driver, err2 := p.HWCounters(ctx)
			v.ports[p] = counters{standard, driver}
			v.errs = append(v.errs, err, err2)
		}
	}
}
