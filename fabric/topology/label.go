package topology

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
)

// PortLabel is what stands beside a port on the front panel of its switch, as
// "1/9/2" on Quantum-2 boxes, the port number where nothing else is known. A port
// that runs at four lanes or more is not split.
func PortLabel(p *fabric.Port) string {
	info := p.Node().Info()
	whole := p.Active().Width.Lanes() >= 4
	return model.PortLabel(info.VendorID, info.DeviceID, int(info.NumPorts), p.Num(), whole)
}
