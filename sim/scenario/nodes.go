package scenario

import (
	"strconv"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

func percent(share float64) string {
	return strconv.FormatFloat(share*100, 'g', 4, 64) + "%"
}

func parseKill(w *words) action {
	return simply("kill", w.node(), isAlive, func(s *sim.Fabric, at sim.Place) error { return s.KillNode(at.Node) })
}

func parseRevive(w *words) action {
	n := w.node()
	return action{run: func(r *Runner) error {
		return r.each("revive", n, isDead, func(at sim.Place) (string, error) {
			if isDead(r.sim, at) {
				r.zero(at)
			}
			return "", r.sim.ReviveNode(at.Node)
		})
	}}
}

func parseReplace(w *words) action {
	n := w.node()
	o := w.options("guid", "description", "revision")
	with := sim.Replacement{
		GUID:        option(w, o, "guid", "the GUID of a node", 0, parseGUID),
		Description: option(w, o, "description", "a text", "", parseDescription),
		Revision:    uint32(option(w, o, "revision", aNumber, 0, parseUint32)),
	}
	return action{run: func(r *Runner) error {
		return r.each("replace", n, anything, func(at sim.Place) (string, error) {
			with := with
			if with.GUID == 0 {
				with.GUID = r.newGUID(r.sim.GUID(at.Node))
			}
			return r.replace(at, with)
		})
	}}
}

func parseGUIDCommand(w *words) action {
	n := w.node()
	to := read(w, "the GUID of a node", parseGUID)
	return action{run: func(r *Runner) error {
		return r.each("guid", n, anything, func(at sim.Place) (string, error) {
			return r.replace(at, sim.Replacement{GUID: to})
		})
	}}
}

func (r *Runner) replace(at sim.Place, with sim.Replacement) (string, error) {
	for n := range r.sim.Model().Nodes() {
		if n != at.Node && r.sim.GUID(n) == with.GUID {
			return "", invalid("%s has GUID %s already", r.end(sim.Place{Node: n}), with.GUID)
		}
	}
	r.zero(at)
	err := r.sim.ReplaceNode(at.Node, with)
	return "now " + r.end(at).String(), err
}

// newGUID makes a GUID of the same vendor that no node has, with room for those
// of its ports.
func (r *Runner) newGUID(old ib.GUID) ib.GUID {
	const vendor = ib.GUID(0xffffff) << 40
	for {
		g := old&vendor | ib.GUID(r.random.Uint64()&^uint64(vendor)&^0xff)
		taken := g == 0
		for n := range r.sim.Model().Nodes() {
			taken = taken || r.sim.GUID(n)&^0xff == g
		}
		if !taken {
			return g
		}
	}
}

// zero makes the counters of a node those of hardware that starts.
func (r *Runner) zero(at sim.Place) {
	if r.counters == nil {
		return
	}
	for num := range at.Node.NumPorts() + 1 {
		_ = r.counters.Zero(sim.Place{Node: at.Node, Port: num}) // the port is there
	}
}

func parseRename(w *words) action {
	n := w.node()
	text := read(w, "a text", parseDescription)
	return action{run: func(r *Runner) error {
		return r.each("rename", n, anything, func(at sim.Place) (string, error) {
			err := r.sim.SetNodeDescription(at.Node, text)
			return "now " + strconv.Quote(r.sim.Description(at.Node)), err
		})
	}}
}

func parseDescription(s string) (string, error) {
	if s == "" || len(s) > mad.DataSize {
		return "", invalid("it is not from 1 to %d bytes", mad.DataSize)
	}
	return s, nil
}

func parseUint32(s string) (uint64, error) { return strconv.ParseUint(s, 0, 32) }

func parseLIDCommand(w *words) action {
	n := w.place()
	lid := read(w, "a unicast LID", parseLID)
	lmc, detail := uint8(0), "LID "+lid.String()
	if len(w.list) > 0 {
		lmc = read(w, "an LMC, 0…7", func(s string) (uint8, error) {
			v, err := strconv.ParseUint(s, 10, 3)
			return uint8(v), err
		})
		detail += " LMC " + strconv.Itoa(int(lmc))
	}
	return action{run: func(r *Runner) error {
		return r.each("lid", n, anything, func(at sim.Place) (string, error) { return detail, r.setLID(at, lid, lmc) })
	}}
}

// setLID does what a subnet manager does by a Set.
func (r *Runner) setLID(at sim.Place, lid ib.LID, lmc uint8) error {
	if at.Node.Type() == ib.NodeSwitch {
		at.Port = 0
	} else if at.Port == 0 {
		at.Port = 1
	}
	var data [mad.DataSize]byte
	v := r.sim.PortInfo(at)
	v.LID, v.LMC, v.State, v.PhysState = lid, lmc, ib.PortNoChange, ib.PhysNoChange
	v.Encode(&data)
	if status := r.sim.Direct(at, mad.MethodSet, smp.AttrPortInfo, uint32(at.Port), &data); status != mad.StatusOK {
		return invalid("the port does not take LID %d LMC %d: %v", lid, lmc, status)
	}
	return nil
}
