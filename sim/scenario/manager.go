package scenario

import (
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
)

// gone is a subnet manager that has vanished: its forwarding tables are still in
// the switches, and nobody answers.
type gone struct{ was *sm.Manager }

func (g gone) Next(sw *fabric.Node, lid ib.LID) uint8         { return g.was.Next(sw, lid) }
func (g gone) Group(sw *fabric.Node, mlid ib.LID) [4]uint64   { return g.was.Group(sw, mlid) }
func (g gone) SMInfo(sim.Place) (info smp.SMInfo, there bool) { return info, false }

// onManager is a command without a place.
func onManager(verb string, do func(*sim.Fabric) error) action {
	return action{run: func(r *Runner) error {
		r.log(Event{Do: verb, Err: do(r.sim)})
		return nil
	}}
}

func parseSMStop(*words) action { return onManager("sm stop", stopSM) }

func stopSM(s *sim.Fabric) error {
	m, ok := s.Manager().(*sm.Manager)
	if !ok {
		return missing("the simulator runs no subnet manager")
	}
	for _, subnet := range m.Subnets() {
		subnet.Tables() // which it would compute when they are asked, by the links as they are then
	}
	if a, ok := s.Agent(mad.ClassSubnAdm).(*sa.Agent); ok {
		if err := a.Close(); err != nil {
			return err
		}
	}
	err := m.Close()
	s.Manage(gone{m})
	return err
}

func parseSMStart(*words) action { return onManager("sm start", startSM) }

func startSM(s *sim.Fabric) error {
	o := sm.Options{}
	switch m := s.Manager().(type) {
	case *sm.Manager:
		return invalid("the simulator runs a subnet manager already")
	case gone:
		o = m.was.Options()
	}
	m, err := sm.Start(s, &o)
	if err != nil {
		return err
	}
	_, err = sa.Start(m)
	return err
}

func parseSMSweep(*words) action {
	return onManager("sm sweep", func(s *sim.Fabric) error {
		m, ok := s.Manager().(*sm.Manager)
		if !ok {
			return missing("the simulator runs no subnet manager")
		}
		m.Sweep()
		return nil
	})
}

func parseNote(w *words) action {
	var texts []string
	for len(texts) == 0 || len(w.list) > 0 {
		texts = append(texts, w.next("a text").text)
		if w.err != nil {
			break
		}
	}
	text := strings.Join(texts, " ")
	return action{run: func(r *Runner) error {
		r.log(Event{Do: "note", Detail: text})
		return nil
	}}
}
