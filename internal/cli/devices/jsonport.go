package devices

import (
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma"
)

type jsonPort struct {
	Port            int           `json:"port"`
	LinkLayer       string        `json:"link_layer,omitempty"`
	State           string        `json:"state,omitempty"`
	PhysState       string        `json:"phys_state,omitempty"`
	Active          *jsonRate     `json:"active,omitempty"`
	LID             *uint32       `json:"lid,omitempty"`
	LMC             *uint8        `json:"lmc,omitempty"`
	SMLID           *uint32       `json:"sm_lid,omitempty"`
	SMSL            *uint8        `json:"sm_sl,omitempty"`
	CapabilityMask  string        `json:"capability_mask,omitempty"`
	Capabilities    []string      `json:"capabilities,omitempty"`
	CapabilityMask2 string        `json:"capability_mask2,omitempty"`
	Capabilities2   []string      `json:"capabilities2,omitempty"`
	GUID            ib.GUID       `json:"guid,omitzero"`
	GID             *ib.GID       `json:"gid,omitempty"`
	SubnetPrefix    string        `json:"subnet_prefix,omitempty"`
	Umad            string        `json:"umad,omitempty"`
	Issm            string        `json:"issm,omitempty"`
	NetDev          string        `json:"netdev,omitempty"`
	Counters        *jsonCounters `json:"counters,omitempty"`
	HWCounters      *jsonCounters `json:"hw_counters,omitempty"`
}

type jsonRate struct {
	Width string  `json:"width,omitempty"`
	Speed string  `json:"speed,omitempty"`
	Gbps  float64 `json:"signal_gbps,omitempty"`
	Text  string  `json:"text"`
}

func (v *view) port(p *rdma.Port) jsonPort {
	j := jsonPort{
		Port: p.Num, LinkLayer: string(p.LinkLayer), GUID: p.GUID(),
		Umad: p.UmadPath(), Issm: p.IssmPath(), NetDev: p.NetDev,
		Capabilities: p.CapMask.Names(), Capabilities2: p.CapMask2.Names(),
	}
	if p.State != 0 {
		j.State = p.State.String()
	}
	if p.PhysState != 0 {
		j.PhysState = p.PhysState.String()
	}
	if p.LinkLayer.IsInfiniBand() || p.LID != 0 {
		j.LID, j.LMC, j.SMLID, j.SMSL = &p.LID, &p.LMC, &p.SMLID, &p.SMSL
	}
	if p.Rate.Text != "" {
		j.Active = rateOf(p)
	}
	if p.CapMask != 0 {
		j.CapabilityMask = p.CapMask.String()
	}
	if p.CapMask2 != 0 {
		j.CapabilityMask2 = p.CapMask2.String()
	}
	if !p.DefaultGID.IsZero() {
		j.GID = &p.DefaultGID
	}
	if p.SubnetPrefix != 0 {
		j.SubnetPrefix = hex(p.SubnetPrefix, 16)
	}
	if c, ok := v.ports[p]; ok {
		j.Counters, j.HWCounters = jsonCountersOf(c.standard), jsonCountersOf(c.driver)
	}
	return j
}

func rateOf(p *rdma.Port) *jsonRate {
	r := &jsonRate{Gbps: p.Rate.Gbps, Text: p.Rate.Text}
	if p.Width != 0 {
		r.Width = p.Width.String()
	}
	if p.Speed != 0 {
		r.Speed = p.Speed.String()
	}
	return r
}

type jsonCounters struct {
	LifespanSeconds float64       `json:"lifespan_seconds,omitempty"`
	List            []jsonCounter `json:"list"`
}

type jsonCounter struct {
	Name      string `json:"name"`
	Value     uint64 `json:"value"`
	Unit      string `json:"unit"`
	Bits      uint8  `json:"bits,omitempty"`
	Saturated bool   `json:"saturated,omitempty"`
}

// jsonCountersOf gives nil for hardware without counters.
func jsonCountersOf(c rdma.Counters) *jsonCounters {
	if len(c.List) == 0 {
		return nil
	}
	j := &jsonCounters{LifespanSeconds: float64(c.Lifespan) / float64(time.Second)}
	for _, one := range c.List {
		j.List = append(j.List, jsonCounter{one.Name, one.Value, one.Unit.String(), one.Bits, one.Saturated()})
	}
	return j
}
