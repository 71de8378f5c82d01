package rdma

// merge adds to d, which sysfs told of, what netlink told of the same device.
// Sysfs wins where both speak, for it is read anew with each attribute. A value
// that netlink supplies is no longer a fault.
func (d *Device) merge(n *Device, f *faults) {
	found := func(attribute string) { f.drop(d.Name, 0, attribute) }
	d.Sources |= n.Sources
	d.Index = n.Index
	d.Protocol, d.CapFlags, d.RDMADriver, d.Parent = n.Protocol, n.CapFlags, n.RDMADriver, n.Parent
	fill(&d.NodeType, n.NodeType, found, "node_type")
	fill(&d.NodeGUID, n.NodeGUID, found, "node_guid")
	fill(&d.SystemImageGUID, n.SystemImageGUID, found, "sys_image_guid")
	fill(&d.Firmware, n.Firmware, found, "fw_ver")
	fill(&d.UverbsName, n.UverbsName, found, "uverbs")
	for _, np := range n.Ports {
		p, ok := d.Port(np.Num)
		if !ok {
			found("ports")
			d.Ports = append(d.Ports, np)
			continue
		}
		p.merge(np, func(attribute string) { f.drop(d.Name, p.Num, attribute) })
	}
}

func (p *Port) merge(n *Port, found func(string)) {
	p.CapMask2, p.SubnetPrefix = n.CapMask2, n.SubnetPrefix
	fill(&p.LinkLayer, n.LinkLayer, found, "link_layer")
	fill(&p.State, n.State, found, "state")
	fill(&p.PhysState, n.PhysState, found, "phys_state")
	fill(&p.LID, n.LID, found, "lid")
	fill(&p.SMLID, n.SMLID, found, "sm_lid")
	fill(&p.LMC, n.LMC, found, "lid_mask_count")
	fill(&p.CapMask, n.CapMask, found, "cap_mask")
	fill(&p.UmadName, n.UmadName, found, "umad")
	fill(&p.IssmName, n.IssmName, found, "issm")
	fill(&p.NetDev, n.NetDev, found, "ndev")
	if p.SubnetPrefix == 0 {
		p.SubnetPrefix = p.DefaultGID.Prefix()
	}
}

// fill sets a value that is not known yet and says so.
func fill[T comparable](dst *T, v T, found func(string), attribute string) {
	var unknown T
	if *dst == unknown && v != unknown {
		*dst = v
		found(attribute)
	}
}
