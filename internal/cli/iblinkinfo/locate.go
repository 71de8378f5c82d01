package iblinkinfo

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// locate opens the port and finds where the sweep is to start. It gives the port
// GUID at the end of a directed route.
func (s *settings) locate(ctx context.Context, scan *diags.Scan) (ib.GUID, error) {
	client, err := s.Client(ctx)
	if err != nil {
		return 0, s.openFailed(err)
	}
	defer client.Close()
	switch {
	case s.path != "":
		return s.locatePath(ctx, client, scan)
	case s.guid != "":
		s.locateGUID(ctx, client, scan)
	}
	return 0, nil
}

func (s *settings) locatePath(ctx context.Context, client *madrpc.Client, scan *diags.Scan) (ib.GUID, error) {
	to, err := diags.PathTarget(s.path)
	if err != nil {
		diags.IBWarn(s.env, "main", "Failed to resolve %s; attempting full scan", s.path)
	} else {
		scan.From, scan.Partial = to, true
	}
	if s.all {
		return 0, nil
	}
	node, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, to, 0)
	if err != nil {
		s.Failed(err)
		return 0, s.failed("Failed to get local Node Info")
	}
	return node.PortGUID, nil
}

// locateGUID asks the subnet administration whether there is such a port, as C
// does. The sweep starts at its GUID and not at its LID, from where C's finds no
// way on.
func (s *settings) locateGUID(ctx context.Context, client *madrpc.Client, scan *diags.Scan) {
	s.Address = diags.ByGUID
	if _, err := s.Resolve(ctx, client, s.guid); err != nil {
		diags.IBWarn(s.env, "main", "Failed to resolve %s; attempting full scan", s.guid)
		fmt.Fprintln(s.env.Stderr) // the message of C ends in a newline of its own
		s.env.Complain("%v", err)
		return
	}
	scan.FromGUID, scan.Partial = ib.GUID(diags.LeadingUint(s.guid)), true
}
