package ibstat

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/rdma"
)

// document has all that is known of the devices and ports which the command line
// names, whatever the options leave out of the text.
type document struct {
	Devices []diags.Device `json:"devices"`
}

func (r *report) document(cas []*rdma.Device) *document {
	d := &document{Devices: []diags.Device{}}
	for _, p := range r.problems {
		r.Problem(p)
	}
	for _, ca := range cas {
		d.Devices = append(d.Devices, diags.DeviceOf(ca, func(p *rdma.Port) bool { return !r.hasPort || p.Num == r.port }))
	}
	return d
}
