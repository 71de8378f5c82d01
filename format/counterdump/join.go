package counterdump

import (
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
)

// Joined is a record with the port that it is about.
type Joined struct {
	*Record
	Node *fabric.Node
	Of   *fabric.Port // nil for the sums over all ports, and where nothing else is known of the port
}

// Join finds the port of each record in a fabric: by its node GUID, port GUID or
// LID, whichever is told. A record of no port in the fabric is a problem.
func Join(f *fabric.Fabric, records []Record) ([]Joined, []fabric.Problem) {
	joined := make([]Joined, 0, len(records))
	var problems []fabric.Problem
	for i := range records {
		r := &records[i]
		n := nodeOf(f, r)
		if n == nil || r.Port != AllPorts && (r.Port < 0 || r.Port > n.NumPorts()) {
			problems = append(problems, fabric.Problem{
				Kind: fabric.FilesDisagree, GUID: r.guid(), Port: r.Port, File: r.File + ":" + strconv.Itoa(r.Line),
				Detail: fmt.Sprintf("counters of LID %d port %d, which is not in the fabric", r.LID, r.Port),
			})
			continue
		}
		j := Joined{Record: r, Node: n}
		if r.Port != AllPorts {
			j.Of = n.Port(r.Port)
		}
		joined = append(joined, j)
	}
	return joined, problems
}

func nodeOf(f *fabric.Fabric, r *Record) *fabric.Node {
	if n, ok := f.NodeByGUID(r.NodeGUID); ok {
		return n
	}
	if p, ok := f.PortByGUID(r.PortGUID); ok {
		return p.Node()
	}
	if n, ok := f.NodeByGUID(r.PortGUID); ok {
		return n // of switches whose modules print it
	}
	if p, ok := f.PortByLID(r.LID); ok {
		return p.Node()
	}
	return nil
}
