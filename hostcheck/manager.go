package hostcheck

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// checkSM asks the subnet manager of an active port.
func (c *portChecker) checkSM(ctx context.Context, client *madrpc.Client) {
	lid := ib.LID(c.port.SMLID)
	f := Finding{Check: SM, Evidence: []string{c.attribute("sm_lid", c.port.SMLID)}}
	if !lid.IsUnicast() {
		f.Severity, f.Text = Warning, "The port does not know a subnet manager: nothing can be asked of the subnet administrator."
		f.Remedy = c.startSM()
		c.add(f)
		return
	}
	info, err := madrpc.GetSMP[smp.SMInfo](ctx, client, mad.ByLID(lid), 0)
	switch {
	case err == nil:
		f.Text = fmt.Sprintf("The subnet manager at LID %d answers: state %v, priority %d.", lid, info.State, info.Priority)
		f.Evidence = append(f.Evidence, fmt.Sprintf("Get SMInfo: GUID %v, activity %d", info.GUID, info.ActCount))
		if info.State != ib.SMMaster {
			f.Severity, f.Text = Warning, fmt.Sprintf("The subnet manager at LID %d is not the master: it is %v.", lid, info.State)
			f.Remedy = c.startSM()
		}
	case ctx.Err() != nil:
		f.Severity, f.Text, f.Evidence = Warning, "The subnet manager could not be asked in time.", append(f.Evidence, err.Error())
	default:
		f.Severity = Warning
		f.Text = fmt.Sprintf("The subnet manager at LID %d does not answer: it may have gone, and the port lives on what it has set up.", lid)
		f.Evidence = append(f.Evidence, err.Error())
		f.Remedy = c.startSM()
	}
	c.add(f)
}
