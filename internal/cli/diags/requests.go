package diags

import (
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// PortID is how the C tools print a destination that was named by an operand:
// where a directed route stands alone, its ends are the permissive LID, and one
// without hops is not shown behind a LID.
func PortID(t mad.Target) string {
	switch {
	case t.LID != 0 && t.Path.Len() == 0:
		return mad.ByLID(t.LID).String()
	case t.LID == 0 && t.Directed:
		return fmt.Sprintf("DR path slid %d; dlid %d; %s", ib.PermissiveLID, ib.PermissiveLID, t.Path)
	}
	return t.String()
}

// Failed tells of a request that failed: in the words of libibmad, which are a
// line for a request without a reply, and one with -e for a status; then, in a
// line that begins with the program's name, what was asked and why it failed.
func (c *Common) Failed(err error) {
	c.Problem(err)
	c.RPCWarn(err)
	c.env.Complain("%v", err)
}

// RPCWarn is the part of Failed that C prints.
func (c *Common) RPCWarn(err error) { c.RPCWarnOf(err, PortID) }

// RPCWarnOf is RPCWarn for targets that no operand named, with their text.
func (c *Common) RPCWarnOf(err error, text func(mad.Target) string) {
	var request *madrpc.Error
	if !errors.As(err, &request) {
		return
	}
	function := "mad_rpc"
	if request.Class.IsVendor1() || request.Class.IsVendor2() {
		function = "mad_rpc_rmpp" // by which libibmad sends these, long or not
	}
	var status mad.Status
	switch {
	case !errors.As(request.Err, &status):
		IBWarn(c.env, function, "_do_madrpc failed; dport (%s)", text(request.Target))
	case c.Errors || c.Debug > 0:
		IBWarn(c.env, function, "MAD completed with error status 0x%x; dport (%s)", uint16(status), text(request.Target))
	}
}

// NodeNames loads the node name map of an option, nil for "" and for a file that
// cannot be read, which C goes on without after a warning.
func (c *Common) NodeNames(path string) ibnetdiscover.Namer {
	namer, err := names.Load(c.env, path)
	if err != nil {
		c.Warn("failed to open node name map %q (%s)", path, names.Reason(err))
	}
	return namer
}

// NodeName is how a node is called in output: by its name map, or else by its
// description.
func NodeName(namer ibnetdiscover.Namer, guid ib.GUID, description string) string {
	if namer == nil {
		return description
	}
	return escape.Text(namer.Name(guid, description))
}
