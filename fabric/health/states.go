package health

import (
	"fmt"
	"iter"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// states looks at links that are not active, at least not at both ends.
func (x *examiner) states() (looked int, skipped string) {
	var idle []Finding
	waiting := 0
	for l := range x.f.Links() {
		a, b := l.A.State(), l.B.State()
		if a == ib.PortNoChange && b == ib.PortNoChange {
			continue
		}
		looked++
		if a != b && (isGuess(l.A) || isGuess(l.B)) {
			continue
		}
		if isWaiting(a) || isWaiting(b) {
			waiting++
		}
		if f, found := x.state(l, a, b); found {
			idle = append(idle, f)
		}
	}
	switch {
	case looked == 0:
		return 0, "no states of links are known"
	case waiting > 1 && 2*waiting > looked: // one cause, not thousands
		x.add(Finding{
			Kind: NotConfigured, Severity: Critical, Count: waiting,
			Text:   fmt.Sprintf("%d of %d links wait for the subnet manager", waiting, looked),
			Remedy: []string{"Start a subnet manager, or look into its log: it has not brought these links up."},
		})
		for i := range idle {
			if idle[i].Kind == StatesDisagree {
				x.add(idle[i])
			}
		}
	default:
		x.findings = append(x.findings, idle...)
	}
	return looked, ""
}

func isWaiting(s ib.PortState) bool { return s == ib.PortInitialize || s == ib.PortArmed }

// isGuess reports whether a state is what the reader of a file has made of a LID that
// is missing there. No node tells an MTUCap of 0.
func isGuess(p *fabric.Port) bool {
	info, ok := p.Info()
	return ok && info.MTUCap == 0 && p.LID() == 0 && info.State == ib.PortInitialize
}

// state looks at one link.
func (x *examiner) state(l fabric.Link, a, b ib.PortState) (f Finding, found bool) {
	f = Finding{Kind: NotActive, Severity: Error, At: At(l.A), To: At(l.B), Count: 1}
	f.Evidence = []string{fmt.Sprintf("%s: %s, %s", x.place(f.At), a, l.A.PhysState()), fmt.Sprintf("%s: %s, %s", x.place(f.To), b, l.B.PhysState())}
	known := a != ib.PortNoChange && b != ib.PortNoChange
	switch {
	case known && a != b:
		f.Kind = StatesDisagree
		f.Text = fmt.Sprintf("%s: one end is %s, the other %s", x.between(l), a, b)
		f.Remedy = []string{"Sweep again: it may just be coming up. If it stays, take the link down and up: ibportstate … reset."}
	case isWaiting(a) || isWaiting(b):
		state := a
		if !isWaiting(state) {
			state = b
		}
		f.Text = fmt.Sprintf("%s is %s: it carries nothing but management", x.between(l), state)
		f.Remedy = []string{"The subnet manager has not brought it up: look into its log for this port."}
	case a == ib.PortDown || b == ib.PortDown:
		f.Text = x.between(l) + " is down"
		f.Remedy = []string{"Look at the cable and at both ends of it."}
	default:
		return f, false
	}
	return f, true
}

func hasActive(ports iter.Seq[*fabric.Port]) bool {
	for p := range ports {
		if p.State() == ib.PortActive {
			return true
		}
	}
	return false
}

// ports looks at ports without a link: those that try in vain, and those that are
// switched off.
func (x *examiner) ports() (looked int, skipped string) {
	off := Finding{Kind: Disabled, Severity: Note}
	for p := range x.f.Ports() {
		if p.PhysState() == ib.PhysNoChange || p.Num() == 0 {
			continue
		}
		looked++
		switch at := At(p); p.PhysState() {
		case ib.PhysDisabled:
			if off.Count++; off.Count == 1 {
				off.At = at
			}
			off.Evidence = listed(off.Evidence, off.Count, x.place(at))
		case ib.PhysTraining, ib.PhysLinkErrorRecovery:
			x.add(Finding{
				Kind: Training, Severity: Warning, At: at, To: At(p.Remote()),
				Text:   fmt.Sprintf("%s is in %s: its link does not come up", x.place(at), p.PhysState()),
				Remedy: []string{"Plug the cable anew at both ends, then try another one.", "Compare the speeds that both ends have enabled."},
			})
		}
	}
	if off.Count > 0 {
		off.Text = are(off.Count, "port is", "ports are") + " disabled"
		off.Remedy = []string{"If nobody has done so on purpose: ibportstate … enable."}
		x.add(off)
	}
	if looked == 0 {
		return 0, "no states of ports are known"
	}
	return looked, ""
}
