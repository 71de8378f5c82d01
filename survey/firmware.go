package survey

import (
	"context"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/vendordata"
)

// Why a node was not asked.
var errNoLID = errors.New("not asked, because it has no LID")

// readFirmware reads the firmware of all nodes.
func readFirmware(ctx context.Context, c *madrpc.Client, s *snapshot.Snapshot, _ *Options) error {
	problems, err := Firmware(ctx, c, s.Fabric, nil)
	s.Problems = append(s.Problems, problems...)
	if err != nil {
		return err
	}
	return ended(ctx, c)
}

// Firmware asks devices with NVIDIA's vendor class, its own and those of others with
// its chips, for their firmware and the name of their board, and sets both in the
// nodes of f; nobody else may use f meanwhile. Want chooses among the nodes, nil for
// all of them. Those that did not tell are in the problems; the error is the
// context's.
func Firmware(ctx context.Context, c *madrpc.Client, f *fabric.Fabric, want func(*fabric.Node) bool) ([]fabric.Problem, error) {
	var problems []fabric.Problem
	var asked []*fabric.Node
	var targets []mad.Target
	for n := range f.Nodes() {
		if !TellsFirmware(n) || want != nil && !want(n) {
			continue
		}
		to, ok := ByLID(n)
		if !ok {
			problems = append(problems, untold(n, mad.Target{}, errNoLID))
			continue
		}
		asked, targets = append(asked, n), append(targets, to)
	}
	b := fabric.NewBuilder() // sets the firmware of nodes that another one has built
	for i, a := range vendordata.Devices(ctx, c, targets) {
		if a.Err != nil {
			problems = append(problems, untold(asked[i], targets[i], a.Err))
			continue
		}
		v := a.Device.Firmware
		b.SetFirmware(asked[i], fabric.Firmware{Version: fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.SubMinor), PSID: a.Device.PSID})
	}
	return problems, ctx.Err()
}

// TellsFirmware reports whether a node is a device that is known to have NVIDIA's vendor
// class.
func TellsFirmware(n *fabric.Node) bool {
	info := n.Info()
	return model.Name(info.VendorID, info.DeviceID) != ""
}

func untold(n *fabric.Node, to mad.Target, err error) fabric.Problem {
	var v mlnx.GeneralInfo
	return problem(n, -1, to, v.Class(), v.AttrID(), 0, "firmware is not known", err)
}

// ByLID is how to reach a node by general services: by the first of its LIDs. False: it
// has none.
func ByLID(n *fabric.Node) (mad.Target, bool) {
	for p := range n.Ports() {
		if lid := p.LID(); lid.IsUnicast() {
			return mad.ByLID(lid), true
		}
	}
	return mad.Target{}, false
}
