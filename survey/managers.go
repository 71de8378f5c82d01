package survey

import (
	"context"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// readSMInfo asks all ports that say that they have a subnet manager what it is.
func readSMInfo(ctx context.Context, c *madrpc.Client, s *snapshot.Snapshot, _ *Options) error {
	s.SMInfo = map[*fabric.Port]smp.SMInfo{}
	for p := range s.Fabric.Ports() {
		info, ok := p.Info()
		isSwitch := p.Node().Type() == ib.NodeSwitch
		if !ok || info.CapMask&smp.CapIsSM == 0 || isSwitch != (p.Num() == 0) {
			continue
		}
		to, err := mad.ByLID(p.LID()), errNoLID
		var told smp.SMInfo
		if p.LID() != 0 {
			told, err = madrpc.GetSMP[smp.SMInfo](ctx, c, to, 0)
		}
		if err == nil {
			s.SMInfo[p] = told
			continue
		}
		s.Problems = append(s.Problems, problem(p.Node(), p.Num(), to, 0, smp.AttrSMInfo, 0, "the subnet manager here is not known", err))
		if err := ended(ctx, c); err != nil {
			return err
		}
	}
	return nil
}
