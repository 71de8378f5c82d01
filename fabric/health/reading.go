package health

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// maxListed bounds the places that a finding names one by one.
const maxListed = 8

// reading tells of what could not be read, and of what cannot be true.
func (x *examiner) reading() (looked int, skipped string) {
	lost := map[End]*Finding{}
	var order []End
	problems := x.f.Problems()
	for i := range problems {
		p := &problems[i]
		if !p.Kind.IsLoss() {
			x.contradiction(p)
			continue
		}
		at := x.locate(p)
		f := lost[at]
		if f == nil {
			f = &Finding{Kind: NotRead, Severity: Warning, At: at, Remedy: []string{
				"Sweep again; if it stays, look at the node itself: power, driver, firmware.",
				"Ports that answer nothing may be behind an M_Key: give --m-key.",
			}}
			if p.File != "" {
				f.Remedy = []string{"Look at these lines of the file: they are not as its format has them."}
			}
			lost[at] = f
			order = append(order, at)
		}
		f.Count++
		f.Evidence = listed(f.Evidence, f.Count, p.Error())
	}
	for _, at := range order {
		x.lost(lost[at])
	}
	x.unknownPeers()
	return x.f.NumNodes(), ""
}

// locate finds the node that did not answer, or the port behind which it is.
func (x *examiner) locate(p *fabric.Problem) End {
	if n, ok := x.f.NodeByGUID(p.GUID); ok && p.GUID != 0 {
		return End{n, -1}
	}
	path := p.Target.Path
	hops := path.Len()
	if !p.Target.IsDirected() || hops == 0 {
		return End{}
	}
	if n, ok := x.f.NodeByPath(path); ok {
		return End{n, -1}
	}
	before, ok := x.f.NodeByPath(path.Parent())
	if !ok {
		return End{}
	}
	at := End{before, path.Last()}
	x.silent[at] = true
	return at
}

func (x *examiner) lost(f *Finding) {
	switch {
	case f.At.Node == nil:
		f.Text = f.Evidence[0]
		if f.Count > 1 {
			f.Text = fmt.Sprintf("the fabric could not be read as a whole: %d problems", f.Count)
		}
	case f.At.Port < 0:
		f.Text = fmt.Sprintf("%s did not tell all that it was asked", x.place(f.At))
	default:
		f.Text = fmt.Sprintf("the node behind %s does not answer", x.place(f.At))
		f.Severity = Error
	}
	f.Count = 1
	x.add(*f)
}

// listed adds a line to a list that is not to become long; n is its number.
func listed(list []string, n int, line string) []string {
	switch {
	case n <= maxListed:
		return append(list, line)
	case n == maxListed+1:
		return append(list, "… and more")
	}
	return list
}

// contradiction tells of a problem that no other check looks for itself.
func (x *examiner) contradiction(p *fabric.Problem) {
	f := Finding{Kind: Contradiction, Severity: Warning, At: x.locate(p), Text: p.Error()}
	switch p.Kind {
	case fabric.DuplicateGUID, fabric.RateMismatch:
		return
	case fabric.LinkConflict:
		f.Kind, f.Severity = LinkConflict, Error
		f.Remedy = []string{"Sweep again: a cable may have been moved meanwhile. If it stays, look for duplicate GUIDs."}
	case fabric.BadChassis, fabric.BadInput:
		f.Severity = Note
	}
	x.add(f)
}

// unknownPeers tells of ports that have a link to a node that nobody has told of.
func (x *examiner) unknownPeers() {
	f := Finding{Kind: UnknownPeer, Severity: Warning}
	for p := range x.f.Ports() {
		at := At(p)
		if p.Num() == 0 || p.Remote() != nil || p.PhysState() != ib.PhysLinkUp || x.silent[at] {
			continue
		}
		if f.Count++; f.Count == 1 {
			f.At = at
		}
		f.Evidence = listed(f.Evidence, f.Count, fmt.Sprintf("%s is %s", x.place(at), p.State()))
	}
	if f.Count == 0 {
		return
	}
	f.Text = are(f.Count, "port has", "ports have") + " a link to a node that was not found"
	f.Remedy = []string{"Sweep without a limit of hops; if they stay, what is at the other end does not answer."}
	x.add(f)
}
