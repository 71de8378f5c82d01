// Package ibvdevices is the tool ibv_devices of ibverbs-utils, which lists RDMA
// devices.
package ibvdevices

import (
	"bytes"
	"context"
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
)

// Tool is the tool. It has no options and ignores what it is given.
var Tool = diags.Tool{
	Name: "ibv_devices", Summary: "list RDMA devices",
	Excluded: "zCPDLGtsKyevdhV",
	Description: `ibv_devices lists the RDMA devices of this machine that have a device file for
verbs, with their node GUIDs.`,
	ExitStatus: "0 when there is a list, even an empty one; 1 otherwise.",
}

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int {
	common, _, err := Tool.CutOutput(e)
	if err != nil {
		return diags.Code(e, err)
	}
	devices, ok := diags.VerbsDevices(ctx, e)
	switch {
	case !ok && common != nil:
		common.Problem(errNoList)
		printDocument(e, common, nil)
		return 1
	case !ok:
		return 1
	case common != nil:
		return printDocument(e, common, devices)
	}
	var out bytes.Buffer
	const line = "    %-16s\t%s\n"
	fmt.Fprintf(&out, line, "device", "   node GUID")
	fmt.Fprintf(&out, line, "------", "----------------")
	for _, d := range devices {
		fmt.Fprintf(&out, line, escape.Text(d.Name), fmt.Sprintf("%016x", uint64(d.NodeGUID)))
	}
	if _, err := e.Stdout.Write(out.Bytes()); err != nil {
		e.Complain("%v", err)
		return 1
	}
	return 0
}
