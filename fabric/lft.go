package fabric

// SetLFT sets the linear forwarding table of a switch: entry i is the output
// port for LID i, 255 for none. The Builder keeps the slice.
func (b *Builder) SetLFT(n *Node, table []uint8) { n.lft = &table }

// LFT is the linear forwarding table of a switch: entry i is the output port
// for LID i, 255 for none; LIDs beyond its end have none. It is nil when the
// table is not known. Read only.
func (n *Node) LFT() []uint8 {
	if n.lft == nil {
		return nil
	}
	return *n.lft
}
