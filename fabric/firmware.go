package fabric

// Firmware is what a device runs, as its vendor's class told it.
type Firmware struct {
	Version string // "28.39.1002"; untrusted text
	PSID    string // name of the board, "" where it is not known; untrusted text
}

// SetFirmware sets the firmware of a node, which subnet management does not tell.
func (b *Builder) SetFirmware(n *Node, f Firmware) { n.firmware = &f }

// Firmware is what the node runs, false where that is not known: a sweep does not ask.
func (n *Node) Firmware() (Firmware, bool) {
	if n.firmware == nil {
		return Firmware{}, false
	}
	return *n.firmware, true
}
