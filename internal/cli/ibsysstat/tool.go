// Package ibsysstat is the tool of that name of infiniband-diags: the name and the
// processors of another host, or answers about this one.
package ibsysstat

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibsysstat",
	Summary:  "ask a host about itself over InfiniBand, or answer",
	Operands: "<dest lid|guid> [<op>]",
	Words:    operationNames,
	Excluded: "DKy",
	Description: `ibsysstat asks the host behind a LID, or with -G behind a port GUID, whether it is
there (ping, the default), for its name (host) or its processors (cpu). A server has
to run there: this program with -S.

The options and the output are those of ibsysstat from infiniband-diags, and the
servers of both answer the clients of both. Unlike there, a request is repeated when
no answer comes, a status in the answer is an error, a server tells about more than
eight processors, and exits with 0 when it is interrupted.`,
	Options: []getopt.Option{
		{Long: "oui", Short: 'o', Arg: "val", Help: "use specified OUI number"},
		{Long: "Server", Short: 'S', Help: "start in server mode"},
	},
	ExitStatus: "0 when the host answered; 2 for a mistake in the command line; " +
		"255 for a fatal error.",
}

// operations are what can be asked for.
var operations = [...]struct {
	name string
	attr mad.AttrID
}{
	{"ping", openib.AttrSysstatPing},
	{"host", openib.AttrSysstatHost},
	{"cpu", openib.AttrSysstatCPU},
}

func operationNames() (names []string) {
	for _, o := range operations {
		names = append(names, o.name)
	}
	return names
}

// attribute is what an operation asks for.
func attribute(operation string) (id mad.AttrID, ok bool) {
	for _, o := range operations {
		if o.name == operation {
			return o.attr, true
		}
	}
	return 0, false
}
