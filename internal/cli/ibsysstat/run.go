package ibsysstat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/madrpc/ping"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// settings are what the command line says.
type settings struct {
	*diags.Common
	env       *env.Env
	to        string
	operation string
	server    bool
	oui       uint32
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{env: e, operation: "ping", oui: openib.OUI}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, value string) error {
		switch o.Short {
		case 'o':
			s.oui = uint32(diags.LeadingUint(value)) & 0xffffff
		case 'S':
			s.server = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	if len(operands) == 0 && !s.server {
		return nil, Tool.Usage(e)
	}
	if len(operands) > 0 {
		s.to = operands[0]
	}
	if len(operands) > 1 {
		if _, ok := attribute(operands[1]); !ok {
			return nil, Tool.Usage(e)
		}
		s.operation = operands[1]
	}
	return s, nil
}

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	if s.server {
		return s.serve(ctx)
	}
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	to, err := s.Resolve(ctx, client, s.to)
	if err != nil {
		s.Failed(err)
		return &diags.Fatal{Text: "can't resolve destination port " + s.to, Cause: err}
	}
	id, _ := attribute(s.operation)
	text, err := ping.Sysstat(ctx, client, to, id, s.oui)
	if err != nil {
		return s.fail(to, err)
	}
	return s.print(to, text)
}

// fail gives the error in C's words, which differ by who notices it first: the
// kernel, which gives the request back, or the program.
func (s *settings) fail(to mad.Target, err error) error {
	if !s.JSON {
		s.env.Complain("%v", err)
	}
	var returned *mad.SendError
	var errno syscall.Errno
	var status mad.Status
	switch {
	case errors.As(err, &returned) && errors.As(returned.Err, &errno):
		return &diags.Fatal{Text: fmt.Sprintf("ibsystat to %s: %s", diags.PortID(to), diags.Strerror(errno)), Cause: err}
	case errors.As(err, &status):
		return &diags.Fatal{Text: fmt.Sprintf("ibsystat to %s: %v", diags.PortID(to), status), Cause: err}
	}
	return &diags.Panic{Function: "ibsystat", Text: "umad_recv failed.", Cause: timeout(err)}
}

// timeout is the errno of an error, if it is one that C has.
func timeout(err error) error {
	var late interface{ Timeout() bool }
	if errors.As(err, &late) && late.Timeout() {
		return fmt.Errorf("%w: %w", syscall.ETIMEDOUT, err)
	}
	return err
}

func (s *settings) print(to mad.Target, text string) error {
	if s.JSON {
		return s.PrintDocument(newDocument(s, to, text))
	}
	if s.operation == "ping" {
		text = "sysstat ping succeeded"
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = escape.Text(strings.ReplaceAll(lines[i], "\t", " "))
	}
	if _, err := fmt.Fprintln(s.env.Stdout, strings.Join(lines, "\n")); err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	return nil
}
