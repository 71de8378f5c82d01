package ibping

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/ping"
)

// pause is the time from an answer to the next ping.
const pause = time.Second

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// settings are what the command line says.
type settings struct {
	*diags.Common
	env    *env.Env
	to     string
	count  uint32
	flood  bool
	server bool
	oui    uint32
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{env: e, count: math.MaxUint32, oui: openib.OUI}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, value string) error {
		switch o.Short {
		case 'c':
			s.count = uint32(diags.LeadingUint(value))
		case 'f':
			s.flood = true
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
	switch {
	case len(operands) > 0:
		s.to = operands[0]
	case !s.server:
		return nil, Tool.Usage(e)
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
	return s.ping(ctx, client, to)
}

// ping pings, and prints the statistics.
func (s *settings) ping(ctx context.Context, client *madrpc.Client, to mad.Target) error {
	o := ping.Options{OUI: s.oui, Count: s.count, Pause: pause, Each: func(p ping.Pong, err error) { s.pong(to, p, err) }}
	if s.flood {
		o.Pause = 0
	}
	result := ping.Run(ctx, client, to, &o)
	if s.JSON {
		return s.PrintDocument(newDocument(s, to, &result))
	}
	_, err := fmt.Fprintf(s.env.Stdout, "\n--- %s (%s) ibping statistics ---\n"+
		"%d packets transmitted, %d received, %d%% packet loss, time %d ms\n"+
		"rtt min/avg/max = %s/%s/%s ms\n",
		escape.Text(result.Host), diags.PortID(to),
		result.Sent, result.Received, result.LossPercent(), result.Elapsed.Milliseconds(),
		milliseconds(result.Min), milliseconds(result.Mean()), milliseconds(result.Max))
	if err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	return nil
}

// pong tells of an answer, or that there was none.
func (s *settings) pong(to mad.Target, p ping.Pong, err error) {
	switch {
	case err != nil && !s.HasProblems():
		s.Failed(err)
	case err != nil: // the first one stands for all in the document
		s.RPCWarn(err)
	case !s.flood && !s.JSON:
		fmt.Fprintf(s.env.Stdout, "Pong from %s (%s): time %s ms\n", escape.Text(p.Host), diags.PortID(to), milliseconds(p.RTT))
	}
}

// milliseconds is a time in milliseconds, in steps of a microsecond.
func milliseconds(d time.Duration) string {
	us := d.Microseconds()
	return fmt.Sprintf("%d.%03d", us/1000, us%1000)
}
