package ibfindnodesusing

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

type document struct {
	Switch end  `json:"switch"`
	Remote *end `json:"remote,omitempty"`
	// Forward are reached from the switch by the port, Backward from the other end.
	Forward  []end `json:"forward"`
	Backward []end `json:"backward"`
}

// end is a port of a node.
type end struct {
	NodeGUID    ib.GUID `json:"node_guid"`
	Type        string  `json:"type"`
	Description string  `json:"description"`
	Port        int     `json:"port"`
	LID         ib.LID  `json:"lid,omitempty"`
}

func (l *link) document() document {
	d := document{
		Switch:  end{NodeGUID: l.sw.GUID(), Type: l.sw.Type().String(), Description: l.sw.Description(), Port: l.num},
		Forward: ends(l.there), Backward: ends(l.back),
	}
	if p := l.sw.Port(0); p != nil {
		d.Switch.LID = p.LID()
	}
	if l.remote != nil {
		remote := endOf(l.remote)
		d.Remote = &remote
	}
	return d
}

func endOf(p *fabric.Port) end {
	n := p.Node()
	return end{n.GUID(), n.Type().String(), n.Description(), p.Num(), p.LID()}
}

func ends(ports []*fabric.Port) []end {
	list := make([]end, 0, len(ports))
	for _, p := range ports {
		list = append(list, endOf(p))
	}
	return list
}
