package diags

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/capture"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/internal/source/core"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/umad"
)

// Client opens the fabric for a tool that sends requests: the port that -C and
// -P name, or what IBSCOPE_FABRIC says. The cause of a failure goes to stderr,
// and the tool ends in C's words; there too is told what of a simulated fabric's
// file is not understood. The caller closes the client.
func (c *Common) Client(ctx context.Context) (*madrpc.Client, error) {
	t, err := c.Transport(ctx)
	if err != nil {
		return nil, err
	}
	return madrpc.New(t, &madrpc.Options{Timeout: c.Timeout, MKey: c.MKey, PKeyIndex: c.PKeyIndex}), nil
}

// Transport opens the same for a tool that answers requests. The caller closes it.
func (c *Common) Transport(ctx context.Context) (madrpc.Transport, error) {
	w := core.World{
		Getenv: c.env.Getenv, Host: umad.Host{Sys: c.env.Sys, Dev: c.env.Dev},
		Tap: c.capturing().Tap(c.env), Others: c.env.Sources,
	}
	s, err := w.Open(ctx, c.Fabric())
	if err == nil {
		if err = answers(s); err != nil {
			s.Close()
		}
	}
	if err != nil {
		c.env.Complain("%v", err)
		return nil, &Fatal{Text: fmt.Sprintf("Failed to open '%s' port '%d'", cmp.Or(c.CA, "(null)"), c.Port), Cause: err}
	}
	sweep.Complain(c.env, s.Problems)
	return s.Transport, nil
}

// capturing is the capture that --pcap asks for.
func (c *Common) capturing() *capture.Capture {
	c.capture.File = c.PCAP
	return &c.capture
}

// answers makes sure that requests of subnet management can be sent, without
// which the C tools do not open a port.
func answers(s *core.Source) error {
	if s.Transport == nil {
		return errors.New("a stored fabric answers no requests; use sim:FILE instead of file:FILE")
	}
	if pair, ok := s.Below.(*umad.PortPair); ok && pair.SMI == nil {
		return fmt.Errorf("%s port %d has no subnet management interface", pair.GSI.Device(), pair.GSI.Num())
	}
	return nil
}
